"""What a request asks of its building in C: where its URL leads, its fields, its parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Optional

from .._c import ffi
from .._errors.raising import call_error, check
from .._inputs import encode, params
from .._inputs.kinds import HeadersInput, ParamsInput

if TYPE_CHECKING:
    from .factory import Prepared


def set_params(
    prepared: Prepared, given: Optional[ParamsInput], serializer: Optional[str], is_nested: bool = False
) -> None:
    """Adds parameters to a request. Without a serializer they always are the query.

    :param given: no string, of which the URL has been made.
    :param is_nested: whether values may be nested without a serializer, too.
    :raises InvalidRequest: a value that is not allowed.
    :raises TypeError: a value of a wrong type.
    """
    number = ffi.SERIALIZER_QUERY
    if serializer is not None:
        number = encode.choice(serializer, _SERIALIZERS, "serializer")
    check(ffi.request_set_serializer(prepared.handle, number))
    for name, value in encode.items_of(given, "params"):
        params.add(params.TO_REQUEST, prepared.handle, name, value, is_nested or serializer is not None)


_SERIALIZERS = {name: number for name, number in ffi.SERIALIZERS.items() if name != "query"}


def set_headers(prepared: Prepared, headers: Optional[HeadersInput]) -> List[encode.HeaderField]:
    """Adds fields to a request; those whose value is None the client is not to add. Returns those that were added."""
    added: List[encode.HeaderField] = []
    for name, value in encode.header_items(headers) if headers else ():
        if value is None:
            status = ffi.request_remove_default_header(prepared.handle, name)
        else:
            status = ffi.request_add_header(prepared.handle, name, value)
            added.append((name, value))
        if status:
            raise call_error(status, prepared.request)
    return added


def url_with(url: str, *queries: Any) -> str:
    """A URL with those queries that are given as strings after its own."""
    for query in queries:
        if isinstance(query, str):
            url = encode.add_query(url, query)
    return url
