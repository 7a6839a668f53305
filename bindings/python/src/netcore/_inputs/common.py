"""What all requests of a client have in common."""

from __future__ import annotations

from typing import Any, Callable, FrozenSet, List, NamedTuple, Optional, Tuple, Union

from .._errors.errors import reject
from . import encode
from .kinds import HeadersInput, ParamsInput

HeaderValue = Union[str, bytes, Callable[[], Union[str, bytes, None]], None]
"""The value of a common field; a function gives it at the time of sending."""


class Common(NamedTuple):
    """The common parts of a client's requests. Immutable; another one takes its place.

    Requests take them with them when they are made, and C knows nothing of them: so a plain request costs no building
    when it is sent, fields may repeat and hold any bytes, and parameters are written as those of the request are. But
    C calls the functions that give values at the time of sending: of these there are the names.
    """

    base_url: str
    fields: List[encode.HeaderField]
    params: Union[str, List[encode.Item]]
    asked_fields: FrozenSet[bytes] = frozenset()
    asked_params: FrozenSet[str] = frozenset()

    @classmethod
    def of(cls, base_url: str, headers: Optional[HeadersInput], params: Optional[ParamsInput]) -> Common:
        """Checks what users give."""
        own = params if isinstance(params, str) else encode.items_of(params, "params")
        encode.query_string(own, None)
        return cls(encode.base_url(base_url), encode.header_fields([], headers), own)

    def with_header(self, name: str, value: HeaderValue) -> Common:
        """With a field in place of those of its name; with None without them."""
        key = {name.lower().encode("latin-1", "replace")} if isinstance(name, str) else set()
        if callable(value):
            return self._replace(
                fields=encode.header_fields(self.fields, [(name, None)]), asked_fields=self.asked_fields | key
            )
        fields = encode.header_fields(self.fields, [(name, value)])
        return self._replace(fields=fields, asked_fields=self.asked_fields - key)

    def with_param(self, name: str, value: Any) -> Common:
        """With a parameter in place of those of its name; with None without them."""
        if isinstance(self.params, str):
            reject("params: those of the client are a string, in which names are not known")
        others = [item for item in self.params if item[0] != name]
        if callable(value):
            return self._replace(params=others, asked_params=self.asked_params | {name})
        own = [] if value is None else [(name, value)]
        encode.query_string(own, None)
        return self._replace(params=others + own, asked_params=self.asked_params - {name})

    def fields_with(self, headers: Optional[HeadersInput]) -> List[encode.HeaderField]:
        """The fields of a request with `headers` of its own."""
        if headers and self.asked_fields:
            headers = encode.header_items(headers)
            for name, value in headers:
                if value is None and name.lower() in self.asked_fields:
                    reject(f"headers: {name.decode('latin-1')} is given by a function, and cannot be dropped")
        return encode.header_fields(self.fields, headers)

    def split_params(self, params: Optional[ParamsInput]) -> Tuple[Optional[ParamsInput], List[encode.Pair]]:
        """The `params` of a request, parted from those that take the place of a function's, which C has to know."""
        if isinstance(params, str):
            return params, []
        own = encode.items_of(params, "params")
        instead = [item for item in own if item[0] in self.asked_params]
        return [item for item in own if item[0] not in self.asked_params], encode.texts_of(instead, "params")


NOTHING = Common("", [], [])
