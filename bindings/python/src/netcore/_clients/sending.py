"""How requests are sent: the same for both clients, of which one answers with responses, the other with coroutines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Generic, Optional, Type, TypeVar

from .._requests.options import RequestOptions
from .._responses.response import Response
from .._tasks.callbacks import FailureFunction, SuccessFunction, combined
from .._tasks.task import BaseTask
from .core import Core

if TYPE_CHECKING:
    from typing_extensions import Unpack

Answer = TypeVar("Answer")
TaskOf = TypeVar("TaskOf", bound=BaseTask)


class Sending(Generic[Answer, TaskOf]):
    """What sends requests."""

    _core: Core
    _task_type: Type[TaskOf]

    def _send(self, method: str, url: str, options: RequestOptions) -> Answer:
        raise NotImplementedError

    def get(self, url: str, **options: Unpack[RequestOptions]) -> Answer:
        """Sends a GET. See `request`."""
        return self._send("GET", url, options)

    def head(self, url: str, **options: Unpack[RequestOptions]) -> Answer:
        """Sends a HEAD. See `request`."""
        return self._send("HEAD", url, options)

    def options(self, url: str, **options: Unpack[RequestOptions]) -> Answer:
        """Sends an OPTIONS. See `request`."""
        return self._send("OPTIONS", url, options)

    def post(self, url: str, **options: Unpack[RequestOptions]) -> Answer:
        """Sends a POST. See `request`."""
        return self._send("POST", url, options)

    def put(self, url: str, **options: Unpack[RequestOptions]) -> Answer:
        """Sends a PUT. See `request`."""
        return self._send("PUT", url, options)

    def patch(self, url: str, **options: Unpack[RequestOptions]) -> Answer:
        """Sends a PATCH. See `request`."""
        return self._send("PATCH", url, options)

    def delete(self, url: str, **options: Unpack[RequestOptions]) -> Answer:
        """Sends a DELETE. See `request`."""
        return self._send("DELETE", url, options)

    def request(self, method: str, url: str, **options: Unpack[RequestOptions]) -> Answer:
        """Sends a request. Its response comes whatever the status code.

        A `Client` waits for the response and returns it; in the main thread Ctrl-C ends the wait within 0.2 seconds and
        cancels the transfer. An `AsyncClient` returns a coroutine for it; when the awaiting asyncio task is canceled
        the transfer is too, and asyncio.CancelledError is raised as usual.

        :param url: an absolute URL, or one relative to the client's `base_url` or to a service (`add_service`).
        :param options: see `RequestOptions`.
        :raises InvalidRequest: a method, URL, header, option or body that is not allowed; nothing was sent.
        :raises TypeError: an argument of a wrong type, or an unknown option. The latter is raised at once, also by
            an `AsyncClient`.
        :raises StateError: the client is closed.
        :raises BodyError: the body cannot be read; its ``__cause__`` is what a file or iterable raised.
        :raises Refused: a filter, or a function of `set_token_source` or `on_challenge`, refused the request; its
            ``__cause__`` is what that raised.
        :raises Error: no whole response came: `TimeoutException`, `ConnectError`, `TLSError` and so on.
        """
        return self._send(method, url, options)

    def dispatch(
        self,
        method: str,
        url: str,
        *,
        on_done: Optional[Callable[[TaskOf], object]] = None,
        on_success: Optional[SuccessFunction] = None,
        on_failure: Optional[FailureFunction] = None,
        silent_cancel: bool = False,
        on_early: Optional[Callable[[TaskOf, Response], object]] = None,
        **options: Unpack[RequestOptions],
    ) -> TaskOf:
        """Starts a request and returns its task at once. With an `AsyncClient` call it inside the event loop; its task
        can be awaited.

        :param on_done: called with the task when it has ended, also when it was canceled. All callbacks of a `Client`
            run in one thread of its own, those of an `AsyncClient` in the event loop. What it raises is logged, and
            kept until the task's result, `wait` of its group, or `close` or `aclose` raises it.
        :param on_success: called with the response, before `on_done`.
        :param on_failure: called with the error, before `on_done`; `Canceled` for a task that was canceled.
        :param silent_cancel: none of the three is called for a task that you canceled, by the task, its id, its tag or
            its group. Default False.
        :param on_early: called before that with the task and each response that is not the final one: what is stored,
            with ``cache_mode=CacheMode.CACHE_THEN_NETWORK``, and interim answers (1xx), with ``interim=True``. What it
            raises cancels the task, and is kept.
        :raises LimitError: the queue is full.

        Otherwise as `request`.
        """
        core = self._core
        ended = combined(on_done, on_success, on_failure, silent_cancel)
        prepared = core.requests.get(method, url, options)
        core.receive()
        task = self._task_type(self, core, prepared, ended, on_early)
        task.id = core.dispatch(prepared, task)
        return task

    def task(
        self,
        method: str,
        url: str,
        *,
        on_done: Optional[Callable[[TaskOf], object]] = None,
        on_success: Optional[SuccessFunction] = None,
        on_failure: Optional[FailureFunction] = None,
        silent_cancel: bool = False,
        on_early: Optional[Callable[[TaskOf, Response], object]] = None,
        **options: Unpack[RequestOptions],
    ) -> TaskOf:
        """Makes a task that goes out when its `dispatch()` is called. Parameters as in `dispatch`.

        One that is never dispatched ends as canceled when the client is closed.
        """
        core = self._core
        ended = combined(on_done, on_success, on_failure, silent_cancel)
        prepared = core.requests.get(method, url, options)
        core.receive()
        task = self._task_type(self, core, prepared, ended, on_early)
        task.id = core.create(prepared, task)
        return task
