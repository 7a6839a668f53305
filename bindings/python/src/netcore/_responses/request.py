"""What was asked for."""

from __future__ import annotations

from ctypes import byref, c_uint64
from typing import Any, Dict, Iterator, Optional, Sequence, Tuple

from .._c import ffi
from .._c.buffers import copy
from .._errors.errors import Error, check
from .._inputs.encode import HeaderField, header_fields
from .._inputs.headers import Headers
from .._inputs.kinds import HeadersInput


class Request:
    """What was asked for: equal to the pair of `method` and `url`, and unpacked as that.

    Those of responses, tasks and errors are netcore's; to make one yourself is of use in tests of your own.

    :param headers: header fields, in any of the shapes of a request's `headers`.
    """

    __slots__ = ("_fields_given", "_headers", "_resolved", "_url", "content", "method", "user_info")

    method: str
    content: bytes
    """The body, in the function of a `MockTransport`; netcore's own requests do not keep it."""

    user_info: Any
    """The object that was given with the request."""

    _fields_given: Sequence[HeaderField]
    _resolved: Optional[Resolved]

    def __init__(
        self,
        method: str,
        url: str,
        *,
        headers: Optional[HeadersInput] = None,
        content: bytes = b"",
        user_info: Any = None,
    ) -> None:
        self.method = method
        self._url: Optional[str] = url
        self._fields_given = header_fields(headers)
        self._headers: Optional[Headers] = None
        self._resolved = None
        self.content = content
        self.user_info = user_info

    def _resolve(self, resolved: Resolved, shows_url: bool) -> None:
        """Shows from now on what the client adds: default fields, and if wanted the URL with default parameters."""
        self._resolved = resolved
        if shows_url:
            self._url = None

    @property
    def url(self) -> str:
        """The URL, with what `base_url` and `params` added to it; one that is relative to a service as it was given."""
        url = self._url
        if url is None:
            self._url = url = self._resolved.url if self._resolved is not None else ""
        return url

    @property
    def headers(self) -> Headers:
        """The header fields that were given with the call, and those that the client adds to all requests; without what
        is added when it is sent, such as User-Agent, cookies and what filters and functions set."""
        headers = self._headers
        if headers is None:
            fields = self._fields_given if self._resolved is None else self._resolved.fields
            headers = Headers((name.decode("latin-1"), value.decode("latin-1")) for name, value in fields)
            self._headers = headers
        return headers

    def __iter__(self) -> Iterator[str]:
        return iter((self.method, self.url))

    def __eq__(self, other: object) -> bool:
        return (self.method, self.url) == tuple(other) if isinstance(other, (Request, tuple)) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.method, self.url))

    def __getstate__(self) -> Dict[str, Any]:
        """What a copy has, perhaps in another process: no handle of C's."""
        fields = self.headers.raw
        return {"url": self.url, "fields": fields, **{name: getattr(self, name) for name in _COPIED}}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self._url, self._fields_given = state["url"], state["fields"]
        self._headers = self._resolved = None
        for name in _COPIED:
            setattr(self, name, state[name])

    def __repr__(self) -> str:
        return f"Request(method={self.method!r}, url={self.url!r})"


_COPIED = ("content", "method", "user_info")


class OwnedRequest(c_uint64):
    """A netcore_request, destroyed with this object; 0 is none."""

    def __del__(self, _destroy: Any = ffi.request_destroy) -> None:
        if self:
            _destroy(self)


class Resolved:
    """A request as its client would send it: C is asked for it when it is read, and before the client changes."""

    __slots__ = ("__weakref__", "_client", "_given", "_handle", "_source")

    def __init__(self, client: c_uint64, source: OwnedRequest, given: Request) -> None:
        """:param source: the request, which nothing changes any more."""
        self._client = client
        self._source: Optional[OwnedRequest] = source
        self._given = (given.url, given._fields_given)
        self._handle = OwnedRequest()

    def read(self, *, without_body: bool = False) -> None:
        """Asks C, once. A request that would be refused stays as it was given."""
        source = self._source
        if source is None:
            return
        handle = OwnedRequest()
        if not ffi.fast_resolve(self._client, source, byref(handle)):
            if without_body:
                ffi.request_set_body(handle, None, 0)
            self._handle = handle
        self._source = None

    @property
    def url(self) -> str:
        """As it was given where it would be refused, and in a child of fork(), where the parent's handles are dead."""
        try:
            return _bytes(self._info().url).decode("utf-8", "replace")
        except Error:
            return self._given[0]

    @property
    def fields(self) -> Sequence[HeaderField]:
        """As `url`."""
        try:
            return [self._field(index) for index in range(self._info().header_count)]
        except Error:
            return self._given[1]

    def _info(self) -> ffi.RequestInfo:
        self.read()
        info = ffi.RequestInfo()
        check(ffi.request_get_info(self._handle, byref(info)))
        return info

    def _field(self, index: int) -> Tuple[bytes, bytes]:
        name, value = ffi.Bytes(), ffi.Bytes()
        check(ffi.request_get_header_at(self._handle, index, byref(name), byref(value)))
        return _bytes(name), _bytes(value)


def _bytes(borrowed: ffi.Bytes) -> bytes:
    return copy(borrowed.data or 0, borrowed.size_bytes)
