"""Tasks of the application's own: any work that a group is to wait for."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Callable, List, Optional, Tuple

from .._c import ffi
from .._errors.errors import Error, StateError
from .._errors.raising import check, status_error
from .._requests.options import RequestOptions
from .._responses.response import take_response

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._clients.core import Core
    from .._requests.factory import Prepared

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
        "_result",
        "_resume",
        "_sent",
        "_status",
        "_waits_for",
        "error",
        "id",
    )

    id: int
    """The number of the task, as `cancel(id)` of its client takes it."""

    error: Optional[BaseException]
    """What was given to `complete`, what `resume` or `cancel` raised, or why the request of `send` failed."""

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
        self._result: Any = None
        self._sent: Optional[Prepared] = None
        self._waits_for: Tuple[Any, ...] = ()
        self.error = None
        self.id = 0

    @property
    def inputs(self) -> List[Any]:
        """What the members brought that this one waited for (in a chain the one before it): of each its `Response`,
        what its `complete` was given as `result`, or None for a group."""
        found = (getattr(member, "_response", None) for member in self._waits_for)
        return [getattr(member, "_result", one) for member, one in zip(self._waits_for, found)]

    def send(self, method: str, url: str, **options: Unpack[RequestOptions]) -> None:
        """Sends a request as the work, in place of `complete`: the task ends as the request does, with its response as
        `result()`. Canceling the task cancels the request. Parameters as of `request` of the client.

        :raises StateError: the task has not started, or has ended.
        """
        core = self._core
        prepared = core.requests.get(method, url, options)
        sent_before, self._sent = self._sent, prepared  # before the end can come
        status = ffi.task_send(self.id, prepared.handle) if self._status is None else ffi.ERR_INVALID_HANDLE
        if status:
            self._sent = sent_before
        if status == ffi.ERR_INVALID_HANDLE:
            raise StateError("the task has ended, or has sent its request", status=ffi.ERR_INVALID_STATE)
        if status:
            raise core.call_error(status, prepared.request)
        if core.functions is not None:
            core.functions.raise_failure()

    def result(self) -> Any:
        """The response of the request that was sent, or what `complete` was given. Does not wait.

        :raises StateError: the task has not ended.
        :raises BaseException: why it failed.
        """
        if self._status is None:
            raise StateError("the task has not ended", status=ffi.ERR_INVALID_STATE)
        if self._status or self.error is not None:
            raise self.error or status_error(self._status)
        return self._result

    def complete(self, error: Optional[BaseException] = None, *, result: Any = None) -> bool:
        """Says that the work has ended, or failed with `error`. After a cancel it counts as canceled in any case.

        Any thread may call it. False when the task had ended already.

        :param result: what members that wait for this one get.
        :raises StateError: the group has not started the task.
        """
        status = 0
        self._result = result if self._status is None and self._sent is None else self._result
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
        if self._sent is not None:
            self._take(self._sent, status, response)
        self._status = status

    def _take(self, sent: Prepared, status: int, response: int) -> None:
        """Takes what came of the request."""
        try:
            if status == 0:
                self._result = take_response(response, sent.request)
                return
            self.error = self.error or self._core.task_error(response, status, sent.request, sent.raised)
        except Error as error:
            self.error = error
        if status and response:
            ffi.response_release(response)

    def hear(self, task: int, kind: int, response: int) -> None:
        """Takes what comes before the end: when to start and when to stop. Not for users."""
        if response:
            ffi.response_release(response)
        if kind == ffi.COMPLETION_KIND_START:
            self._start()
        elif kind == ffi.COMPLETION_KIND_STOP:
            self._tell_canceled()

    def abandon(self, error: Error) -> None:
        """Ends the task when no completion will come. Not for users."""
        self.error = error
        self._status = error.status

    def _start(self) -> None:
        """The group has started it: runs `resume`, once, unless a cancel came first."""
        with self._lock:
            if self._is_resumed:
                return
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
            self._call(function)
        except BaseException as error:
            self._fail(error)

    def _call(self, function: ApplicationFunction) -> None:
        function(self)

    def _fail(self, error: BaseException) -> None:
        """Keeps what a function raised, and ends the task as canceled."""
        self.error = self._failure = error
        self._core.keep_failure(error)
        ffi.task_cancel(self.id)
        ffi.task_complete(self.id, ffi.ERR_CANCELED)
