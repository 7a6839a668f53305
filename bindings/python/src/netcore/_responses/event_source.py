"""Sources of events, which connect again when a connection ends."""

from __future__ import annotations

import asyncio
from ctypes import byref, c_int32, c_uint64
from typing import Any, AsyncIterator, Callable, Iterator, Optional

from .._c import ffi
from .._errors.errors import Error
from .._errors.raising import reject
from .events import EventRoom, ServerSentEvent, checked_largest, lent_text
from .stream_base import NOW, TAKEN_IN_A_ROW

RETRY_SECONDS = 3.0
LONGEST_RETRY_SECONDS = 60.0


class SourceOptions:
    """How a source connects again, as C takes it."""

    def __init__(self, retry: float, longest_retry: float, largest_event: int, last_event_id: str) -> None:
        largest = checked_largest(largest_event)
        if not isinstance(last_event_id, str):
            raise TypeError(f"last_event_id: a str expected, not {type(last_event_id).__name__}")
        self.struct = ffi.EventSourceOptions(
            retry_ms=_milliseconds(retry, "retry"),
            longest_retry_ms=_milliseconds(longest_retry, "longest_retry"),
            largest_event_bytes=largest.value,
            last_event_id=last_event_id.encode(),
        )


def _milliseconds(seconds: float, name: str) -> int:
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise TypeError(f"{name}: seconds expected, not {type(seconds).__name__}")
    if not 0 <= seconds <= 1e9:
        reject(f"{name}: {seconds} is not between 0 and 10**9 seconds")
    return max(1, round(seconds * 1000))  # 0 would be the default


class EventSourceBase:
    """What sources of both clients share."""

    __slots__ = ("_error", "_handle", "_info", "_room")

    def __init__(self, handle: int, error: Callable[[int], Error]) -> None:
        """
        :param error: makes the exception of a call that has just failed on this thread.
        """
        self._handle = c_uint64(handle)
        self._error = error
        self._room = EventRoom()
        self._info = ffi.EventSourceInfo()

    def __del__(self, _destroy: Any = ffi.event_source_destroy) -> None:
        handle = getattr(self, "_handle", None)
        if handle:
            _destroy(handle)

    @property
    def last_event_id(self) -> str:
        """The id of the last event that was read; what the next connection sends."""
        self._look()
        return lent_text(self._info.last_event_id)

    @property
    def connections(self) -> int:
        """How many times it has connected, or tried to."""
        self._look()
        return int(self._info.connections)

    @property
    def is_closed(self) -> bool:
        """Whether it has ended."""
        self._look()
        return bool(self._info.state == ffi.EVENT_SOURCE_STATE_CLOSED)

    def _look(self) -> None:
        status = ffi.event_source_get_info(self._handle, byref(self._info))
        if status:
            raise self._error(status)

    def _read(self, timeout: c_uint64) -> int:
        """Reads the next event into the room, and returns the status."""
        status: int = ffi.fast_event_source_read(self._handle, timeout, self._room.address)
        return status

    def _taken(self, status: int) -> Optional[ServerSentEvent]:
        """The event that a read has put into the room; None after a 204."""
        if status:
            raise self._error(status)
        return self._room.taken()


class EventSource(EventSourceBase):
    """The events of a server that sends them for as long as somebody listens: an iterator that connects again when a
    connection ends or fails, with the id of the last event in Last-Event-ID (HTML standard, section 9.2). For one
    thread at a time.

    It ends after an answer with status 204. Another status than 200 is an `HTTPStatusError`, another media type a
    `ProtocolError`; these, and errors that would come again, end it too.
    """

    __slots__ = ("_wait",)

    def __init__(self, handle: int, error: Callable[[int], Error], wait: Callable[[], c_uint64]) -> None:
        """
        :param wait: for how long C may wait at once.
        """
        super().__init__(handle, error)
        self._wait = wait

    def __iter__(self) -> Iterator[ServerSentEvent]:
        return self

    def __next__(self) -> ServerSentEvent:
        status = self._read(self._wait())
        while status == ffi.ERR_IN_PROGRESS:
            status = self._read(self._wait())
        event = self._taken(status)
        if event is None:
            raise StopIteration
        return event

    def close(self) -> None:
        """Ends it: who reads from it in another thread gets a `Canceled`. A second call does nothing."""
        ffi.event_source_cancel(self._handle)

    def __enter__(self) -> EventSource:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncEventSource(EventSourceBase):
    """As `EventSource`, for ``async for``, by the tasks of one event loop."""

    __slots__ = ("_attach", "_descriptor", "_in_a_row")

    def __init__(self, handle: int, error: Callable[[int], Error], attach: Callable[[], object]) -> None:
        """
        :param attach: makes sure that the running event loop drives the client.
        """
        super().__init__(handle, error)
        self._attach = attach
        self._descriptor = -1
        self._in_a_row = 0

    def __aiter__(self) -> AsyncIterator[ServerSentEvent]:
        return self

    async def __anext__(self) -> ServerSentEvent:
        while True:
            status = self._read(NOW)
            if status != ffi.ERR_IN_PROGRESS:
                break
            self._in_a_row = 0
            await self._readable()
        event = self._taken(status)
        if event is None:
            raise StopAsyncIteration
        self._in_a_row += 1
        if self._in_a_row % TAKEN_IN_A_ROW == 0:  # others have their turn, too
            await asyncio.sleep(0)
        return event

    async def _readable(self) -> None:
        """Waits until a read may have something."""
        loop = asyncio.get_running_loop()
        self._attach()
        if self._descriptor < 0:
            descriptor = c_int32()
            status = ffi.event_source_get_descriptor(self._handle, byref(descriptor))
            if status:
                raise self._error(status)
            self._descriptor = descriptor.value
            return  # what came before counts too
        ready: asyncio.Future[None] = loop.create_future()
        loop.add_reader(self._descriptor, _settle, ready)
        try:
            await ready
        finally:
            loop.remove_reader(self._descriptor)

    async def aclose(self) -> None:
        """As `EventSource.close`, for a task that waits for an event, too."""
        ffi.event_source_cancel(self._handle)

    async def __aenter__(self) -> AsyncEventSource:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def _settle(ready: asyncio.Future[None]) -> None:
    if not ready.done():
        ready.set_result(None)
