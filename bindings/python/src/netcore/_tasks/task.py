"""Tasks: one dispatch of a request each."""

from __future__ import annotations

import enum
import threading
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Literal, Optional, cast

from .._c import ffi
from .._c.threads import new_lock
from .._errors.errors import Error, StateError
from .._errors.raising import reject
from .._responses.progress import Progress, task_info
from .._responses.request import Request
from .._responses.response import Response, take_response

if TYPE_CHECKING:
    from .._clients.blocking import BlockingCore
    from .._clients.core import Core
    from .._requests.factory import Prepared


class TaskState(enum.IntEnum):
    """Where a task stands."""

    CREATED = 1
    """Not yet dispatched: made by `task()` of a client, or a member of a group that was not."""
    QUEUED = 2
    """Dispatched, waiting for its turn."""
    RUNNING = 3
    """Transferring."""
    FINISHED = 4
    """Ended."""


Priority = Literal["low", "default", "high"]

_PRIORITY_NAMES = {number: cast(Priority, name) for name, number in ffi.PRIORITIES.items()}


class BaseTask:
    """What tasks of both clients share."""

    __slots__ = (
        "_client",
        "_core",
        "_error",
        "_failure",
        "_has_ended",
        "_on_done",
        "_on_early",
        "_raised",
        "_response",
        "_scope",
        "_watch",
        "id",
        "request",
    )

    id: int
    """The number of the task, as `cancel(id)` of its client takes it. Never used again in this process."""

    request: Request
    """What was asked for."""

    def __init__(
        self,
        client: Any,
        core: Core,
        prepared: Prepared,
        on_done: Optional[Callable[[Any], object]],
        on_early: Optional[Callable[[Any, Response], object]],
    ) -> None:
        if on_done is not None and not callable(on_done):
            raise TypeError("on_done: a function expected")
        if on_early is not None and not callable(on_early):
            raise TypeError("on_early: a function expected")
        self._client = client  # a client with tasks in flight stays alive
        self._core = core
        self._on_done = on_done
        self._on_early = on_early
        self._response: Optional[Response] = None
        self._error: Optional[Error] = None
        self._failure: Optional[BaseException] = None
        self._has_ended = False
        self.id = 0
        self.request = prepared.request
        self._raised = prepared.raised
        self._watch = prepared.watch
        self._scope = prepared.scope

    def dispatch(self) -> None:
        """Starts a task that `task()` of its client made.

        :raises StateError: it was dispatched, or has ended, or it is a member of a group.
        """
        status = ffi.ERR_INVALID_HANDLE if self._has_ended else ffi.task_dispatch(self.id)
        if status == ffi.ERR_INVALID_HANDLE:
            raise StateError("the task has ended", status=ffi.ERR_INVALID_STATE, request=self.request)
        if status:
            raise self._core.call_error(status, self.request)

    def cancel(self) -> bool:
        """Cancels the task, which then ends with `Canceled`. False when it has ended already."""
        return not self._has_ended and self._core.cancel(self.id)

    @property
    def state(self) -> TaskState:
        """Where the task stands."""
        info = self._info()
        return TaskState.FINISHED if info is None else TaskState(info.state)

    @property
    def priority(self) -> Priority:
        """Its place among the tasks that wait: that of its request, or as `set_priority` said. ``"default"`` once the
        task has ended."""
        info = self._info()
        return "default" if info is None else _PRIORITY_NAMES.get(info.priority, "default")

    def set_priority(self, priority: Priority) -> bool:
        """Gives the task another priority. One that waits takes its place among those of the new one; a transfer that
        is under way goes on as it is. False when the task has ended."""
        number = ffi.PRIORITIES.get(priority)
        if number is None:
            reject(f'priority: "low", "default" or "high" expected, not {priority!r}')
        if self._has_ended:
            return False
        status = ffi.task_set_priority(self.id, number)
        if status == ffi.ERR_INVALID_HANDLE:
            return False
        if status:
            raise self._core.call_error(status, self.request)
        return True

    def progress(self) -> Progress:
        """How far the transfer has come."""
        info = self._info()
        if info is None:
            size = len(self._response._body) if self._response is not None else 0
            return Progress(size, size, 0)
        return Progress.of(info)

    def _info(self) -> Optional[ffi.TaskInfo]:
        """What C says of the task; None once it has ended."""
        return None if self._has_ended else task_info(self.id)

    def hear(self, task: int, kind: int, response: int) -> None:
        """Takes what comes before the end, and runs `on_early` or `on_progress`, whose exception is kept and ends the
        task. Not for users."""
        if not self._calls(lambda: self._hear(task, kind, response)) and response:
            ffi.response_release(response)

    def _calls(self, callback: Callable[[], object]) -> bool:
        """Runs a callback, unless the task's scope drops it."""
        if self._scope is not None:
            return self._scope.run(callback)
        callback()
        return True

    def _hear(self, task: int, kind: int, response: int) -> None:
        try:
            if kind == ffi.COMPLETION_KIND_PROGRESS:
                if self._watch is not None:
                    self._watch.tell(task)
                return
            on_early = self._on_early
            if on_early is None:
                ffi.response_release(response)
                return
            self.id = task
            early = take_response(response, self.request)
            early._is_provisional = kind == ffi.COMPLETION_KIND_PROVISIONAL
            on_early(self, early)
        except BaseException as error:
            self._on_early = self._watch = None
            self._fail(error)
            ffi.task_cancel(task)

    def finish(self, handle: int, status: int, response: int) -> None:
        """Takes the completion. Not for users."""
        raise NotImplementedError

    def abandon(self, error: Error) -> None:
        """Ends the task when no completion will come. Not for users."""
        raise NotImplementedError

    def _fail(self, error: BaseException) -> None:
        """Keeps what a callback raised."""
        if self._failure is None:
            self._failure = error
        self._core.keep_failure(error)

    def _settle(self, task: int, status: int, response: int) -> None:
        """Takes over the end of the task and runs `on_done`, whose exception is kept."""
        self.id = task
        if status == 0:
            try:
                self._response = take_response(response, self.request)
            except Error as error:
                self._error = error
            except MemoryError:
                self._error = self._core.task_error(0, ffi.ERR_OUT_OF_MEMORY, self.request, None)
        else:
            self._error = self._core.task_error(response, status, self.request, self._raised)
            if response:
                ffi.response_release(response)
        on_done, self._on_done, self._on_early = self._on_done, None, None
        watch, self._watch = self._watch, None
        if watch is not None and self._response is not None:
            self._calls(partial(self._try, watch.tell_end, len(self._response._body)))
        self._has_ended = True
        if on_done is not None:
            self._calls(partial(self._try, on_done, self))

    def _try(self, function: Callable[[Any], object], argument: Any) -> None:
        """Calls a function of the user's, and keeps what it raises."""
        try:
            function(argument)
        except BaseException as error:
            self._fail(error)

    def _outcome(self) -> Response:
        """The response, or raises why there is none, or what `on_done`, `on_early` or `on_progress` raised."""
        failure = self._failure
        if failure is not None:
            self._core.retrieved(failure)
            raise failure
        if self._error is not None:
            raise self._error
        assert self._response is not None
        return self._response

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id} {self.request.method}>"


