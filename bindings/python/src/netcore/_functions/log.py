"""Where netcore's messages go that are not the results of calls."""

from __future__ import annotations

import atexit
import logging
from typing import Callable, Optional

from .._c import ffi
from .._c.lent import Owner, find
from .._errors.raising import check, report

LogFunction = Callable[[int, str], object]

_LEVELS = {ffi.LOG_LEVEL_WARNING: logging.WARNING, ffi.LOG_LEVEL_DEBUG: logging.DEBUG}


def set_log(function: Optional[LogFunction]) -> None:
    """Sets where messages of the whole process go, such as that the certificate of a connection was not checked.

    ``netcore.set_log(logging.getLogger("netcore").log)`` hands them to the logging module.

    :param function: called with the level, a number of the logging module, and the message, a sentence without
        credentials and query strings. Runs in any thread, in several at once too, and holds up transfers meanwhile; it
        must not use netcore. What it raises goes to sys.excepthook. A message may still be on its way to it when
        another is set. None, the default: messages go to standard error.
    :raises TypeError: neither a function nor None.
    """
    if function is not None and not callable(function):
        raise TypeError(f"function: a function or None expected, not {type(function).__name__}")
    if function is None:
        check(ffi.set_log(ffi.LogFn(), None, ffi.ReleaseFn()))
    else:
        check(_owner.lend(function, lambda number, release: ffi.set_log(_call_log, number, release)))


_owner = Owner()


def _tell(level: int, message: bytes, number: int) -> None:
    """A netcore_log_fn."""
    found = find(number)
    if found is None or found[1] is None:
        return
    function: LogFunction = found[1]
    try:
        function(_LEVELS.get(level, logging.INFO), message.decode("utf-8", "replace"))
    except BaseException as error:
        report(error)


_call_log = ffi.for_ever(ffi.LogFn(_tell))

atexit.register(set_log, None)
