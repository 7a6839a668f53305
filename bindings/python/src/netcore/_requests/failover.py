"""Failover: a client leaves a service that fails for the next one."""

from __future__ import annotations

from ctypes import c_uint64
from dataclasses import dataclass
from typing import Optional, Union

from .._c import ffi
from .._inputs import encode
from .._inputs.limits import milliseconds
from .policy import set_policy

NEVER = (1 << 64) - 1


@dataclass(frozen=True)
class HealthProbe:
    """A request that a client sends by itself to a service that it left. When enough succeed, it selects that again.

    Without headers, auth and cookies of the client's, retries and redirects. It counts to breakers, rates and slots.
    """

    path: str = ""
    """Below the base URL of the service."""

    method: str = "GET"
    """The method."""

    interval: float = 10.0
    """Seconds between two, and up to a tenth longer: 0.1 to 86,400."""

    timeout: float = 5.0
    """Seconds that one may take in all: 0.001 to 86,400."""

    successes: int = 2
    """How many answers from 200 to 299 in a row say that the service is well: 1 to 100."""


@dataclass(frozen=True)
class Failover:
    """When a client leaves the selected service for the next one of its environment. Times are in seconds.

    ``Client(failover=Failover(min_tries=20))``, or ``Client(failover=True)``. The selected service is left when too
    large a share of its tries fail, as for a `Breaker` or since its name has no address; not while `reachability` is
    ``"unreachable"``. Requests that name a service, and those with ``use_cdn=True``, do not count. Retries go to the
    service that is selected by then. The function of `on_selection_change` is called in a thread of netcore's; what it
    raises there is logged, and raised by `close`.
    """

    window: float = 60.0
    """How far back tries count: 0.1 to 86,400."""

    buckets: int = 10
    """Parts of the window, of which the oldest is dropped at a time: 1 to 100."""

    min_tries: int = 40
    """With fewer tries in the window, `failure_ratio` does not apply: 1 to 1,000,000."""

    failure_ratio: float = 0.1
    """The share of failed tries from which on the service is left: 0.01 to 1."""

    cool_down: Optional[float] = 300.0
    """How long after the last switch the service that was left first is selected again; None for never. Not used with a
    `probe`."""

    probe: Optional[HealthProbe] = None
    """How the service that was left first is asked whether it is well again."""

    def __post_init__(self) -> None:
        _c_options(self)


FailoverInput = Union[bool, Failover, None]


def set_failover(client: c_uint64, value: FailoverInput) -> None:
    """Sets the failover of a netcore_client.

    :raises InvalidRequest: a figure that is out of range.
    """
    set_policy(client, "failover", value, Failover, ffi.client_set_failover, _c_options, _NAMES)


_NAMES = {
    "window_ms": "window",
    "bucket_count": "buckets",
    "failure_percent": "failure_ratio",
    "cool_down_ms": "cool_down",
    "probe_path": "probe.path",
    "probe_method": "probe.method",
    "probe_interval_ms": "probe.interval",
    "probe_timeout_ms": "probe.timeout",
    "probe_successes": "probe.successes",
}


def _c_options(failover: Failover) -> ffi.FailoverOptions:
    """The figures as C takes them; types and what does not fit a number of C are checked here."""
    cool_down = failover.cool_down
    options = ffi.FailoverOptions(
        window_ms=milliseconds(failover.window, "window"),
        bucket_count=encode.count(failover.buckets, "buckets", 1),
        min_tries=encode.count(failover.min_tries, "min_tries", 1),
        failure_percent=encode.percent(failover.failure_ratio, "failure_ratio", 0.01, 1),
        cool_down_ms=NEVER if cool_down is None else milliseconds(cool_down, "cool_down"),
    )
    if failover.probe is not None:
        _set_probe(options, failover.probe)
    return options


def _set_probe(options: ffi.FailoverOptions, probe: HealthProbe) -> None:
    if not isinstance(probe, HealthProbe):
        raise TypeError(f"probe: netcore.HealthProbe or None expected, not {type(probe).__name__}")
    options.probe_path = encode.c_text(probe.path, "probe.path")
    options.probe_method = encode.c_text(probe.method, "probe.method")
    options.probe_interval_ms = milliseconds(probe.interval, "probe.interval")
    options.probe_timeout_ms = milliseconds(probe.timeout, "probe.timeout")
    options.probe_successes = encode.count(probe.successes, "probe.successes", 1)
