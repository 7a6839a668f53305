"""How far a transfer has come, and the functions that are notified of it."""

from __future__ import annotations

import time
from ctypes import byref
from dataclasses import dataclass
from typing import Callable, Optional

from .._c import ffi
from .._errors.raising import check
from .._functions.values import check_function
from .._inputs.limits import milliseconds

UNKNOWN_BYTES = (1 << 64) - 1
DEFAULT_SECONDS = 0.1


@dataclass(frozen=True)
class Progress:
    """How far a transfer has come, in bytes of the body. Counts begin anew with each hop of a redirect."""

    received: int
    """As transferred; once the task has ended, the size of the content, decoded."""

    expected: Optional[int]
    """What Content-Length says; None when it is not known. In the last report of a whole answer: `received`."""

    sent: int
    """Of the request's body; 0 once the task has ended."""

    to_send: Optional[int] = None
    """Of the request's body in all; None when it is not known, and once the task has ended."""

    @classmethod
    def of(cls, info: ffi.TaskInfo) -> Progress:
        """What a netcore_task_info says."""
        return cls(info.received_bytes, _known(info.expected_bytes), info.sent_bytes, _known(info.to_send_bytes))


def _known(count: int) -> Optional[int]:
    return None if count == UNKNOWN_BYTES else count


ProgressFunction = Callable[[Progress], object]


class Watch:
    """A function that is notified of the progress of a request, and how often at most."""

    __slots__ = ("function", "interval_ms", "_last")

    def __init__(self, function: ProgressFunction, seconds: float) -> None:
        check_function(function, "on_progress")
        self.function = function
        if seconds is None:
            raise TypeError("progress_interval: seconds as a number expected, not NoneType")
        self.interval_ms = milliseconds(seconds, "progress_interval")
        self._last = Progress(0, None, 0, None)

    def tell(self, task: int) -> None:
        """Tells of a task, which C said has come further."""
        info = task_info(task)
        if info is not None:
            self._report(Progress.of(info))

    def tell_end(self, size: int) -> None:
        """Tells that all of the content has come, unless the last report said so."""
        last = self._last
        if last.received != last.expected:
            self._report(Progress(size, size, last.sent, last.to_send))

    def has_come_further(self, info: ffi.TaskInfo) -> bool:
        """Whether that is more than the last report said."""
        return (info.received_bytes, info.sent_bytes) != (self._last.received, self._last.sent)

    def _report(self, progress: Progress) -> None:
        self._last = progress
        self.function(progress)


class Look:
    """Looks after a task whose end a blocking call waits for, of which C tells nothing meanwhile."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._due = time.monotonic() + watch.interval_ms / 1000

    def at(self, task: int) -> None:
        """Tells how far the task has come, when it is time and it has come further."""
        now = time.monotonic()
        if now < self._due:
            return
        info = task_info(task)
        if info is None or not self._watch.has_come_further(info):
            return
        self._due = now + self._watch.interval_ms / 1000
        self._watch.tell(task)


def task_info(task: int) -> Optional[ffi.TaskInfo]:
    """What C says of a task; None once it has ended."""
    info = ffi.TaskInfo()
    status = ffi.task_get_info(task, byref(info))
    if status == ffi.ERR_INVALID_HANDLE:
        return None
    check(status)
    return info
