"""Requests on the C side: making them from a client's defaults and a call's options, and keeping those used again."""

from __future__ import annotations

from ctypes import byref, c_uint64
from typing import TYPE_CHECKING, Any, Dict, Hashable, List, Mapping, Optional, Tuple

from .._c import ffi
from .._c.threads import new_lock
from .._credentials.auth import AuthInput, as_auth
from .._credentials.cookie import set_cookies
from .._errors.errors import call_error, check, reject
from .._inputs import encode
from .._responses.request import Request, Resolved
from .body import set_body
from .building import set_headers, set_params, url_with
from .option import refuse_unknown
from .options import TABLE, RequestOptions

if TYPE_CHECKING:
    from .._responses.progress import Watch

CACHE_SIZE = 512
"""How many requests without a body a client keeps, so that calling the same again costs no making."""

_PER_CALL = frozenset(name for name, option in TABLE.items() if option.is_per_call)


class Prepared:
    """A netcore_request, destroyed with this object. `request` is what users see of it."""

    __slots__ = ("handle", "is_async", "is_bare", "raised", "request", "watch")

    def __init__(
        self, method: str, url: str, base_url: str = "", service: Optional[str] = None, is_async: bool = False
    ) -> None:
        self.handle = c_uint64()
        self.request = Request(method, url)
        self.is_async = is_async
        """Whether the running event loop may be asked for the body."""
        self.is_bare = False
        self.raised: Optional[List[BaseException]] = None
        """What reading the body raised, where Python reads it."""
        self.watch: Optional[Watch] = None
        """Who is notified of its progress."""
        method_bytes = encode.c_text(method, "method", ffi.ERR_INVALID_METHOD)
        url_bytes = encode.c_text(url, "url", ffi.ERR_INVALID_URL)
        if encode.is_absolute(url):
            self._check(ffi.request_create(method_bytes, url_bytes, byref(self.handle)))
            return
        name = None if service is None else encode.c_text(service, "service")
        self._check(ffi.request_create_relative(method_bytes, name, url_bytes, byref(self.handle)))
        if base_url:
            self._check(ffi.request_set_base_url(self.handle, base_url.encode()))

    def _check(self, status: int) -> None:
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
        query: str,
        allow_insecure_redirects: bool,
        auth: Optional[AuthInput],
        defaults: Mapping[str, Any],
    ) -> None:
        """
        :param query: what goes to the query of all requests, as it is.
        :param defaults: options for all requests that do not say otherwise.
        """
        self.auth = None if auth is None else as_auth(auth)
        self.base_url = encode.base_url(base_url)
        self.query = query
        self.client = c_uint64()
        """The netcore_client, once there is one."""
        self.has_defaults = False
        """Whether the client adds fields or parameters to requests."""
        self.allow_insecure_redirects = allow_insecure_redirects
        self.defaults = defaults
        self.cache: Dict[Tuple[Hashable, ...], Prepared] = {}
        self.keeps_none = False
        self.is_async = False
        self._lock = new_lock()

    def get(self, method: str, url: str, options: RequestOptions) -> Prepared:
        """The request for a call, kept from an earlier one like it, or made anew.

        :raises InvalidRequest: a method, URL, header, option or body that is not allowed.
        :raises TypeError: an argument of a wrong type, or an unknown option.
        """
        key = _cache_key(method, url, options) if options else (method, url)
        if key is None or self.keeps_none:
            return self.request(method, url, options)
        found = self.cache.get(key)
        if found is None:
            cache = self.cache  # another one by then, if the client's defaults change meanwhile
            found = self.request(method, url, options)
            with self._lock:
                if len(cache) >= CACHE_SIZE:
                    del cache[next(iter(cache))]
                cache[key] = found
        return found

    def check_defaults(self) -> None:
        """Refuses options for all requests that no request may have.

        :raises InvalidRequest: a value that is not allowed.
        :raises TypeError: a value of a wrong type.
        """
        if self.defaults:
            self.request("GET", "http://localhost/", {})

    def defaults_changed(self) -> None:
        """Fields or parameters of the client have changed: requests that were kept say the old ones of themselves."""
        with self._lock:
            self.has_defaults = True
            self.cache = {}

    def forget(self) -> None:
        """Releases the requests that were kept."""
        with self._lock:
            self.cache.clear()

    def after_fork(self) -> None:
        """Forgets the parent's requests, whose handles are dead here."""
        self._lock = new_lock()
        self.cache = {}

    def request(self, method: str, url: str, options: RequestOptions) -> Prepared:
        """The request for a call, made anew."""
        given: Dict[str, Any] = {**self.defaults, **options}
        for name in options:
            if name not in TABLE:
                refuse_unknown(name, TABLE)
        get = given.get
        params, serializer, service = get("params"), get("serializer"), get("service")
        base_url = self._base(get("base_url"), service, bool(get("bare")))
        whole_url = url
        if self.query and not get("bare"):
            whole_url = url_with(whole_url, self.query)
        if serializer is None and isinstance(params, str):
            whole_url, params = url_with(whole_url, params), None
        prepared = Prepared(encode.method_name(method), whole_url, base_url, service, self.is_async)
        prepared.is_bare = get("bare", False)
        set_params(prepared, params, serializer)
        prepared.request._fields_given = set_headers(prepared, get("headers"))
        body = _body_of(given)
        if body:
            content_type = set_body(prepared, **body)
            if content_type is not None:
                check(ffi.request_set_content_type(prepared.handle, content_type))
        if get("cookies"):
            set_cookies(prepared.handle, given["cookies"])
        if "auth" in given or self.auth is not None:
            self._set_auth(prepared, given)
        if self.allow_insecure_redirects:
            check(ffi.request_set_allow_insecure_redirects(prepared.handle, 1))
        for name, value in given.items():
            TABLE[name].set(prepared, value, given)
        if self.has_defaults or params or base_url or body:
            shows_url = bool(base_url) or encode.is_absolute(whole_url)
            self._resolve(prepared, shows_url, has_body=bool(body) or serializer is not None)
        return prepared

    def _base(self, own: Optional[str], service: Optional[str], is_bare: bool) -> str:
        """What a relative URL is appended to; "" for a service's."""
        if own is None:
            return "" if is_bare or service is not None else self.base_url
        if service is not None:
            reject("base_url, service: give only one of them")
        return encode.base_url(own)

    def _resolve(self, prepared: Prepared, shows_url: bool, has_body: bool) -> None:
        """Has a request say of itself what the client adds to it. One that would be refused stays as it was given."""
        handle = c_uint64()
        if ffi.fast_resolve(self.client, prepared.handle, byref(handle)):
            return
        if has_body:
            ffi.request_set_body(handle, None, 0)  # or it would be kept for as long as the request is
        prepared.request._resolve(Resolved(handle, prepared.request), shows_url)

    def _set_auth(self, prepared: Prepared, given: Mapping[str, Any]) -> None:
        """Says who sends a request: as it says itself, or as the client does."""
        if "auth" not in given:
            auth = None if prepared.is_bare else self.auth
        else:
            auth = None if given["auth"] is None else as_auth(given["auth"])
        if auth is not None:
            _check(auth.set_on(prepared.handle), prepared)


_BODY = ("content", "data", "json", "files", "content_length")


def _body_of(given: Mapping[str, Any]) -> Dict[str, Any]:
    """The options that make up a body; empty where there is none."""
    body = {name: given.get(name) for name in _BODY}
    return body if any(value is not None for name, value in body.items() if name != "files") or body["files"] else {}


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
