"""Groups: sets of tasks with one notification. A chain and a graph are groups, too."""

from __future__ import annotations

from ctypes import byref, c_uint64
from typing import TYPE_CHECKING, Any, Callable, Generic, List, Optional, Sequence, Set, Type, TypeVar, Union

from .._c import ffi
from .._c.threads import new_lock
from .._errors.errors import Error, StateError, check, reject, status_error
from .._requests.factory import Prepared
from .._requests.options import RequestOptions
from .._responses.response import Response
from .application_task import ApplicationFunction, ApplicationTask
from .group_options import GroupOptions, GroupProgress
from .task import BaseTask, Task, wait_for_gate

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._clients.blocking import BlockingCore
    from .._clients.core import Core


TaskOf = TypeVar("TaskOf", bound=BaseTask)

Member = Union[BaseTask, ApplicationTask, "BaseGroup[Any]"]
"""What a group waits for."""


class BaseGroup(Generic[TaskOf]):
    """What groups of both clients share."""

    _task_type: Type[TaskOf]
    _work_type: Type[ApplicationTask] = ApplicationTask

    def __init__(self, client: Any, core: Core, options: GroupOptions) -> None:
        self._handle = c_uint64()
        struct = options.struct()
        core.receive()
        self._client = client
        self._core = core
        self._options = options
        self._members: List[Member] = []
        self._known: Set[int] = set()
        self._proxy = 0  # the task that stands for the group in another one
        self._status: Optional[int] = None
        self._decider: Optional[Member] = None
        self._notify: Optional[Callable[[Any], object]] = None
        self._failure: Optional[BaseException] = None
        self._is_dispatched = False
        self._is_canceled = False
        status = ffi.group_create(core.handle, byref(self._handle))
        if status:
            raise core.call_error(status)
        check(ffi.group_set_options(self._handle, byref(struct)))

    def __del__(self, _cancel: Callable[[c_uint64], int] = ffi.group_cancel) -> None:
        if self._handle and not self._is_dispatched:
            _cancel(self._handle)

    def __len__(self) -> int:
        return len(self._members)

    @property
    def tasks(self) -> List[TaskOf]:
        """The tasks of the requests added, in that order."""
        return [member for member in self._members if isinstance(member, self._task_type)]

    @property
    def members(self) -> List[Member]:
        """All members, in the order of adding."""
        return list(self._members)

    @property
    def _hosts(self) -> List[ApplicationTask]:
        return [member for member in self._members if isinstance(member, ApplicationTask)]

    def add(
        self,
        method: str,
        url: str,
        *,
        after: Sequence[Member] = (),
        on_done: Optional[Callable[[TaskOf], object]] = None,
        on_early: Optional[Callable[[TaskOf, Response], object]] = None,
        **options: Unpack[RequestOptions],
    ) -> TaskOf:
        """Adds a request, as `dispatch` of the client; it goes out when the group is dispatched.

        :param after: members that it waits for: it goes out when they have succeeded and their callbacks have returned,
            and is skipped (`Skipped`) if one of them does not succeed. Not in a chain, which has its own order.
        :raises InvalidRequest: one of `after` is not a member.
        :raises StateError: the group was dispatched or canceled, or the client is closed. A chain takes more while it
            runs, at the latest in the `on_done` of its last member.
        """
        prepared = self._core.requests.get(method, url, options)
        task = self._task_type(self._client, self._core, prepared, on_done, on_early)
        self._check_after(after)
        task.id = self._add(task, prepared)
        self._append(task, after)
        return task

    def add_task(
        self,
        resume: Optional[ApplicationFunction] = None,
        cancel: Optional[ApplicationFunction] = None,
        *,
        after: Sequence[Member] = (),
    ) -> ApplicationTask:
        """Adds work of your own, of any kind, that the group is to wait for until you call `ApplicationTask.complete`.

        :param resume: starts the work, with the task as argument, which has what others brought (`inputs`) and can
            leave the work to a request (`send`). It runs in `dispatch()`, in the thread that calls it; a task that has
            to wait for its turn is started where callbacks run. None when you start it by yourself.
        :param cancel: called when the work is no longer wanted; runs at most once, after `resume`, in the thread that
            cancels. The task ends when you call `complete()`, with or without this function.
        :param after: as of `add`.
        :raises StateError: as `add`.

        What either raises is kept, the task ends as canceled, and `wait()` raises it.
        """
        host = self._work_type(self._core, resume, cancel)
        self._check_after(after)
        host._waits_for = tuple(after)
        if self._options.rule == "chain" and self._members:
            host._waits_for = (self._members[-1],)
        host.id = self._add(host, None)
        self._core.hosts[host.id] = host
        self._append(host, after)
        return host

    def join(self, task: TaskOf, *, after: Sequence[Member] = ()) -> TaskOf:
        """Adds a task that `task()` of the client made; it goes out when the group is dispatched.

        :param after: as of `add`.
        :raises InvalidRequest: a task of another client.
        :raises StateError: the task was dispatched, or is a member of a group; or as `add`.
        """
        if not isinstance(task, self._task_type):
            raise TypeError(f"task: {self._task_type.__name__} expected, not {type(task).__name__}")
        self._check_after(after)
        if task._has_ended:
            raise StateError("the task has ended", status=ffi.ERR_INVALID_STATE)
        status = ffi.group_add_task(self._handle, task.id)
        if status:
            raise self._state_error(status)
        self._append(task, after)
        return task

    def add_group(
        self,
        group: BaseGroup[TaskOf],
        *,
        after: Sequence[Member] = (),
        notify: Optional[Callable[[Any], object]] = None,
    ) -> None:
        """Adds a group of the same client: it is one member, which starts and ends as that group does.

        :param after: as of `add`.
        :param notify: as of `dispatch`.
        :raises InvalidRequest: a group of another client, or one that this group is a member of.
        :raises StateError: one of both was dispatched or canceled, or `group` is a member already.
        """
        if not isinstance(group, BaseGroup):
            raise TypeError(f"group: a group expected, not {type(group).__name__}")
        self._check_after(after)
        group._launch(notify, lambda key, out: ffi.group_add_group(self._handle, group._handle, None, key, out))
        self._append(group, after)

    def _check_after(self, after: Sequence[Member]) -> None:
        if after and self._options.rule == "chain":
            raise StateError("after: the members of a chain run in the order of adding", status=ffi.ERR_INVALID_STATE)
        if not self._known.issuperset(map(id, after)):
            reject("after: not a member of the group")

    def _append(self, member: Member, after: Sequence[Member]) -> None:
        self._members.append(member)
        self._known.add(id(member))
        for one in after:
            check(ffi.group_add_dependency(self._handle, _task_id(member), _task_id(one)))

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
        self._launch(notify, lambda key, _: ffi.group_dispatch(self._handle, None, key))
        if self._options.starts_at_once:
            for host in self._hosts:
                if not host._waits_for:
                    host._start()

    def _launch(self, notify: Optional[Callable[[Any], object]], launch: Callable[[int, Any], int]) -> None:
        """Dispatches the group, or gives it to the one that will, by a C function that gets the key of the end."""
        if notify is not None and not callable(notify):
            raise TypeError("notify: a function expected")
        if self._is_dispatched or self._is_canceled:
            raise StateError("the group was dispatched or canceled already", status=ffi.ERR_INVALID_STATE)
        core = self._core
        self._notify = notify
        self._is_dispatched = True
        key = core.next_key()
        core.pending[key] = self
        proxy = c_uint64()
        status = launch(key, byref(proxy))
        self._proxy = proxy.value
        if status:
            core.pending.pop(key, None)
            self._is_dispatched = False
            raise self._state_error(status)

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
            self._tell_canceled()
        return True

    def _tell_canceled(self) -> None:
        """A cancel was accepted: runs the functions of the application's work."""
        for member in self._members:
            if isinstance(member, (ApplicationTask, BaseGroup)):
                member._tell_canceled()

    @property
    def progress(self) -> GroupProgress:
        """How far the group has come."""
        info = ffi.GroupInfo()
        if ffi.group_get_info(self._handle, byref(info)):
            return self._last_progress()
        counts = (info.total, info.succeeded, info.failed, info.canceled, bool(info.is_dispatched), info.skipped)
        return GroupProgress(*counts, info.received_bytes, info.sent_bytes)

    def _last_progress(self) -> GroupProgress:
        """The same for a group that has ended, from what its members know."""
        statuses = [_status_of(member) for member in self._members]
        canceled, skipped = statuses.count(ffi.ERR_CANCELED), statuses.count(ffi.ERR_SKIPPED)
        succeeded = statuses.count(0)
        failed = len(self) - succeeded - canceled - skipped
        received = sum(task.progress().received for task in self.tasks)
        return GroupProgress(len(self), succeeded, failed, canceled, self._is_dispatched, skipped, received)

    @property
    def decided_by(self) -> Optional[Member]:
        """The member that decided how the group ended: the first that failed, or was canceled if none failed; with the
        rule ``"any"`` the first that succeeded. None while the group runs, if there is none, and if the group as a
        whole was canceled or took too long."""
        return self._decider

    @property
    def error(self) -> Optional[BaseException]:
        """Why the group failed: the error of the member that decided that, `Canceled`, or `TotalTimeout`. None if it
        has succeeded, and while it runs."""
        if not self._status:
            return None
        found = _error_of(self._decider) if self._decider is not None else None
        return found or status_error(self._status)

    def finish(self, handle: int, status: int, response: int) -> None:
        """Takes the notification. Not for users."""
        self._status = status
        self._decider = next((member for member in self._members if _task_id(member) == handle), None)
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
        self._status = error.status
        self._open()

    def _open(self) -> None:
        """Lets those that wait go on."""
        raise NotImplementedError

    def _raise_failure(self) -> None:
        """Raises the first exception of a callback of a member or of the group."""
        self._raise_callback_failure()
        # A group without a rule says only whether all have ended.
        took_too_long = self._status == ffi.ERR_TIMEOUT_TOTAL and self._decider is None
        error = self.error
        if error is not None and (self._options.rule != "all_settled" or took_too_long):
            raise error

    def _raise_callback_failure(self) -> None:
        for member in self._members:
            if isinstance(member, BaseGroup):
                member._raise_callback_failure()
        owners: List[Any] = [*self._members, self]
        for owner in owners:
            failure: Optional[BaseException] = owner._failure
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

    def __init__(self, client: Any, core: BlockingCore, options: GroupOptions) -> None:
        super().__init__(client, core, options)
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
        :raises BaseException: what a callback of the group or of a member raised; then `error`, unless the rule is
            ``"all_settled"`` and the group has ended in time.
        """
        if not self._ends_early():
            wait_for_gate(self._gate, timeout, self._core)
        self._raise_failure()
        return self.tasks

    def _open(self) -> None:
        self._gate.release()


def _task_id(member: Member) -> int:
    """The task that stands for a member."""
    return member._proxy if isinstance(member, BaseGroup) else member.id


def _status_of(member: Member) -> Optional[int]:
    """How a member ended; None if it has not."""
    if isinstance(member, BaseTask):
        return (member._error.status if member._error is not None else 0) if member._has_ended else None
    return member._status


def _error_of(member: Member) -> Optional[BaseException]:
    """Why a member failed."""
    return member._error if isinstance(member, BaseTask) else member.error
