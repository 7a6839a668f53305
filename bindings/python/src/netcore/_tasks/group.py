"""Groups: sets of tasks with one notification."""

from __future__ import annotations

from ctypes import byref, c_uint64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Generic, List, Optional, Type, TypeVar

from .._c import ffi
from .._c.threads import new_lock
from .._errors.errors import Canceled, Error, StateError, check
from .._requests.factory import Prepared
from .._requests.options import RequestOptions
from .._responses.response import Response
from .application_task import ApplicationFunction, ApplicationTask
from .task import BaseTask, Task, wait_for_gate

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._clients.blocking import BlockingCore
    from .._clients.core import Core


@dataclass(frozen=True)
class GroupProgress:
    """How far a group has come, in tasks."""

    total: int
    succeeded: int
    failed: int
    """Ended with an error other than `Canceled`. HTTP status codes do not matter."""
    canceled: int
    is_dispatched: bool

    @property
    def ended(self) -> int:
        """Those that have ended, in whichever way."""
        return self.succeeded + self.failed + self.canceled


TaskOf = TypeVar("TaskOf", bound=BaseTask)


class BaseGroup(Generic[TaskOf]):
    """What groups of both clients share."""

    _task_type: Type[TaskOf]

    def __init__(self, client: Any, core: Core) -> None:
        core.receive()
        self._handle = c_uint64()
        self._client = client
        self._core = core
        self._tasks: List[TaskOf] = []
        self._hosts: List[ApplicationTask] = []
        self._notify: Optional[Callable[[Any], object]] = None
        self._failure: Optional[BaseException] = None
        self._is_dispatched = False
        self._is_canceled = False
        status = ffi.group_create(core.handle, byref(self._handle))
        if status:
            raise core.call_error(status)

    def __del__(self, _cancel: Callable[[c_uint64], int] = ffi.group_cancel) -> None:
        if self._handle and not self._is_dispatched:
            _cancel(self._handle)

    def __len__(self) -> int:
        return len(self._tasks) + len(self._hosts)

    @property
    def tasks(self) -> List[TaskOf]:
        """The tasks of the requests added, in that order."""
        return list(self._tasks)

    def add(
        self,
        method: str,
        url: str,
        *,
        on_done: Optional[Callable[[TaskOf], object]] = None,
        on_early: Optional[Callable[[TaskOf, Response], object]] = None,
        **options: Unpack[RequestOptions],
    ) -> TaskOf:
        """Adds a request, as `dispatch` of the client; it goes out when the group is dispatched.

        :raises StateError: the group was dispatched or canceled, or the client is closed.
        """
        prepared = self._core.requests.get(method, url, options)
        task = self._task_type(self._client, self._core, prepared, on_done, on_early)
        task.id = self._add(task, prepared)
        self._tasks.append(task)
        return task

    def add_task(
        self, resume: Optional[ApplicationFunction] = None, cancel: Optional[ApplicationFunction] = None
    ) -> ApplicationTask:
        """Adds work of your own, of any kind, that the group is to wait for until you call `ApplicationTask.complete`.

        :param resume: starts the work; runs in `dispatch()`, in the thread that calls it, with the task as argument.
            None when you start it by yourself.
        :param cancel: called when the work is no longer wanted; runs at most once, after `resume`, in the thread that
            cancels. The task ends when you call `complete()`, with or without this function.
        :raises StateError: the group was dispatched or canceled, or the client is closed.

        What either raises is kept, the task ends as canceled, and `wait()` raises it.
        """
        host = ApplicationTask(self._core, resume, cancel)
        host.id = self._add(host, None)
        self._hosts.append(host)
        return host

    def _add(self, member: Any, prepared: Optional[Prepared]) -> int:
        """Makes a task in C whose completion goes to `member`; without a request it is the application's own."""
        core = self._core
        key = core.next_key()
        core.pending[key] = member
        task = c_uint64()
        if prepared is None:
            status = ffi.group_add_application_task(self._handle, None, None, None, key, byref(task))
        else:
            status = ffi.group_add(self._handle, prepared.handle, None, key, byref(task))
        if status:
            core.pending.pop(key, None)
            raise self._state_error(status)
        if core.functions is not None:
            core.raise_function_failure(core.functions, task.value, key)
        return task.value

    def _state_error(self, status: int) -> Error:
        """The exception for a C call on the group; knows of one that has ended."""
        if status == ffi.ERR_INVALID_HANDLE and (self._is_dispatched or self._is_canceled):
            return StateError("the group was dispatched or canceled already", status=ffi.ERR_INVALID_STATE)
        return self._core.call_error(status)

    def _dispatch(self, notify: Optional[Callable[[Any], object]]) -> None:
        if notify is not None and not callable(notify):
            raise TypeError("notify: a function expected")
        if self._is_dispatched or self._is_canceled:
            raise StateError("the group was dispatched or canceled already", status=ffi.ERR_INVALID_STATE)
        core = self._core
        self._notify = notify
        self._is_dispatched = True
        for host in self._hosts:
            core.hosts[host.id] = host
        key = core.next_key()
        core.pending[key] = self
        status = ffi.group_dispatch(self._handle, None, key)
        if status:
            core.pending.pop(key, None)
            for host in self._hosts:
                core.hosts.pop(host.id, None)
            self._is_dispatched = False
            raise self._state_error(status)
        for host in self._hosts:
            host._start()

    def cancel(self) -> bool:
        """Cancels every member that has not ended. False when the group has ended already.

        A dispatched group still notifies, when all members have ended. One that was not dispatched ends at once,
        without a notification.
        """
        status = ffi.group_cancel(self._handle)
        if status == ffi.ERR_INVALID_HANDLE:
            return False
        check(status)
        self._is_canceled = True
        if self._is_dispatched:
            for host in self._hosts:
                host._tell_canceled()
        return True

    @property
    def progress(self) -> GroupProgress:
        """How far the group has come."""
        info = ffi.GroupInfo()
        if ffi.group_get_info(self._handle, byref(info)):
            return self._last_progress()
        return GroupProgress(info.total, info.succeeded, info.failed, info.canceled, bool(info.is_dispatched))

    def _last_progress(self) -> GroupProgress:
        """The same for a group that has ended, from what its members know."""
        errors = [task._error for task in self._tasks]
        statuses = [host._status for host in self._hosts]
        canceled = sum(isinstance(error, Canceled) for error in errors) + statuses.count(ffi.ERR_CANCELED)
        succeeded = errors.count(None) + statuses.count(0)
        return GroupProgress(len(self), succeeded, len(self) - succeeded - canceled, canceled, self._is_dispatched)

    def finish(self, handle: int, status: int, response: int) -> None:
        """Takes the notification. Not for users."""
        notify, self._notify = self._notify, None
        if notify is not None:
            try:
                notify(self)
            except BaseException as error:
                self._failure = error
                self._core.keep_failure(error)
        self._open()

    def abandon(self, error: Error) -> None:
        """Ends the group when no notification will come. Not for users."""
        self._open()

    def _open(self) -> None:
        """Lets those that wait go on."""
        raise NotImplementedError

    def _raise_failure(self) -> None:
        """Raises the first exception of a callback of a member or of the group."""
        members: List[Any] = [*self._tasks, *self._hosts, self]
        for member in members:
            failure: Optional[BaseException] = member._failure
            if failure is not None:
                self._core.retrieved(failure)
                raise failure

    def _ends_early(self) -> bool:
        """Whether the group ended without a dispatch.

        :raises StateError: it has neither been dispatched nor canceled, so that waiting would not end.
        """
        if not (self._is_dispatched or self._is_canceled):
            raise StateError("the group was not dispatched", status=ffi.ERR_INVALID_STATE)
        return not self._is_dispatched


