"""Hedging: a second try of a request is sent while the first is still under way."""

from __future__ import annotations

from ctypes import byref, c_uint64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, Union

from .._c import ffi
from .._errors.raising import check
from .._inputs import encode
from .._inputs.limits import milliseconds
from .policy import give_policy, set_policy

if TYPE_CHECKING:
    from .factory import Prepared

NONE = (1 << 32) - 1
"""For a figure: none."""


@dataclass(frozen=True)
class Hedge:
    """When a second try of a request, a hedge, is sent beside the first. Times are in seconds.

    ``Client(hedge=True)``, or for one request ``client.get(url, hedge=Hedge(initial_delay=0.5))``. It is sent when the
    first try takes longer than most answers of its server did of late, or fails in a way that a `Retry` tries again.
    The first answer wins that is not tried again, and the other try is canceled. A request has one hedge at most; it is
    no attempt of a `Retry`. Only requests that may be repeated get one (``idempotent=True``), and none whose body is
    read while it is sent, no download, and no streamed response whose head has come. What came of each try is in
    ``response.tries``.
    """

    percentile: int = 95
    """The hedge is sent when the first try takes longer than so many percent of the answers in the window: 50 to 99."""

    window: float = 10.0
    """How far back answers count: 1 to 3,600."""

    buckets: int = 10
    """Parts of the window, of which the oldest is dropped at a time: 1 to 60."""

    refresh: float = 3.0
    """For how long a delay that was computed is used: at most `window`."""

    min_samples: int = 100
    """With fewer answers in the window the delay is `initial_delay`: 1 to 1,000,000."""

    min_delay: float = 0.01
    """A hedge is not sent earlier, except after a failure."""

    initial_delay: float = 2.0
    """The delay as long as there are too few answers: `min_delay` to 3,600."""

    tokens: int = 10
    """The budget of each server: tokens at most, and at first, of which each hedge takes one: 1 to 1,000,000."""

    per_success: float = 0.05
    """Tokens for each request that succeeded: 0 to 1."""

    def __post_init__(self) -> None:
        _c_options(self)


HedgeInput = Union[bool, Hedge, None]


def set_hedging(prepared: Prepared, value: HedgeInput, options: Mapping[str, Any]) -> None:
    """Sets the hedging of a request."""
    if value is None or value is False:
        check(ffi.request_set_hedging(prepared.handle, ffi.HEDGING_OFF, None))
        return
    give_policy(
        "hedge",
        value,
        Hedge,
        lambda hedge: ffi.request_set_hedging(prepared.handle, ffi.HEDGING_OWN, byref(_c_options(hedge))),
        _NAMES,
    )


def set_client_hedging(client: c_uint64, value: HedgeInput) -> None:
    """Sets the hedging of all requests of a netcore_client that do not say otherwise.

    :raises InvalidRequest: a figure that is out of range, or contradicts another.
    """
    set_policy(client, "hedge", value, Hedge, ffi.client_set_hedging, _c_options, _NAMES)


_NAMES = {
    "window_ms": "window",
    "bucket_count": "buckets",
    "refresh_ms": "refresh",
    "min_delay_ms": "min_delay",
    "initial_delay_ms": "initial_delay",
    "budget_tokens": "tokens",
    "budget_success_percent": "per_success",
}


def _c_options(hedge: Hedge) -> ffi.HedgeOptions:
    """The figures as C takes them; types and what does not fit a number of C are checked here."""
    return ffi.HedgeOptions(
        percentile=encode.count(hedge.percentile, "percentile", 1),
        window_ms=milliseconds(hedge.window, "window"),
        bucket_count=encode.count(hedge.buckets, "buckets", 1),
        refresh_ms=milliseconds(hedge.refresh, "refresh"),
        min_samples=encode.count(hedge.min_samples, "min_samples", 1),
        min_delay_ms=milliseconds(hedge.min_delay, "min_delay"),
        initial_delay_ms=milliseconds(hedge.initial_delay, "initial_delay"),
        budget_tokens=encode.count(hedge.tokens, "tokens", 1),
        budget_success_percent=encode.percent(hedge.per_success, "per_success", 0, 1) or NONE,
    )
