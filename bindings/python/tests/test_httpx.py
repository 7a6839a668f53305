"""The transports for httpx and httpx2: each case through the package's own transport and through netcore's, with equal
results."""

from __future__ import annotations

import asyncio
import functools
import importlib
import importlib.util
import json
import socket
import ssl
import subprocess
import sys
from typing import Any, AsyncIterator, Callable, Dict, Iterator, List, Optional, Tuple

import httpx
import pytest

import netcore
import netcore.httpx
from bodies import pattern
from peers import Peers, aborted, received, script, until
from test_asyncio import eventually

PACKAGES = [name for name in ("httpx", "httpx2") if importlib.util.find_spec(name)]
HEAD = "HTTP/1.1 200 OK\r\n"


class Stack:
    """A client of httpx over one of the transports, with the same calls for threads and for asyncio."""

    def __init__(self, peers: Peers, package: str, name: str, **options: Any) -> None:
        self.peers = peers
        self.httpx: Any = importlib.import_module(package)
        self.is_async = name.endswith("async")
        tls = options.pop("tls", {})
        limit = options.pop("limit", None)
        transport: Any = None
        if limit is not None:
            options["limits"] = self.httpx.Limits(max_connections=limit)
        if name.startswith("netcore"):
            ours = importlib.import_module(f"netcore.{package}")
            make = ours.AsyncHTTPTransport if self.is_async else ours.HTTPTransport
            transport = make(**{"verify": peers.ca, "http2": False, "limits": netcore.Limits(transfers=limit), **tls})
        elif tls:
            options["verify"] = ssl.create_default_context(cafile=peers.ca)
            options["http2"] = tls.get("http2", False)
        options.setdefault("timeout", 20.0)
        options.setdefault("base_url", peers.origin)
        self.loop: Optional[asyncio.AbstractEventLoop] = None
        if self.is_async:
            self.loop = asyncio.new_event_loop()
            self.client: Any = self.httpx.AsyncClient(transport=transport, **options)
        else:
            self.client = self.httpx.Client(transport=transport, **options)

    def timeout(self, **seconds: float) -> Any:
        """20 seconds, but for those that are given."""
        return self.httpx.Timeout(20.0, **seconds)

    def close(self) -> None:
        if self.loop is None:
            self.client.close()
        else:
            self.loop.run_until_complete(self.client.aclose())
            self.loop.run_until_complete(self.loop.shutdown_asyncgens())
            self.loop.close()

    def ask(self, method: str, url: str, read: Optional[str] = None, **options: Any) -> Any:
        """Sends a request. Returns all that a program can see of the outcome.

        :param read: how the body is read: by that method, such as "iter_lines".
        """
        body = options.get("content")
        if callable(body):
            options["content"] = _awaitable(body()) if self.is_async else body()
        try:
            if self.loop is not None:
                return self.loop.run_until_complete(self._ask_async(method, url, read, options))
            if read is None:
                return seen(self.client.request(method, url, **options), None)
            with self.client.stream(method, url, **options) as response:
                return seen(response, list(getattr(response, read)()))
        except Exception as error:  # httpx lets one of h11's through
            return type(error).__name__

    def ask_while_one_is_read(self, method: str, url: str, **options: Any) -> Any:
        """Sends a request before the body of another one was read."""
        other = "/chunked/3000000"
        if self.loop is None:
            with self.client.stream("GET", other):
                return self.ask(method, url, **options)

        async def within() -> Any:
            async with self.client.stream("GET", other):
                try:
                    return await self._ask_async(method, url, None, options)
                except self.httpx.HTTPError as error:
                    return type(error).__name__

        return self.loop.run_until_complete(within())

    def read_on(self, url: str) -> bytes:
        """A body of which another iterator reads the rest."""
        if self.loop is None:
            with self.client.stream("GET", url) as response:
                pieces = response.iter_raw()
                return b"".join([next(pieces), *response.stream])

        async def within() -> bytes:
            async with self.client.stream("GET", url) as response:
                pieces = response.aiter_raw()
                return b"".join([await pieces.__anext__(), *[piece async for piece in response.stream]])

        return self.loop.run_until_complete(within())

    async def _ask_async(self, method: str, url: str, read: Optional[str], options: Dict[str, Any]) -> Any:
        if read is None:
            return seen(await self.client.request(method, url, **options), None)
        async with self.client.stream(method, url, **options) as response:
            return seen(response, [part async for part in getattr(response, f"a{read}")()])


