"""What happens to the requests of a client, as a stream of events."""

from __future__ import annotations

import asyncio
import select
from collections import deque
from ctypes import addressof, byref, c_char, c_int32, c_uint32, c_uint64, cast
from typing import AsyncIterator, Deque, Iterator, List, Optional
from weakref import finalize

from .._c import ffi
from .._errors.errors import StateError
from .._errors.raising import check
from .._inputs import encode
from .._responses.client_event import LAYOUT, ClientEvent

TAKEN_AT_ONCE = 1024
CAPACITY = 4096
WAIT_MS = 200
"""Ctrl-C ends a wait after that, at the latest."""


class Events:
    """The events of a client, from when this was made: ``with client.events() as events: for event in events: …``

    Those of a request come in the order in which they happened, `QUEUED` first and `DONE` at its end, which is there
    when the call for the request returns; after functions such as `on_done` comes `RETURNED`. Iterating waits for
    further events until the client is closed, or this is; in coroutines, ``async for`` does. `read` takes what is
    there. An event goes to one reader. Beyond `capacity` events that were not taken, the oldest are dropped, and
    `dropped` counts them.

    :ivar dropped: events that were lost.
    """

    def __init__(self, handle: c_uint64, capacity: int) -> None:
        observer = c_uint64()
        check(ffi.observer_create(handle, encode.count(capacity, "capacity", 1), byref(observer)))
        self._handle = observer.value
        self._room = (c_char * (LAYOUT.size * TAKEN_AT_ONCE))()
        self._array = cast(addressof(self._room), ffi.observer_read.argtypes[1])
        self._count = c_uint32()
        self._lost = c_uint64()
        self.dropped = 0
        self._ahead: Deque[ClientEvent] = deque()
        descriptor = c_int32()
        check(ffi.observer_get_descriptor(self._handle, byref(descriptor)))
        self._descriptor = descriptor.value
        self._close = finalize(self, ffi.observer_destroy, self._handle)

    def fileno(self) -> int:
        """A descriptor that is readable while there are events, for `select` and event loops. Do not read from it.

        :raises StateError: closed.
        """
        if not self._close.alive:
            raise StateError("the events are closed")
        return self._descriptor

    def read(self) -> List[ClientEvent]:
        """Takes all events that are there, without waiting. An empty list: none.

        :raises StateError: closed.
        """
        events = list(self._ahead)
        self._ahead.clear()
        while (taken := self._take()) is not None:
            events += taken
            if len(taken) < TAKEN_AT_ONCE:
                break
        return events

    def _take(self) -> Optional[List[ClientEvent]]:
        """Up to `TAKEN_AT_ONCE` events; None once the client is closed and there are no more."""
        if not self._close.alive:
            raise StateError("the events are closed")
        status = ffi.observer_read(
            self._handle, self._array, TAKEN_AT_ONCE, LAYOUT.size, byref(self._count), byref(self._lost)
        )
        if status == ffi.ERR_SHUT_DOWN:
            return None
        check(status)
        self.dropped += self._lost.value
        bytes_ = memoryview(self._room)[: self._count.value * LAYOUT.size]
        return [ClientEvent._make(event) for event in LAYOUT.iter_unpack(bytes_)]

    def _refill(self) -> Optional[bool]:
        """Takes events to hand out one by one. False: there are none now; None: none will come."""
        if not self._close.alive:
            return None
        taken = self._take()
        if taken is None:
            return None
        self._ahead.extend(taken)
        return bool(taken)

    def __iter__(self) -> Iterator[ClientEvent]:
        while True:
            while self._ahead:
                yield self._ahead.popleft()
            found = self._refill()
            if found is None:
                return
            if not found:
                poll = select.poll()
                poll.register(self._descriptor, select.POLLIN)
                poll.poll(WAIT_MS)

    async def __aiter__(self) -> AsyncIterator[ClientEvent]:
        while True:
            while self._ahead:
                yield self._ahead.popleft()
            found = self._refill()
            if found is None:
                return
            if not found:
                await self._readable()

    async def _readable(self) -> None:
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[None] = loop.create_future()
        loop.add_reader(self._descriptor, _settle, ready)
        try:
            await ready
        finally:
            loop.remove_reader(self._descriptor)

    def close(self) -> None:
        """Takes no more events. A second call does nothing."""
        self._close()

    def __enter__(self) -> Events:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _settle(ready: asyncio.Future[None]) -> None:
    if not ready.done():
        ready.set_result(None)
