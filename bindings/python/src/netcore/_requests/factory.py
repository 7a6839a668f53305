"""Requests on the C side: making them from a client's defaults and a call's options, and keeping those used again."""

from __future__ import annotations

from contextlib import contextmanager
from copy import copy
from ctypes import byref, c_uint64
from typing import TYPE_CHECKING, Any, Callable, Dict, Hashable, Iterator, List, Mapping, Optional, Set, Tuple
from weakref import ReferenceType, ref

from .._c import ffi
from .._c.buffers import argument_of
from .._c.threads import new_lock
from .._credentials.auth import AuthInput, as_auth
from .._credentials.cookie import set_cookies
from .._errors.errors import Error
from .._errors.raising import call_error, check, reject
from .._inputs import encode
from .._responses.request import OwnedRequest, Request
from .body import set_body
from .building import set_headers, set_params, url_with
from .option import check_names
from .options import TABLE, RequestOptions

if TYPE_CHECKING:
    from .._responses.progress import Watch
    from .task_scope import ScopeCallbacks

CACHE_SIZE = 512
"""How many requests without a body a client keeps, so that calling the same again costs no making."""

TaskError = Callable[[int, int, Request, Optional[List[BaseException]]], Error]

_PER_CALL = frozenset(name for name, option in TABLE.items() if option.is_per_call)


LARGEST_BODY_KEPT = 4096
"""Bytes of a body that is kept with its request until what the client adds to it is read."""

_NO_DEFAULTS: Mapping[str, Any] = {}


class Prepared:
    """A netcore_request. `request` is what users see of it."""

    __slots__ = (
        "argument",
        "body_size",
        "defaults",
        "handle",
        "is_async",
        "is_bare",
        "raised",
        "request",
        "scope",
        "watch",
    )

    def __init__(
        self,
        method: str,
        url: str,
        base_url: str = "",
        service: Optional[str] = None,
        is_async: bool = False,
        defaults: Mapping[str, Any] = _NO_DEFAULTS,
    ) -> None:
        """:param defaults: the options that its client has for all requests."""
        self.handle = OwnedRequest()
        self.defaults = defaults
        self.body_size: Optional[int] = 0
        """None for a body that is not in memory, or that C makes."""
        self.request = Request(method, url)
        self.is_async = is_async
        """Whether the running event loop may be asked for the body."""
        self.is_bare = False
        self.raised: Optional[List[BaseException]] = None
        """What reading the body raised, where Python reads it."""
        self.scope: Optional[ScopeCallbacks] = None
        """Whether its tasks' callbacks still run."""
        self.watch: Optional[Watch] = None
        """Who is notified of its progress."""
        method_bytes = encode.c_text(method, "method", ffi.ERR_INVALID_METHOD)
        url_bytes = encode.c_text(url, "url", ffi.ERR_INVALID_URL)
        if encode.is_absolute(url):
            self._check(ffi.request_create(method_bytes, url_bytes, byref(self.handle)))
        else:
            name = None if service is None else encode.c_text(service, "service")
            self._check(ffi.request_create_relative(method_bytes, name, url_bytes, byref(self.handle)))
            if base_url:
                self._check(ffi.request_set_base_url(self.handle, base_url.encode()))
        self.argument = argument_of(self.handle.value)
        """The handle as an argument."""

    def _check(self, status: int) -> None:
        if status:
            raise call_error(status, self.request)

    def keep_raised(self) -> List[BaseException]:
        """Where what reading the body raises is kept."""
        if self.raised is None:
            self.raised = []
        return self.raised

    def followed_by(self, handle: OwnedRequest, client: c_uint64) -> Prepared:
        """The same with a netcore_request that was made from this one."""
        made = copy(self)
        made.handle = handle
        made.argument = argument_of(handle.value)
        made.watch = None
        made.request = Request(self.request.method, "")
        made.request._fields_given = self.request._fields_given
        made.request._ask(client, handle, True)
        return made

    def explain_by(self, task_error: TaskError) -> Callable[[int, int], Error]:
        """What makes the error of a response and a status, for this request."""
        request, raised = self.request, self.raised
        return lambda response, status: task_error(response, status, request, raised)


