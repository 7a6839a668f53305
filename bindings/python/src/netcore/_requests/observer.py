"""Functions of the user's that are called with the events of one request's tasks.

C calls these on a thread of the client's. What C holds lives as long as the process, and finds the function by a number
in user_data, until C says that it will call it no more.
"""

from __future__ import annotations

import itertools
from ctypes import string_at
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Tuple, Union

from .._c import ffi
from .._errors.raising import call_error, report
from .._functions.values import check_function
from .._responses.client_event import LAYOUT, ClientEvent

if TYPE_CHECKING:
    from .factory import Prepared

EventFunction = Callable[[ClientEvent], object]
EventInput = Union[EventFunction, List[EventFunction], Tuple[EventFunction, ...]]


def set_on_event(prepared: Prepared, value: Any, options: Mapping[str, Any]) -> None:
    """Adds the functions that are called with the events of the request's tasks."""
    functions = () if value is None else value if isinstance(value, (list, tuple)) else (value,)
    for function in functions:
        check_function(function, "on_event")
    for function in functions:
        number = _next_number()
        _functions[number] = function
        status = ffi.request_add_observer(prepared.handle, _call_tell, number, _call_release)
        if status:
            del _functions[number]
            raise call_error(status, prepared.request, argument="on_event")


_next_number = itertools.count(1).__next__
_functions: Dict[int, EventFunction] = {}
"""Those that C may call; it says when it is done with one."""


def _tell(event: Any, number: int) -> None:
    """A netcore_observer_fn."""
    try:
        _functions[number](ClientEvent._make(LAYOUT.unpack(string_at(event, LAYOUT.size))))
    except BaseException as error:
        report(error)


def _release(number: int) -> None:
    _functions.pop(number, None)


_call_tell = ffi.for_ever(ffi.ObserverFn(_tell))
_call_release = ffi.for_ever(ffi.ReleaseFn(_release))
