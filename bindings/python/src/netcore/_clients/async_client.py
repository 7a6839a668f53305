"""The asyncio client."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, AsyncIterator, Coroutine, Optional, Type, Union

from .._cache.types import CacheLookup
from .._requests.option import check_names
from .._requests.options import TABLE, RequestOptions
from .._responses.async_streamed import AsyncStreamedResponse
from .._responses.download import Download, PathInput, ProgressFunction
from .._responses.event_source import LONGEST_RETRY_SECONDS, RETRY_SECONDS, AsyncEventSource, SourceOptions
from .._responses.events import LARGEST_EVENT
from .._responses.response import Response
from .._responses.stream_base import DEFAULT_WINDOW
from .._tasks.async_task import AsyncGroup, AsyncTask
from .._tasks.group_options import GroupOptions, GroupRule
from .base_client import BaseClient
from .downloading import DEFAULT_RESUMES, Job, Wanted
from .loop import LoopCore
from .options import ClientOptions
from .pages import AsyncPages
from .paging import Paging
from .sending import Sending

if TYPE_CHECKING:
    from typing_extensions import Unpack

ResponseCoroutine = Coroutine[Any, Any, Response]


class AsyncClient(Sending[ResponseCoroutine, AsyncTask], BaseClient):
    """As `Client`, with the same options, for asyncio. Belongs to the event loop in which it is first used.

    Use it as an asynchronous context manager, or await `aclose()`.
    """

    _core: LoopCore
    _task_type = AsyncTask

    def __init__(self, **options: Unpack[ClientOptions]) -> None:
        self._core = LoopCore(**options)
        self._begin(options)

    def _send(self, method: str, url: str, options: RequestOptions) -> ResponseCoroutine:
        if options:
            check_names(options, TABLE)  # not in the coroutine, which does not know whether it is get() or post()
        return self._core.request(method, url, options)

    @asynccontextmanager
    async def stream(
        self, method: str, url: str, *, window: int = DEFAULT_WINDOW, **options: Unpack[RequestOptions]
    ) -> AsyncIterator[AsyncStreamedResponse]:
        """As `Client.stream`: ``async with client.stream("GET", url) as response: …``"""
        core = self._core
        response = await core.open_stream(core.streamed(method, url, options, window), window)
        try:
            yield response
        finally:
            await response.aclose()

    def event_source(
        self,
        method: str,
        url: str,
        *,
        retry: float = RETRY_SECONDS,
        longest_retry: float = LONGEST_RETRY_SECONDS,
        largest_event: int = LARGEST_EVENT,
        last_event_id: str = "",
        **options: Unpack[RequestOptions],
    ) -> AsyncEventSource:
        """As `Client.event_source`.

        ``async with client.event_source("GET", url) as source: async for event in source: …``
        """
        how = SourceOptions(retry, longest_retry, largest_event, last_event_id)
        return AsyncEventSource(*self._core.source(method, url, options, how), self._core.attach)

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

    async def download(
        self,
        url: str,
        path: PathInput,
        *,
        sha256: Union[str, bool, None] = None,
        size: Optional[int] = None,
        overwrite: bool = False,
        key: Optional[str] = None,
        resumes: int = DEFAULT_RESUMES,
        segments: int = 1,
        segment_size: Optional[int] = None,
        sync: bool = True,
        progress: Optional[ProgressFunction] = None,
        **options: Unpack[RequestOptions],
    ) -> Download:
        """As `Client.download`. Canceling the coroutine cancels the download, whose part stays.

        `progress` is called in the event loop.
        """
        core = self._core
        wanted = Wanted(sha256, size, overwrite, key, resumes, segments, segment_size, sync)
        return await core.download(Job(core, url, path, options, wanted, progress))

    def pages(
        self, url: str, paging: Optional[Paging] = None, *, method: str = "GET", **options: Unpack[RequestOptions]
    ) -> AsyncPages:
        """As `Client.pages`: ``async for page in client.pages(url): …``, ``async for item in client.pages(url).items():
        …``.

        :param paging: how pages are asked for, and what is found in them. Default: found out.
        :param options: see `RequestOptions`; they are those of the request for each page. A link to another origin
            is followed without what identifies the user.
        """
        core = self._core
        return AsyncPages(self, core, core.requests.request(method, url, options), paging or Paging())

    def group(
        self, rule: GroupRule = "all_settled", *, limit: Optional[int] = None, timeout: Optional[float] = None
    ) -> AsyncGroup:
        """Makes an empty group, as `Client.group`. Call it inside the event loop."""
        return AsyncGroup(self, self._core, GroupOptions(rule, limit, timeout))

    async def aclose(self) -> None:
        """Cancels what is in flight, awaits its callbacks, and closes the connections. A second call does nothing.

        :raises BaseException: what a callback raised, if it was not raised yet.
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
