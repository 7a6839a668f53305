"""Where netcore's messages go that are not the results of calls."""

from __future__ import annotations

import atexit
import logging
from functools import partial
from typing import Any, Callable, Optional

from .._c import ffi
from .._errors.errors import check, report

LogFunction = Callable[[int, str], object]

_LEVELS = {ffi.LOG_LEVEL_WARNING: logging.WARNING}


def set_log(function: Optional[LogFunction]) -> None:
    """Sets where messages of the whole process go, such as that nobody checked the certificate of a connection.

    ``netcore.set_log(logging.getLogger("netcore").log)`` hands them to the logging module.

    :param function: called with the level, a number of the logging module, and the message, a sentence without
        credentials and query strings. Runs in any thread, in several at once too, and holds up transfers meanwhile; it
        must not use netcore. What it raises goes to sys.excepthook. It is kept until the process ends: a message may be
        on its way to it when another is set. None, the default: messages go to standard error.
    :raises TypeError: neither a function nor None.
    """
    if function is not None and not callable(function):
        raise TypeError(f"function: a function or None expected, not {type(function).__name__}")
    target = None if function is None else ffi.for_ever(ffi.LogFn(partial(_tell, function)))
    check(ffi.set_log(target, None, ffi.NO_RELEASE))


def _tell(function: LogFunction, level: int, message: bytes, _: Any) -> None:
    """A netcore_log_fn."""
    try:
        function(_LEVELS.get(level, logging.INFO), message.decode("utf-8", "replace"))
    except BaseException as error:
        report(error)


atexit.register(set_log, None)
