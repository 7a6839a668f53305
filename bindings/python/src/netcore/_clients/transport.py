"""Transports of the user's: a function that answers a client's requests in place of the network.

C calls it on a thread of the client's.
"""

from __future__ import annotations

import asyncio
import inspect
import weakref
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Union

from .._c import ffi
from .._c.lent import Owner, find
from .._errors.errors import Error
from .._errors.raising import call_error, usual_status
from .._functions.filter_request import FilterRequest
from .._responses.request import Request
from .._responses.response import Response

if TYPE_CHECKING:
    from .core import Core

Handler = Callable[[Request], Union[Response, Awaitable[Response]]]

FIRST_STATUS = 400
"""The lowest status that a hop may fail with."""


class MockTransport:
    """Answers the requests of a client by a function, in place of the network: for tests without a socket.

    ``Client(transport=MockTransport(lambda request: Response(200, json={"url": request.url})))``

    Everything else works as it does with the network: filters, cookies, tokens, the cache, redirects and timeouts. Each
    request on the wire, that of a redirect too, is a call.

    :param function: called with a `Request`, with all header fields and the `content` that would be sent; returns a
        `Response`. For an `AsyncClient` it may be async, and then runs in the event loop; else it runs in a thread of
        the client's, one call at a time, and must not wait for requests of the same client. If it raises an `Error` of
        netcore's, such as `ConnectTimeout("too slow")`, the request ends with that; anything else ends it with
        `Refused`, whose ``__cause__`` it is, is logged, and raised by `close`.
    """

    def __init__(self, function: Handler) -> None:
        if not callable(function):
            raise TypeError(f"transport: a function expected, not {type(function).__name__}")
        self.function = function


class Transport(Owner):
    """The transport of one client, which owns this."""

    def __init__(self, core: Core, given: Union[MockTransport, Handler]) -> None:
        super().__init__()
        self._core = weakref.ref(core)
        self._function = (given if isinstance(given, MockTransport) else MockTransport(given)).function

    def set_on(self, client: Any) -> int:
        """Tells a netcore_client of it, and returns the status."""
        return self.lend(
            None, lambda number, release: ffi.client_set_transport(client, _call_transport, number, release)
        )

    def answer(self, hop: int, handle: int) -> None:
        """Answers a hop, now or later. Never raises."""
        try:
            answer = self._function(request_of(handle))
            if inspect.isawaitable(answer):
                self._await(hop, answer)
            else:
                _give(hop, answer)
        except BaseException as error:
            self._fail(hop, error)

    def _await(self, hop: int, awaitable: Awaitable[Response]) -> None:
        """Answers a hop with what the event loop makes."""

        async def result() -> Response:
            return await awaitable

        def take(future: "Future[Response]") -> None:
            try:
                _give(hop, future.result())
            except BaseException as error:
                self._fail(hop, error)

        loop = getattr(self._core(), "loop", None)
        if loop is None or not loop.is_running():
            if inspect.iscoroutine(awaitable):
                awaitable.close()
            raise TypeError("transport: an async function needs an AsyncClient")
        asyncio.run_coroutine_threadsafe(result(), loop).add_done_callback(take)

    def _fail(self, hop: int, error: BaseException) -> None:
        """Ends a hop with an error."""
        status = usual_status(error) if isinstance(error, Error) else 0
        if isinstance(error, Error) and status >= FIRST_STATUS:
            message = error.message
        else:
            core = self._core()
            status, message = ffi.ERR_REFUSED, f"the transport raised {type(error).__name__}: {error}"
            if core is not None:
                core.keep_failure(error)
                status = core.keep_for_task(error)
        text = message.encode("utf-8", "replace").replace(b"\0", b" ")
        ffi.hop_fail(hop, status, text)  # a hop that has ended needs no error


def request_of(handle: int) -> Request:
    """What goes on the wire."""
    view = FilterRequest(handle)
    try:
        return Request(view.method, view.url, headers=view.headers.multi_items(), content=view.content or b"")
    finally:
        view.close()


def _give(hop: int, response: Any) -> None:
    """Answers a hop."""
    if not isinstance(response, Response):
        raise TypeError(f"transport: netcore.Response expected, not {type(response).__name__}")
    lines = b"".join(name + b": " + value + b"\r\n" for name, value in response.headers.raw)
    body = response.content
    status = ffi.hop_answer(hop, response.status_code, lines, body, len(body))
    if status not in (ffi.OK, ffi.ERR_INVALID_HANDLE):  # the latter if the hop has ended
        raise call_error(status)


def _transport(hop: int, request: int, number: int) -> None:
    """A netcore_transport_fn."""
    found = find(number)
    if found is None:
        ffi.hop_fail(hop, ffi.ERR_CONNECT, None)
    else:
        found[0].answer(hop, request)


_call_transport = ffi.for_ever(ffi.TransportFn(_transport))
