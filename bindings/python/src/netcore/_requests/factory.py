"""Requests on the C side: making them from a client's defaults and a call's options, and keeping those used again."""

from __future__ import annotations

import threading
from ctypes import byref, c_uint64
from typing import TYPE_CHECKING, Any, Callable, Dict, Hashable, List, Mapping, Optional, Tuple, Union

from .._c import ffi
from .._credentials.auth import AuthInput, as_auth
from .._credentials.cookie import set_cookies
from .._errors.errors import call_error, check, reject
from .._inputs import encode
from .._inputs.common import NOTHING, Common, HeaderValue
from .._inputs.kinds import ContentInput, FilesInput, FormInput, HeadersInput, ParamsInput
from .._inputs.limits import LIBRARY_TIMEOUT, Timeout, TimeoutInput, as_timeout, milliseconds
from .._responses.response import Request
from .body import set_body, set_gzip
from .building import set_building_options, set_params, set_query
from .options import RequestOptions, TransferOptions
from .transfer import set_transfer_options

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._responses.progress import Watch

CACHE_SIZE = 512
"""How many requests without a body a client keeps, so that calling the same again costs no making."""

_SETTERS = (
    ("connect", ffi.request_set_connect_timeout_ms),
    ("first_byte", ffi.request_set_first_byte_timeout_ms),
    ("idle", ffi.request_set_idle_timeout_ms),
    ("total", ffi.request_set_total_timeout_ms),
)
_PER_CALL = frozenset(
    [
        "params",
        "content",
        "content_length",
        "data",
        "json",
        "files",
        "path_values",
        "cookies",
        "on_progress",
        "user_info",
    ]
)
_UNSET: Any = object()


