"""What is called at the end of a task."""

from __future__ import annotations

from typing import Any, Callable, Optional

from .._errors.errors import Canceled, Error
from .._responses.response import Response

SuccessFunction = Callable[[Response], object]
FailureFunction = Callable[[Error], object]


def combined(
    on_done: Optional[Callable[[Any], object]],
    on_success: Optional[SuccessFunction],
    on_failure: Optional[FailureFunction],
    silent_cancel: bool,
) -> Optional[Callable[[Any], object]]:
    """One function in place of several: `on_success` or `on_failure`, then `on_done`."""
    for name, function in [("on_done", on_done), ("on_success", on_success), ("on_failure", on_failure)]:
        if function is not None and not callable(function):
            raise TypeError(f"{name}: a function expected")
    if not isinstance(silent_cancel, bool):
        raise TypeError(f"silent_cancel: True or False expected, not {type(silent_cancel).__name__}")
    if on_success is None and on_failure is None and not silent_cancel:
        return on_done

    def call(task: Any) -> None:
        error: Optional[Error] = task._error
        if silent_cancel and isinstance(error, Canceled) and error.cause == "application":
            return
        try:
            if error is None and on_success is not None:
                on_success(task._response)
            elif error is not None and on_failure is not None:
                on_failure(error)
        finally:
            if on_done is not None:
                on_done(task)

    return call
