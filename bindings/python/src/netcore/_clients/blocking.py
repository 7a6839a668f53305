"""How the blocking client receives what came back.

- A call such as get() blocks in netcore_perform_for(), without the GIL. In the main thread it waits in slices: Python
  handles Ctrl-C only between two C calls.
- dispatch() and groups need someone who waits: a thread that starts with the first of them, takes every completion
  and runs the callbacks.
"""

from __future__ import annotations

import os
import threading
import time
from ctypes import byref, c_uint64
from threading import get_ident
from typing import Any, Optional

from .._c import ffi
from .._c.buffers import SIZE_OF_COMPLETION, CompletionArray, Out, argument_of, borrow_out, return_out
from .._c.threads import Thread, start_thread
from .._errors.errors import Canceled
from .._errors.failures import no_hooks
from .._requests.factory import Prepared
from .._responses.download import Download
from .._responses.progress import Look
from .._responses.response import Response, take_out
from .._responses.streamed import StreamedResponse
from .core import Core
from .downloading import PROGRESS_SECONDS, Job
from .slots import SlotWait

SLICE_MS = 200
"""How long Ctrl-C may go unnoticed in the main thread."""

TAKEN_AT_ONCE = 64

_SLICE = c_uint64(SLICE_MS)
_PROGRESS_SLICE = c_uint64(int(PROGRESS_SECONDS * 1000))
_NO_TIMEOUT = c_uint64(ffi.NO_TIMEOUT)
_SLICE_ARGUMENT = argument_of(SLICE_MS)
_NO_TIMEOUT_ARGUMENT = argument_of(ffi.NO_TIMEOUT)

_main_thread = threading.main_thread().ident


def _find_main_thread() -> None:
    global _main_thread
    _main_thread = threading.main_thread().ident


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_find_main_thread)


def wait_time() -> c_uint64:
    """How long this thread may wait in C at once."""
    return _SLICE if get_ident() == _main_thread else _NO_TIMEOUT


