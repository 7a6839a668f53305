"""What happens to the requests of a client."""

from __future__ import annotations

import enum
import struct
from ipaddress import IPv6Address
from typing import NamedTuple, Optional, Type

from .._c import ffi
from .._errors.errors import Error
from .._errors.raising import error_class
from .response import VERSIONS

LAYOUT = struct.Struct("=4xiQQQIIiiQQ16sIi")
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

    RETURNED = ffi.EVENT_RETURNED
    """The functions that were to be called at the end of the request, such as `on_done`, have returned. Not of a call
    that blocks. An `AsyncClient` reports it when it takes what ends next, or is closed."""
    STORAGE = ffi.EVENT_STORAGE
    """Something happened to the disk level of the client's cache. `value`: a `CacheEventKind`."""


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
