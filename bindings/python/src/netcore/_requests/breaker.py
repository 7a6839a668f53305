"""Circuit breakers: requests to an origin that fails are refused for a while."""

from __future__ import annotations

from ctypes import c_uint64
from dataclasses import dataclass
from typing import Any, List, Optional, Tuple, Union

from .._c import ffi
from .._c.buffers import copy
from .._errors.raising import check
from .._inputs import encode
from .._inputs.limits import milliseconds
from .policy import set_policy

NONE = (1 << 32) - 1
"""For a figure: none."""


@dataclass(frozen=True)
class Breaker:
    """When requests to an origin that fails are refused with `BreakerOpen`, to spare it. Times are in seconds.

    ``Client(breaker=Breaker(open_time=10))``, or ``Client(breaker=True)``. Each origin has a breaker of its own. It
    opens if too large a share of the tries fail, by a lost or refused connection, a timeout, or an answer 500, 502, 503
    or 504; 429 and what is canceled do not count. When its time is over one request, the probe, goes through: a success
    or a 4xx closes it, a failure opens it for twice as long. ``client.breakers`` says how they stand.
    """

    window: float = 30.0
    """How far back tries count: 0.1 to 3,600, and at least twice `Retry.attempt_timeout`."""

    buckets: int = 10
    """Parts of the window, of which the oldest is dropped at a time: 1 to 100."""

    min_tries: int = 20
    """With fewer tries in the window, `failure_ratio` does not apply: 1 to 1,000,000."""

    failure_ratio: float = 0.5
    """The share of failed tries from which on it opens: 0.01 to 1."""

    connect_failures: Optional[int] = 5
    """It also opens after so many tries in a row without a connection; None for never."""

    open_time: float = 5.0
    """How long it stays open the first time; doubled for each further time until a probe succeeds."""

    max_open_time: float = 300.0
    """It does not stay open longer, except for the jitter."""

    jitter: float = 0.2
    """The time that it stays open is random within this share of it, to either side: 0 to 0.5."""

    def __post_init__(self) -> None:
        _c_options(self)


@dataclass(frozen=True)
class BreakerInfo:
    """The breaker of an origin."""

    origin: str
    """Scheme, host and port."""

    state: str
    """``"closed"``, ``"open"``, or ``"half_open"``: one request goes through, as a probe."""

    tries: int
    """Tries in the window."""

    failures: int
    """Those of them that failed."""

    wait: float
    """Seconds until a request may go through as a probe, at the latest; 0 if it is closed."""

    openings: int
    """How often it has opened."""

    refusals: int
    """Requests that it has refused."""


BreakerInput = Union[bool, Breaker, None]


def set_breaker(client: c_uint64, value: BreakerInput) -> None:
    """Sets the breakers of a netcore_client.

    :raises InvalidRequest: a figure that is out of range, or contradicts another or those of the client's retries.
    """
    set_policy(client, "breaker", value, Breaker, ffi.client_set_breaker, _c_options, _NAMES)


_NAMES = {
    "window_ms": "window",
    "bucket_count": "buckets",
    "failure_percent": "failure_ratio",
    "open_ms": "open_time",
    "max_open_ms": "max_open_time",
    "jitter_percent": "jitter",
}


def _c_options(breaker: Breaker) -> ffi.BreakerOptions:
    """The figures as C takes them; types and what does not fit a number of C are checked here."""
    row = breaker.connect_failures
    return ffi.BreakerOptions(
        window_ms=milliseconds(breaker.window, "window"),
        bucket_count=encode.count(breaker.buckets, "buckets", 1),
        min_tries=encode.count(breaker.min_tries, "min_tries", 1),
        failure_percent=encode.percent(breaker.failure_ratio, "failure_ratio", 0.01, 1),
        connect_failures=NONE if row is None else encode.count(row, "connect_failures", 1),
        open_ms=milliseconds(breaker.open_time, "open_time"),
        max_open_ms=milliseconds(breaker.max_open_time, "max_open_time"),
        jitter_percent=encode.percent(breaker.jitter, "jitter", 0, 0.5) or NONE,
    )


_STATES = {value: name for name, value in ffi.BREAKER_STATES.items()}


def read_breakers(client: c_uint64) -> Tuple[BreakerInfo, ...]:
    """Those of a netcore_client."""
    found: List[BreakerInfo] = []

    def take(given: Any, _: object) -> int:
        info = given.contents
        found.append(
            BreakerInfo(
                origin=copy(info.origin.data or 0, info.origin.size_bytes).decode("utf-8", "replace"),
                state=_STATES.get(info.state, ""),
                tries=info.try_count,
                failures=info.failure_count,
                wait=info.wait_ms / 1000,
                openings=info.opening_count,
                refusals=info.refusal_count,
            )
        )
        return 1

    check(ffi.client_list_breakers(client, ffi.BreakerFn(take), None))
    return tuple(found)
