"""Streamed responses of the asyncio client."""

from __future__ import annotations

import asyncio
from typing import Optional

from .._c import ffi
from .._errors.errors import Error
from .._requests.factory import Prepared
from .core import Core
from .slots import is_queued, slot_error


class StreamCall:
    """A streamed request: its head, and what comes of its body, for the coroutine that awaits it."""

    __slots__ = ("_error", "_loop", "_more", "core", "head", "raised", "request")

    def __init__(self, core: Core, prepared: Prepared, loop: asyncio.AbstractEventLoop) -> None:
        self.core = core
        self.request = prepared.request
        self.raised = prepared.raised
        self.head: asyncio.Future[int] = loop.create_future()
        """The netcore_response."""
        self._loop = loop
        self._more: Optional[asyncio.Future[None]] = None
        self._error: Optional[Error] = None

    async def readable(self) -> None:
        """Waits until there is something to read, after a read that found nothing."""
        if self._error is not None:
            raise self._error
        self._more = self._loop.create_future()
        await self._more

    def hear(self, task: int, kind: int, response: int) -> None:
        """Takes an event."""
        if kind == ffi.COMPLETION_KIND_HEAD and not self._is_over():
            self.head.set_result(response)
            return
        if response:
            ffi.response_release(response)
        if kind == ffi.COMPLETION_KIND_READABLE:
            self._wake()

    def finish(self, handle: int, status: int, response: int) -> None:
        """Takes the end: all of the body has come, or an error."""
        if not self._is_over():
            self.head.set_exception(self.core.task_error(response, status, self.request, self.raised))
        if response:
            ffi.response_release(response)
        self._wake()

    def abandon(self, error: Error) -> None:
        """Ends the call when no completion will come."""
        self._error = error
        if not self._is_over():
            self.head.set_exception(error)
        self._wake()

    def check_slot(self, task: int) -> None:
        """Ends a task that still waits for its slot."""
        if not self._is_over() and is_queued(task):
            self.head.set_exception(slot_error(self.request))
            ffi.task_cancel(task)

    def give_up(self, task: int) -> None:
        """The head is not awaited any more."""
        ffi.task_cancel(task)
        if self.head.done() and not self.head.cancelled() and self.head.exception() is None:
            ffi.response_release(self.head.result())

    def _is_over(self) -> bool:
        """Whether no head is awaited."""
        return self.head.done() or self._loop.is_closed()

    def _wake(self) -> None:
        more, self._more = self._more, None
        if more is not None and not more.done() and not self._loop.is_closed():
            more.set_result(None)
