"""Exceptions that functions of the user's raised, kept until they can be raised where the user waits."""

from __future__ import annotations

import itertools
import logging
from typing import TYPE_CHECKING, Callable, Dict, List, Optional

from .._c.threads import new_lock
from .causes import explain_refusal
from .errors import BodyError, Error, Refused
from .raising import report, task_error

if TYPE_CHECKING:
    from .._functions.hooks import Hooks
    from .._responses.request import Request


_log = logging.getLogger("netcore")

_NUMBERS = (1 << 31) - 2
_next_number = itertools.count().__next__

FAILURES_KEPT = 100
"""How many are kept for close(); those beyond are reported at once."""


def no_hooks() -> None:
    """What there is before the first filter."""


class Failures:
    """What functions of a client raised, and was not raised where the user waits yet."""

    def __init__(self) -> None:
        self.hooks: Callable[[], Optional[Hooks]] = no_hooks
        """The client's filters and the like, once there were any: a weak reference, as they may refer to the client."""
        self._of_transport: Dict[int, BaseException] = {}
        """What the transport raised, for the tasks that end by it."""
        self._failures: List[BaseException] = []
        self._failures_lock = new_lock()

    def keep_failure(self, error: BaseException) -> None:
        """Logs an exception that a callback raised, and keeps it until `retrieved` or `raise_failure`."""
        _log.error("netcore: a callback raised", exc_info=(type(error), error, error.__traceback__))
        with self._failures_lock:
            if len(self._failures) < FAILURES_KEPT:
                self._failures.append(error)
                return
        report(error)

    def keep_for_task(self, error: BaseException) -> int:
        """Keeps what the transport raised as the cause of a task's error, whose native_code it returns."""
        number = -2 - _next_number() % _NUMBERS
        with self._failures_lock:
            self._of_transport[number] = error
            if len(self._of_transport) > FAILURES_KEPT:
                del self._of_transport[next(iter(self._of_transport))]
        return number

    def retrieved(self, error: BaseException) -> None:
        """Forgets an exception that is about to be raised where the user waits."""
        with self._failures_lock:
            self._failures = [kept for kept in self._failures if kept is not error]

    def raise_failure(self) -> None:
        """Raises the first exception that was not retrieved, and reports the others."""
        failures = self._take_failures()
        for error in failures[1:]:
            report(error)
        if failures:
            raise failures[0]

    def report_failures(self) -> None:
        """Reports the exceptions that can no longer be retrieved."""
        for error in self._take_failures():
            report(error)

    def _take_failures(self) -> List[BaseException]:
        """All of them, which are then no longer kept."""
        with self._failures_lock:
            failures, self._failures = self._failures, []
        hooks = self.hooks()
        return failures if hooks is None else failures + hooks.causes.take()

    # What ended a task

    def task_error(self, response: int, status: int, request: Request, raised: Optional[List[BaseException]]) -> Error:
        """The exception for a task that ended with `status`. `response`, a handle or 0, stays the caller's.

        :param raised: what reading the request's body raised.
        """
        error = task_error(response, status, request)
        if isinstance(error, BodyError) and raised:
            error.__cause__ = raised.pop()
        elif response and isinstance(error, Refused):
            self._explain(error)
        return error

    def refusal(self, error: Error) -> Error:
        """The error of a call that made no task, with what a filter raised as its cause."""
        if isinstance(error, Refused):
            self._explain(error)
        return error

    def _explain(self, error: Refused) -> None:
        if explain_refusal(error):
            return
        with self._failures_lock:
            cause = self._of_transport.pop(error.native_code, None)
        if cause is not None:
            error.__cause__, error.native_code = cause, 0
            return
        hooks = self.hooks()
        if hooks is not None:
            hooks.causes.explain(error, error.native_code)
