"""What tasks belong to, and end with."""

from __future__ import annotations

import threading
from ctypes import byref, c_uint32, c_uint64
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, List, Mapping, Optional, Type

from .._c import ffi
from .._c.threads import new_lock
from .._errors.errors import StateError
from .._errors.raising import check

if TYPE_CHECKING:
    from .factory import Prepared


class ScopeCallbacks:
    """The callbacks of a scope's tasks, which hold this and not the scope: it may end before them."""

    __slots__ = ("_drops", "_is_closed", "_lock", "_running", "_waiting")

    def __init__(self, drops: bool) -> None:
        self._drops = drops
        self._is_closed = False
        self._lock = new_lock()
        self._running: List[int] = []  # their threads
        self._waiting: List[threading.Lock] = []

    def close(self) -> None:
        """None begins from now on, where they are dropped. Waits until no other thread runs one."""
        if not self._drops:
            return
        with self._lock:
            self._is_closed = True
            if not self._running or threading.get_ident() in self._running:
                return
            ended = new_lock()
            ended.acquire()
            self._waiting.append(ended)
        ended.acquire()

    def run(self, callback: Callable[[], Any]) -> bool:
        """Runs a callback, unless it is dropped, and returns whether it did."""
        thread = threading.get_ident()
        with self._lock:
            if self._is_closed:
                return False
            self._running.append(thread)
        try:
            callback()
        finally:
            with self._lock:
                self._running.remove(thread)
                waiting: List[threading.Lock] = []
                if not self._running:
                    waiting, self._waiting = self._waiting, waiting
            for ended in waiting:
                ended.release()
        return True


class TaskScope:
    """What tasks belong to, such as a screen: those that have not ended when it is closed are canceled.

    Requests name it by ``task_scope=``, whichever client sends them. It is closed at the end of ``with`` or
    ``async with``, by `close()`, and when it is no longer referred to; `Canceled.cause` is ``"scope"``. A request that
    names it afterwards raises `StateError`. Any thread may use it.
    """

    def __init__(self, *, drop_callbacks: bool = False) -> None:
        """
        :param drop_callbacks: True: no `on_done`, `on_early` or `on_progress` of a dispatched task begins once the
            scope is closed. Closing it waits for one that another thread runs, except inside such a function.
            `result()`, ``await`` and groups end as always.
        """
        if not isinstance(drop_callbacks, bool):
            raise TypeError(f"drop_callbacks: a bool expected, not {type(drop_callbacks).__name__}")
        self._handle = c_uint64()
        self._callbacks = ScopeCallbacks(drop_callbacks)
        self._is_closed = False
        check(ffi.task_scope_create(0, None, byref(self._handle)))

    def __del__(self, _close: Callable[[c_uint64], int] = ffi.task_scope_close) -> None:
        if self._handle and not self._is_closed:
            _close(self._handle)

    def __enter__(self) -> TaskScope:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    async def __aenter__(self) -> TaskScope:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __len__(self) -> int:
        """Tasks that have not ended."""
        count = c_uint32()
        return 0 if ffi.task_scope_get_count(self._handle, byref(count)) else count.value

    def __bool__(self) -> bool:
        return True

    @property
    def is_closed(self) -> bool:
        """Whether it has been closed."""
        return self._is_closed

    def cancel(self) -> None:
        """Cancels the tasks that have not ended, and leaves the scope open."""
        if not self._is_closed:
            check(ffi.task_scope_cancel(self._handle))

    def close(self) -> None:
        """Cancels the tasks that have not ended. A second call does nothing."""
        if not self._is_closed:
            self._is_closed = True
            # In a forked child it does nothing: the tasks are those of the parent.
            ffi.task_scope_close(self._handle)
            self._callbacks.close()


def set_task_scope(prepared: Prepared, value: Any, options: Mapping[str, Any]) -> None:
    """Has the tasks of a request belong to a scope."""
    if not isinstance(value, TaskScope):
        raise TypeError(f"task_scope: a TaskScope expected, not {type(value).__name__}")
    prepared.scope = value._callbacks
    status = ffi.request_set_task_scope(prepared.handle, value._handle)
    if value.is_closed or status == ffi.ERR_INVALID_HANDLE:
        raise StateError("task_scope: has been closed", status=ffi.ERR_INVALID_STATE, request=prepared.request)
    check(status)
