"""Clocks that move only when they are advanced, for tests of an application."""

from __future__ import annotations

import asyncio
import math
import time
from ctypes import byref, c_uint64
from datetime import datetime, timedelta, timezone
from typing import Any, Optional, Union
from weakref import finalize

from .._c import ffi
from .._errors.raising import check, reject
from . import encode

_SLICE = 0.2
"""Seconds; Ctrl-C ends a wait after that, at the latest."""
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class Clock:
    """A clock that moves only when it is advanced: ``Client(clock=clock)``, ``Cache(clock=clock)``.

    The age of stored answers, lifetimes of cookies, waits before retries, rates, minimum intervals, breakers, hedges,
    delays of stubs and the timeouts of requests that stubs answer all pass when the clock is advanced. What the network
    does takes the machine's time, and so do downloads, event sources, and calls that wait.

    :param start: what it says at the start, with a time zone. Default: what the machine's clock says.
    :param automatic: whether it advances by itself to what is waited for next, whenever requests are under way and
        nothing can go on before. A request with an hour of retries then returns at once.
    """

    def __init__(self, start: Optional[datetime] = None, *, automatic: bool = False) -> None:
        options = ffi.ClockOptions(automatic=encode.flag(automatic, "automatic"))
        if start is not None:
            if not isinstance(start, datetime) or start.tzinfo is None:
                raise TypeError("start: a datetime with a time zone expected")
            options.start_ms = int((start - _EPOCH).total_seconds() * 1000)
        handle = c_uint64()
        check(ffi.clock_create(byref(options), byref(handle)))
        self._handle = handle.value
        self._destroy = finalize(self, ffi.clock_destroy, self._handle)

    def advance(self, seconds: Union[float, timedelta]) -> None:
        """Advances it. Does not wait: clients do what has become due soon after the call.

        :raises InvalidRequest: a negative number, or more than 100 years in all.
        """
        check(ffi.clock_advance(self._handle, _milliseconds(seconds, "seconds")))

    @property
    def elapsed(self) -> float:
        """Seconds that it has been advanced."""
        elapsed = c_uint64()
        check(ffi.clock_get_elapsed_ms(self._handle, byref(elapsed)))
        return elapsed.value / 1000

    def wait_idle(self, timeout: float = 10) -> None:
        """Waits until its clients can do nothing before it is advanced, or the application does something: none of the
        application's filters, transports and the like runs, and no request is with the network. What was dispatched
        before the call has then ended, or waits for the clock. For an `AsyncClient`, await `idle`.

        :param timeout: seconds of the machine's clock.
        :raises TimeoutError: they are still busy.
        """
        end = time.monotonic() + timeout
        while True:
            left = max(min(end - time.monotonic(), _SLICE), 0)
            status = ffi.clock_wait_idle(self._handle, _milliseconds(left, "timeout"))
            if status != ffi.ERR_IN_PROGRESS:
                check(status)
                return
            if time.monotonic() >= end:
                raise TimeoutError("the clients of the clock are still busy")

    async def idle(self, timeout: float = 10) -> None:
        """`wait_idle` for coroutines."""
        await asyncio.get_running_loop().run_in_executor(None, self.wait_idle, timeout)


def _milliseconds(span: Union[float, timedelta], name: str) -> int:
    seconds = span.total_seconds() if isinstance(span, timedelta) else span
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise TypeError(f"{name}: seconds as a number or a timedelta expected, not {type(span).__name__}")
    if not 0 <= seconds < 1e10:
        reject(f"{name}: {seconds!r} is negative, or too long")
    return math.ceil(seconds * 1000)


def handle_of(clock: Any) -> int:
    """The netcore_clock of an option; 0 for None."""
    if clock is None:
        return 0
    if not isinstance(clock, Clock):
        raise TypeError(f"clock: netcore.testing.Clock expected, not {type(clock).__name__}")
    return clock._handle


def convert(clock: Any, name: str) -> int:
    """The same for the table of options."""
    return handle_of(clock)
