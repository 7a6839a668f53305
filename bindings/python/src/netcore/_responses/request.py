"""What was asked for."""

from __future__ import annotations

from ctypes import byref, c_uint64
from typing import Any, Dict, Iterator, Optional, Sequence, Tuple

from .._c import ffi
from .._c.buffers import copy
from .._errors.errors import Error
from .._errors.raising import check
from .._inputs.encode import HeaderField, header_fields
from .._inputs.headers import Headers
from .._inputs.kinds import HeadersInput


class Request:
    """What was asked for: equal to the pair of `method` and `url`, and unpacked as that.

    Those of responses, tasks and errors are netcore's; to make one yourself is of use in tests of your own.

    :param headers: header fields, in any of the shapes of a request's `headers`.
    """

    __slots__ = (
        "_client",
        "_fields_given",
        "_headers",
        "_source",
        "_url",
        "_url_given",
        "content",
        "method",
        "user_info",
    )

    method: str
    content: bytes
    """The body, in the function of a `MockTransport`; netcore's own requests do not keep it."""

    user_info: Any
    """The object that was given with the request."""

    _fields_given: Sequence[HeaderField]
    _source: Optional[OwnedRequest]
    """What C is asked for."""

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
        self._source = None
        self.content = content
        self.user_info = user_info

    def _ask(self, client: c_uint64, source: OwnedRequest, shows_url: bool) -> None:
        """Shows from now on what the client adds: default fields, and if wanted the URL with default parameters.

        :param source: the request, which nothing changes any more.
        """
        self._client, self._source = client, source
        if shows_url:
            self._url_given, self._url = self._url, None

    @property
    def url(self) -> str:
        """The URL, with what `base_url` and `params` added to it; one that is relative to a service as it was given."""
        url = self._url
        if url is None:
            self._url = url = self._resolved_url()
        return url

    @property
    def headers(self) -> Headers:
        """The header fields that were given with the call, and those that the client adds to all requests; without what
        is added when it is sent, such as User-Agent, cookies and what filters and functions set."""
        headers = self._headers
        if headers is None:
            fields = self._resolved_fields()
            headers = Headers((name.decode("latin-1"), value.decode("latin-1")) for name, value in fields)
            self._headers = headers
        return headers

    def _resolved_url(self) -> str:
        """As it was given where it would be refused, and in a child of fork(), where the parent's handles are dead."""
        try:
            return "" if self._source is None else self._source.resolve(self._client).url
        except Error:
            return self._url_given or ""

    def _resolved_fields(self) -> Sequence[HeaderField]:
        """As the URL."""
        try:
            return self._fields_given if self._source is None else self._source.resolve(self._client).fields
        except Error:
            return self._fields_given

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
        self._headers = self._source = None
        for name in _COPIED:
            setattr(self, name, state[name])

    def __repr__(self) -> str:
        return f"Request(method={self.method!r}, url={self.url!r})"


_COPIED = ("content", "method", "user_info")


class OwnedRequest(c_uint64):
    """A netcore_request, destroyed with this object; 0 is none."""

    __hash__ = object.__hash__  # weak references to it are in a set

    resolved: Optional[OwnedRequest] = None
    """As its client would send it, once that was asked."""
    is_resolved = False
    """Whether it is such a one itself."""

    def __del__(self, _destroy: Any = ffi.request_destroy) -> None:
        if self:
            _destroy(self)

    def resolve(self, client: c_uint64) -> OwnedRequest:
        """The request as the client would send it, as it was when this was called first."""
        if self.is_resolved:
            return self
        resolved = self.resolved
        if resolved is None:
            resolved = OwnedRequest()
            ffi.fast_resolve(client, self, byref(resolved))  # 0 where it would be refused
            resolved.is_resolved = True
            self.resolved = resolved
        return resolved

    @property
    def url(self) -> str:
        return _bytes(self._info().url).decode("utf-8", "replace")

    @property
    def fields(self) -> Sequence[HeaderField]:
        return [self._field(index) for index in range(self._info().header_count)]

    def _info(self) -> ffi.RequestInfo:
        info = ffi.RequestInfo()
        check(ffi.request_get_info(self, byref(info)))
        return info

    def _field(self, index: int) -> Tuple[bytes, bytes]:
        name, value = ffi.Bytes(), ffi.Bytes()
        check(ffi.request_get_header_at(self, index, byref(name), byref(value)))
        return _bytes(name), _bytes(value)


def _bytes(borrowed: ffi.Bytes) -> bytes:
    return copy(borrowed.data or 0, borrowed.size_bytes)
