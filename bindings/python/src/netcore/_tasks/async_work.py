"""Work of the application's own in a group of the asyncio client."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any, Optional

from .._c import ffi
from .application_task import ApplicationFunction, ApplicationTask


class AsyncWork(ApplicationTask):
    """An `ApplicationTask` whose `resume` may be a coroutine function. What the coroutine returns is its result; what
    it raises is why it failed. A cancel cancels the coroutine."""

    __slots__ = ("_coroutine",)

    _coroutine: Optional[asyncio.Future[Any]]

    def _call(self, function: ApplicationFunction) -> None:
        answer = function(self)
        if inspect.isawaitable(answer):
            self._coroutine = asyncio.ensure_future(answer)
            self._coroutine.add_done_callback(self._worked)

    def _worked(self, coroutine: asyncio.Future[Any]) -> None:
        """The coroutine has ended. It may have called `complete` or `send`: that then counts."""
        if coroutine.cancelled():
            ffi.task_complete(self.id, ffi.ERR_CANCELED)
            return
        error = coroutine.exception()
        if error is not None:
            self.complete(error)
        elif self._sent is None:
            self.complete(result=coroutine.result())

    def _tell_canceled(self) -> None:
        super()._tell_canceled()
        coroutine = getattr(self, "_coroutine", None)
        if coroutine is not None and not coroutine.done():
            coroutine.cancel()
