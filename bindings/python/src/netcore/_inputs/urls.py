"""URLs as C reads them: two parsers would not agree on all hosts."""

from __future__ import annotations

from ctypes import byref, c_uint64
from urllib.parse import SplitResult, urlsplit

from .._c import ffi
from .._c.buffers import copy
from .._errors.raising import check

_PORTS = {"http": 80, "https": 443}


def parts_of(text: bytes) -> SplitResult:
    """The parts of an absolute URL, without user name and password.

    :raises InvalidURL: it is none.
    """
    request = c_uint64()
    check(ffi.request_create(b"GET", text, byref(request)))
    try:
        info = ffi.RequestInfo()
        check(ffi.request_get_info(request, byref(info)))
        return urlsplit(copy(info.url.data or 0, info.url.size_bytes).decode("utf-8", "replace"))
    finally:
        ffi.request_destroy(request)


def origin_of(parts: SplitResult) -> str:
    """Scheme, host and port."""
    return f"{parts.scheme}://{parts.hostname}:{parts.port or _PORTS.get(parts.scheme)}"
