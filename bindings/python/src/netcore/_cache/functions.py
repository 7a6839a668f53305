"""The functions that users give to a cache, as C calls them: on any thread, perhaps after the cache was dropped.

What C holds lives as long as the process: one function of each kind, which finds the user's by the number in user_data.
"""

from __future__ import annotations

import itertools
import threading
import weakref
from typing import Any, Callable, Dict, List, Optional

from .._c import ffi, texts
from .._c.buffers import copy
from .._inputs import encode
from .._inputs.headers import received
from .types import CacheEvent, CacheEventKind, CacheRequest

TextFunction = Callable[[CacheRequest], Optional[str]]
EventFunction = Callable[[CacheEvent], object]

_next_number = itertools.count(1).__next__


class Functions:
    """The functions of one cache, and what they raised. Referenced by the cache and by its clients."""

    def __init__(
        self, key: Optional[TextFunction], folder_for: Optional[TextFunction], on_event: Optional[EventFunction]
    ) -> None:
        for name, function in (("key", key), ("folder_for", folder_for), ("on_event", on_event)):
            if function is not None and not callable(function):
                raise TypeError(f"{name}: a function expected, not {type(function).__name__}")
        self.key = key
        self.folder_for = folder_for
        self.on_event = on_event
        self.number = _next_number()
        self.raised: Dict[int, BaseException] = {}
        """By thread: what `key` or `folder_for` raised. The call that runs on that thread raises it."""
        self.kept: List[BaseException] = []
        """For close(): what `on_event` raised, and the others for a request that was dispatched before."""
        _functions[self.number] = self

    def fill(self, options: ffi.CacheOptions) -> None:
        """Puts into the options what C is to call."""
        options.user_data = self.number
        if self.key is not None:
            options.key = _call_key
        if self.folder_for is not None:
            options.folder_for_request = _call_folder_for
        if self.on_event is not None:
            options.on_event = _call_on_event

    @property
    def depend_on_calls(self) -> bool:
        """Whether a function is to be asked for each call."""
        return self.key is not None or self.folder_for is not None

    def text(self, name: str, request: ffi.CacheRequest) -> Optional[bytes]:
        """What a function of the user's says for a request; None for nothing. Never raises."""
        function: Optional[TextFunction] = getattr(self, name)
        try:
            text = None if function is None else function(_request_of(request))
            return None if text is None else encode.c_text(text, name)
        except BaseException as error:
            if request.runs_on_loop:  # perhaps of another thread's call
                self.kept.append(error)
            else:
                self.raised[threading.get_ident()] = error
            # What the call got is not to be served to another one.
            return b"failed %d" % _next_number() if name == "key" else None

    def raise_failure(self) -> None:
        """Raises what a function raised on this thread, if it did."""
        error = self.raised.pop(threading.get_ident(), None)
        if error is not None:
            raise error

    def take_failures(self) -> List[BaseException]:
        """All that was not raised yet."""
        failures, self.kept = self.kept + list(self.raised.values()), []
        self.raised.clear()
        return failures


_functions: "weakref.WeakValueDictionary[int, Functions]" = weakref.WeakValueDictionary()


def _request_of(request: ffi.CacheRequest) -> CacheRequest:
    return CacheRequest(
        request.method.decode("utf-8", "replace"),
        request.url.decode("utf-8", "replace"),
        received(b"\0" + copy(request.headers.data or 0, request.headers.size_bytes)),
        copy(request.body.data or 0, request.body.size_bytes),
    )


def _text(name: str, request: Any, room: int, capacity: int, number: Optional[int]) -> int:
    """A netcore_cache_text_fn."""

    def ask() -> Optional[bytes]:
        functions = _functions.get(number or 0)
        return None if functions is None else functions.text(name, request.contents)

    return texts.write(room, capacity, ask)


def _event(event: Any, number: Optional[int]) -> None:
    """A netcore_cache_event_fn."""
    functions = _functions.get(number or 0)
    if functions is None or functions.on_event is None:
        return
    told = event.contents
    try:
        kind = CacheEventKind(told.kind)
    except ValueError:  # one that a later library made up
        return
    try:
        path, reason = told.path.decode("utf-8", "replace"), told.reason.decode("utf-8", "replace")
        functions.on_event(CacheEvent(kind, path, reason))
    except BaseException as error:
        functions.kept.append(error)


_call_key = ffi.for_ever(ffi.CacheTextFn(lambda *arguments: _text("key", *arguments)))
_call_folder_for = ffi.for_ever(ffi.CacheTextFn(lambda *arguments: _text("folder_for", *arguments)))
_call_on_event = ffi.for_ever(ffi.CacheEventFn(_event))
