"""Threads and locks of the operating system, also where gevent has put its own in the place of Python's.

What waits in C would hold up a greenlet's whole thread, and a lock of gevent's is not for threads that gevent does not
know.
"""

from __future__ import annotations

import _thread
import sys
import threading
from typing import Any, Callable, Optional, Protocol, cast


class Thread(Protocol):
    """What netcore needs of a thread."""

    def join(self, timeout: Optional[float] = None) -> None:
        """Waits for its end."""


def start_thread(target: Callable[[], None], name: str) -> Thread:
    """Starts a thread that does not keep the interpreter from exiting."""
    monkey = _gevent()
    if monkey is None:
        thread = threading.Thread(target=target, name=name, daemon=True)
        thread.start()
        return thread
    return _RealThread(target, monkey.get_original("_thread", "start_new_thread"))


def new_lock() -> threading.Lock:
    """A lock of the operating system's."""
    monkey = _gevent()
    allocate = _thread.allocate_lock if monkey is None else monkey.get_original("_thread", "allocate_lock")
    return cast(threading.Lock, allocate())


class _RealThread:
    """A thread that gevent does not know."""

    def __init__(self, target: Callable[[], None], start: Callable[..., Any]) -> None:
        self._target = target
        self._running = new_lock()
        self._running.acquire()
        start(self._run, ())

    def _run(self) -> None:
        try:
            self._target()
        finally:
            self._running.release()

    def join(self, timeout: Optional[float] = None) -> None:
        if self._running.acquire(timeout=-1 if timeout is None else timeout):
            self._running.release()


def _gevent() -> Any:
    """gevent.monkey, where it has patched threads; None where it has not."""
    monkey = sys.modules.get("gevent.monkey")
    return monkey if monkey is not None and monkey.is_module_patched("threading") else None
