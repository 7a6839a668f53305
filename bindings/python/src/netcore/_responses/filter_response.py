"""An answer as filters see and change it."""

from __future__ import annotations

from ctypes import c_uint64
from typing import Any, ClassVar, Optional, Union

from .._c import ffi
from .._errors.errors import StateError
from .._errors.raising import call_error
from .._functions.filter_request import FilterHeaders, Setters
from .._inputs import encode
from .._inputs.headers import Headers
from .._inputs.kinds import BytesInput
from .request import Request
from .response import Response, take_response


class FilterResponse:
    """An answer before it is stored or its task ends, for the filter that it is given to, until that returns."""

    __slots__ = ("_handle", "_response")

    _setters: ClassVar[Setters] = (ffi.response_set_header, ffi.response_add_header, ffi.response_remove_header)

    def __init__(self, handle: int) -> None:
        self._handle = c_uint64(handle)
        self._response: Optional[Response] = None

    @property
    def response(self) -> Response:
        """The answer with the changes made so far, to be read; it stays as it is."""
        if self._response is None:
            self._check(ffi.response_retain(self._handle))
            self._response = take_response(self._handle.value, Request("", ""))
        return self._response

    @property
    def status_code(self) -> int:
        """The status code, which cannot be changed: redirects, retries and credentials have gone by it."""
        return self.response.status_code

    @property
    def url(self) -> str:
        """The URL of the last hop, without user name and password."""
        return self.response.url

    @property
    def from_cache(self) -> bool:
        """Whether this comes out of the cache."""
        return self.response.from_cache

    @property
    def headers(self) -> FilterHeaders:
        """The header fields, which can be changed. Set it, to a mapping or pairs, to replace them all."""
        return FilterHeaders(self)

    @headers.setter
    def headers(self, headers: Any) -> None:
        FilterHeaders(self)._replace(headers)

    @property
    def content(self) -> bytes:
        """The body, decoded. Set it to bytes or text to replace it: Content-Length is then its length, and
        Content-Encoding, Transfer-Encoding and digests of the body before are removed; Content-Type and ETag stay.

        :raises StateError: set for an answer that has no body: to HEAD, a 204, 205 or 304.
        """
        return self.response.content

    @content.setter
    def content(self, content: Union[str, BytesInput]) -> None:
        if not isinstance(content, (str, bytes, bytearray, memoryview)):
            raise TypeError(f"content: bytes or str expected, not {type(content).__name__}")
        body = encode.body(content, None, None)[0] or b""
        self._check(ffi.response_set_body(self._handle, body, len(body)))

    @property
    def text(self) -> str:
        """The body as text; see `Response.text`."""
        return self.response.text

    def json(self, **options: Any) -> Any:
        """The body as JSON; see `Response.json`."""
        return self.response.json(**options)

    def add_tag(self, tag: str) -> None:
        """Adds a tag that the cache stores the answer with, besides those of the request (`tag`).

        :raises StateError: in a filter that does not run before the answer is stored.
        """
        self._check(ffi.response_add_tag(self._handle, encode.c_text(tag, "tag")))

    def close(self) -> None:
        """The filter has returned. Not for users."""
        self._handle = c_uint64()
        self._response = None

    def _fields(self) -> Headers:
        return self.response.headers

    def _check(self, status: int) -> None:
        self._response = None
        if status == ffi.ERR_INVALID_HANDLE:
            raise StateError("the filter that this answer was given to has returned", status=ffi.ERR_INVALID_STATE)
        if status:
            raise call_error(status)

    def __repr__(self) -> str:
        return (
            f"<FilterResponse {self.status_code} {self.url.partition('?')[0]}>" if self._handle else "<FilterResponse>"
        )
