"""APIs of a server as methods of a class."""

from __future__ import annotations

import inspect
import json
from ctypes import byref, c_uint64
from functools import update_wrapper
from types import TracebackType
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    ClassVar,
    Dict,
    Generic,
    List,
    Optional,
    Tuple,
    Type,
    TypeVar,
    Union,
    cast,
    overload,
)

from .._c import ffi
from .._clients.async_client import AsyncClient
from .._clients.client import Client
from .._clients.pages import AsyncPages, Pages
from .._clients.paging import Paging
from .._errors.errors import StateError
from .._errors.raising import call_error, check, reject
from .._inputs.encode import header_items
from .._requests.error_table import ErrorTable
from .._requests.factory import Prepared
from .._requests.option import check_names
from .._requests.options import TABLE, RequestOptions
from .._responses.decoding import RenameInput
from .._responses.request import OwnedRequest
from .._responses.response import Response
from . import parameters

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec, Self, Unpack

    P = ParamSpec("P")
else:
    P = TypeVar("P")

R = TypeVar("R")
_COMPACT: Any = {"ensure_ascii": False, "allow_nan": False, "separators": (",", ":")}


class Endpoint(Generic[P, R]):
    """One API: a method whose signature says its parameters. `endpoint` makes it."""

    def __init__(self, method: str, url: str, function: Callable[..., R], options: RequestOptions) -> None:
        check_names(options, TABLE)
        self._method = method
        self._url = url
        self._function = function
        self._options = options
        self._signature: Optional[parameters.Signature] = None
        self.is_async = inspect.iscoroutinefunction(function)
        update_wrapper(cast("Callable[..., R]", self), function)

    @property
    def signature(self) -> parameters.Signature:
        """What the signature of the function says; read when it is first needed, since it may name what comes later."""
        if self._signature is None:
            self._signature = parameters.read(self._function)
        return self._signature

    @overload
    def __get__(self, api: None, owner: Any = None) -> Endpoint[P, R]: ...

    @overload
    def __get__(self, api: API, owner: Any = None) -> BoundEndpoint[P, R]: ...

    def __get__(self, api: Optional[API], owner: Any = None) -> Union[Endpoint[P, R], BoundEndpoint[P, R]]:
        return self if api is None else api._endpoint(self)

    def options(self, api: API, given: RequestOptions) -> RequestOptions:
        """The options of a request: those of the class, of this API, which win, and those that were given for a call,
        which win over both."""
        common: Dict[str, Any] = {"base_url": api.base_url, **api.options}
        own: Dict[str, Any] = {**self._options, **given}
        if common.get("headers") is not None and own.get("headers") is not None:
            fields = header_items(own["headers"])
            names = {name.lower() for name, _ in fields}
            own["headers"] = [
                *(pair for pair in header_items(common["headers"]) if pair[0].lower() not in names),
                *fields,
            ]
        for name in _OF_BOTH:
            if name in common and name in own:
                own[name] = [*_several(common[name]), *_several(own[name])]
        if "tag" in common and "tag" in own:
            own["tag"] = [*_texts(own["tag"]), *(tag for tag in _texts(common["tag"]) if tag not in _texts(own["tag"]))]
        merged: Dict[str, Any] = {"serializer": "json", **common, **own}
        if "errors" in common and "errors" not in own:
            del merged["errors"]  # the module has it
        if merged["base_url"] is None or merged.get("service") is not None:
            del merged["base_url"]
        return merged  # type: ignore[return-value]


_OF_BOTH = ("network_filter", "delivery_filter", "on_event")
"""Functions of which those of the class and of the method are called."""


def _several(given: Any) -> List[Any]:
    return [] if given is None else list(given) if isinstance(given, (list, tuple)) else [given]


def _texts(given: Any) -> List[str]:
    return [given] if isinstance(given, str) else list(given or ())


