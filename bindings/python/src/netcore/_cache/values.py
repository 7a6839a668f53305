"""Objects that users attach to stored answers: what they decoded from the bodies.

C holds a number for each; the objects are in a table here. C may release one on any thread.
"""

from __future__ import annotations

import itertools
from ctypes import byref, c_void_p
from typing import Any, Dict, Optional, Tuple

from .._c import ffi

MISSING: Any = object()
"""No object is attached; None may be one."""

_values: Dict[int, Any] = {}
_next_number = itertools.count(1).__next__


def _release(number: Optional[int]) -> None:
    _values.pop(number or 0, None)


_RELEASE = ffi.for_ever(ffi.ReleaseFn(_release))


class Private:
    """What belongs to one response in this process: a copy of the response elsewhere has None in its place."""

    __slots__ = ()

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(None), ()


class Kept(Private):
    """An object of a response without a stored answer."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class StoredAnswer(Private):
    """Keeps a netcore_response, for its body and for the stored answer that it came from."""

    __slots__ = ("__weakref__", "_handle")

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def __del__(self, _release: Any = ffi.response_release) -> None:
        _release(self._handle)

    def get(self) -> Any:
        """The object that is attached, or `MISSING`."""
        number = c_void_p()
        for _ in range(3):
            if ffi.response_get_cached_value(self._handle, byref(number)):
                break
            found = _values.get(number.value or 0, MISSING)
            if found is not MISSING:
                return found
            # Another thread has just attached another one, or all were released.
        return MISSING

    def set(self, value: Any, size: int) -> bool:
        """Attaches an object in place of the one there. False: there is no stored answer."""
        number = _next_number()
        _values[number] = value
        if ffi.response_set_cached_value(self._handle, number, size, _RELEASE) == 0:
            return True
        _values.pop(number, None)
        return False


def release_all() -> None:
    """The interpreter is about to exit: releases all objects while they can still be used."""
    values = list(_values.values())
    _values.clear()
    del values
