"""How the blocking client receives completions.

- A call such as get() in a thread other than the main one blocks in netcore_perform(), without the GIL.
- In the main thread Python can only handle Ctrl-C between two C calls. There a call dispatches, then waits in slices.
- dispatch() and groups need somebody who waits: a thread that starts with the first of them, takes every completion
  and runs the callbacks. From then on calls in the main thread wait for that thread.

One thread at a time takes completions: whoever holds `_taker`. So a slice cannot swallow what the thread waits for.
"""

from __future__ import annotations

import os
import threading
import time
from ctypes import c_uint64
from threading import get_ident
from typing import Any, List, Optional, Tuple

from . import _ffi
from ._buffers import COMPLETION, CompletionArray, Out, borrow_out, return_out
from ._core import Core
from ._errors import Canceled, task_error
from ._request import Prepared
from ._response import Response
from ._task import Task

SLICE_MS = 200
"""How long Ctrl-C may go unnoticed in the main thread."""

TAKEN_AT_ONCE = 64

_SLICE = c_uint64(SLICE_MS)
_NO_TIMEOUT = c_uint64(_ffi.NO_TIMEOUT)

_main_thread = threading.main_thread().ident


def _find_main_thread() -> None:
    global _main_thread
    _main_thread = threading.main_thread().ident


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_find_main_thread)


class _Own:
    """What a call in slices uses: room for its task and its completion, and the key by which it knows the latter.

    The key serves one call after another. After a call that did not take its completion it must be another.
    """

    __slots__ = ("key", "one", "out")

    def __init__(self, key: int) -> None:
        self.out = Out()
        self.one = CompletionArray(1)
        self.renew_key(key)

    def renew_key(self, key: int) -> None:
        self.key = self.out.key_words[0] = key


class PumpCore(Core):
    """The core of the blocking client."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._taker = threading.Lock()
        self._own = _Own(self.next_key())  # belongs to the holder of _taker
        self._pump: Optional[threading.Thread] = None
        self._pump_ident = 0
        self._backlog: List[Tuple[int, int, int, int]] = []  # belongs to the holder of _taker

    def is_callback_thread(self) -> bool:
        """Whether this is the thread that takes completions and runs callbacks."""
        return self._pump_ident == get_ident()

    def start_pump(self) -> None:
        """Makes sure that somebody takes completions, before the first one can come that nobody waits for."""
        if self._pump is not None:
            return
        with self.lock:
            if self._pump is None and not self.is_closed:
                thread = threading.Thread(target=self._take_all, name="netcore-completions", daemon=True)
                thread.start()
                self._pump = thread

    def _take_all(self) -> None:
        """The thread: delivers completions until the client is shut down and nothing is pending."""
        self._pump_ident = get_ident()
        completions = CompletionArray(TAKEN_AT_ONCE)
        with self._taker:
            for completion in self._backlog:
                self.deliver_one(*completion)
            self._backlog.clear()
            while self.pending or not self.is_closed:
                if _ffi.fast_wait(
                    self.handle, completions.address, completions.capacity, _NO_TIMEOUT, completions.count_address
                ):
                    break
                self.deliver(completions)
        self.abandon_pending()
        self.destroy()

    # Calls that block

    def perform(self, client: Any, prepared: Prepared) -> Response:
        """Sends a request and waits for its response."""
        if get_ident() == _main_thread:
            if self._pump is not None:
                return self._wait_for(Task(client, self, prepared.request, None), prepared)
            if self._taker.acquire(False):
                return self._perform_in_slices(client, prepared)
            # else: called by a signal handler, amid another call
        out = borrow_out()
        status = _ffi.fast_perform(self.handle, prepared.handle, out.handle_address)
        handle = out.handle_words[0]
        return_out(out)
        if status == 0:
            return Response(handle, prepared.request)
        if not handle:
            raise self.call_error(status, prepared.request)
        raise self._failed(handle, status, prepared)

    def _perform_in_slices(self, client: Any, prepared: Prepared) -> Response:
        """Dispatches and takes the completion itself. Owns `_taker`, and releases it."""
        own = self._own
        out = own.out
        one = own.one
        try:
            status = _ffi.fast_dispatch(self.handle, prepared.handle, None, out.key, out.handle_address)
            if status:
                raise self.call_error(status, prepared.request)
            while self._pump is None:
                status = _ffi.fast_wait(self.handle, one.address, one.capacity, _SLICE, one.count_address)
                if status:
                    raise Canceled("the client was closed", status=_ffi.CANCELED, request=prepared.request)
                if one.count_words[0]:
                    status, task, group, response, key = COMPLETION.unpack_from(one.bytes)
                    if key == own.key:
                        if status:
                            raise self._failed(response, status, prepared)
                        return Response(response, prepared.request)
                    self._set_aside(status, task or group, response, key)
            # Another thread has called dispatch(): its thread takes our completion too.
            waiting = Task(client, self, prepared.request, None)
            waiting.id = out.handle_words[0]
            self.pending[own.key] = waiting
            own.renew_key(self.next_key())
        except BaseException:
            _ffi.task_cancel(out.handle)  # nothing happens when it has ended
            own.renew_key(self.next_key())
            raise
        finally:
            self._taker.release()
        return self._wait_for(waiting, None)

    def _set_aside(self, status: int, handle: int, response: int, key: int) -> None:
        """Keeps a completion for the thread that is about to start, or drops that of an interrupted call."""
        if key in self.pending:
            self._backlog.append((status, handle, response, key))
        else:
            self.deliver_one(status, handle, response, key)

    def _wait_for(self, task: Task, prepared: Optional[Prepared]) -> Response:
        """Dispatches a task, if it was not, and waits for it. Canceled when the wait is interrupted."""
        if prepared is not None:
            task.id = self.dispatch(prepared, task)
        try:
            return task.result()
        except BaseException:
            task.cancel()
            raise

    @staticmethod
    def _failed(response: int, status: int, prepared: Prepared) -> Exception:
        error = task_error(response, status, prepared.request)
        if response:
            _ffi.response_release(response)
        return error

    # The end

    def close(self, raises: bool = True) -> None:
        """Cancels what is in flight, waits for the callbacks, frees the client, and raises what a callback raised.

        With raises=False that is reported: another exception is on its way already.
        """
        with self.lock:
            was_closed, self.is_closed = self.is_closed, True
        if not was_closed:
            self.shut_down()
            self._end()
        if not self.is_callback_thread():
            if self._pump is not None:
                self._pump.join()
            if raises:
                self.raise_failure()
            self.report_failures()

    def _end(self) -> None:
        """After shut_down(): the thread delivers what is pending, then frees the client; otherwise do it here."""
        if self._pump is None or not self.pending:
            self.destroy()

    def finalize(self) -> None:
        """The client was dropped without close(); nothing is in flight."""
        if not self.is_closed:
            self.shut_down()
            self._end()
        self.report_failures()

    def close_at_exit(self, deadline: float) -> None:
        self._end()
        if self._pump is not None:
            self._pump.join(max(0.0, deadline - time.monotonic()))
        self.report_failures()

    def after_fork(self) -> None:
        self._taker = threading.Lock()
        self._pump = None
        self._pump_ident = 0
        super().after_fork()
