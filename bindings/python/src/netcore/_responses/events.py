"""Events of streamed responses."""

from __future__ import annotations

from ctypes import byref, c_uint64
from functools import partial
from itertools import repeat
from typing import Any, Iterable, Iterator, List, NamedTuple, Optional, Tuple

from .._c import ffi
from .._c.buffers import memory
from .._errors.raising import reject

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


_make: Any = partial(map, tuple.__new__, repeat(ServerSentEvent))
"""Makes an event of each tuple, in a third of the time of ServerSentEvent._make()."""


def checked_largest(largest_event: int) -> c_uint64:
    """The largest event, as C takes it."""
    if isinstance(largest_event, bool) or not isinstance(largest_event, int):
        raise TypeError(f"largest_event: an integer expected, not {type(largest_event).__name__}")
    if largest_event < 1:
        reject(f"largest_event: {largest_event} is not at least 1")
    return c_uint64(min(largest_event, ffi.NO_TIMEOUT))


class EventBlock:
    """Where C puts all events that have come, as one text of four fields an event, each with a CR after it."""

    def __init__(self, largest_event: int) -> None:
        self._text = ffi.Bytes()
        self.largest = checked_largest(largest_event)
        self.address = byref(self._text)

    def taken(self) -> Tuple[int, Iterator[ServerSentEvent]]:
        """How many events C has put there, none at the end of the stream, and the events."""
        if not self._text.data:
            return 0, iter(())
        fields = lent_text(self._text).split("\r")
        retries = fields[3::4]
        return len(retries), _make(zip(fields[0::4], fields[1::4], fields[2::4], _seconds(retries)))


def _seconds(retries: List[str]) -> Iterable[Optional[float]]:
    """Digits as seconds. In most blocks all are the same."""
    first = retries[0]
    if retries.count(first) == len(retries):
        return repeat(int(first) / 1000 if first else None)
    return [int(digits) / 1000 if digits else None for digits in retries]


class EventRoom:
    """Where C puts an event."""

    def __init__(self) -> None:
        self._struct = ffi.ServerEvent()
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
