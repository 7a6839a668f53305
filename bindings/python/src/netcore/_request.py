"""Requests on the C side: making them from a client's defaults and a call's options, and keeping those used again."""

from __future__ import annotations

import threading
from ctypes import byref, c_uint64
from typing import TYPE_CHECKING, Any, Dict, Hashable, List, Optional, Tuple

from . import _encode, _ffi
from ._cache_request import set_cache_options
from ._errors import call_error, check
from ._options import (
    LIBRARY_TIMEOUT,
    CacheRequestOptions,
    ContentInput,
    FormInput,
    HeadersInput,
    ParamsInput,
    RequestOptions,
    Timeout,
    TimeoutInput,
    as_timeout,
    milliseconds,
)
from ._response import Request

if TYPE_CHECKING:
    from typing_extensions import Unpack

CACHE_SIZE = 512
"""How many requests without a body a client keeps, so that calling the same again costs no making."""

_SETTERS = (
    ("connect", _ffi.request_set_connect_timeout_ms),
    ("first_byte", _ffi.request_set_first_byte_timeout_ms),
    ("idle", _ffi.request_set_idle_timeout_ms),
    ("total", _ffi.request_set_total_timeout_ms),
)
_PER_CALL = frozenset({"params", "content", "data", "json"})
_UNSET: Any = object()


class Prepared:
    """A netcore_request, destroyed with this object. `request` is what users see of it."""

    __slots__ = ("handle", "request")

    def __init__(self, method: str, url: str) -> None:
        self.handle = c_uint64()
        self.request = Request(method, url)
        method_bytes = _encode.c_text(method, "method", _ffi.INVALID_METHOD)
        url_bytes = _encode.c_text(url, "url", _ffi.INVALID_URL)
        status = _ffi.request_create(method_bytes, url_bytes, byref(self.handle))
        if status:
            raise call_error(status, self.request)

    def __del__(self, _destroy: Any = _ffi.request_destroy) -> None:
        if self.handle:
            _destroy(self.handle)


class RequestFactory:
    """Makes requests with a client's defaults. Any thread may use it."""

    def __init__(
        self,
        base_url: str,
        headers: Optional[HeadersInput],
        params: Optional[ParamsInput],
        timeout: TimeoutInput,
        follow_redirects: bool,
        allow_insecure_redirects: bool,
    ) -> None:
        self.base_url = _encode.base_url(base_url)
        self.headers: List[_encode.HeaderField] = _encode.header_fields([], headers)
        self.params = params
        self.timeout = as_timeout(timeout)
        self.follow_redirects = follow_redirects
        self.allow_insecure_redirects = allow_insecure_redirects
        self.cache: Dict[Tuple[Hashable, ...], Prepared] = {}
        self.keeps_none = False
        self._lock = threading.Lock()
        _encode.query_string(params, None)  # a wrong one is known at once

    def get(self, method: str, url: str, options: RequestOptions) -> Prepared:
        """The request for a call, kept from an earlier one like it, or made anew.

        :raises InvalidRequest: a method, URL, header, option or body that is not allowed.
        :raises TypeError: an argument of a wrong type, or an unknown option.
        """
        key = _cache_key(method, url, options) if options else (method, url)
        if key is None or self.keeps_none:
            return self.request(method, url, **options)
        found = self.cache.get(key)
        if found is None:
            found = self.request(method, url, **options)
            with self._lock:
                if len(self.cache) >= CACHE_SIZE:
                    del self.cache[next(iter(self.cache))]
                self.cache[key] = found
        return found

    def forget(self) -> None:
        """Lets go of the requests that were kept."""
        with self._lock:
            self.cache.clear()

    def after_fork(self) -> None:
        """Forgets the parent's requests, whose handles are dead here."""
        self._lock = threading.Lock()
        self.cache = {}

    def request(
        self,
        method: str,
        url: str,
        *,
        params: Optional[ParamsInput] = None,
        headers: Optional[HeadersInput] = None,
        content: Optional[ContentInput] = None,
        data: Optional[FormInput] = None,
        json: Any = None,
        timeout: TimeoutInput = _UNSET,
        follow_redirects: Optional[bool] = None,
        decode_content: bool = True,
        tag: Optional[str] = None,
        interim: bool = False,
        **cache: Unpack[CacheRequestOptions],
    ) -> Prepared:
        fields = _encode.header_fields(self.headers, headers)
        body, content_type = _encode.body(content, data, json)
        whole_url = _encode.join_url(self.base_url, url)
        query = _encode.query_string(self.params, params)
        prepared = Prepared(_encode.method_name(method), _encode.add_query(whole_url, query))
        handle = prepared.handle
        if content_type is not None and not any(name.lower() == b"content-type" for name, _ in fields):
            fields = [*fields, (b"Content-Type", content_type)]
        for name, value in fields:
            _check(_ffi.request_add_header(handle, name, value), prepared)
        if body is not None:
            _check(_ffi.request_set_body(handle, body, len(body)), prepared)
        self._set_timeouts(handle, self.timeout if timeout is _UNSET else as_timeout(timeout))
        if not (self.follow_redirects if follow_redirects is None else follow_redirects):
            check(_ffi.request_set_follow_redirects(handle, 0))
        if self.allow_insecure_redirects:
            check(_ffi.request_set_allow_insecure_redirects(handle, 1))
        if not decode_content:
            check(_ffi.request_set_decode_content(handle, 0))
        if tag is not None:
            check(_ffi.request_set_tag(handle, _encode.c_text(tag, "tag")))
        if interim:
            check(_ffi.request_set_interim_responses(handle, 1))
        if cache:
            set_cache_options(handle, **cache)
        return prepared

    @staticmethod
    def _set_timeouts(handle: c_uint64, timeout: Timeout) -> None:
        if timeout == LIBRARY_TIMEOUT:
            return
        for name, setter in _SETTERS:
            seconds = getattr(timeout, name)
            if seconds != getattr(LIBRARY_TIMEOUT, name):
                check(setter(handle, milliseconds(seconds)))


def _check(status: int, prepared: Prepared) -> None:
    if status:
        raise call_error(status, prepared.request)


def _cache_key(method: str, url: str, options: RequestOptions) -> Optional[Tuple[Hashable, ...]]:
    """What makes two calls the same request; None when this one is not worth keeping."""
    if not _PER_CALL.isdisjoint(options):
        return None
    values: Dict[str, Any] = dict(options)
    headers = values.get("headers")
    if isinstance(headers, dict):
        values["headers"] = tuple(headers.items())
    elif headers is not None:
        return None
    if isinstance(values.get("cache_key_fields"), list):
        values["cache_key_fields"] = tuple(values["cache_key_fields"])
    key = (method, url, *values.items())
    try:
        hash(key)
    except TypeError:
        return None
    return key
