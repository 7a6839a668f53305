"""Whether the network can be reached, as the application knows it."""

from __future__ import annotations

from ctypes import byref, c_int32
from typing import TYPE_CHECKING, Callable, Optional

from .._c import ffi
from .._c.lent import Owner, find
from .._inputs import encode

if TYPE_CHECKING:
    from .core import Core

ReachabilityListener = Callable[[str], object]

_WORDS = {value: name for name, value in ffi.REACHABILITIES.items()}


class Reachability(Owner):
    """That of one client, which owns this."""

    def __init__(self, core: Core) -> None:
        super().__init__()
        self._core = core

    @property
    def value(self) -> str:
        """As `BaseClient.reachability`."""
        found = c_int32()
        self._check(ffi.client_get_reachability(self._core.handle, byref(found)))
        return _WORDS.get(found.value, "unknown")

    @value.setter
    def value(self, word: str) -> None:
        number = encode.choice(word, ffi.REACHABILITIES, "reachability")
        self._check(ffi.client_set_reachability(self._core.handle, number))

    def watch(self, watches: bool) -> None:
        """As `BaseClient.watch_network`."""
        self._check(ffi.client_set_watch_network(self._core.handle, encode.flag(watches, "watches")))

    def set_listener(self, listener: Optional[ReachabilityListener]) -> None:
        """As `BaseClient.on_reachability_change`."""
        if listener is not None and not callable(listener):
            raise TypeError(f"listener: a function or None expected, not {type(listener).__name__}")
        give = ffi.client_set_reachability_listener
        handle = self._core.handle
        if listener is None:
            self._check(give(handle, ffi.ReachabilityFn(), None, ffi.ReleaseFn()))
        else:
            self._check(self.lend(listener, lambda number, release: give(handle, _call_listener, number, release)))

    def tell(self, listener: ReachabilityListener, word: str) -> None:
        """Calls the listener. Never raises."""
        try:
            listener(word)
        except BaseException as error:
            self._core.keep_failure(error)

    def _check(self, status: int) -> None:
        if status:
            raise self._core.call_error(status)


def _notify(reachability: int, number: int) -> None:
    """A netcore_reachability_fn."""
    found = find(number)
    if found is not None and found[1] is not None:
        owner, listener = found
        owner.tell(listener, _WORDS.get(reachability, "unknown"))


_call_listener = ffi.for_ever(ffi.ReachabilityFn(_notify))