async def _awaitable(parts: Iterator[bytes]) -> AsyncIterator[bytes]:
    for part in parts:
        await asyncio.sleep(0)
        yield part


def seen(response: Any, parts: Optional[List[Any]]) -> Dict[str, Any]:
    """What there is to be seen of a response."""
    if parts is None:
        body: Any = response.content
    else:
        body = parts if parts and isinstance(parts[0], str) else b"".join(parts)
    if response.request.url.path == "/echo" and body and response.status_code == 200:
        body = json.loads(body)
        del body["connection"]
        body["headers"] = sorted(map(tuple, body["headers"]))
    left_out = [b"date", b"server"]
    if response.request.url.path == "/echo":  # where the number of the connection may be longer
        left_out.append(b"content-length")
    return {
        "status": (response.status_code, response.reason_phrase, response.http_version),
        "headers": [(name, value) for name, value in response.headers.raw if name.lower() not in left_out],
        "body": body,
        "url": str(response.url),
        "history": [(one.status_code, one.content) for one in response.history],
        "state": (response.is_closed, response.is_stream_consumed, response.encoding, dict(response.cookies)),
        "downloaded": b"content-length" in left_out or response.num_bytes_downloaded,
    }


Case = Callable[[Stack], Any]
CASES: Dict[str, Tuple[Case, Dict[str, Any]]] = {}


def case(**options: Any) -> Callable[[Case], Case]:
    def keep(function: Case) -> Case:
        CASES[function.__name__] = function, options
        return function

    return keep


def chunks() -> Iterator[bytes]:
    yield from (b"one", b"", b"two" * 30_000, b"three")


def broken() -> Iterator[bytes]:
    yield b"one"
    raise LookupError("no more")


@case()
def methods(stack: Stack) -> Any:
    names = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "REPORT")
    return [stack.ask(name, "/echo?a=1&b=%20x") for name in names]


@case()
def bodies(stack: Stack) -> Any:
    files = {"file": ("a.txt", b"content", "text/plain")}
    options: List[Dict[str, Any]] = [
        {"content": b"bytes"},
        {"content": "text ü"},
        {"content": b""},
        {"content": b"x" * 3_000_000},
        {"data": {"a": "1", "b": ["2", "3"]}},
        {"json": {"a": [1, None]}},
        {"files": files, "headers": {"Content-Type": "multipart/form-data; boundary=x"}},
        {"content": chunks},
        {"content": chunks, "headers": {"Content-Length": str(sum(map(len, chunks())))}},
    ]
    return [stack.ask("POST", "/echo", **one) for one in options] + [stack.ask("GET", "/echo", content=b"body")]


@case()
def bodies_that_fail(stack: Stack) -> Any:
    return [
        stack.ask("POST", "/echo", content=broken),
        stack.ask("POST", "/echo", content=chunks, headers={"Content-Length": "1000000"}),
        stack.ask("POST", "/echo", content=chunks, headers={"Content-Length": "5"}),
        stack.ask("GET", "/echo"),
    ]


@case(headers={"X-Default": "1", "User-Agent": "a program/1.0"}, params={"p": "1"})
def fields(stack: Stack) -> Any:
    repeated = [("X-A", "1"), ("x-a", "2"), ("X-Empty", ""), ("X-Latin", "\xfc".encode("latin-1"))]
    return [
        stack.ask("GET", "/echo", headers=repeated),
        stack.ask("GET", "/headers?X-A=1&x-a=2&X-B=%20%20c&X-Long=" + "x" * 20_000),
        stack.ask("GET", "/echo", headers={"Host": "another.example", "Connection": "close"}),
        stack.ask("GET", "/echo", headers={"Accept-Encoding": "identity", "Cookie": "a=b", "TE": "trailers"}),
    ]


