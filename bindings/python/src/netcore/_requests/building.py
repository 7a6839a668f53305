"""What a request asks of its building in C: where its URL leads, values in the URL, typed parameters."""

from __future__ import annotations

from ctypes import c_uint64
from typing import TYPE_CHECKING, Any, Sequence, Tuple

from .._c import ffi
from .._errors.errors import call_error, check, reject
from .._inputs import encode
from .body import set_source

if TYPE_CHECKING:
    from .factory import Prepared

_METHODS_WITH_QUERY = frozenset({"GET", "HEAD", "DELETE"})
"""Of which C puts parameters into the query always."""


def set_params(handle: c_uint64, params: Sequence[Tuple[str, Any]], serializer: str) -> None:
    """Adds typed parameters to a netcore_request.

    :raises InvalidRequest: a value that is not allowed.
    :raises TypeError: a value of a wrong type.
    """
    check(ffi.request_set_serializer(handle, encode.choice(serializer, ffi.SERIALIZERS, "serializer")))
    for name, value in params:
        text = encode.c_text(name, "params")
        values = value if serializer == "form" and isinstance(value, (list, tuple)) else (value,)
        for one in values:
            status = _add_param(handle, text, one)
            if status:
                raise call_error(status, argument=f"params: {name!r}")


def set_query(prepared: Prepared, pairs: Sequence[encode.Pair], has_body: bool) -> None:
    """Adds parameters to the query, and sees to it that those that functions give go there too."""
    for name, value in pairs:
        check(ffi.request_add_param(prepared.handle, encode.c_text(name, "params"), encode.c_text(value, "params")))
    if not has_body and prepared.request.method not in _METHODS_WITH_QUERY:
        set_source(prepared, (), 0)  # without a body they would be the body


def _add_param(handle: c_uint64, name: bytes, value: Any) -> int:
    """Adds one parameter by its type, and returns the status."""
    status: int
    if value is None:
        status = ffi.request_add_param_null(handle, name)
    elif isinstance(value, str):
        status = ffi.request_add_param(handle, name, encode.c_text(value, "params"))
    elif isinstance(value, bool):
        status = ffi.request_add_param_bool(handle, name, value)
    elif isinstance(value, int):
        if not -(1 << 63) <= value < 1 << 63:
            reject(f"params: {value} is not between -2**63 and 2**63 - 1")
        status = ffi.request_add_param_int(handle, name, value)
    elif isinstance(value, float):
        status = ffi.request_add_param_double(handle, name, value)
    elif isinstance(value, (dict, list, tuple)):
        status = ffi.request_add_param_json(handle, name, encode.json_text(value, "params"))
    else:
        kind = type(value).__name__
        raise TypeError(f"params: str, int, float, bool, None, list, tuple or dict expected, not {kind}")
    return status
