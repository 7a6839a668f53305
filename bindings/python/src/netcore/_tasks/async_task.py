"""Tasks and groups of the asyncio client."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Callable, Generator, List, Optional, Type

from .._c import ffi
from .._errors.errors import Error, StateError
from .._responses.response import Response
from .application_task import ApplicationTask
from .async_work import AsyncWork
from .group import BaseGroup
from .group_options import GroupOptions
from .task import BaseTask

if TYPE_CHECKING:
    from .._clients.loop import LoopCore
    from .._requests.factory import Prepared


class Waiters:
    """Coroutines that await one end, each by a future of its own: canceling one leaves the others alone."""

    __slots__ = ("_futures",)

    def __init__(self) -> None:
        self._futures: List[asyncio.Future[None]] = []

    async def wait(self) -> None:
        """Waits for `wake`."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._futures.append(future)
        try:
            await future
        finally:
            if future in self._futures:
                self._futures.remove(future)

    def wake(self) -> None:
        """Ends all waits."""
        futures, self._futures = self._futures, []
        for future in futures:
            if not future.done() and not future.get_loop().is_closed():
                future.set_result(None)


class AsyncTask(BaseTask):
    """One dispatch of a request by an `AsyncClient`. ``await task`` gives the `Response`, or raises why there is none.

    Canceling the coroutine that awaits it cancels the transfer. Any number of coroutines may await it.
    """

    __slots__ = ("_is_done", "_waiters")

    def __init__(
        self,
        client: Any,
        core: LoopCore,
        prepared: Prepared,
        on_done: Optional[Callable[[AsyncTask], object]],
        on_early: Optional[Callable[[AsyncTask, Response], object]],
    ) -> None:
        super().__init__(client, core, prepared, on_done, on_early)
        self._is_done = False
        self._waiters = Waiters()

    def __await__(self) -> Generator[Any, None, Response]:
        return self._wait().__await__()

    async def _wait(self) -> Response:
        if not self._is_done:
            try:
                await self._waiters.wait()
            except (asyncio.CancelledError, GeneratorExit):
                self.cancel()
                raise
        return self._outcome()

    def done(self) -> bool:
        """Whether the task has ended and its `on_done` has returned."""
        return self._is_done

    def result(self) -> Response:
        """The response of a task that has ended; it is so in `on_done`. Does not wait.

        :raises StateError: the task has not ended.
        :raises Error: why the task failed; `Canceled` when it was canceled.
        :raises BaseException: what `on_done` or `on_early` raised.
        """
        if not self._has_ended:
            raise StateError("the task has not ended; await it", status=ffi.ERR_INVALID_STATE)
        return self._outcome()

    def finish(self, handle: int, status: int, response: int) -> None:
        """Takes the completion. Not for users."""
        self._settle(handle, status, response)
        self._is_done = True
        self._waiters.wake()

    def abandon(self, error: Error) -> None:
        """Ends the task when no completion will come. Not for users."""
        self._error = error
        self._has_ended = self._is_done = True
        self._waiters.wake()


class AsyncGroup(BaseGroup[AsyncTask]):
    """Tasks of an `AsyncClient` with one notification, made by `AsyncClient.group()`.

    The notification comes after the `on_done` of every member has returned, also when all were canceled, and for an
    empty group too. A group that is dropped without `dispatch()` is canceled.
    """

    _core: LoopCore
    _task_type = AsyncTask
    _work_type: Type[ApplicationTask] = AsyncWork

    def __init__(self, client: Any, core: LoopCore, options: GroupOptions) -> None:
        super().__init__(client, core, options)
        self._is_done = False
        self._waiters = Waiters()

    def dispatch(self, notify: Optional[Callable[[AsyncGroup], object]] = None) -> None:
        """Dispatches all members. Does not wait.

        :param notify: called with the group when all have ended, in the event loop.
        :raises StateError: the group was dispatched or canceled, or the client is closed.
        """
        self._core.attach()
        self._dispatch(notify)

    async def wait(self) -> List[AsyncTask]:
        """Waits for the end of the group and of `notify`, and returns `tasks`; await each for its result.

        Canceling this wait leaves the group alone; `cancel()` ends it. For a bound, use asyncio.wait_for.

        :raises StateError: the group was not dispatched.
        :raises BaseException: as `Group.wait`.
        """
        if not self._ends_early() and not self._is_done:
            await self._waiters.wait()
        self._raise_failure()
        return self.tasks

    def _open(self) -> None:
        self._is_done = True
        self._waiters.wake()
