"""Bodies that stay in C's memory until they are asked for as bytes."""

from __future__ import annotations

import ctypes
from typing import Any, Tuple

from .._c.buffers import copy
from .._cache.values import StoredAnswer

LEAST_HELD = 65_536
"""The size from which on a body is not copied at once."""


class HeldBody:
    """The body of a netcore_response, which lives as long as this, or a view of it."""

    __slots__ = ("_address", "_answer", "_size")

    def __init__(self, answer: StoredAnswer, address: int, size: int) -> None:
        self._answer = answer
        self._address = address
        self._size = size

    def __len__(self) -> int:
        return self._size

    def copy(self) -> bytes:
        """The bytes themselves."""
        return copy(self._address, self._size)

    def view(self) -> memoryview:
        """The bytes where they are."""
        room: Any = (ctypes.c_ubyte * self._size).from_address(self._address)
        room.held = self  # the view keeps this array, and that the response
        return memoryview(room).cast("B").toreadonly()

    def __reduce__(self) -> Tuple[Any, ...]:
        """A copy of the response elsewhere has the bytes."""
        return bytes, (self.copy(),)
