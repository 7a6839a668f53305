"""A bound on the time in which a request waits for its slot, for httpx, which has one."""

from __future__ import annotations

import time
from ctypes import c_uint64
from typing import Optional

from .._c import ffi
from .._errors.errors import Phase, TimeoutException
from .._responses.progress import task_info
from .._responses.request import Request


class SlotWait:
    """How long a task may wait for its slot."""

    __slots__ = ("_deadline", "_request")

    def __init__(self, seconds: Optional[float], request: Request) -> None:
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._request = request

    def bounded(self, timeout: c_uint64) -> c_uint64:
        """How long to wait at once, where it would be `timeout` without this bound."""
        if self._deadline is None:
            return timeout
        left = max(0, round((self._deadline - time.monotonic()) * 1000))
        return c_uint64(min(timeout.value, left))

    def check(self, task: int) -> None:
        """Once the time has come, looks whether the task has its slot; it may then take as long as it likes.

        :raises TimeoutException: it has none.
        """
        if self._deadline is None or time.monotonic() < self._deadline:
            return
        if is_queued(task):
            raise slot_error(self._request)
        self._deadline = None


def is_queued(task: int) -> bool:
    """Whether a task waits for its slot."""
    info = task_info(task)
    return info is not None and info.state == ffi.TASK_STATE_QUEUED


def slot_error(request: Request) -> TimeoutException:
    """The error of a task that had no slot in time."""
    return TimeoutException(
        "no slot was free in time", status=ffi.ERR_TIMEOUT_TOTAL, phase=Phase.QUEUE, is_retryable=True, request=request
    )
