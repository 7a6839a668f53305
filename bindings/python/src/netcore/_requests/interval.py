"""The shortest time between equal requests."""

from __future__ import annotations

from ctypes import byref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, Optional, Union

from .._c import ffi
from .._errors.raising import call_error, check
from .._inputs import encode
from .._inputs.limits import milliseconds

if TYPE_CHECKING:
    from .factory import Prepared


@dataclass(frozen=True)
class MinInterval:
    """The shortest time between equal requests of one client.

    ``Client(min_interval=MinInterval(1.5))``, or of a request ``client.get(url, min_interval=MinInterval(key="a"))``.
    """

    seconds: float = 2.0
    """At most a day."""

    wait: bool = False
    """False: a request that comes too soon ends with `TooSoon`. True: it waits until it is due; one that would wait
    longer than its total timeout is refused."""

    key: Optional[str] = None
    """What makes requests equal, in place of method, URL, params and body."""


MinIntervalInput = Union[bool, float, MinInterval, None]


def set_min_interval(prepared: Prepared, value: Any, options: Mapping[str, Any]) -> None:
    """Sets the shortest time between requests that equal this one."""
    if value is None or value is False:
        check(ffi.request_set_min_interval(prepared.handle, None))
        return
    minimum = value if isinstance(value, MinInterval) else MinInterval() if value is True else MinInterval(value)
    given = ffi.MinInterval(
        wait=encode.flag(minimum.wait, "wait"),
        interval_ms=milliseconds(minimum.seconds, "min_interval"),
        key=None if minimum.key is None else encode.c_text(minimum.key, "key"),
    )
    status = ffi.request_set_min_interval(prepared.handle, byref(given))
    if status:
        raise call_error(status, prepared.request, argument="min_interval")