class RequestFactory:
    """Makes requests with a client's defaults. Any thread may use it."""

    def __init__(self, base_url: str, query: str, defaults: Mapping[str, Any]) -> None:
        """
        :param query: what goes to the query of all requests, as it is.
        :param defaults: options for all requests that do not say otherwise; see `set_defaults`.
        """
        self.base_url = encode.base_url(base_url)
        self.query = query
        self.client = c_uint64()
        """The netcore_client, once there is one."""
        self.has_defaults = False
        """Whether the client adds fields or parameters to requests."""
        self.defaults = defaults
        self.serializer: Optional[str] = defaults.get("serializer")
        self.cache: Dict[Tuple[Hashable, ...], Prepared] = {}
        self.keeps_none = False
        self.is_async = False
        self._lock = new_lock()
        self._unread: Set[ReferenceType[OwnedRequest]] = set()
        """What has not been asked of C yet."""

    def set_defaults(self, client: c_uint64, allow_insecure_redirects: bool, auth: Optional[AuthInput]) -> None:
        """Gives a new netcore_client, which the requests are for, the options for all requests.

        :raises InvalidRequest: a value that is not allowed.
        :raises TypeError: a value of a wrong type.
        """
        self.client = client
        if not self.defaults and not allow_insecure_redirects and auth is None:
            return
        prepared = Prepared("GET", "http://localhost/")
        if self.serializer is not None:
            set_params(prepared, None, self.serializer)
        for name, value in self.defaults.items():
            TABLE[name].set(prepared, value, self.defaults)
        if auth is not None:
            _check(as_auth(auth).set_on(prepared.handle), prepared)
        if allow_insecure_redirects:
            check(ffi.request_set_allow_insecure_redirects(prepared.handle, 1))
        check(ffi.client_set_request_defaults(client, prepared.handle))

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

    def follow(self, template: Prepared, handle: OwnedRequest) -> Prepared:
        """The request for a call, of a netcore_request that C made from another one."""
        return template.followed_by(handle, self.client)

    @contextmanager
    def changing_parts(self) -> Iterator[None]:
        """Changes fields or parameters of the client: requests made before say the old ones of themselves."""
        self._read_all()
        yield
        with self._lock:
            self.has_defaults = True
            self.cache = {}

    def close(self) -> None:
        """The client ends: requests that users have say of themselves what it added, and those kept are released."""
        with self._lock:
            self.cache.clear()
        self._read_all()

    def _read_all(self) -> None:
        unread, self._unread = self._unread, set()
        for reference in list(unread):
            request = reference()
            if request is not None:
                request.resolve(self.client)

    def after_fork(self) -> None:
        """Forgets the parent's requests, whose handles are dead here."""
        self._lock = new_lock()
        self.cache = {}
        self._unread = set()

    def request(self, method: str, url: str, options: RequestOptions) -> Prepared:
        """The request for a call, made anew."""
        given: Mapping[str, Any] = options
        check_names(options, TABLE)
        get = given.get
        params, serializer, service = get("params"), get("serializer", self.serializer), get("service")
        base_url = self._base(get("base_url"), service, bool(get("bare")))
        whole_url = url
        if self.query and not get("bare"):
            whole_url = url_with(whole_url, self.query)
        if serializer is None and isinstance(params, str):
            whole_url, params = url_with(whole_url, params), None
        name = encode.method_name(method)
        prepared = Prepared(name, whole_url, base_url, service, self.is_async, self.defaults)
        prepared.is_bare = get("bare", False)
        nesting = get("param_nesting", self.defaults.get("param_nesting", "repeat"))
        set_params(prepared, params, serializer, is_nested=nesting == "brackets")
        prepared.request._fields_given = set_headers(prepared, get("headers"))
        body = _body_of(given)
        if body:
            content_type = set_body(prepared, **body)
            if content_type is not None:
                check(ffi.request_set_content_type(prepared.handle, content_type))
        if get("cookies"):
            set_cookies(prepared.handle, given["cookies"])
        if "auth" in given:
            _set_auth(prepared, given["auth"])
        for name, value in given.items():
            TABLE[name].set(prepared, value, given)
        if self.has_defaults or params or base_url or body:
            shows_url = bool(base_url) or encode.is_absolute(whole_url)
            if params and serializer is not None:
                prepared.body_size = None
            self._resolve(prepared, shows_url)
        return prepared

    def _base(self, own: Optional[str], service: Optional[str], is_bare: bool) -> str:
        """What a relative URL is appended to; "" for a service's."""
        if own is None:
            return "" if is_bare or service is not None else self.base_url
        if service is not None:
            reject("base_url, service: give only one of them")
        return encode.base_url(own)

    def _resolve(self, prepared: Prepared, shows_url: bool) -> None:
        """Has a request say of itself what the client adds to it. One that would be refused stays as it was given."""
        source = prepared.handle
        if prepared.body_size is None or prepared.body_size > LARGEST_BODY_KEPT:
            source = source.resolve(self.client)
            ffi.request_set_body(source, None, 0)  # else it would be kept for as long as the request is
        else:
            unread = self._unread
            unread.add(ref(source, unread.discard))
        prepared.request._ask(self.client, source, shows_url)


_BODY = ("content", "data", "json", "files", "content_length")


def _body_of(given: Mapping[str, Any]) -> Dict[str, Any]:
    """The options that make up a body; empty where there is none."""
    body = {name: given.get(name) for name in _BODY}
    return body if any(value is not None for name, value in body.items() if name != "files") or body["files"] else {}


def _set_auth(prepared: Prepared, auth: Optional[AuthInput]) -> None:
    """Says who sends a request, in place of the client."""
    if auth is None:
        check(ffi.request_set_auth(prepared.handle, ffi.AUTH_NONE, None, None))
    else:
        _check(as_auth(auth).set_on(prepared.handle), prepared)


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