@case(follow_redirects=True)
def redirects(stack: Stack) -> Any:
    found = [stack.ask("POST", f"/redirect/{code}?to=/echo", content=b"a") for code in (301, 302, 303, 307, 308)]
    found.append(stack.ask("GET", "/redirect-chain/3"))
    found.append(stack.ask("GET", "/redirect-chain/30"))
    found.append(stack.ask("POST", "/redirect/307?to=/echo", content=chunks))
    return [*found, stack.ask("GET", "/redirect/302?to=/echo", follow_redirects=False)]


@case()
def cookies(stack: Stack) -> Any:
    set_two = "/headers?Set-Cookie=a%3D1&Set-Cookie=b%3D2%3B%20Path%3D/echo"
    found = [stack.ask("GET", set_two), stack.ask("GET", "/echo"), stack.ask("GET", "/bytes/1")]
    return [*found, dict(stack.client.cookies)]


@case(auth=("user", "secret"))
def auth(stack: Stack) -> Any:
    address = stack.peers.origin.replace("http://", "http://ann:word@")
    digest = stack.peers.httpbin + "/digest-auth/auth/ann/word"
    return [
        stack.ask("GET", "/echo"),
        stack.ask("GET", f"{address}/echo", auth=None),
        stack.ask("GET", digest, auth=stack.httpx.DigestAuth("ann", "word"))["status"][0],
        stack.ask("GET", digest, auth=stack.httpx.DigestAuth("ann", "wrong"))["status"][0],
    ]


@case()
def codings(stack: Stack) -> Any:
    found = [stack.ask("GET", f"/{coding}/100000") for coding in ("gzip", "deflate", "rawdeflate")]
    found += [stack.ask("GET", "/gzip/100000", read) for read in ("iter_raw", "iter_bytes")]
    return [*found, stack.ask("GET", "/gzip/100", headers={"Accept-Encoding": "identity"})]


@case()
def streaming(stack: Stack) -> Any:
    lines = script({"send": HEAD + "Content-Length: 12\r\n\r\none\r"}, {"sleep_ms": 20}, {"send": "\ntwo\n\xc3"},
                   {"sleep_ms": 20}, {"send": "\xbc\r"}, {"keep": True})  # fmt: skip
    return [
        stack.ask("GET", "/bytes/3000000", "iter_raw")["body"] == pattern(3_000_000),
        stack.ask("GET", "/chunked/100000", "iter_bytes"),
        stack.ask("GET", "/bytes/0", "iter_bytes"),
        stack.ask("GET", lines, "iter_lines"),
        stack.ask("GET", lines, "iter_text")["status"],
        stack.ask("GET", "/status/204", "iter_raw"),
        stack.ask("GET", "/status/304", "iter_raw"),
        stack.ask("HEAD", "/bytes/100", "iter_raw"),
    ]


@case()
def a_second_iterator_reads_the_rest(stack: Stack) -> Any:
    return stack.read_on("/bytes/3000000") == pattern(3_000_000)


@case()
def statuses(stack: Stack) -> Any:
    return [stack.ask("GET", f"/status/{status}") for status in (200, 201, 204, 304, 400, 404, 418, 500, 503)]


@case()
def interim_answers(stack: Stack) -> Any:
    early = "HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n"
    return stack.ask("GET", script({"send": early + HEAD + "Content-Length: 2\r\n\r\nok"}, {"keep": True}))


