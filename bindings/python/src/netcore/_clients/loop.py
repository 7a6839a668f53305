"""How the asyncio client receives completions: the event loop watches the C client's descriptor, and drives that."""

from __future__ import annotations

import asyncio
from ctypes import byref, c_int32, c_uint64
from typing import Any, List, Optional, Tuple

from .._c import ffi
from .._c.buffers import SIZE_OF_COMPLETION, CompletionArray, argument_of, borrow_out
from .._errors.errors import Error, StateError
from .._requests.factory import Prepared
from .._requests.options import RequestOptions
from .._responses.async_streamed import AsyncStreamedResponse
from .._responses.download import Download
from .._responses.response import Response, take_response
from .._tasks.async_task import AsyncTask
from .core import Core
from .downloading import PROGRESS_SECONDS, Job
from .streaming import StreamCall

TAKEN_AT_ONCE = 64

_NO_WAIT = argument_of(0)


class Call:
    """A request that one coroutine awaits."""

    __slots__ = ("core", "future", "prepared")

    def __init__(self, core: LoopCore, prepared: Prepared, future: asyncio.Future[Response]) -> None:
        self.core = core
        self.prepared = prepared
        self.future = future

    def finish(self, handle: int, status: int, response: int) -> None:
        """Takes the completion."""
        future, prepared = self.future, self.prepared
        loop = future.get_loop()  # that of the core runs
        if future.done() or (loop is not self.core.loop and loop.is_closed()):
            if response:
                ffi.response_release(response)
        elif status == 0:
            try:
                future.set_result(take_response(response, prepared.request))
            except (Error, MemoryError) as error:
                future.set_exception(error)
        else:
            future.set_exception(self.core.task_error(response, status, prepared.request, prepared.raised))
            if response:
                ffi.response_release(response)

    def abandon(self, error: Error) -> None:
        """Ends the call when no completion will come."""
        if not self.future.done() and not self.future.get_loop().is_closed():
            self.future.set_exception(error)


class DownloadCall:
    """A download that one coroutine awaits."""

    __slots__ = ("future",)

    def __init__(self, future: asyncio.Future[Tuple[int, int]]) -> None:
        self.future = future

    def finish(self, handle: int, status: int, response: int) -> None:
        """Takes the completion. The response goes to the coroutine."""
        future = self.future
        if not future.done() and not future.get_loop().is_closed():
            future.set_result((status, response))
        elif response:
            ffi.response_release(response)

    def abandon(self, error: Error) -> None:
        """Ends the call when no completion will come."""
        if not self.future.done() and not self.future.get_loop().is_closed():
            self.future.set_exception(error)


