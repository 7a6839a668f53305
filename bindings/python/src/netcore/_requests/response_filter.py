"""Functions of the user's that change the answers to one request, or say with which tags they are stored.

C calls these on a thread of the client's. What C holds lives as long as the process, and finds the function by a number
in user_data, until C says that it will call it no more.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Tuple, Union

from .._c import ffi
from .._errors.causes import keep_rejection
from .._errors.raising import call_error
from .._functions.values import check_function
from .._inputs import encode
from .._inputs.kinds import TextsInput
from .._responses.filter_response import FilterResponse
from .._responses.response import Response

if TYPE_CHECKING:
    from .factory import Prepared

ResponseFilter = Callable[[FilterResponse], object]
ResponseFilterInput = Union[ResponseFilter, List[ResponseFilter], Tuple[ResponseFilter, ...]]
ProvidesFunction = Callable[[Response], Optional[TextsInput]]


def set_network_filter(prepared: Prepared, value: Any, options: Mapping[str, Any]) -> None:
    """Adds filters of what comes from the network."""
    _add(prepared, ffi.RESPONSE_FILTER_KIND_NETWORK, value, "network_filter")


def set_delivery_filter(prepared: Prepared, value: Any, options: Mapping[str, Any]) -> None:
    """Adds filters of what is delivered."""
    _add(prepared, ffi.RESPONSE_FILTER_KIND_DELIVERY, value, "delivery_filter")


def set_provides(prepared: Prepared, value: Any, options: Mapping[str, Any]) -> None:
    """Adds a filter that adds the tags which a function reads from an answer."""
    check_function(value, "provides")

    def add_tags(answer: FilterResponse) -> None:
        tags = value(answer.response)
        for tag in () if tags is None else encode.texts(tags, "provides"):
            answer.add_tag(tag.decode())

    _add(prepared, ffi.RESPONSE_FILTER_KIND_NETWORK, add_tags, "provides")


def _add(prepared: Prepared, kind: int, value: Any, name: str) -> None:
    functions = value if isinstance(value, (list, tuple)) else (value,)
    for function in functions:
        check_function(function, name)
    for function in functions:
        number = _next_number()
        _functions[number] = function
        status = ffi.request_add_response_filter(prepared.handle, kind, _call_filter, number, _call_release)
        if status:
            del _functions[number]
            raise call_error(status, prepared.request, argument=name)


# What C calls

_next_number = itertools.count(1).__next__
_functions: Dict[int, ResponseFilter] = {}
"""Those that C may call; it says when it is done with one."""


def _filter(handle: int, number: int) -> int:
    """A netcore_response_filter_fn."""
    response = FilterResponse(handle)
    try:
        _functions[number](response)
        return ffi.OK
    except BaseException as error:
        return keep_rejection(error)
    finally:
        response.close()


def _release(number: int) -> None:
    _functions.pop(number, None)


_call_filter = ffi.for_ever(ffi.ResponseFilterFn(_filter))
_call_release = ffi.for_ever(ffi.ReleaseFn(_release))
