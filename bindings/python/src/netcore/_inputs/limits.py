"""Timeouts, limits and times to live."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from typing import List, Literal, Optional, Tuple, Union

from .._c import ffi
from .._errors.raising import reject

UNLIMITED = ffi.NO_TIMEOUT
"""For a member of `Limits`: no limit."""

MOST_SECONDS = 2_147_483.647

TimeToLiveInput = Union[float, timedelta]
"""How long an answer is fresh: seconds or a timedelta."""

MOST_SECONDS_TO_LIVE = 1e12


@dataclass(frozen=True)
class Timeout:
    """Four timeouts, in seconds; None means none. Time spent in the queue counts to none of them.

    - connect: to resolve, connect and finish TLS. Default 10.
    - first_byte: from the last byte of the request to the first byte of the answer. Default 60.
    - idle: while sending or receiving, the longest time in which not one byte moves. Default 60.
    - total: from the start of the transfer to its end, redirects included. Default None.

    Where a timeout is taken, a bare number stands for ``Timeout(connect=n, first_byte=n, idle=n)``: as in httpx it
    bounds each step and not the whole. A pair, as in requests, is ``Timeout(connect=pair[0], first_byte=pair[1],
    idle=pair[1])``. None stands for no timeout at all.

    :raises InvalidRequest: a timeout that is not above 0 (use None for none), or beyond 2,147,483 seconds.
    """

    connect: Optional[float] = 10.0
    first_byte: Optional[float] = 60.0
    idle: Optional[float] = 60.0
    total: Optional[float] = None

    def __post_init__(self) -> None:
        for name in ("connect", "first_byte", "idle", "total"):
            milliseconds(getattr(self, name), name)


TimeoutInput = Union[Timeout, float, Tuple[Optional[float], Optional[float]], None]


def milliseconds(seconds: Optional[float], name: str = "timeout") -> int:
    """Seconds as whole milliseconds, rounded up; None is 0, which means none."""
    if seconds is None:
        return 0
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise TypeError(f"{name}: seconds as a number or None expected, not {type(seconds).__name__}")
    if not 0 < seconds <= MOST_SECONDS:
        reject(f"{name}: {seconds!r} is not above 0 and at most {MOST_SECONDS} seconds; None means no timeout")
    return math.ceil(seconds * 1000)


LIBRARY_TIMEOUT = Timeout()
"""What holds when nothing is set."""


def as_timeout(value: TimeoutInput) -> Timeout:
    """A `Timeout` from any of the forms that users give."""
    if isinstance(value, Timeout):
        return value
    if isinstance(value, tuple):
        if len(value) != 2:
            raise TypeError(
                "timeout: a tuple is (connect, read); write Timeout(connect=…, first_byte=…, total=…) for more"
            )
        connect, read = value
        return Timeout(connect=connect, first_byte=read, idle=read)
    if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float))):
        kind = type(value).__name__
        raise TypeError(f"timeout: seconds as a number, a pair, a Timeout or None expected, not {kind}")
    return Timeout(connect=value, first_byte=value, idle=value)


@dataclass(frozen=True)
class Limits:
    """Limits of a client; None leaves netcore's default, `UNLIMITED` removes the limit. Beyond one: `LimitError`."""

    header_bytes: Optional[int] = None
    """All header sections of one response, trailers and 1xx answers included. Default 256 KiB."""

    body_bytes: Optional[int] = None
    """The body as transferred. Default 1 GiB."""

    decoded_bytes: Optional[int] = None
    """The body after decoding. Default 1 GiB."""

    decode_ratio: Optional[int] = None
    """Decoded bytes for each transferred byte, once more than 1 MiB came out. Default 250."""

    transfers: Optional[int] = None
    """Transfers at once; further tasks wait in the queue. At least 1. Default 256."""

    transfers_per_host: Optional[int] = None
    """Transfers at once to one scheme, host and port. At least 1. Default 64."""

    queue_length: Optional[int] = None
    """Tasks dispatched but not yet transferring; beyond it a dispatch raises `LimitError` at once. Default 65,536."""

    queue_overflow: Literal["refuse_new", "drop_lowest"] = "refuse_new"
    """``"drop_lowest"``: tasks beyond `queue_length` are accepted, and of those that wait with the lowest priority the
    one that was dispatched last ends with `Dropped`; members of groups are neither counted nor dropped."""

    def _rows(self) -> List[Tuple[int, int, str]]:
        """Number of the limit, value and name of those that are set."""
        rows = [
            (ffi.LIMIT_HEADER_BYTES, self.header_bytes, "header_bytes"),
            (ffi.LIMIT_BODY_BYTES, self.body_bytes, "body_bytes"),
            (ffi.LIMIT_DECODED_BYTES, self.decoded_bytes, "decoded_bytes"),
            (ffi.LIMIT_DECODE_RATIO, self.decode_ratio, "decode_ratio"),
            (ffi.LIMIT_TRANSFERS, self.transfers, "transfers"),
            (ffi.LIMIT_TRANSFERS_PER_HOST, self.transfers_per_host, "transfers_per_host"),
            (ffi.LIMIT_QUEUE_LENGTH, self.queue_length, "queue_length"),
        ]
        return [
            (number, limit_value(value, f"limits: {name}"), f"limits: {name}")
            for number, value, name in rows
            if value is not None
        ]


def limit_value(value: int, name: str) -> int:
    """Checks that a limit is an integer that fits 64 bits."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name}: an integer expected, not {type(value).__name__}")
    if not 0 <= value <= UNLIMITED:
        reject(f"{name}: {value} is not between 0 and 2**64 - 1")
    return value


def time_to_live(value: TimeToLiveInput, name: str) -> int:
    """A time to live as whole milliseconds, rounded up."""
    seconds = value.total_seconds() if isinstance(value, timedelta) else value
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise TypeError(f"{name}: seconds as a number or a timedelta expected, not {type(value).__name__}")
    if not 0 <= seconds <= MOST_SECONDS_TO_LIVE:
        reject(f"{name}: {value!r} is not between 0 and {MOST_SECONDS_TO_LIVE:.0f} seconds")
    return math.ceil(seconds * 1000)
