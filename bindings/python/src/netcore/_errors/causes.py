"""What functions of the user's raised for tasks, kept until these have ended with an error whose cause it is."""

from __future__ import annotations

import itertools
import threading
from typing import Callable, Dict, List

from .._c import ffi
from .errors import Error, Refused, ResponseRejected

CAUSES_KEPT = 10_000
"""How many are kept for tasks that have not ended yet; older ones are left to close()."""

_NUMBERS = (1 << 31) - 1
"""From -2 down: for functions of tokens -1 says that there is none."""

_next_number = itertools.count().__next__


class Raised:
    """An exception, whose it is, and whether several tasks may end by it."""

    __slots__ = ("error", "is_seen", "is_shared", "who")

    def __init__(self, error: BaseException, who: str, is_shared: bool) -> None:
        self.error = error
        self.who = who
        self.is_shared = is_shared
        self.is_seen = False


class Causes:
    """The exceptions of one client. Any thread may use it."""

    def __init__(self, leave: Callable[[BaseException], None]) -> None:
        """:param leave: takes an exception over that no task will be ended by."""
        self._leave = leave
        self._raised: Dict[int, Raised] = {}
        self._lock = threading.Lock()

    def keep(self, error: BaseException, who: str, is_shared: bool = False) -> int:
        """Keeps the exception of a task, and returns a status that is none: the native_code of the error to come.

        :param is_shared: it is of any number of tasks, and kept until `forget`.
        """
        number = -2 - _next_number() % _NUMBERS
        with self._lock:
            self._raised[number] = Raised(error, who, is_shared)
            oldest = next(iter(self._raised)) if len(self._raised) > CAUSES_KEPT else 0
        self.forget(oldest)
        return number

    def forget(self, number: int) -> None:
        """No more tasks are to end by an exception."""
        with self._lock:
            old = self._raised.pop(number, None)
        if old is not None and is_news(old):
            self._leave(old.error)

    def explain(self, error: Error, number: int) -> None:
        """Gives the error of a task that was refused its cause."""
        with self._lock:
            raised = self._raised.get(number)
            if raised is None:
                return
            raised.is_seen = True
            if not raised.is_shared:
                del self._raised[number]
        cause = raised.error
        if isinstance(cause, Refused):
            error._become(cause.status, cause.message)
        else:
            error.message = f"{raised.who} raised {type(cause).__name__}"
        error.native_code = 0
        error.args = (error.status, error.message)
        error.__cause__ = cause

    def take(self) -> List[BaseException]:
        """What was raised for tasks that had ended before."""
        with self._lock:
            raised, self._raised = self._raised, {}
        return [one.error for one in raised.values() if is_news(one)]


def is_news(raised: Raised) -> bool:
    """Whether it was not raised yet. A `Refused` is of no interest when its task has ended."""
    return not raised.is_seen and not isinstance(raised.error, Refused)


_rejections: Dict[int, BaseException] = {}
"""By number: what functions raised that judge answers, for the tasks that end by it."""


def keep_rejection(error: BaseException) -> int:
    """Keeps what a function raised that judges an answer, and returns the native_code of the error to come."""
    number = -2 - _next_number() % _NUMBERS
    _rejections[number] = error
    if len(_rejections) > CAUSES_KEPT:
        _rejections.pop(next(iter(_rejections)), None)
    return number


def explain_refusal(error: Refused) -> bool:
    """Gives the error of a request that its own filter refused its cause. False if it was not that."""
    cause = _rejections.pop(error.native_code, None)
    if cause is None:
        return False
    if isinstance(cause, Refused):
        error._become(cause.status, cause.message)
    else:
        error.message = f"a filter raised {type(cause).__name__}"
    error.native_code = 0
    error.args = (error.status, error.message)
    error.__cause__ = cause
    return True


def explain_rejection(error: ResponseRejected) -> None:
    """Gives the error of an answer that a function rejected its cause."""
    cause = _rejections.pop(error.native_code, None)
    if cause is None:
        return
    if isinstance(cause, Refused):
        error._become(error.status if cause.status == ffi.ERR_REFUSED else cause.status, cause.message)
    else:
        error.message = f"validate raised {type(cause).__name__}: {cause}"
    error.native_code = 0
    error.args = (error.message,)
    error.__cause__ = cause
