"""Rates: how many requests may be sent."""

from __future__ import annotations

from ctypes import byref, c_uint64
from dataclasses import dataclass
from typing import Optional

from .._c import ffi
from .._errors.raising import reject
from .._inputs import encode
from .._inputs.limits import milliseconds


@dataclass(frozen=True)
class Rate:
    """How many requests may be sent, evenly spaced, and how many at once: ``client.set_rate(Rate(10, burst=5))``.

    Each attempt and each redirect is a request; what a cache answers is not.
    """

    requests: Optional[int] = None
    """Requests in each `per` seconds: at most 1,000,000. None: any number."""

    per: float = 1.0
    """Seconds, at most a day."""

    burst: int = 1
    """Requests that may come at once after a pause."""

    transfers: Optional[int] = None
    """Transfers at once. None: any number."""

    max_wait: Optional[float] = None
    """Seconds that a request waits at most, up to a day; 0: it ends with `RateLimited` at once. None: as long as its
    total timeout, and without one as long as it takes."""

    server_hints: bool = False
    """Whether no more requests go than an answer says are left, by Retry-After of a 429 or 503, RateLimit or
    X-RateLimit-Reset."""


def set_rate(
    client: c_uint64,
    rate: Optional[Rate],
    *,
    host: Optional[str] = None,
    tag: Optional[str] = None,
    key: Optional[str] = None,
    each: Optional[str] = None,
) -> int:
    """Sets a rate of a netcore_client, and returns the status."""
    if sum(value is not None for value in (host, tag, key, each)) > 1:
        reject("set_rate: one of host, tag, key and each is allowed")
    scope, text = ffi.RATE_SCOPE_CLIENT, None
    if each is not None:
        scope = encode.choice(each, {"host": ffi.RATE_SCOPE_HOST, "key": ffi.RATE_SCOPE_KEY}, "each")
    for value, name, number in (
        (host, "host", ffi.RATE_SCOPE_HOST),
        (tag, "tag", ffi.RATE_SCOPE_TAG),
        (key, "key", ffi.RATE_SCOPE_KEY),
    ):
        if value is not None:
            scope, text = number, encode.c_text(value, name)
    options = None if rate is None else byref(_c_rate(rate))
    status: int = ffi.client_set_rate(client, scope, text, options)
    return status


def _c_rate(rate: Rate) -> ffi.Rate:
    if rate.max_wait is None:
        wait = 0
    else:
        wait = ffi.NO_TIMEOUT if rate.max_wait == 0 else milliseconds(rate.max_wait, "max_wait")
    return ffi.Rate(
        requests=0 if rate.requests is None else encode.count(rate.requests, "requests", 1),
        interval_ms=milliseconds(rate.per, "per"),
        burst=encode.count(rate.burst, "burst", 1),
        transfers=0 if rate.transfers is None else encode.count(rate.transfers, "transfers", 1),
        max_wait_ms=wait,
        server_hints=encode.flag(rate.server_hints, "server_hints"),
    )