class Group(BaseGroup[Task]):
    """Tasks of a `Client` with one notification, made by `Client.group()`.

    The notification comes after the `on_done` of every member has returned, also when all were canceled, and for an
    empty group too. A group that is dropped without `dispatch()` is canceled.
    """

    _core: BlockingCore
    _task_type = Task

    def __init__(self, client: Any, core: BlockingCore) -> None:
        super().__init__(client, core)
        self._gate = new_lock()  # held until the end
        self._gate.acquire()

    def dispatch(self, notify: Optional[Callable[[Group], object]] = None) -> None:
        """Dispatches all members.

        :param notify: called with the group when all have ended, in the thread that runs callbacks.
        :raises StateError: the group was dispatched or canceled, or the client is closed.
        """
        self._dispatch(notify)

    def wait(self, timeout: Optional[float] = None) -> List[Task]:
        """Waits for the end of the group and of `notify`, and returns `tasks`; ask each for its result.

        :param timeout: the most seconds to wait; None waits without end.
        :raises TimeoutError: the builtin one: still going on after `timeout`.
        :raises StateError: the group was not dispatched, or this is a callback.
        :raises BaseException: what a callback of the group or of a member raised.
        """
        if not self._ends_early():
            wait_for_gate(self._gate, timeout, self._core)
        self._raise_failure()
        return self.tasks

    def _open(self) -> None:
        self._gate.release()
