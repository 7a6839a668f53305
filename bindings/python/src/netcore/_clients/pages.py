"""Lists that a server gives page by page."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import Future
from ctypes import byref, c_uint64
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, AsyncIterator, Generic, Iterator, Optional, TypeVar

from .._c import ffi
from .._c.buffers import copy
from .._c.threads import new_lock
from .._errors.errors import Canceled, NoData, NoMoreData, ResponseRejected
from .._errors.raising import check
from .._inputs import encode
from .._requests.factory import Prepared
from .._responses.request import OwnedRequest
from .._responses.response import Response
from .._tasks.async_task import AsyncTask
from .._tasks.task import BaseTask, Task
from .paging import STYLES, NextFunction, Page, Paging

if TYPE_CHECKING:
    from .core import Core

TaskOf = TypeVar("TaskOf", bound=BaseTask)

_STYLE_NAMES = {number: name for name, number in STYLES.items()}
_UNKNOWN = 2**64 - 1


class _Load(Generic[TaskOf]):
    """A load whose request was sent."""

    def __init__(self, number: int, task: TaskOf, end: Any) -> None:
        self.number = number
        self.task = task
        self.end = end
        """A future for who joins it."""


class BasePages(Generic[TaskOf]):
    """What both clients' pages share."""

    owner: Any = None
    """What has to live as long as the pages: the API that they are of."""

    def __init__(self, client: Any, core: Core, prepared: Prepared, paging: Paging) -> None:
        self._client = client
        self._core = core
        self._template = prepared
        self._paging = paging
        self._lock = new_lock()
        self._current: Optional[_Load[TaskOf]] = None
        self._ahead: Optional[_Load[TaskOf]] = None
        self._handle = c_uint64()
        check(
            ffi.pages_create(core.handle, prepared.handle, byref(paging._struct), None, None, None, byref(self._handle))
        )

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle:
            if self._ahead is not None:
                self._ahead.task.cancel()
            ffi.pages_destroy(handle)

    # What is known

    def _info(self) -> Any:
        info = ffi.PageInfo()
        check(ffi.pages_get_info(self._handle, byref(info)))
        return info

    @property
    def style(self) -> str:
        """How the server says where the next page is, as given or as found out."""
        return _STYLE_NAMES[self._info().style]

    @property
    def number(self) -> int:
        """The number of the page that was loaded last; 0 before the first one."""
        return int(self._info().page)

    @property
    def page_size(self) -> int:
        """Items of a whole page: as given, or as many as the first page has."""
        return int(self._info().page_size)

    @property
    def page_count(self) -> Optional[int]:
        """The number of pages; None if it is not known."""
        count = int(self._info().page_count)
        return None if count == _UNKNOWN else count

    @property
    def item_count(self) -> int:
        """Items of all pages since the first one."""
        return int(self._info().loaded)

    @property
    def total(self) -> Optional[int]:
        """The number of all items, as the server says it; None if it does not."""
        total = int(self._info().total)
        return None if total == _UNKNOWN else total

    @property
    def has_more(self) -> bool:
        """Whether there is a page after this one, as far as that is known. True before the first one."""
        return bool(self._info().has_more)

    @property
    def is_limited(self) -> bool:
        """Whether there is more than `max_items` allows."""
        return bool(self._info().is_limited)

    @property
    def is_loading(self) -> bool:
        """Whether a page is being loaded."""
        return bool(self._info().is_loading)

    @property
    def last_request(self) -> Optional[datetime]:
        """When the last request was made; None if none was."""
        made = self._info().last_request_ms
        return datetime.fromtimestamp(made / 1000, timezone.utc) if made else None

    # Loading, under the lock

    def _start(self, load: int, number: int, end: Any) -> _Load[TaskOf]:
        """Begins a load, or finds the one that serves it, too."""
        with self._lock:
            ahead, self._ahead = self._ahead, None
            if ahead is not None and load != ffi.PAGE_LOAD_MORE:
                ffi.pages_drop(self._handle, ahead.number)
                ahead.task.cancel()
                ahead = None
            if ahead is not None:
                ahead.end = end
                self._current = ahead
                return ahead
            handle, load_number = OwnedRequest(), c_uint64()
            status = ffi.pages_begin(self._handle, load, number, byref(handle), byref(load_number))
            current = self._current
            if status == ffi.ERR_IN_PROGRESS and current is not None and current.number == load_number.value:
                return current
            check(status)
            if current is not None:
                current.task.cancel()
            self._current = self._send(load_number.value, handle, end)
            return self._current

    def _send(self, number: int, handle: OwnedRequest, end: Any) -> _Load[TaskOf]:
        core = self._core
        try:
            prepared = core.requests.follow(self._template, handle)
            core.receive()
            task: TaskOf = self._client._task_type(self._client, core, prepared, None, None)
            task.id = core.dispatch(prepared, task)
        except BaseException:
            ffi.pages_drop(self._handle, number)
            raise
        return _Load(number, task, end)

    def _take(self, number: int, response: Response, function: Optional[NextFunction]) -> Page:
        """Takes the answer of a load."""
        try:
            next_url = None
            if function is not None and 200 <= response.status_code < 300:
                link = function(response)
                next_url = None if link is None else encode.c_text(link, "next")
            lines = b"".join(name + b": " + value + b"\n" for name, value in response.headers.raw)
            body = response.content
            url, status = response.url.encode(), min(response.status_code, 599)
        except BaseException:
            ffi.pages_drop(self._handle, number)
            raise
        with self._lock:
            try:
                check(ffi.pages_take_answer(self._handle, number, url, status, lines, body, len(body), next_url))
            except ResponseRejected as error:
                error.response = response
                raise
            items = ffi.Bytes()
            check(ffi.pages_get_items(self._handle, byref(items)))
            text = copy(items.data or 0, items.size_bytes)
            page = Page(response, self._info().page, json.loads(text) if text else [])
            if self._paging._prefetches and self._info().has_more:
                self._request_ahead()
        return page

    def _request_ahead(self) -> None:
        handle, number = OwnedRequest(), c_uint64()
        if ffi.pages_begin(self._handle, ffi.PAGE_LOAD_MORE, 0, byref(handle), byref(number)) == ffi.OK:
            self._ahead = self._send(number.value, handle, None)


