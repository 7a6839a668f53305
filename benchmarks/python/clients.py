"""One function for each client: it sends what the window asks for, as its documentation advises, and reads each answer:
status, a header field, body."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from load import Window


def _in_threads(window: Window, get: Callable[[str], tuple[int, str | None, bytes]]) -> None:
    """Sends by a blocking function, from as many threads as requests at once."""

    def work() -> None:
        while started_ns := window.start():
            window.count(started_ns, *get(window.url))

    if window.concurrency == 1:
        work()
        return
    threads = [threading.Thread(target=work) for _ in range(window.concurrency)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


async def _in_tasks(window: Window, get: Callable[[str], Awaitable[tuple[int, str | None, bytes]]]) -> None:
    """Sends by a coroutine function, from as many tasks as requests at once."""

    async def work() -> None:
        while started_ns := window.start():
            window.count(started_ns, *await get(window.url))

    await asyncio.gather(*(work() for _ in range(window.concurrency)))


def netcore_sync(window: Window) -> None:
    import netcore

    with netcore.Client() as client:

        def get(url: str) -> tuple[int, str | None, bytes]:
            response = client.get(url)
            return response.status_code, response.headers["content-type"], response.content

        _in_threads(window, get)


def netcore_asyncio(window: Window) -> None:
    import netcore

    async def run() -> None:
        async with netcore.AsyncClient() as client:

            async def get(url: str) -> tuple[int, str | None, bytes]:
                response = await client.get(url)
                return response.status_code, response.headers["content-type"], response.content

            await _in_tasks(window, get)

    asyncio.run(run())


def requests_sync(window: Window) -> None:
    import requests

    with requests.Session() as session:
        session.mount("http://", requests.adapters.HTTPAdapter(pool_maxsize=window.concurrency))

        def get(url: str) -> tuple[int, str | None, bytes]:
            response = session.get(url)
            return response.status_code, response.headers["content-type"], response.content

        _in_threads(window, get)


def httpx_sync(window: Window) -> None:
    import httpx

    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    with httpx.Client(limits=limits) as client:

        def get(url: str) -> tuple[int, str | None, bytes]:
            response = client.get(url)
            return response.status_code, response.headers["content-type"], response.content

        _in_threads(window, get)


def httpx_asyncio(window: Window) -> None:
    import httpx

    async def run() -> None:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        async with httpx.AsyncClient(limits=limits) as client:

            async def get(url: str) -> tuple[int, str | None, bytes]:
                response = await client.get(url)
                return response.status_code, response.headers["content-type"], response.content

            await _in_tasks(window, get)

    asyncio.run(run())


def aiohttp_asyncio(window: Window) -> None:
    import aiohttp

    async def run() -> None:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

            async def get(url: str) -> tuple[int, str | None, bytes]:
                async with session.get(url) as response:
                    return response.status, response.headers["content-type"], await response.read()

            await _in_tasks(window, get)

    asyncio.run(run())


def aiohttp_uvloop(window: Window) -> None:
    _by_uvloop(window, aiohttp_asyncio)


def netcore_uvloop(window: Window) -> None:
    _by_uvloop(window, netcore_asyncio)


def _by_uvloop(window: Window, client: Callable[[Window], None]) -> None:
    """Runs a client of asyncio in uvloop's event loop."""
    import uvloop

    uvloop.install()
    client(window)


def wreq_asyncio(window: Window) -> None:
    import wreq

    async def run() -> None:
        client = wreq.Client()

        async def get(url: str) -> tuple[int, str | None, bytes]:
            response = await client.get(url)
            return response.status.as_int(), _text(response.headers.get("content-type")), await response.bytes()

        await _in_tasks(window, get)

    asyncio.run(run())


def redc_asyncio(window: Window) -> None:
    import redc

    async def run() -> None:
        async with redc.Client(http_version="1.1", max_host_connections=window.concurrency) as client:

            async def get(url: str) -> tuple[int, str | None, bytes]:
                response = await client.get(url)
                return response.status_code, response.headers["content-type"], response.content

            await _in_tasks(window, get)

    asyncio.run(run())


def pyreqwest_asyncio(window: Window) -> None:
    from pyreqwest.client import ClientBuilder

    async def run() -> None:
        async with ClientBuilder().build() as client:

            async def get(url: str) -> tuple[int, str | None, bytes]:
                response = await client.get(url).build().send()
                return response.status, response.headers["content-type"], bytes(await response.bytes())

            await _in_tasks(window, get)

    asyncio.run(run())


def ry_sync(window: Window) -> None:
    import ry

    client = ry.BlockingClient()

    def get(url: str) -> tuple[int, str | None, bytes]:
        response = client.get(url)
        return response.status_code, _text(response.headers["content-type"]), bytes(response.bytes())

    _in_threads(window, get)


def _text(value: Any) -> str | None:
    """A header field of a client that has bytes of them, or text."""
    return value.decode("latin-1") if isinstance(value, bytes) else value


