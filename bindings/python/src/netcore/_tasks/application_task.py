"""Tasks of the application's own: any work that a group is to wait for."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Callable, Optional

from .._c import ffi
from .._errors.errors import Error, check

if TYPE_CHECKING:
    from .._clients.core import Core

ApplicationFunction = Callable[["ApplicationTask"], object]


class ApplicationTask:
    """Work of your own that a group waits for: see `Group.add_task`."""

    __slots__ = (
        "_cancel",
        "_core",
        "_failure",
        "_is_resumed",
        "_is_told",
        "_lock",
        "_resume",
        "_status",
        "error",
        "id",
    )

    id: int
    """The number of the task, as `cancel(id)` of its client takes it."""

    error: Optional[BaseException]
    """What was given to `complete`, or what `resume` or `cancel` raised."""

    def __init__(
        self, core: Core, resume: Optional[ApplicationFunction], cancel: Optional[ApplicationFunction]
    ) -> None:
        for name, function in (("resume", resume), ("cancel", cancel)):
            if function is not None and not callable(function):
                raise TypeError(f"{name}: a function expected")
        self._core = core
        self._resume = resume
        self._cancel = cancel
        self._lock = threading.Lock()
        self._is_resumed = False
        self._is_told = False
        self._failure: Optional[BaseException] = None
        self._status: Optional[int] = None
        self.error = None
        self.id = 0

    def complete(self, error: Optional[BaseException] = None) -> bool:
        """Says that the work has ended, or failed with `error`. After a cancel it counts as canceled in any case.

        Any thread may call it. False when the task had ended already.

        :raises StateError: the group is not dispatched.
        """
        status = 0
        if error is not None:
            status = (error.status if isinstance(error, Error) else 0) or ffi.ERR_INTERNAL
            self.error = error
        answer = ffi.task_complete(self.id, status) if self._status is None else ffi.ERR_INVALID_HANDLE
        if answer == ffi.ERR_INVALID_HANDLE:
            return False
        check(answer)
        return True

    def cancel(self) -> bool:
        """Says that the work is no longer wanted. False when the task has ended already."""
        return self._status is None and self._core.cancel(self.id)

    def done(self) -> bool:
        """Whether the task has ended."""
        return self._status is not None

    def finish(self, handle: int, status: int, response: int) -> None:
        """Takes the completion. Not for users."""
        self._core.hosts.pop(handle, None)
        self._status = status

    def abandon(self, error: Error) -> None:
        """Ends the task when no completion will come. Not for users."""
        self.error = error
        self._status = error.status

    def _start(self) -> None:
        """The group was dispatched: runs `resume`, unless a cancel came first."""
        with self._lock:
            self._is_resumed = not self._is_told
        if not self._is_resumed:
            ffi.task_complete(self.id, ffi.ERR_CANCELED)
        elif self._resume is not None:
            self._run(self._resume)

    def _tell_canceled(self) -> None:
        """A cancel was accepted: runs `cancel`, once, if `resume` ran."""
        with self._lock:
            if self._is_told or self._status is not None:
                return
            self._is_told = True
            if not self._is_resumed:
                return
        if self._cancel is not None:
            self._run(self._cancel)

    def _run(self, function: ApplicationFunction) -> None:
        """Runs a function of the user's; when it raises, the exception is kept and the task ends as canceled."""
        try:
            function(self)
        except BaseException as error:
            self.error = self._failure = error
            self._core.keep_failure(error)
            ffi.task_cancel(self.id)
            ffi.task_complete(self.id, ffi.ERR_CANCELED)
