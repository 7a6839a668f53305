"""Texts that functions of the user's give to C, and that C gives, both in the manner of snprintf()."""

from __future__ import annotations

import ctypes
import threading
from typing import Callable, Dict, Optional, Tuple

_ROOM = 100
"""Enough for most texts that C gives."""

NONE = -1
"""What a function of C returns for "no text"."""

_waiting: Dict[int, bytes] = {}
"""By thread: a text that did not fit. C calls again, at once and on the same thread, with enough room."""


def write(room: int, capacity: int, ask: Callable[[], Optional[bytes]]) -> int:
    """Writes the text that `ask` gives to C's room, and returns its length. `ask` must not raise."""
    thread = threading.get_ident()
    text = _waiting.pop(thread, None)
    if text is None:
        text = ask()
        if text is None:
            return NONE
    if len(text) < capacity:
        ctypes.memmove(room, text, len(text) + 1)  # bytes of Python end with a NUL byte
    else:
        _waiting[thread] = text
    return len(text)


def read(get: Callable[[object, int, object], int]) -> Tuple[int, str]:
    """Reads a text that C writes into the caller's room.

    :param get: calls C with room, its capacity, and where the size of the whole text goes; returns the status.
    :return: the status, and the text.
    """
    size = ctypes.c_size_t(_ROOM)
    while True:
        room = ctypes.create_string_buffer(size.value + 1)
        status = get(room, len(room), ctypes.byref(size))
        if status or size.value < len(room):
            return status, room.value.decode("utf-8", "replace")
