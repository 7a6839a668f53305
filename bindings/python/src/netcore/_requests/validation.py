"""What an answer must be like to be a success, and the functions of the user's that judge answers.

C calls these on a thread of the client's. What C holds lives as long as the process, and finds the function by a number
in user_data, until C says that it will call it no more.
"""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Mapping, Union

from .._c import ffi
from .._errors.causes import keep_rejection
from .._errors.raising import call_error, check, reject
from .._functions.values import check_function
from .._inputs import encode
from .._responses.request import Request
from .._responses.response import Response, take_response

if TYPE_CHECKING:
    from .factory import Prepared

StatusesInput = Union[bool, int, str, range, Iterable[Union[int, str, range]], None]
ShapeInput = Union[str, Mapping[str, Any], List[Any], None]
ValidateFunction = Callable[[Response], object]


def statuses_text(value: Any, name: str) -> Any:
    """The status codes as C takes them; None for all."""
    if value is None or value is False:
        return None
    if value is True:
        return b""
    given = (value,) if isinstance(value, (int, str, range)) else value
    if not isinstance(given, Iterable):
        raise TypeError(f"{name}: status codes, ranges or texts expected, not {type(value).__name__}")
    text = ",".join(_statuses(one, name) for one in given)
    if not text:
        reject(f"{name}: at least one is needed")
    return encode.c_text(text, name)


def _statuses(value: Any, name: str) -> str:
    if isinstance(value, range):
        if value.step != 1 or not value:
            reject(f"{name}: {value} is no range of status codes")
        return f"{value.start}-{value.stop - 1}"
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise TypeError(f"{name}: status codes, ranges or texts expected, not {type(value).__name__}")
    return str(int(value)) if isinstance(value, int) else value


def digest_text(value: Any, name: str) -> Any:
    """What a SHA-256 digest is checked against as C takes it; None to compute none."""
    if value is None or value is False:
        return None
    if value is True:
        return b""
    if not isinstance(value, str):
        raise TypeError(f"{name}: a str or a bool expected, not {type(value).__name__}")
    if not value:
        reject(f"{name}: must be 64 hexadecimal digits")
    return encode.c_text(value, name)


def types_text(value: Any, name: str) -> Any:
    """Media types as C takes them; None for any."""
    if value is None:
        return None
    return b",".join([encode.c_text(value, name)] if isinstance(value, str) else encode.texts(value, name))


def shape_text(value: Any, name: str) -> Any:
    """The template as C takes it; None for any body."""
    if value is None or isinstance(value, str):
        return None if value is None else encode.c_text(value, name)
    if not isinstance(value, (Mapping, list)):
        raise TypeError(f"{name}: a template as dict, list or str expected, not {type(value).__name__}")
    return encode.c_text(json.dumps(value), name)


def set_validate(prepared: Prepared, value: Any, options: Mapping[str, Any]) -> None:
    """Sets the function that judges answers."""
    if value is None:
        check(ffi.request_set_validator(prepared.handle, None, None, None))
        return
    check_function(value, "validate")
    number = _next_number()
    _functions[number] = value
    status = ffi.request_set_validator(prepared.handle, _call_validate, number, _call_release)
    if status:
        del _functions[number]
        raise call_error(status, prepared.request, argument="validate")


# What C calls

_next_number = itertools.count(1).__next__
_functions: Dict[int, ValidateFunction] = {}
"""Those that C may call; it says when it is done with one."""


def _validate(response: int, number: int) -> int:
    """A netcore_validate_fn."""
    try:
        check(ffi.response_retain(response))
        if _functions[number](take_response(response, Request("", ""))) is False:
            return ffi.ERR_REJECTED
        return ffi.OK
    except BaseException as error:
        return keep_rejection(error)


def _release(number: int) -> None:
    _functions.pop(number, None)


_call_validate = ffi.for_ever(ffi.ValidateFn(_validate))
_call_release = ffi.for_ever(ffi.ReleaseFn(_release))