class Task(BaseTask):
    """One dispatch of a request by a `Client`."""

    __slots__ = ("_gate", "_is_done")

    _core: BlockingCore

    def __init__(
        self,
        client: Any,
        core: Core,
        prepared: Prepared,
        on_done: Optional[Callable[[Task], object]],
        on_early: Optional[Callable[[Task, Response], object]],
    ) -> None:
        super().__init__(client, core, prepared, on_done, on_early)
        self._gate = new_lock()  # held until the end
        self._gate.acquire()
        self._is_done = False

    def done(self) -> bool:
        """Whether the task has ended and its `on_done` has returned."""
        return self._is_done

    def result(self, timeout: Optional[float] = None) -> Response:
        """Waits for the end of the task, and of its `on_done`. In `on_done` itself it does not wait.

        :param timeout: the most seconds to wait; None waits without end.
        :raises Error: why the task failed; `Canceled` when it was canceled.
        :raises TimeoutError: the builtin one: still going on after `timeout`. The task is left alone.
        :raises BaseException: what `on_done`, `on_early` or `on_progress` raised.
        """
        if not self._is_done and not (self._has_ended and self._core.is_callback_thread()):
            wait_for_gate(self._gate, timeout, self._core)
        return self._outcome()

    def finish(self, handle: int, status: int, response: int) -> None:
        """Takes the completion. Not for users."""
        self._settle(handle, status, response)
        self._is_done = True
        self._gate.release()

    def abandon(self, error: Error) -> None:
        """Ends the task when no completion will come. Not for users."""
        self._error = error
        self._has_ended = self._is_done = True
        gate, self._gate = self._gate, new_lock()
        gate.release()


def wait_for_gate(gate: threading.Lock, timeout: Optional[float], core: BlockingCore) -> None:
    """Waits until a lock that is held until some end is free. Ctrl-C interrupts it in the main thread.

    :raises TimeoutError: not free after `timeout` seconds.
    :raises StateError: this is the thread that would have to free it.
    """
    if core.is_callback_thread():
        raise StateError("waiting inside a callback would never end", status=ffi.ERR_INVALID_STATE)
    if timeout is None:
        gate.acquire()
    elif not gate.acquire(timeout=min(max(0.0, timeout), threading.TIMEOUT_MAX)):
        raise TimeoutError(f"still going on after {timeout} seconds")
    gate.release()
