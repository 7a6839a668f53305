"""Functions of the user's that give values at the time of sending, to C as texts."""

from __future__ import annotations

import inspect
import re
from threading import get_ident
from typing import Any, Callable, Dict, Optional, Protocol

from .._c import ffi, texts
from .._c.lent import find
from .._errors.raising import reject
from .._inputs import encode

ValueFunction = Callable[[], Any]

LONGEST_TEXT = 1 << 20
_CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")

failed: Dict[int, BaseException] = {}
"""By thread: what a function raised, for the filter that C calls next on it."""


class Doorkeeper(Protocol):
    """Knows whether functions may run."""

    def enter(self) -> bool:
        """One is about to run on this thread. False when it is not to."""

    def leave(self) -> None:
        """It has returned, or did not run."""


class Value:
    """A function that gives a value at the time of sending."""

    def __init__(self, function: ValueFunction, is_field: bool, name: str) -> None:
        self._function = function
        self._encode = field_text if is_field else _param_text
        self._name = name

    def text(self, keeper: Doorkeeper) -> Optional[bytes]:
        """The value; None for none. Never raises."""
        try:
            if not keeper.enter():
                return None
            value = self._function()
            return None if value is None else self._encode(value, self._name)
        except BaseException as error:
            failed[get_ident()] = error
            return None
        finally:
            keeper.leave()


def check_function(function: Any, what: str) -> None:
    """Refuses what cannot be called, or would have to be awaited.

    :raises TypeError: it is so.
    """
    if not callable(function) or inspect.iscoroutinefunction(function):
        kind = "an async one" if callable(function) else type(function).__name__
        raise TypeError(f"{what}: a function expected, not {kind}")


def field_text(value: Any, name: str) -> bytes:
    """The value of a field for C."""
    if isinstance(value, str):
        try:
            value = value.encode("ascii")
        except UnicodeEncodeError:
            reject(f"headers: the value of {name!r} has characters beyond ASCII", ffi.ERR_INVALID_HEADER)
    if not isinstance(value, bytes):
        raise TypeError(f"headers: the value of {name!r} must be str, ASCII bytes or None, not {type(value).__name__}")
    if not value.isascii() or _CONTROL.search(value):
        reject(f"headers: the value of {name!r} has a byte that is not allowed", ffi.ERR_INVALID_HEADER)
    return _bounded(value, name)


def _param_text(value: Any, name: str) -> bytes:
    """The value of a parameter for C."""
    return _bounded(encode.c_text(encode.text_of(value, "params"), "params"), name)


def _bounded(text: bytes, name: str) -> bytes:
    if len(text) > LONGEST_TEXT:
        reject(f"the value of {name!r} has more than {LONGEST_TEXT} bytes")
    return text


def _value(room: int, capacity: int, number: int) -> int:
    """A netcore_value_fn."""

    def ask() -> Optional[bytes]:
        found = find(number)
        if found is None or found[1] is None:
            return None
        keeper, value = found
        text: Optional[bytes] = value.text(keeper)
        return text

    return texts.write(room, capacity, ask)


call_value = ffi.for_ever(ffi.ValueFn(_value))