class Pages(BasePages[Task]):
    """The pages of a list, made by `Client.pages`. Iterating gives those after the one that was loaded last, at the
    beginning all; a list without items has none. For any thread."""

    def load_more(self) -> Page:
        """Loads the page after the one that was loaded last; at the beginning the first one.

        :raises NoMoreData: there is none, or a limit is reached.
        :raises NoData: the list has no items.
        :raises PageLoop: the server leads back to a page that was loaded before.
        :raises Canceled: another load took its place.
        :raises StatusRejected: the answer has no 2xx status code.

        After an error the same page can be loaded again. Otherwise as `Client.request`.
        """
        return self._load(ffi.PAGE_LOAD_MORE)

    def refresh(self) -> Page:
        """Loads the first page; what was loaded before no longer counts. Raises as `load_more`."""
        return self._load(ffi.PAGE_LOAD_REFRESH)

    def load(self, number: int) -> Page:
        """Loads the page with a number, in the styles ``"page_number"`` and ``"offset"``. Raises as `load_more`.

        :raises StateError: the pages have no numbers.
        """
        return self._load(ffi.PAGE_LOAD_NUMBER, encode.count(number, "number", 0))

    def _load(self, load: int, number: int = 0) -> Page:
        end: Future[Page] = Future()
        current = self._start(load, number, end)
        if current.end is not end:
            return current.end.result()  # type: ignore[no-any-return]
        try:
            page = self._finish(current)
        except BaseException as error:
            end.set_exception(error)
            raise
        end.set_result(page)
        return page

    def _finish(self, current: _Load[Task]) -> Page:
        try:
            response = current.task.result()
        except BaseException as error:
            ffi.pages_drop(self._handle, current.number)
            if not isinstance(error, Canceled):
                current.task.cancel()
            raise
        return self._take(current.number, response, self._paging._function)

    def __iter__(self) -> Iterator[Page]:
        while True:
            try:
                yield self.load_more()
            except (NoData, NoMoreData):
                return

    def items(self) -> Iterator[Any]:
        """The items of the pages after the one that was loaded last, at the beginning of all."""
        for page in self:
            yield from page.items


class AsyncPages(BasePages[AsyncTask]):
    """The pages of a list, made by `AsyncClient.pages`: ``async for page in pages``. As `Pages`, in the event loop."""

    async def load_more(self) -> Page:
        """As `Pages.load_more`."""
        return await self._load(ffi.PAGE_LOAD_MORE)

    async def refresh(self) -> Page:
        """As `Pages.refresh`."""
        return await self._load(ffi.PAGE_LOAD_REFRESH)

    async def load(self, number: int) -> Page:
        """As `Pages.load`."""
        return await self._load(ffi.PAGE_LOAD_NUMBER, encode.count(number, "number", 0))

    async def _load(self, load: int, number: int = 0) -> Page:
        end: asyncio.Future[Page] = asyncio.get_running_loop().create_future()
        current = self._start(load, number, end)
        if current.end is not end:
            return await asyncio.shield(current.end)
        try:
            page = await self._finish(current)
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError):
                end.cancel()
            else:
                end.set_exception(error)
                end.exception()  # seen, also without another waiter
            raise
        end.set_result(page)
        return page

    async def _finish(self, current: _Load[AsyncTask]) -> Page:
        try:
            response = await current.task
        except BaseException:
            ffi.pages_drop(self._handle, current.number)
            raise
        return self._take(current.number, response, self._paging._function)

    async def __aiter__(self) -> AsyncIterator[Page]:
        while True:
            try:
                page = await self.load_more()
            except (NoData, NoMoreData):
                return
            yield page

    async def items(self) -> AsyncIterator[Any]:
        """The items of the pages after the one that was loaded last, at the beginning of all."""
        async for page in self:
            for item in page.items:
                yield item
