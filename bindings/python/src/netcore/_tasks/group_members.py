"""The members of groups: what they are, and how they come into one."""

from __future__ import annotations

from ctypes import byref, c_uint64
from typing import TYPE_CHECKING, Any, Callable, Generic, List, Optional, Sequence, Set, Type, TypeVar, Union

from .._c import ffi
from .._errors.errors import Error, StateError
from .._errors.raising import check, reject
from .._requests.factory import Prepared
from .._requests.options import RequestOptions
from .._responses.response import Response
from .application_task import ApplicationFunction, ApplicationTask
from .callbacks import FailureFunction, SuccessFunction, combined
from .group_options import GroupOptions
from .task import BaseTask

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._clients.core import Core


TaskOf = TypeVar("TaskOf", bound=BaseTask)

Member = Union[BaseTask, ApplicationTask, "GroupMembers[Any]"]
"""What a group waits for."""


class GroupMembers(Generic[TaskOf]):
    """What a group consists of: the part of a group that takes members in."""

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
        on_success: Optional[SuccessFunction] = None,
        on_failure: Optional[FailureFunction] = None,
        silent_cancel: bool = False,
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
        ended = combined(on_done, on_success, on_failure, silent_cancel)
        prepared = self._core.requests.get(method, url, options)
        task = self._task_type(self._client, self._core, prepared, ended, on_early)
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
        group: GroupMembers[TaskOf],
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
        if not isinstance(group, GroupMembers):
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
            check(ffi.group_add_dependency(self._handle, task_id(member), task_id(one)))

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

    def finish(self, handle: int, status: int, response: int) -> None:
        """Takes the notification. Not for users."""
        raise NotImplementedError

    def abandon(self, error: Error) -> None:
        """Ends the group when no notification will come. Not for users."""
        raise NotImplementedError

    @property
    def error(self) -> Optional[BaseException]:
        """Why the group failed."""
        raise NotImplementedError

    def _tell_canceled(self) -> None:
        """A cancel was accepted: runs the functions of the application's work."""
        for member in self._members:
            if isinstance(member, (ApplicationTask, GroupMembers)):
                member._tell_canceled()

    def _raise_callback_failure(self) -> None:
        """Raises the first exception of a callback of a member or of the group."""
        for member in self._members:
            if isinstance(member, GroupMembers):
                member._raise_callback_failure()
        owners: List[Any] = [*self._members, self]
        for owner in owners:
            failure: Optional[BaseException] = owner._failure
            if failure is not None:
                self._core.retrieved(failure)
                raise failure


def task_id(member: Member) -> int:
    """The task that stands for a member."""
    return member._proxy if isinstance(member, GroupMembers) else member.id


def status_of(member: Member) -> Optional[int]:
    """How a member ended; None if it has not."""
    if isinstance(member, BaseTask):
        return (member._error.status if member._error is not None else 0) if member._has_ended else None
    return member._status


def error_of(member: Member) -> Optional[BaseException]:
    """Why a member failed."""
    return member._error if isinstance(member, BaseTask) else member.error