@case()
def timeouts(stack: Stack) -> Any:
    stack.client.timeout = stack.timeout(read=0.3)
    stalls = script({"send": HEAD + "Content-Length: 5\r\n\r\na"}, {"stall": True})
    with full_listener() as full, full_listener(takes=True) as deaf:
        quick = stack.timeout(connect=0.3)
        return [
            stack.ask("GET", "/delay/29000"),
            stack.ask("GET", stalls),
            stack.ask("GET", stalls, "iter_raw"),
            stack.ask("GET", full, timeout=quick),
            stack.ask("POST", deaf, content=b"x" * 50_000_000, timeout=stack.timeout(read=0.3, write=0.3)),
            stack.ask("GET", "/delay/100", timeout=None)["status"],
        ]


class full_listener:
    """The URL of a server that takes no connection, or nothing that is sent on it."""

    def __init__(self, takes: bool = False) -> None:
        self.takes = takes

    def __enter__(self) -> str:
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(10 if self.takes else 0)
        self.others = [] if self.takes else [socket.socket() for _ in range(3)]
        for other in self.others:
            other.setblocking(False)
            other.connect_ex(self.listener.getsockname())
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}/"

    def __exit__(self, *_: object) -> None:
        for one in (*self.others, self.listener):
            one.close()


@case(limit=1)
def a_slot_that_is_not_free(stack: Stack) -> Any:
    """While the body of one response is read, the only slot is taken."""
    found = [stack.ask_while_one_is_read("GET", "/echo", timeout=stack.timeout(pool=0.3))]
    return [*found, stack.ask("GET", "/echo")]


@case()
def errors(stack: Stack) -> Any:
    answers = [
        HEAD + "Content-Length: 10\r\n\r\nabc",
        HEAD + "Transfer-Encoding: chunked\r\n\r\n5\r\nab",
        HEAD + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "no answer at all\r\n\r\n",
        "",
    ]
    found = [stack.ask("GET", script({"send": answer} if answer else {"sleep_ms": 1}, {"cut": True}))
             for answer in answers]  # fmt: skip
    return [
        *found,
        stack.ask("GET", script({"reset": True})),
        stack.ask("GET", stack.peers.refused),
        stack.ask("GET", "http://nowhere.invalid/"),
        stack.ask("GET", "ftp://127.0.0.1/"),
        stack.ask("GET", stack.peers.origin_tls.replace("https", "http") + "/"),
        stack.ask("GET", "/echo"),
    ]


@case(tls={"http2": False})
def tls(stack: Stack) -> Any:
    return [stack.ask("GET", f"{stack.peers.nginx_h2}/small.txt"), stack.ask("GET", f"{stack.peers.origin_tls}/echo")]


@case(tls={"http2": True})
def http_2(stack: Stack) -> Any:
    base = stack.peers.nginx_h2
    return [
        stack.ask("GET", f"{base}/small.txt"),
        stack.ask("GET", f"{base}/10m", "iter_raw")["body"] == pattern(10 << 20),
        stack.ask("GET", f"{base}/none"),
    ]


@functools.cache
def expected(peers: Peers, package: str, name: str, is_async: bool) -> Any:
    return outcome(peers, package, "its own async" if is_async else "its own", name)


def outcome(peers: Peers, package: str, stack_name: str, name: str) -> Any:
    function, options = CASES[name]
    stack = Stack(peers, package, stack_name, **options)
    try:
        return function(stack)
    finally:
        stack.close()


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("is_async", [False, True], ids=["threads", "asyncio"])
@pytest.mark.parametrize("package", PACKAGES)
def test_netcore_answers_as_the_package(peers: Peers, package: str, name: str, is_async: bool) -> None:
    found = outcome(peers, package, "netcore async" if is_async else "netcore", name)
    wanted = expected(peers, package, name, is_async)
    if isinstance(found, list):
        assert len(found) == len(wanted)
        for index, (one, other) in enumerate(zip(found, wanted)):
            assert one == other, f"number {index}"
    assert found == wanted