class BoundEndpoint(Generic[P, R]):
    """An API of an `API`: call it, or make a task of it."""

    def __init__(self, api: API, endpoint: Endpoint[P, R], given: Optional[RequestOptions] = None) -> None:
        self._api = api
        self._endpoint = endpoint
        self._given: RequestOptions = given or {}
        core = api._client._core
        self._template = core.requests.request(endpoint._method, endpoint._url, endpoint.options(api, self._given))
        self._handle = c_uint64()
        check(ffi.api_create(api._module, self._template.handle, byref(self._handle)))
        for parameter in endpoint.signature.parameters:
            check(ffi.api_add_param(self._handle, byref(parameter)))
        update_wrapper(cast("Callable[..., R]", self), endpoint._function)

    def __del__(self, _destroy: Callable[[c_uint64], int] = ffi.api_destroy) -> None:
        if getattr(self, "_handle", None):
            _destroy(self._handle)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Sends a request, and returns the answer as the function says: a model, None, or the `Response`.

        :raises InvalidParam: a parameter is of another type, or not allowed in its place.
        :raises StatusRejected: the status code is not 2xx, unless `accept_statuses` says what is a success.
        :raises APIError: the answer says that something failed (`ErrorTable`).
        :raises ModelError: the body is not what the function returns.

        Otherwise as `Client.request`.
        """
        prepared = self._prepared(args, kwargs)
        client = self._api._client
        if isinstance(client, AsyncClient):
            return self._awaited(client, prepared)  # type: ignore[return-value]
        return self.model(client._core.perform(prepared))  # type: ignore[no-any-return]

    async def _awaited(self, client: AsyncClient, prepared: Prepared) -> Any:
        return self.model(await client._core.request("", "", {}, prepared))

    def model(self, response: Response) -> Any:
        """What a call returns for an answer."""
        answer = self._endpoint.signature.answer
        if answer is None or answer is type(None):
            return None
        if answer is Response:
            return response
        return response.decode(answer, rename=self._api.rename)

    def using(self, **options: Unpack[RequestOptions]) -> BoundEndpoint[P, R]:
        """The same API with further options, for calls that need some of their own:
        ``shop.upload.using(files={"picture": path}, on_progress=show)(7)``.

        :param options: see `RequestOptions`; they win over those of the method.
        """
        check_names(options, TABLE)
        return BoundEndpoint(self._api, self._endpoint, {**self._given, **options})

    def pages(self, paging: Optional[Paging] = None, *args: P.args, **kwargs: P.kwargs) -> Any:
        """The pages of a list that the API gives page by page: as `Client.pages`, for an `AsyncClient` as
        `AsyncClient.pages`. ``for page in shop.products.pages(netcore.Paging("link_header")): …``

        :param paging: how pages are asked for. Default: found out. The parameters of the API follow it.
        """
        client: Any = self._api._client
        kind = AsyncPages if isinstance(client, AsyncClient) else Pages
        pages = kind(client, client._core, self._prepared(args, kwargs), paging or Paging())
        pages.owner = self._api  # whose end cancels its tasks
        return pages

    def task(self, *args: P.args, **kwargs: P.kwargs) -> Any:
        """A task of a call that is not dispatched, as `Client.task` makes one: for a group, or to be dispatched. Its
        result is the `Response`; `model` makes of it what a call returns."""
        client: Any = self._api._client
        core = client._core
        prepared = self._prepared(args, kwargs)
        core.receive()
        task = client._task_type(client, core, prepared, None, None)
        task.id = core.create(prepared, task)
        return task

    def _prepared(self, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Prepared:
        bound = self._endpoint.signature.names.bind(*args, **kwargs)
        bound.apply_defaults()
        values = {}
        for name, value in bound.arguments.items():
            if value is not None or self._endpoint.signature.names.parameters[name].default is not None:
                values[name] = value
        try:
            text = json.dumps(values, default=parameters.plain, **_COMPACT)
            given = text.encode()
        except ValueError as error:
            reject(f"{self._endpoint.__name__}: a parameter has no JSON: {error}", ffi.ERR_INVALID_PARAM)  # type: ignore[attr-defined]
        handle = OwnedRequest()
        status = ffi.api_create_request(self._handle, given, byref(handle))
        if status:
            raise call_error(status, self._template.request)
        made = self._api._client._core.requests.follow(self._template, handle)
        made.watch = self._template.watch
        return made


class API:
    """APIs of a server that have something in common: a class whose methods are APIs.

        class Shop(netcore.API):
            base_url = "https://api.example.com/v1"
            options = {"timeout": 10, "errors": netcore.ErrorTable([netcore.ErrorRow(1404, status=404)])}

            @netcore.endpoint("GET", "/posts/{id}", cache_ttl=60)
            def post(self, id: int) -> Post: ...

            @netcore.endpoint("POST", "/posts")
            def create(self, title: str, tags: Optional[List[str]] = None) -> Post: ...

        shop = Shop(client)
        print(shop.post(7).title)

    Functions that are ``async def`` are for an `AsyncClient`: ``await shop.post(7)``. A request per call is made of the
    parameters, which are checked before anything is sent. Tasks of an `API` are canceled together: `cancel`, `close`.

    :param client: what sends the requests.
    :raises InvalidRequest: an error table that clashes with one of another method.
    """

    base_url: Optional[str] = None
    """What relative URLs are below. Default: that of the client, or its service."""

    options: ClassVar[RequestOptions] = {}
    """For all methods, which may say otherwise. Header fields, tags, rows of error tables, filters of answers and
    ``on_event`` are those of both.
    ``serializer`` is "json" by default: the parameters of a POST, PUT or PATCH are its body, a JSON object."""

    rename: RenameInput = None
    """What fields of models are called in JSON; see `Response.decode`."""

    def __init__(self, client: Union[Client, AsyncClient]) -> None:
        if not isinstance(client, (Client, AsyncClient)):
            raise TypeError(f"client: a Client or AsyncClient expected, not {type(client).__name__}")
        self._client = client
        self._bound: Dict[Endpoint[Any, Any], BoundEndpoint[Any, Any]] = {}
        self._module = c_uint64()
        check_names(self.options, TABLE)
        defaults = OwnedRequest()
        check(ffi.request_create_relative(b"GET", None, b"", byref(defaults)))
        errors = self.options.get("errors")
        if isinstance(errors, ErrorTable):
            errors._set_on(defaults)
        check(ffi.module_create(defaults, byref(self._module)))

    def __del__(self, _destroy: Callable[[c_uint64], int] = ffi.module_destroy) -> None:
        if getattr(self, "_module", None):
            _destroy(self._module)

    def _endpoint(self, endpoint: Endpoint[P, R]) -> BoundEndpoint[P, R]:
        if endpoint.is_async != isinstance(self._client, AsyncClient):
            kind = "an AsyncClient" if endpoint.is_async else "a Client"
            raise TypeError(f"{endpoint.__name__}: needs {kind}")  # type: ignore[attr-defined]
        if not self._module:
            raise StateError("the API is closed", status=ffi.ERR_INVALID_STATE)
        found = self._bound.get(endpoint)
        if found is None:
            found = self._bound[endpoint] = BoundEndpoint(self, endpoint)
        return found

    def cancel(self) -> None:
        """Cancels the tasks that have not ended: they raise `Canceled`, with "scope" as the cause."""
        if self._module:
            check(ffi.module_cancel(self._module))

    def close(self) -> None:
        """Cancels the tasks that have not ended; no more can be made. A second call does nothing."""
        if self._module:
            module, self._module = self._module, c_uint64()
            ffi.module_destroy(module)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


def endpoint(
    method: str, url: str, **options: Unpack[RequestOptions]
) -> Callable[[Callable[Concatenate[Any, P], R]], Endpoint[P, R]]:
    """Makes a method of an `API` one that sends a request. The body of the function is never run.

    The parameters of the function are those of the API: one whose name is in braces in the URL goes into the path, any
    other one into the query, or for POST, PUT and PATCH into the body. ``Annotated[bool, netcore.Query()]``,
    ``netcore.Header("X-Trace")``, ``netcore.Body()`` and ``netcore.Field("perPage")`` say otherwise. Annotations say
    what values may be; one with a default need not be given, and one that is None by default is then left out. The
    function returns what its annotation says: a model as `Response.decode` makes it, None, or the `Response`.

    :param url: absolute, or relative to `API.base_url`.
    :param options: those of the request, see `RequestOptions`. Parameters that `tag` and `invalidates` name in braces
        stand for their values: ``tag="post:{id}"``. A tag whose parameter has no value is left out.
    """

    def decorate(function: Callable[Concatenate[Any, P], R]) -> Endpoint[P, R]:
        return Endpoint(method, url, function, options)

    return decorate
