"""A request as filters see and change it."""

from __future__ import annotations

from collections.abc import MutableMapping
from ctypes import byref, c_uint64
from typing import Any, Callable, ClassVar, Iterator, List, Optional, Protocol, Tuple, Union
from urllib.parse import parse_qsl

from .._c import ffi
from .._c.buffers import copy
from .._errors.errors import StateError
from .._errors.raising import call_error
from .._inputs import encode
from .._inputs.headers import Headers
from .._inputs.kinds import BytesInput, ParamsInput

Setters = Tuple[Callable[..., int], Callable[..., int], Callable[..., int]]
"""What sets, adds and removes a field."""


class Message(Protocol):
    """A request or an answer, whose header fields a filter sees and changes."""

    _handle: c_uint64
    _setters: ClassVar[Setters]

    def _fields(self) -> Headers:
        """The fields as they are now."""

    def _check(self, status: int) -> None:
        """Raises what a call failed with."""


class FilterRequest:
    """A request that is about to be sent. All is in place but what the client itself adds, such as User-Agent.

    For the filter that it is given to, until that returns.
    """

    __slots__ = ("_handle",)

    _setters: ClassVar[Setters] = (ffi.request_set_header, ffi.request_add_header, ffi.request_remove_header)

    def __init__(self, handle: int) -> None:
        self._handle = c_uint64(handle)

    @property
    def method(self) -> str:
        """The method. Set it to change it.

        :raises InvalidRequest: not a token.
        """
        return _text(self._info().method)

    @method.setter
    def method(self, method: str) -> None:
        self._check(ffi.request_set_method(self._handle, encode.c_text(method, "method", ffi.ERR_INVALID_METHOD)))

    @property
    def url(self) -> str:
        """The URL, without user name and password. Set it to send the request elsewhere; these are then gone.

        :raises InvalidURL: not an absolute http or https URL.
        """
        return _text(self._info().url)

    @url.setter
    def url(self, url: str) -> None:
        self._check(ffi.request_set_url(self._handle, encode.c_text(url, "url", ffi.ERR_INVALID_URL)))

    @property
    def params(self) -> Tuple[Tuple[str, str], ...]:
        """The query of the URL as pairs, decoded. Set it, in any of the shapes of a request's `params`, to replace it;
        as by setting `url`, user name and password are then gone."""
        query = self.url.partition("#")[0].partition("?")[2]
        return tuple(parse_qsl(query, keep_blank_values=True))

    @params.setter
    def params(self, params: ParamsInput) -> None:
        address, hash_sign, fragment = self.url.partition("#")
        query = encode.query_string(params)
        self.url = encode.add_query(address.partition("?")[0], query) + hash_sign + fragment

    @property
    def headers(self) -> FilterHeaders:
        """The header fields, which can be changed. Set it, to a mapping or pairs, to replace them all."""
        return FilterHeaders(self)

    @headers.setter
    def headers(self, headers: Any) -> None:
        FilterHeaders(self)._replace(headers)

    @property
    def content(self) -> Optional[bytes]:
        """The body, packed if it is packed; None when there is none, or it is read while it is sent. Set it to bytes or
        text to replace it, to None to remove it; what describes it in `headers` stays."""
        body = self._info().body
        return copy(body.data, body.size_bytes) if body.data else None

    @content.setter
    def content(self, content: Union[str, BytesInput, None]) -> None:
        if content is not None and not isinstance(content, (str, bytes, bytearray, memoryview)):
            raise TypeError(f"content: bytes, str or None expected, not {type(content).__name__}")
        body = encode.body(content, None, None)[0] or b""
        self._check(ffi.request_set_body(self._handle, body, len(body)))

    def close(self) -> None:
        """The filter has returned. Not for users."""
        self._handle = c_uint64()

    def _info(self) -> ffi.RequestInfo:
        info = ffi.RequestInfo()
        self._check(ffi.request_get_info(self._handle, byref(info)))
        return info

    def _check(self, status: int) -> None:
        if status == ffi.ERR_INVALID_HANDLE:
            raise StateError("the filter that this request was given to has returned", status=ffi.ERR_INVALID_STATE)
        if status:
            raise call_error(status)

    def _fields(self) -> Headers:
        """The fields as they are now."""
        count = self._info().header_count
        return Headers([self._field(index) for index in range(count)])

    def _field(self, index: int) -> Tuple[str, str]:
        name, value = ffi.Bytes(), ffi.Bytes()
        self._check(ffi.request_get_header_at(self._handle, index, byref(name), byref(value)))
        return _text(name, "latin-1"), _text(value, "latin-1")

    def __repr__(self) -> str:
        return f"<FilterRequest {self.method} {self.url.partition('?')[0]}>" if self._handle else "<FilterRequest>"


class FilterHeaders(MutableMapping[str, Any]):
    """The header fields of a request or an answer in a filter; names compare without case. Reads as `Headers` does;
    values are set as text in latin-1, or bytes, in place of all of that name."""

    __slots__ = ("_message",)

    def __init__(self, message: Message) -> None:
        self._message = message

    def __getitem__(self, name: str) -> str:
        return self._message._fields()[name]

    def __setitem__(self, name: str, value: Union[str, bytes]) -> None:
        self._change(self._message._setters[0], name, value)

    def __delitem__(self, name: str) -> None:
        if name not in self._message._fields():
            raise KeyError(name)
        ((name_bytes, _),) = encode.header_items([(name, None)])
        self._message._check(self._message._setters[2](self._message._handle, name_bytes))

    def add(self, name: str, value: Union[str, bytes]) -> None:
        """Adds a field after those already there, also if there is one of that name.

        :raises InvalidRequest: a name or value that is not allowed.
        """
        self._change(self._message._setters[1], name, value)

    def get_list(self, name: str) -> List[str]:
        """All values of a name, in order."""
        return self._message._fields().get_list(name)

    def multi_items(self) -> List[Tuple[str, str]]:
        """Every field as (name, value), in order, repeated ones apart."""
        return self._message._fields().multi_items()

    def _change(self, function: Any, name: str, value: Union[str, bytes]) -> None:
        if value is None:
            raise TypeError(f"headers: the value of {name!r} must be str or bytes, not NoneType")
        ((name_bytes, value_bytes),) = encode.header_items([(name, value)])
        self._message._check(function(self._message._handle, name_bytes, value_bytes))

    def _replace(self, headers: Any) -> None:
        """Replaces all fields."""
        fields = encode.header_items(headers)
        for name in list(self):
            del self[name]
        for name_bytes, value in fields:
            if value is not None:
                self._message._check(self._message._setters[1](self._message._handle, name_bytes, value))

    def __contains__(self, name: object) -> bool:
        return name in self._message._fields()

    def __iter__(self) -> Iterator[str]:
        return iter(self._message._fields())

    def __len__(self) -> int:
        return len(self._message._fields())

    def __repr__(self) -> str:
        return f"FilterHeaders({self.multi_items()!r})"


def _text(value: ffi.Bytes, encoding: str = "utf-8") -> str:
    return copy(value.data or 0, value.size_bytes).decode(encoding)
