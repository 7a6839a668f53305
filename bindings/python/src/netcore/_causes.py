"""What functions of the user's raised for tasks, kept until these have ended with an error whose cause it is."""

from __future__ import annotations

import itertools
import threading
from typing import Callable, Dict, List, Union

from ._errors import Error, Refused

CAUSES_KEPT = 10_000
"""How many are kept for tasks that have not ended yet; older ones are left to close()."""

_NUMBERS = 1 << 31

Key = Union[int, str]
"""How an exception is found: by a number that goes through C, or by the origin whose tokens could not be had."""

_next_number = itertools.count().__next__


class Raised:
    """An exception, and whose it is."""

    __slots__ = ("error", "is_seen", "who")

    def __init__(self, error: BaseException, who: str) -> None:
        self.error = error
        self.who = who
        self.is_seen = False


class Causes:
    """The exceptions of one client. Any thread may use it."""

    def __init__(self, leave: Callable[[BaseException], None]) -> None:
        """:param leave: takes an exception over that no task will be ended by."""
        self._leave = leave
        self._raised: Dict[Key, Raised] = {}
        self._lock = threading.Lock()

    def keep(self, error: BaseException, who: str) -> int:
        """Keeps the exception of a task, and returns a status that is none: the native_code of the error to come."""
        number = -1 - _next_number() % _NUMBERS
        with self._lock:
            self._raised[number] = Raised(error, who)
            oldest = self._oldest() if len(self._raised) > CAUSES_KEPT else None
        if oldest is not None:
            self._leave(oldest.error)
        return number

    def _oldest(self) -> Raised:
        return self._raised.pop(next(iter(self._raised)))

    def keep_for(self, origin: str, error: BaseException, who: str) -> None:
        """Keeps the exception of all tasks that wait for a token, until `forget`."""
        with self._lock:
            self._raised[origin] = Raised(error, who)

    def forget(self, origin: str) -> None:
        """Tokens of an origin are asked for again."""
        with self._lock:
            old = self._raised.pop(origin, None)
        if old is not None and is_news(old):
            self._leave(old.error)

    def explain(self, error: Error, key: Key) -> None:
        """Gives the error of a task that was refused its cause."""
        with self._lock:
            raised = self._raised.get(key)
            if raised is None:
                return
            raised.is_seen = True
            if isinstance(key, int):
                del self._raised[key]
        cause = raised.error
        if isinstance(cause, Refused):
            error.status, error.message = cause.status, cause.message
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
    """Whether nobody has seen it. A `Refused` is of no interest when its task has ended."""
    return not raised.is_seen and not isinstance(raised.error, Refused)
