"""Groups: sets of tasks with one notification. A chain and a graph are groups, too."""

from __future__ import annotations

from ctypes import byref
from typing import TYPE_CHECKING, Any, Callable, List, Optional

from .._c import ffi
from .._c.threads import new_lock
from .._errors.errors import Error, StateError
from .._errors.raising import check, status_error
from .group_members import GroupMembers, Member, TaskOf, error_of, status_of, task_id
from .group_options import GroupOptions, GroupProgress
from .task import Task, wait_for_gate

if TYPE_CHECKING:
    from .._clients.blocking import BlockingCore


class BaseGroup(GroupMembers[TaskOf]):
    """What groups of both clients share."""

    def _dispatch(self, notify: Optional[Callable[[Any], object]]) -> None:
        self._launch(notify, lambda key, _: ffi.group_dispatch(self._handle, None, key))
        if self._options.starts_at_once:
            for host in self._hosts:
                if not host._waits_for:
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
            self._tell_canceled()
        return True

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
        statuses = [status_of(member) for member in self._members]
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
        found = error_of(self._decider) if self._decider is not None else None
        return found or status_error(self._status)

    def finish(self, handle: int, status: int, response: int) -> None:
        """Takes the notification. Not for users."""
        self._status = status
        self._decider = next((member for member in self._members if task_id(member) == handle), None)
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
