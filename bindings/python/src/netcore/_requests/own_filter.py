"""Functions of the user's that change one request just before it is sent: those that sign it.

C calls these on a thread of the client's. What C holds lives as long as the process, and finds the function by a number
in user_data, until C says that it will call it no more.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Callable, Dict, Mapping

from .._c import ffi
from .._errors.causes import keep_rejection
from .._errors.raising import call_error, check
from .._functions.filter_request import FilterRequest
from .._functions.values import check_function

if TYPE_CHECKING:
    from .factory import Prepared

FilterFunction = Callable[[FilterRequest], object]


def set_filter(prepared: Prepared, value: Any, options: Mapping[str, Any]) -> None:
    """Sets the filter of a request."""
    if value is None:
        check(ffi.request_set_filter(prepared.handle, ffi.FilterFn(), None, ffi.ReleaseFn()))
        return
    check_function(value, "filter")
    number = _next_number()
    _functions[number] = value
    status = ffi.request_set_filter(prepared.handle, _call_filter, number, _call_release)
    if status:
        del _functions[number]
        raise call_error(status, prepared.request, argument="filter")


# What C calls

_next_number = itertools.count(1).__next__
_functions: Dict[int, FilterFunction] = {}
"""Those that C may call; it says when it is done with one."""


def _filter(handle: int, number: int) -> int:
    """A netcore_filter_fn."""
    request = FilterRequest(handle)
    try:
        _functions[number](request)
        return ffi.OK
    except BaseException as error:
        return keep_rejection(error)
    finally:
        request.close()


def _release(number: int) -> None:
    _functions.pop(number, None)


_call_filter = ffi.for_ever(ffi.FilterFn(_filter))
_call_release = ffi.for_ever(ffi.ReleaseFn(_release))
