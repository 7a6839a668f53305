"""Where the time of a response went, and what it took."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple, Optional, Union

from .._c.buffers import INFO_NUMBERS

NO_NUMBERS = (0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, 0, 0, 0)


class _Numbers(NamedTuple):
    """The numbers of a netcore_response_info."""

    header_count: int
    trailer_count: int
    attempts: int
    redirects: int
    connection_reused: int
    cache_result: int
    queue_us: int
    dns_us: int
    connect_us: int
    tls_us: int
    first_byte_us: int
    total_us: int
    bytes_sent: int
    bytes_received: int
    joined: int


@dataclass(frozen=True)
class Timings:
    """Durations in seconds; None where a phase was not reached.

    `queue`: from dispatch to the start of the transfer. `dns`, `connect`, `tls` and `first_byte` are phases of the last
    hop; a reused connection has only the last of them. `first_byte`: from the request's going out to the first byte of
    the answer. `total`: from the start of the first hop to the end of the last, without the time in the queue.
    """

    queue: Optional[float]
    dns: Optional[float]
    connect: Optional[float]
    tls: Optional[float]
    first_byte: Optional[float]
    total: Optional[float]


class Statistics:
    """The numbers of a response, read when one is asked for."""

    __slots__ = ()

    _info: Union[bytes, bytearray]
    _digest: bytes

    @property
    def _numbers(self) -> _Numbers:
        return _Numbers(*INFO_NUMBERS.unpack(self._info))

    @property
    def timings(self) -> Timings:
        """Where the time went."""
        numbers = self._numbers
        return Timings(*map(_seconds, numbers[6:12]))

    @property
    def elapsed(self) -> timedelta:
        """From the start of the first hop to the end of the last, without the time in the queue."""
        return timedelta(microseconds=max(0, self._numbers.total_us))

    @property
    def attempts(self) -> int:
        """How often the request was put on the wire, redirects not counted."""
        return self._numbers.attempts

    @property
    def redirects(self) -> int:
        """Redirects followed."""
        return self._numbers.redirects

    @property
    def connection_reused(self) -> bool:
        """Whether the last hop used a connection that was already open."""
        return bool(self._numbers.connection_reused)

    @property
    def bytes_sent(self) -> int:
        """Bytes of all hops on the wire inside TLS: header sections and bodies as transferred."""
        return self._numbers.bytes_sent

    @property
    def bytes_received(self) -> int:
        """As `bytes_sent`, in the other direction."""
        return self._numbers.bytes_received

    @property
    def body_sha256(self) -> Optional[str]:
        """The SHA-256 digest of the body as it is delivered, in hexadecimal; None if the request has no `body_sha256`,
        and before the end of a streamed body."""
        return self._digest.decode() or None

    @property
    def joined(self) -> bool:
        """Whether the answer is that of another request's transfer (``duplicates="join"``). Attempts, bytes and tries
        are then those of that transfer."""
        return bool(self._numbers.joined)


def _seconds(microseconds: int) -> Optional[float]:
    return None if microseconds < 0 else microseconds / 1e6