def pycurl_sync(window: Window) -> None:
    """One easy handle, used over and over; with more at once, one for each of them in a multi handle over epoll."""
    if window.concurrency == 1:
        _pycurl_easy(window)
    else:
        _PycurlMulti(window).run()


class _PycurlTransfer:
    """An easy handle that stores header lines and body."""

    def __init__(self, url: str) -> None:
        import pycurl

        self._status = pycurl.RESPONSE_CODE
        self.headers: list[bytes] = []
        self.body: list[bytes] = []
        self.started_ns = 0
        self.easy: Any = pycurl.Curl()
        self.easy.setopt(pycurl.URL, url)
        self.easy.setopt(pycurl.HEADERFUNCTION, lambda line: self.headers.append(line))
        self.easy.setopt(pycurl.WRITEFUNCTION, lambda data: self.body.append(data))

    def begin(self, started_ns: int) -> None:
        self.started_ns = started_ns
        self.headers.clear()
        self.body.clear()

    def result(self) -> tuple[int, str | None, bytes]:
        return self.easy.getinfo(self._status), self._field(b"content-type:"), b"".join(self.body)

    def _field(self, name: bytes) -> str | None:
        for line in self.headers:
            if line[: len(name)].lower() == name:
                return line[len(name) :].strip().decode("latin-1")
        return None


def _pycurl_easy(window: Window) -> None:
    transfer = _PycurlTransfer(window.url)
    while started_ns := window.start():
        transfer.begin(started_ns)
        transfer.easy.perform()
        window.count(started_ns, *transfer.result())


class _PycurlMulti:
    def __init__(self, window: Window) -> None:
        import select
        import time

        import pycurl

        self._window = window
        self._pycurl = pycurl
        self._epoll = select.epoll()
        self._known: set[int] = set()
        self._deadline: float | None = None
        self._now = time.monotonic
        self._multi: Any = pycurl.CurlMulti()
        self._multi.setopt(pycurl.M_SOCKETFUNCTION, self._on_socket)
        self._multi.setopt(pycurl.M_TIMERFUNCTION, self._on_timer)
        self._transfers = {
            transfer.easy: transfer for transfer in (_PycurlTransfer(window.url) for _ in range(window.concurrency))
        }
        self._running = 0

    def _on_socket(self, what: int, fd: int, multi: object, data: object) -> None:
        if what == self._pycurl.POLL_REMOVE:
            self._known.discard(fd)
            self._epoll.unregister(fd)
            return
        events = (1 if what & self._pycurl.POLL_IN else 0) | (4 if what & self._pycurl.POLL_OUT else 0)
        if fd in self._known:
            self._epoll.modify(fd, events)
        else:
            self._known.add(fd)
            self._epoll.register(fd, events)

    def _on_timer(self, timeout_ms: int) -> None:
        self._deadline = None if timeout_ms < 0 else self._now() + timeout_ms / 1000

    def _start(self, transfer: _PycurlTransfer) -> None:
        if started_ns := self._window.start():
            transfer.begin(started_ns)
            self._multi.add_handle(transfer.easy)
            self._running += 1

    def _finish(self, easy: object) -> None:
        transfer = self._transfers[easy]
        self._multi.remove_handle(easy)
        self._running -= 1
        self._window.count(transfer.started_ns, *transfer.result())
        self._start(transfer)

    def run(self) -> None:
        pycurl = self._pycurl
        for transfer in self._transfers.values():
            self._start(transfer)
        while self._running:
            wait = 60.0 if self._deadline is None else max(self._deadline - self._now(), 0.0)
            for fd, events in self._epoll.poll(wait):
                mask = (pycurl.CSELECT_IN if events & 1 else 0) | (pycurl.CSELECT_OUT if events & 4 else 0)
                self._multi.socket_action(fd, mask or pycurl.CSELECT_ERR)
            if self._deadline is not None and self._deadline <= self._now():
                self._deadline = None
                self._multi.socket_action(pycurl.SOCKET_TIMEOUT, 0)
            more = True
            while more:
                left, good, bad = self._multi.info_read()
                more = left > 0
                for easy in good:
                    self._finish(easy)
                for _, code, message in bad:
                    raise RuntimeError(f"pycurl: {code} {message}")


CLIENTS: dict[str, Callable[[Window], None]] = {
    "netcore-sync": netcore_sync,
    "netcore-asyncio": netcore_asyncio,
    "requests": requests_sync,
    "httpx-sync": httpx_sync,
    "httpx-asyncio": httpx_asyncio,
    "netcore-uvloop": netcore_uvloop,
    "aiohttp": aiohttp_asyncio,
    "aiohttp-uvloop": aiohttp_uvloop,
    "wreq": wreq_asyncio,
    "redc": redc_asyncio,
    "pyreqwest": pyreqwest_asyncio,
    "ry-sync": ry_sync,
    "pycurl": pycurl_sync,
}
