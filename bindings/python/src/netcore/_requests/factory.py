"""Requests on the C side: making them from a client's defaults and a call's options, and keeping those used again."""

from __future__ import annotations

from ctypes import byref, c_uint64
from typing import TYPE_CHECKING, Any, Callable, Dict, Hashable, List, Mapping, Optional, Tuple

from .._c import ffi
from .._c.threads import new_lock
from .._credentials.auth import AuthInput, as_auth
from .._credentials.cookie import set_cookies
from .._errors.errors import call_error, check, reject
from .._inputs import encode
from .._inputs.common import NOTHING, Common, HeaderValue
from .._inputs.kinds import HeadersInput, ParamsInput
from .._responses.response import Request
from .body import set_body
from .building import set_params, set_query
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

    def __init__(self, method: str, url: str, service: Optional[str] = None, is_async: bool = False) -> None:
        self.handle = c_uint64()
        self.request = Request(method, url)
        self.is_async = is_async
        """Whether the running event loop may be asked for the body."""
        self.is_bare = False
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
        allow_insecure_redirects: bool,
        auth: Optional[AuthInput],
        defaults: Mapping[str, Any],
    ) -> None:
        """
        :param defaults: options for all requests that do not say otherwise.
        """
        self.auth = None if auth is None else as_auth(auth)
        self.common = Common.of(base_url, headers, params)
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
            cache = self.cache  # another one by then, if the common parts change meanwhile
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
        self._lock = new_lock()
        self.cache = {}

    def request(self, method: str, url: str, options: RequestOptions) -> Prepared:
        """The request for a call, made anew."""
        given: Dict[str, Any] = {**self.defaults, **options}
        for name in options:
            if name not in TABLE:
                refuse_unknown(name, TABLE)
        get = given.get
        common = NOTHING if get("bare") else self.common
        params, serializer, service, body = get("params"), get("serializer"), get("service"), _body_of(given)
        fields = common.fields_with(get("headers"))
        if get("files"):  # the type of the body is its own, whatever is common
            fields = [field for field in fields if field not in common.fields or field[0].lower() != b"content-type"]
        whole_url = encode.join_url(_base(common, get("base_url"), service), url)
        instead: List[encode.Pair] = []
        if serializer is None:
            if common.asked_params:
                params, instead = common.split_params(params)
            whole_url = encode.add_query(whole_url, encode.query_string(common.params, params))
        prepared = Prepared(encode.method_name(method), whole_url, service, self.is_async)
        prepared.is_bare = get("bare", False)
        if serializer is not None:
            set_params(prepared.handle, encode.merged_params(common.params, params), serializer)
        if body:
            content_type = set_body(prepared, **body)
            if content_type is not None and not any(name.lower() == b"content-type" for name, _ in fields):
                fields = [*fields, (b"Content-Type", content_type)]
        if common.asked_params and serializer is None:
            set_query(prepared, instead, bool(get("content") or get("data") or get("files") or get("json") is not None))
        if get("cookies"):
            set_cookies(prepared.handle, given["cookies"])
        prepared.request._fields_given = fields
        for field in fields:
            _add_header(prepared, field)
        if "auth" in given or self.auth is not None:
            self._set_auth(prepared, given)
        if self.allow_insecure_redirects:
            check(ffi.request_set_allow_insecure_redirects(prepared.handle, 1))
        for name, value in given.items():
            TABLE[name].set(prepared, value, given)
        return prepared

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
