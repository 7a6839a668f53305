"""How functions of the library are declared to ctypes, and bases of its structs."""

from __future__ import annotations

import ctypes
import re
from ctypes import Structure
from typing import Any

from . import library

_loaded = library.load()
_keeping_gil = ctypes.PyDLL(_loaded._name, handle=_loaded._handle)

# Those that never block and are quick: they are called with the GIL, which is cheaper. All others are called without.
_QUICK = re.compile(
    "netcore_("
    "version|status_|last_error"
    "|request_(?!set_body$)|response_(?!(set_cached_value|read|read_line|read_events?|wait)$)"
    "|client_(set_|add_|remove_|clear_|export_|import_|get_descriptor$)|set_log$"
    "|dispatch$|task_(?!wait$)|group_(create|add|get_)"
    ")"
)


class Sized(Structure):
    """A struct that begins with its size, which is set at once."""

    def __init__(self, **members: Any) -> None:
        super().__init__(ctypes.sizeof(self), **members)


def function(name: str, result: Any, *argument_types: Any) -> Any:
    return _declare((_keeping_gil if _QUICK.match(name) else _loaded)[name], argument_types, result)


def fast(name: str, *, blocks: bool) -> Any:
    """A function without types of arguments: to convert and check them takes ctypes as long as the call itself.

    Each is called in few places, and only with instances of the ctypes types of its parameters, with what `byref` and
    `from_param` of such a type return, or with None. An int would go out with 32 bits.
    """
    return _declare((_loaded if blocks else _keeping_gil)[name], None, ctypes.c_int32)


def _declare(function: Any, argument_types: Any, result: Any) -> Any:
    function.argtypes = argument_types
    function.restype = result
    return function


__all__ = ["Sized", "Structure", "fast", "function"]
