"""What all requests of a client have in common."""

from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Union

from . import _encode
from ._errors import reject
from ._options import HeadersInput, ParamsInput


class Common(NamedTuple):
    """The common parts of a client's requests. Immutable; another one takes its place.

    Requests take them with them when they are made, and C knows nothing of them: so a plain request costs no building
    when it is sent, fields may repeat and hold any bytes, and parameters are written as those of the request are.
    """

    base_url: str
    fields: List[_encode.HeaderField]
    params: Union[str, List[_encode.Item]]

    @classmethod
    def of(cls, base_url: str, headers: Optional[HeadersInput], params: Optional[ParamsInput]) -> Common:
        """Checks what users give."""
        own = params if isinstance(params, str) else _encode.items_of(params, "params")
        _encode.query_string(own, None)
        return cls(_encode.base_url(base_url), _encode.header_fields([], headers), own)

    def with_header(self, name: str, value: Union[str, bytes, None]) -> Common:
        """With a field in place of those of its name; with None without them."""
        return self._replace(fields=_encode.header_fields(self.fields, [(name, value)]))

    def with_param(self, name: str, value: Any) -> Common:
        """With a parameter in place of those of its name; with None without them."""
        if isinstance(self.params, str):
            reject("params: those of the client are a string, in which names are not known")
        own = [] if value is None else [(name, value)]
        _encode.query_string(own, None)
        return self._replace(params=[item for item in self.params if item[0] != name] + own)


NOTHING = Common("", [], [])
