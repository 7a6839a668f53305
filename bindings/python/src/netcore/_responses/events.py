"""Events of streamed responses."""

from __future__ import annotations

from ctypes import byref, c_uint64
from typing import NamedTuple, Optional

from .._c import ffi
from .._c.buffers import memory
from .._errors.errors import reject

LARGEST_EVENT = 16 << 20
"""Bytes of an event, as it comes."""


class ServerSentEvent(NamedTuple):
    """An event of an event stream (HTML standard, section 9.2)."""

    type: str
    """What its field `event` says; "message" without one."""
    data: str
    """The lines of its fields `data`, with "\\n" between them."""
    last_event_id: str
    """The value of the last field `id` so far, of this event or of one before; "" without one."""
    retry: Optional[float]
    """The value of the last field `retry` so far: seconds to wait before another connection."""


class EventRoom:
    """Where C puts an event."""

    def __init__(self, largest_event: int) -> None:
        if isinstance(largest_event, bool) or not isinstance(largest_event, int):
            raise TypeError(f"largest_event: an integer expected, not {type(largest_event).__name__}")
        if largest_event < 1:
            reject(f"largest_event: {largest_event} is not at least 1")
        self._struct = ffi.ServerEvent()
        self.largest = c_uint64(min(largest_event, ffi.NO_TIMEOUT))
        self.address = byref(self._struct)

    def taken(self) -> Optional[ServerSentEvent]:
        """What C has put there; None at the end of the stream."""
        event = self._struct
        if not event.has_event:
            return None
        retry = None if event.retry_ms == ffi.NO_TIMEOUT else event.retry_ms / 1000
        return ServerSentEvent(lent_text(event.type), lent_text(event.data), lent_text(event.last_event_id), retry)


def lent_text(lent: ffi.Bytes) -> str:
    """A copy of a borrowed text."""
    start = lent.data
    return str(memory[start : start + lent.size_bytes], "utf-8")