class LoopCore(Core):
    """The core of the asyncio client. Everything happens in the thread of the event loop, network I/O included."""

    _completions_mode = ffi.COMPLETION_MODE_LOOP_QUEUE

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.requests.is_async = True
        self.loop: Optional[asyncio.AbstractEventLoop] = None
        self._descriptor = -1
        self._completions = CompletionArray(TAKEN_AT_ONCE)
        self._idle: List[asyncio.Future[None]] = []

    def attach(self) -> asyncio.AbstractEventLoop:
        """Watches the descriptor in the running loop, and returns that.

        :raises StateError: the client is in use in another loop.
        """
        loop = asyncio.get_running_loop()
        if loop is self.loop:
            return loop
        if self.loop is not None and self.loop.is_running():
            raise StateError("the client is used from two event loops", status=ffi.ERR_INVALID_STATE)
        self._detach()
        descriptor = c_int32()
        status = ffi.client_get_descriptor(self.handle, byref(descriptor))
        if status:
            raise self.call_error(status)
        self._descriptor = descriptor.value
        loop.add_reader(self._descriptor, self._take)
        self.loop = loop
        return loop

    def receive(self) -> None:
        self.attach()

    def _detach(self) -> None:
        loop, self.loop = self.loop, None
        if loop is not None and not loop.is_closed():
            loop.remove_reader(self._descriptor)

    def _take(self) -> None:
        """The descriptor is readable: does a turn of the C client. What does not fit is left for the next one."""
        completions = self._completions
        status = ffi.fast_wait(
            self.handle_argument,
            completions.address,
            completions.capacity,
            SIZE_OF_COMPLETION,
            _NO_WAIT,
            completions.count_address,
        )
        if status == 0:
            self.deliver(completions)
        else:
            self.abandon_pending()
        if self._idle and not self.pending:
            self._wake_idle()

    def _wake_idle(self) -> None:
        idle, self._idle = self._idle, []
        for future in idle:
            if not future.done():
                future.set_result(None)

    async def request(
        self, method: str, url: str, options: RequestOptions, prepared: Optional[Prepared] = None
    ) -> Response:
        """Sends a request and awaits its response. Canceled when the coroutine is.

        :param prepared: one that is made already, in place of the others.
        """
        if prepared is None:
            prepared = self.requests.get(method, url, options)
        loop = self.loop
        if loop is not asyncio.get_running_loop():
            loop = self.attach()
        if prepared.watch is not None:
            watched = AsyncTask(None, self, prepared, None, None)
            watched.id = self.dispatch(prepared, watched)
            return await watched
        future: asyncio.Future[Response] = loop.create_future()
        task = self.dispatch(prepared, Call(self, prepared, future))
        if self.cache is not None:
            self._take()  # a fresh answer is there already: it need not pass the event loop
        try:
            return await future
        except (asyncio.CancelledError, GeneratorExit):
            ffi.task_cancel(task)
            raise

    async def download(self, job: Job) -> Download:
        """Downloads and awaits the end. Canceled when the coroutine is."""
        future: asyncio.Future[Tuple[int, int]] = self.attach().create_future()
        key = self.next_key()
        self.pending[key] = DownloadCall(future)
        task = c_uint64()
        status = ffi.download_dispatch(
            self.handle, job.prepared.handle, job.path, byref(job.options), None, key, byref(task)
        )
        if status:
            self.pending.pop(key, None)
            raise self.call_error(status, job.prepared.request)
        try:
            while job.look.function is not None and not future.done():
                await asyncio.wait([future], timeout=PROGRESS_SECONDS)
                if not future.done():
                    job.look.at(task.value)
            status, response = await future
        except BaseException:
            ffi.task_cancel(task)
            future.cancel()
            raise
        if status:
            job.fail(response, status)
        download = job.result(response)
        job.look.tell_end(download)
        return download

    async def open_stream(
        self, prepared: Prepared, window: int, slot_seconds: Optional[float] = None
    ) -> AsyncStreamedResponse:
        """Sends a request and awaits the head of its answer. Canceled when the coroutine is.

        :param slot_seconds: how long it may wait for its slot.
        """
        call = StreamCall(self, prepared, self.attach())
        task = self.dispatch_streamed(prepared, call, window)
        out = borrow_out()
        timer = None if slot_seconds is None else call.head.get_loop().call_later(slot_seconds, call.check_slot, task)
        try:
            out.handle_words[0] = await call.head
        except (asyncio.CancelledError, GeneratorExit):
            call.give_up(task)
            raise
        finally:
            if timer is not None:
                timer.cancel()
        return self.streamed_response(AsyncStreamedResponse, out, prepared, call.readable)

    # The end

    async def close(self, raises: bool = True) -> None:
        """Cancels what is in flight, awaits its end, frees the client, and raises what a callback raised.

        With raises=False that is reported: another exception is on its way already.
        """
        if not self.is_closed:
            self.shut_down()
            if self.loop is asyncio.get_running_loop():
                while self.pending:
                    future: asyncio.Future[None] = self.loop.create_future()
                    self._idle.append(future)
                    await future
            await self._end_beside()
        if raises:
            self.raise_failure()
        self.report_failures()

    async def _end_beside(self) -> None:
        """Waits in another thread for filters that still run, which may need the loop; then ends the client."""
        hooks = self.hooks()
        if hooks is not None:
            await asyncio.get_running_loop().run_in_executor(None, hooks.rest)
        self._end()

    def _end(self) -> None:
        self._detach()
        self.abandon_pending()
        self.destroy()

    def finalize(self) -> None:
        """The client was dropped without close(), perhaps in another thread than the loop's."""
        if self.is_closed:
            return
        self.shut_down()
        if self.loop is not None and self.loop.is_running():
            try:
                self.loop.call_soon_threadsafe(self._end)
            except RuntimeError:  # closed in the meantime
                self._end()
        else:
            self._end()
        self.report_failures()

    def after_fork(self) -> None:
        self.loop = None
        super().after_fork()