@pytest.fixture
def client(peers: Peers) -> Iterator[httpx.Client]:
    """Of httpx, over netcore."""
    transport = netcore.httpx.HTTPTransport(verify=peers.ca)
    with httpx.Client(transport=transport, base_url=peers.origin) as client:
        yield client


def test_trailers_come_with_the_end(client: httpx.Client) -> None:
    with client.stream("GET", "/chunked/1000") as response:
        assert response.extensions["trailers"] == []
        response.read()
    assert response.extensions["trailers"] == [(b"X-Trailer", b"done")]


def test_exceptions_have_those_of_netcore_as_their_cause(client: httpx.Client, peers: Peers) -> None:
    with pytest.raises(httpx.ConnectError) as caught:
        client.get(peers.refused)
    assert isinstance(caught.value.__cause__, netcore.ConnectError)
    assert caught.value.request.url == peers.refused
    with pytest.raises(httpx.ConnectError) as caught:
        with httpx.Client(transport=netcore.httpx.HTTPTransport()) as careful:
            careful.get(peers.origin_tls)
    assert isinstance(caught.value.__cause__, netcore.CertificateError)


def test_http_2_is_the_default(client: httpx.Client, peers: Peers) -> None:
    response = client.get(f"{peers.nginx_h2}/small.txt")
    assert (response.http_version, response.reason_phrase) == ("HTTP/2", "OK")


def test_closing_a_response_ends_the_transfer(client: httpx.Client, peers: Peers) -> None:
    path = "/bytes/100000021"
    with client.stream("GET", path) as response:
        next(response.iter_raw())
    until(lambda: aborted(peers.origin, path) == 1)


def test_a_cache_below_httpx(peers: Peers) -> None:
    fresh = "/headers?Cache-Control=max-age%3D100&of=httpx"
    transport = netcore.httpx.HTTPTransport(cache=netcore.Cache())
    with httpx.Client(transport=transport, base_url=peers.origin) as client:
        before = client.get(fresh)
        count = received(peers.origin, "/headers")
        assert client.get(fresh).content == before.content
        assert received(peers.origin, "/headers") == count


@pytest.mark.parametrize("name", ["base_url", "headers", "auth", "timeout", "follow_redirects", "decode_content"])
def test_what_httpx_does_itself_is_refused(name: str) -> None:
    for make in (netcore.httpx.HTTPTransport, netcore.httpx.AsyncHTTPTransport):
        with pytest.raises(netcore.InvalidRequest, match=name):
            make(**{name: "x"})  # type: ignore[arg-type]


def test_a_closed_transport(peers: Peers) -> None:
    transport = netcore.httpx.HTTPTransport()
    transport.close()
    with pytest.raises(RuntimeError, match="closed"):
        transport.handle_request(httpx.Request("GET", peers.origin))


def test_canceling_ends_the_transfer(peers: Peers) -> None:
    path = "/delay/28021"

    async def main() -> None:
        async with httpx.AsyncClient(transport=netcore.httpx.AsyncHTTPTransport(), base_url=peers.origin) as client:
            waiting = asyncio.ensure_future(client.get(path))
            await eventually(lambda: received(peers.origin, path) == 1)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            await eventually(lambda: aborted(peers.origin, path) == 1)
            answers = await asyncio.gather(*(client.get(f"/bytes/{size}") for size in range(100)))
            assert [len(answer.content) for answer in answers] == list(range(100))

    asyncio.run(main())


def run(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True)


def test_netcore_itself_needs_neither() -> None:
    run("import sys, netcore; sys.exit(not sys.modules.keys().isdisjoint({'httpx', 'httpx2'}))")


@pytest.mark.skipif("httpx2" not in PACKAGES, reason="it needs Python 3.11")
def test_without_httpx_its_transports_are_those_of_httpx2() -> None:
    run(
        "import sys; sys.modules['httpx'] = None; import httpx2, netcore.httpx;"
        "sys.exit(not issubclass(netcore.httpx.HTTPTransport, httpx2.BaseTransport))"
    )