class BlockingCore(Core):
    """The core of the blocking client."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._callback_thread: Optional[Thread] = None
        self._callback_ident = 0

    def is_callback_thread(self) -> bool:
        """Whether this is the thread that takes completions and runs callbacks."""
        return self._callback_ident == get_ident()

    def receive(self) -> None:
        """Makes sure that completions are taken, before the first one can come that no call waits for."""
        if self._callback_thread is not None:
            return
        with self.lock:
            if self._callback_thread is None and not self.is_closed:
                self._callback_thread = start_thread(self._take_all, "netcore-completions")

    def _take_all(self) -> None:
        """The thread: delivers completions until the client is shut down and nothing is pending."""
        self._callback_ident = get_ident()
        completions = CompletionArray(TAKEN_AT_ONCE)
        while self.pending or not self.is_closed:
            if ffi.fast_wait(
                self.handle,
                completions.address,
                completions.capacity,
                SIZE_OF_COMPLETION,
                _NO_TIMEOUT,
                completions.count_address,
            ):
                break
            self.deliver(completions)
        self.abandon_pending()
        self.destroy()

    # Calls that block

    def perform(self, prepared: Prepared) -> Response:
        """Sends a request and waits for its response. Canceled when the wait is interrupted."""
        timeout = _SLICE_ARGUMENT if get_ident() == _main_thread else _NO_TIMEOUT_ARGUMENT
        look: Optional[Look] = None
        if prepared.watch is not None:
            look = Look(prepared.watch)
            timeout = argument_of(min(wait_time().value, prepared.watch.interval_ms))
        if self.hooks is not no_hooks:
            self.check_wait(prepared)
        out = borrow_out()
        try:
            status = ffi.fast_perform_for(
                self.handle_argument, prepared.argument, timeout, out.task_address, out.handle_address, None
            )
            while status == ffi.ERR_IN_PROGRESS:
                if look is not None:
                    look.at(out.task.value)
                status = ffi.fast_task_wait(out.task, timeout, out.handle_address, None)
            if status or self.functions is not None:
                self._check_result(out, status, prepared)
            response = take_out(out, prepared.request)
            return_out(out)
        except BaseException:
            self._give_up(out)
            raise
        if prepared.watch is not None:
            prepared.watch.tell_end(len(response._body))
        return response

    def download(self, job: Job) -> Download:
        """Downloads and waits for the end. Canceled when the wait is interrupted."""
        timeout = _NO_TIMEOUT if get_ident() != _main_thread and job.look.function is None else _PROGRESS_SLICE
        self.check_wait(job.prepared)
        task, response = c_uint64(), c_uint64()
        try:
            status = ffi.download(
                self.handle, job.prepared.handle, job.path, byref(job.options), timeout, byref(task), byref(response)
            )
            while status == ffi.ERR_IN_PROGRESS:
                job.look.at(task.value)
                status = ffi.task_wait(task, timeout, byref(response), None)
            if status == ffi.ERR_INVALID_HANDLE and task.value:  # the client was destroyed between two waits
                raise Canceled("the client was closed", status=ffi.ERR_CANCELED, request=job.prepared.request)
            if not response.value:
                raise self.call_error(status, job.prepared.request)
        except BaseException:
            if task.value and ffi.task_cancel(task) == 0:
                ffi.task_wait(task, _NO_TIMEOUT, byref(response), None)
            ffi.response_release(response)
            raise
        if status:
            job.fail(response.value, status)
        download = job.result(response.value)
        job.look.tell_end(download)
        return download

    def open_stream(self, prepared: Prepared, window: int, slot_seconds: Optional[float] = None) -> StreamedResponse:
        """Sends a request and waits for the head of its answer. Canceled when the wait is interrupted.

        :param slot_seconds: how long it may wait for its slot.
        """
        timeout = wait_time()
        slot = SlotWait(slot_seconds, prepared.request)
        if self.hooks is not no_hooks:
            self.check_wait(prepared)
        out = borrow_out()
        try:
            status = ffi.fast_perform_streamed_for(
                self.handle,
                prepared.handle,
                c_uint64(window),
                slot.bounded(timeout),
                out.task_address,
                out.handle_address,
                out.info_address,
            )
            while status == ffi.ERR_IN_PROGRESS:
                slot.check(out.task.value)
                status = ffi.fast_task_wait(out.task, slot.bounded(timeout), out.handle_address, out.info_address)
            self._check_result(out, status, prepared)
            return self.streamed_response(StreamedResponse, out, prepared, wait_time)
        except BaseException:
            self._give_up(out)
            raise

    def _check_result(self, out: Out, status: int, prepared: Prepared) -> None:
        """Raises what a call ended with that waited for a response, unless that is in `out`."""
        if status == ffi.ERR_INVALID_HANDLE and out.task.value:  # the client was destroyed between two waits
            raise Canceled("the client was closed", status=ffi.ERR_CANCELED, request=prepared.request)
        if self.functions is not None:
            self.functions.raise_failure()
        if status == 0:
            return
        if not out.handle_words[0]:
            raise self.call_error(status, prepared.request)
        raise self.task_error(out.handle_words[0], status, prepared.request, prepared.raised)

    @staticmethod
    def _give_up(out: Out) -> None:
        """Ends the task of a call that was interrupted, if there is one, and frees its response."""
        if ffi.task_cancel(out.task) == 0:
            ffi.fast_task_wait(out.task, _NO_TIMEOUT, out.handle_address, None)
        ffi.fast_release(out.handle)  # nothing happens when there is none

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
        if not self.is_callback_thread() and not self.is_filter_thread():
            if self._callback_thread is not None:
                self._callback_thread.join()
            if raises:
                self.raise_failure()
            self.report_failures()

    def _end(self) -> None:
        """After shut_down(): the thread delivers what is pending, then frees the client; otherwise do it here."""
        if self._callback_thread is None or not self.pending:
            self.destroy()

    def finalize(self) -> None:
        """The client was dropped without close(); nothing is in flight."""
        if not self.is_closed:
            self.shut_down()
            self._end()
        self.report_failures()

    def end_at_exit(self, deadline: float) -> None:
        self._end()
        if self._callback_thread is not None:
            self._callback_thread.join(max(0.0, deadline - time.monotonic()))

    def after_fork(self) -> None:
        self._callback_thread = None
        self._callback_ident = 0
        super().after_fork()