class Prepared:
    """A netcore_request, destroyed with this object. `request` is what users see of it."""

    __slots__ = ("handle", "is_async", "is_custom", "raised", "request", "watch")

    def __init__(self, method: str, url: str, service: Optional[str] = None, is_async: bool = False) -> None:
        self.handle = c_uint64()
        self.request = Request(method, url)
        self.is_async = is_async
        """Whether the running event loop may be asked for the body."""
        self.is_custom = False
        self.raised: Optional[List[BaseException]] = None
        """What reading the body raised, where Python reads it."""
        self.watch: Optional[Watch] = None
        """Who hears of its progress."""
        method_bytes = encode.c_text(method, "method", ffi.ERR_INVALID_METHOD)
        url_bytes = encode.c_text(url, "url", ffi.ERR_INVALID_URL)
        if encode.is_absolute(url):
            status = ffi.request_create(method_bytes, url_bytes, byref(self.handle))
        else:
            name = None if service is None else encode.c_text(service, "service")
            status = ffi.request_create_relative(method_bytes, name, url_bytes, byref(self.handle))
        if status:
            raise call_error(status, self.request)

    def keep_raised(self) -> List[BaseException]:
        """Where what reading the body raises is kept."""
        if self.raised is None:
            self.raised = []
        return self.raised

    def __del__(self, _destroy: Any = ffi.request_destroy) -> None:
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
        auth: Optional[AuthInput],
    ) -> None:
        self.auth = None if auth is None else as_auth(auth)
        self.common = Common.of(base_url, headers, params)
        self.timeout = as_timeout(timeout)
        self.follow_redirects = follow_redirects
        self.allow_insecure_redirects = allow_insecure_redirects
        self.cache: Dict[Tuple[Hashable, ...], Prepared] = {}
        self.keeps_none = False
        self.is_async = False
        self._lock = threading.Lock()

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
            cache = self.cache  # another one by then, if the common parts change meanwhile
            found = self.request(method, url, **options)
            with self._lock:
                if len(cache) >= CACHE_SIZE:
                    del cache[next(iter(cache))]
                cache[key] = found
        return found

    def set_header(self, name: str, value: HeaderValue, tell: Callable[[], None]) -> None:
        """Replaces the common fields of a name; None removes them. `tell` runs when all is known to be well."""
        for field in NOTHING.with_header(name, value).fields:
            _add_header(Prepared("GET", "http://localhost/"), field)  # C knows what a field may be
        self._change(lambda common: common.with_header(name, value), tell)

    def set_param(self, name: str, value: Any, tell: Callable[[], None]) -> None:
        """Replaces the common parameters of a name; None removes them."""
        encode.c_text(name, "name")
        self._change(lambda common: common.with_param(name, value), tell)

    def _change(self, change: Callable[[Common], Common], tell: Callable[[], None]) -> None:
        """Changes the common parts, then lets go of the requests that were made with others."""
        with self._lock:
            changed = change(self.common)
            tell()
            self.common = changed
            self.cache = {}

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
        content_length: Optional[int] = None,
        data: Optional[FormInput] = None,
        json: Any = None,
        files: Optional[FilesInput] = None,
        gzip: Union[bool, int] = False,
        timeout: TimeoutInput = _UNSET,
        follow_redirects: Optional[bool] = None,
        decode_content: bool = True,
        tag: Optional[str] = None,
        interim: bool = False,
        base_url: Optional[str] = None,
        service: Optional[str] = None,
        use_cdn: bool = False,
        use_https: bool = False,
        path_values: Optional[Mapping[str, Union[str, int]]] = None,
        serializer: Optional[str] = None,
        custom: bool = False,
        auth: Optional[AuthInput] = _UNSET,
        cookies: Optional[Mapping[str, str]] = None,
        use_cookies: bool = True,
        **transfer: Unpack[TransferOptions],
    ) -> Prepared:
        common = NOTHING if custom else self.common
        fields = common.fields_with(headers)
        if files:  # the type of the body is its own, whatever is common
            fields = [field for field in fields if field not in common.fields or field[0].lower() != b"content-type"]
        whole_url = encode.join_url(_base(common, base_url, service), url)
        instead: List[encode.Pair] = []
        if serializer is None:
            if common.asked_params:
                params, instead = common.split_params(params)
            whole_url = encode.add_query(whole_url, encode.query_string(common.params, params))
        prepared = Prepared(encode.method_name(method), whole_url, service, self.is_async)
        prepared.is_custom = custom
        handle = prepared.handle
        if serializer is not None:
            set_params(handle, encode.merged_params(common.params, params), serializer)
        if use_cdn or use_https or custom or path_values:
            set_building_options(handle, use_cdn=use_cdn, use_https=use_https, custom=custom, path_values=path_values)
        if content is not None or data is not None or json is not None or files or content_length is not None:
            content_type = set_body(prepared, content, data, json, files, content_length)
            if content_type is not None and not any(name.lower() == b"content-type" for name, _ in fields):
                fields = [*fields, (b"Content-Type", content_type)]
        if common.asked_params and serializer is None:
            set_query(prepared, instead, bool(content or data or files or json is not None))
        if cookies:
            set_cookies(handle, cookies)
        for field in fields:
            _add_header(prepared, field)
        if auth is not _UNSET or self.auth is not None:
            self._set_auth(prepared, auth)
        if not use_cookies:
            check(ffi.request_set_use_cookies(handle, encode.flag(use_cookies, "use_cookies")))
        if gzip is not False:
            set_gzip(prepared, gzip)
        self._set_timeouts(handle, self.timeout if timeout is _UNSET else as_timeout(timeout))
        if not (self.follow_redirects if follow_redirects is None else follow_redirects):
            check(ffi.request_set_follow_redirects(handle, 0))
        if self.allow_insecure_redirects:
            check(ffi.request_set_allow_insecure_redirects(handle, 1))
        if not decode_content:
            check(ffi.request_set_decode_content(handle, 0))
        if tag is not None:
            check(ffi.request_set_tag(handle, encode.c_text(tag, "tag")))
        if interim:
            check(ffi.request_set_interim_responses(handle, 1))
        if transfer:
            set_transfer_options(prepared, **transfer)
        return prepared

    def _set_auth(self, prepared: Prepared, given: Optional[AuthInput]) -> None:
        """Says who sends a request: as it says itself, or as the client does."""
        if given is _UNSET:
            auth = None if prepared.is_custom else self.auth
        else:
            auth = None if given is None else as_auth(given)
        if auth is not None:
            _check(auth.set_on(prepared.handle), prepared)

    @staticmethod
    def _set_timeouts(handle: c_uint64, timeout: Timeout) -> None:
        if timeout == LIBRARY_TIMEOUT:
            return
        for name, setter in _SETTERS:
            seconds = getattr(timeout, name)
            if seconds != getattr(LIBRARY_TIMEOUT, name):
                check(setter(handle, milliseconds(seconds)))


def _base(common: Common, base_url: Optional[str], service: Optional[str]) -> str:
    """What a relative URL is appended to; "" for a service's URL, to which C joins it."""
    if base_url is None:
        return common.base_url if service is None else ""
    if service is not None:
        reject("base_url, service: give only one of them")
    return encode.base_url(base_url)


def _add_header(prepared: Prepared, field: encode.HeaderField) -> None:
    _check(ffi.request_add_header(prepared.handle, *field), prepared)


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
