"""The asyncio client."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Coroutine, Optional, Type

from .._cache.types import CacheLookup
from .._requests.options import RequestOptions
from .._responses.response import Response
from .._tasks.async_task import AsyncGroup, AsyncTask
from .base_client import BaseClient
from .loop import LoopCore
from .options import ClientOptions

if TYPE_CHECKING:
    from typing_extensions import Unpack

ResponseCoroutine = Coroutine[Any, Any, Response]


class AsyncClient(BaseClient):
    """As `Client`, with the same options, for asyncio. Belongs to the event loop in which it is first used.

    Use it as an asynchronous context manager, or await `aclose()`.
    """

    _core: LoopCore

    def __init__(self, **options: Unpack[ClientOptions]) -> None:
        self._core = LoopCore(**options)
        self._begin(options)

    def get(self, url: str, **options: Unpack[RequestOptions]) -> ResponseCoroutine:
        """Sends a GET. See `request`."""
        return self._core.request("GET", url, options)

    def head(self, url: str, **options: Unpack[RequestOptions]) -> ResponseCoroutine:
        """Sends a HEAD. See `request`."""
        return self._core.request("HEAD", url, options)

    def options(self, url: str, **options: Unpack[RequestOptions]) -> ResponseCoroutine:
        """Sends an OPTIONS. See `request`."""
        return self._core.request("OPTIONS", url, options)

    def post(self, url: str, **options: Unpack[RequestOptions]) -> ResponseCoroutine:
        """Sends a POST. See `request`."""
        return self._core.request("POST", url, options)

    def put(self, url: str, **options: Unpack[RequestOptions]) -> ResponseCoroutine:
        """Sends a PUT. See `request`."""
        return self._core.request("PUT", url, options)

    def patch(self, url: str, **options: Unpack[RequestOptions]) -> ResponseCoroutine:
        """Sends a PATCH. See `request`."""
        return self._core.request("PATCH", url, options)

    def delete(self, url: str, **options: Unpack[RequestOptions]) -> ResponseCoroutine:
        """Sends a DELETE. See `request`."""
        return self._core.request("DELETE", url, options)

    def request(self, method: str, url: str, **options: Unpack[RequestOptions]) -> ResponseCoroutine:
        """Sends a request and awaits its response. As `Client.request`.

        When the awaiting asyncio task is canceled the transfer is too, and asyncio.CancelledError is raised as usual.
        """
        return self._core.request(method, url, options)

    def dispatch(
        self,
        method: str,
        url: str,
        *,
        on_done: Optional[Callable[[AsyncTask], object]] = None,
        on_early: Optional[Callable[[AsyncTask, Response], object]] = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncTask:
        """Starts a request and returns its task, which can be awaited. Call it inside the event loop.

        :param on_done: called in the event loop with the task when it has ended, also when it was canceled. What it
            raises is kept: awaiting the task, `AsyncGroup.wait` or `aclose` raises it.
        :param on_early: called before that with the task and each response that is not the final one, as in
            `Client.dispatch`.
        :raises LimitError: the queue is full.

        Otherwise as `request`.
        """
        core = self._core
        prepared = core.requests.get(method, url, options)
        core.attach()
        task = AsyncTask(self, core, prepared, on_done, on_early)
        task.id = core.dispatch(prepared, task)
        return task

    def task(
        self,
        method: str,
        url: str,
        *,
        on_done: Optional[Callable[[AsyncTask], object]] = None,
        on_early: Optional[Callable[[AsyncTask, Response], object]] = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncTask:
        """Makes a task that goes out when its `AsyncTask.dispatch` is called. As `Client.task`."""
        core = self._core
        prepared = core.requests.get(method, url, options)
        core.attach()
        task = AsyncTask(self, core, prepared, on_done, on_early)
        task.id = core.create(prepared, task)
        return task

    async def get_cached(self, method: str, url: str, **options: Unpack[RequestOptions]) -> Optional[Response]:
        """As `Client.get_cached`. The disk is read in another thread."""
        return (await self.cache_lookup(method, url, **options)).response

    async def cache_lookup(self, method: str, url: str, **options: Unpack[RequestOptions]) -> CacheLookup:
        """As `Client.cache_lookup`. The disk is read in another thread."""
        core = self._core
        prepared = core.requests.get(method, url, options)
        if core.cache is None or not core.cache.has_disk:
            return core.lookup(prepared)
        return await asyncio.get_running_loop().run_in_executor(None, core.lookup, prepared)

    def group(self) -> AsyncGroup:
        """Makes an empty group: tasks with one notification. Call it inside the event loop."""
        return AsyncGroup(self, self._core)

    async def aclose(self) -> None:
        """Cancels what is in flight, awaits its callbacks, and closes the connections. A second call does nothing.

        :raises BaseException: what a callback raised, if nobody has seen it yet.
        """
        await self._core.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self,
        error_type: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        await self._core.close(raises=error is None)

    def __del__(self) -> None:
        core = getattr(self, "_core", None)
        if core is not None:
            core.finalize()
