"""URLs as C reads them: two parsers would not agree on all hosts."""

from __future__ import annotations

from ctypes import byref, c_uint64
from urllib.parse import SplitResult, urlsplit

from . import _ffi
from ._buffers import copy
from ._errors import check

_PORTS = {"http": 80, "https": 443}


def parts_of(text: bytes) -> SplitResult:
    """The parts of an absolute URL, without user name and password.

    :raises InvalidURL: it is none.
    """
    request = c_uint64()
    check(_ffi.request_create(b"GET", text, byref(request)))
    try:
        return parts_of_request(request)
    finally:
        _ffi.request_destroy(request)


def parts_of_request(request: c_uint64) -> SplitResult:
    """Those of the URL of a netcore_request; of a relative one those of its reference."""
    info = _ffi.RequestInfo(size=_ffi.SIZE_OF_REQUEST_INFO)
    check(_ffi.request_get_info(request, byref(info)))
    return _split(info.url)


def parts_of_response(response: int) -> SplitResult:
    """Those of the URL of a netcore_response, or none."""
    info = _ffi.ResponseInfo(size=_ffi.SIZE_OF_RESPONSE_INFO)
    check(_ffi.response_get_info(response, byref(info)))
    return _split(info.url)


def origin_of(parts: SplitResult) -> str:
    """Scheme, host and port."""
    return f"{parts.scheme}://{parts.hostname}:{parts.port or _PORTS.get(parts.scheme)}"


def _split(url: _ffi.Bytes) -> SplitResult:
    return urlsplit(copy(url.data or 0, url.size_bytes).decode("utf-8", "replace"))
