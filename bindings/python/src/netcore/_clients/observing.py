"""What happens to the requests of a client, as a stream of events."""

from __future__ import annotations

import asyncio
import enum
import select
import struct
from collections import deque
from ctypes import addressof, byref, c_char, c_int32, c_uint32, c_uint64, cast
from ipaddress import IPv6Address
from typing import AsyncIterator, Deque, Iterator, List, NamedTuple, Optional, Type
from weakref import finalize

from .._c import ffi
from .._errors.errors import Error, StateError, check, error_class
from .._inputs import encode
from .._responses.response import VERSIONS

TAKEN_AT_ONCE = 1024
CAPACITY = 4096
WAIT_MS = 200
"""Ctrl-C ends a wait after that, at the latest."""

_LAYOUT = struct.Struct("=4xiQQQIIiiQQ16sIi")
"""netcore_client_event, without its size."""


class EventKind(enum.IntEnum):
    """What happened. Later versions have more kinds: compare `ClientEvent.kind`, and ignore what you do not know."""

    QUEUED = ffi.EVENT_QUEUED
    """The request was dispatched."""
    DISPATCHED = ffi.EVENT_DISPATCHED
    """It left the queue. `value`: nanoseconds there."""
    CACHE = ffi.EVENT_CACHE
    """The cache decided about a hop. `value`: a `CacheResult`."""
    JOINED = ffi.EVENT_JOINED
    """It waits for the answer to an equal request. `value`: the number of that; 0 if the cache let it wait."""
    WAIT_BEGAN = ffi.EVENT_WAIT_BEGAN
    """It waits before a hop. `value`: a `WaitKind`."""
    WAIT_ENDED = ffi.EVENT_WAIT_ENDED
    """The wait is over, or the request ends during it. `value`: a `WaitKind`, `detail`: nanoseconds that it took."""
    HOP_BEGAN = ffi.EVENT_HOP_BEGAN
    """A hop is handed to the transport. `value`: bytes of its body."""
    RESOLVED = ffi.EVENT_RESOLVED
    """The name of a new connection, or of one that failed, was resolved. `value`: nanoseconds that it took."""
    CONNECTED = ffi.EVENT_CONNECTED
    """The connection was made. `value`: nanoseconds that it took."""
    SECURED = ffi.EVENT_SECURED
    """The TLS handshake was done. `value`: nanoseconds that it took."""
    SENT = ffi.EVENT_SENT
    """The hop was handed to the connection, with its body. `value`: bytes of the body."""
    FIRST_BYTE = ffi.EVENT_FIRST_BYTE
    """The first byte of an answer came."""
    HOP_ENDED = ffi.EVENT_HOP_ENDED
    """The hop ended. `value`: bytes received, `detail`: bytes sent; `peer_address`, `peer_port` and `http_version` say
    by what it was sent."""
    REDIRECT = ffi.EVENT_REDIRECT
    """Another hop follows a redirect. `value`: how many were followed."""
    AUTH = ffi.EVENT_AUTH
    """Another attempt follows a 401, with other credentials. `value`: how many did for this request."""
    RETRY = ffi.EVENT_RETRY
    """Another attempt follows, by a `Retry`. `value`: nanoseconds until then, `detail`: those that Retry-After asked
    for."""
    BREAKER = ffi.EVENT_BREAKER
    """A `Breaker` refused the request. `value`: nanoseconds until it lets one through."""
    BREAKER_STATE = ffi.EVENT_BREAKER_STATE
    """The breaker of the hop's origin changed its state, by what came of this request's hop, or since the hop is its
    probe. `value`: 0 for closed, 1 for open, 2 for half-open; `detail`: nanoseconds until it lets the next probe
    through."""
    HEDGE = ffi.EVENT_HEDGE
    """A hedge is sent (`Hedge`). `value`: nanoseconds since the first try began."""
    FAILOVER = ffi.EVENT_FAILOVER
    """`Failover` selected another service."""
    REACHABILITY = ffi.EVENT_REACHABILITY
    """The network became reachable (`value` is 1), unreachable (2), or that is not known (0)."""
    DONE = ffi.EVENT_DONE
    """The request ended. `value`: nanoseconds since it was dispatched, `detail`: bytes received."""


class WaitKind(enum.IntEnum):
    """What a request waits for."""

    SLOT = ffi.WAIT_SLOT
    """A limit on transfers, of the client or of a host."""
    RATE = ffi.WAIT_RATE
    NETWORK = ffi.WAIT_NETWORK
    INTERVAL = ffi.WAIT_INTERVAL
    """The minimum interval between equal requests."""


class ClientEvent(NamedTuple):
    """Something that happened to a request."""

    kind: int
    """An `EventKind`."""

    time: int
    """Nanoseconds of `time.monotonic_ns`."""

    number: int
    """Of the request: unique in its client, from 1 on; 0 for an event of no request."""

    task: int
    """The `id` of its task; 0 for one without, such as `Client.get`."""

    attempt: int
    """From 1 on; 0 before the first."""

    hop: int
    """In the attempt, from 1 on: redirects are further hops."""

    status: int
    """The status code; 0 without an answer."""

    error: int
    """0, or the number of the error with which the hop or request ended: see `error_type`."""

    value: int
    detail: int
    packed_peer_address: bytes = bytes(16)
    """As IPv6, with IPv4 mapped into it."""
    peer_port: int = 0
    """Of `HOP_ENDED`; 0 if it is not known, or without a connection."""
    version: int = 0

    @property
    def peer_address(self) -> Optional[str]:
        """Of `HOP_ENDED`: the IP address to which the connection went, such as "192.0.2.1"; None if it is not known, or
        without a connection."""
        if not any(self.packed_peer_address):
            return None
        address = IPv6Address(self.packed_peer_address)
        return str(address.ipv4_mapped or address)

    @property
    def http_version(self) -> str:
        """Of `HOP_ENDED`: that of the answer, such as "HTTP/1.1"; "" without one."""
        return VERSIONS.get(self.version, "")

    @property
    def error_type(self) -> Optional[Type[Error]]:
        """The class of that error, such as `ConnectError`; None without one."""
        return error_class(self.error) if self.error else None


class Events:
    """The events of a client, from when this was made: ``with client.events() as events: for event in events: …``

    Those of a request come in the order in which they happened, `QUEUED` first and `DONE` last, which is there when the
    call for the request returns. Iterating waits for further events until the client is closed, or this is; in
    coroutines, ``async for`` does. `read` takes what is there. An event goes to one reader. Beyond `capacity`
    events that were not taken, the oldest are dropped, and `dropped` counts them.

    :ivar dropped: events that were lost.
    """

    def __init__(self, handle: c_uint64, capacity: int) -> None:
        observer = c_uint64()
        check(ffi.observer_create(handle, encode.count(capacity, "capacity", 1), byref(observer)))
        self._handle = observer.value
        self._room = (c_char * (_LAYOUT.size * TAKEN_AT_ONCE))()
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
            self._handle, self._array, TAKEN_AT_ONCE, _LAYOUT.size, byref(self._count), byref(self._lost)
        )
        if status == ffi.ERR_SHUT_DOWN:
            return None
        check(status)
        self.dropped += self._lost.value
        bytes_ = memoryview(self._room)[: self._count.value * _LAYOUT.size]
        return [ClientEvent._make(event) for event in _LAYOUT.iter_unpack(bytes_)]

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
