"""How requests are transferred: priority, bandwidth, progress, user info, demands of the network."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
import weakref
from typing import Any, Callable, Dict, List

import pytest

import netcore
from peers import Peers, is_gone, script, until

SLOW_BODY = script(
    {"send": "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab"},
    {"sleep_ms": 150},
    {"send": "c"},
    {"sleep_ms": 150},
    {"send": "d"},
)
"""The path of an answer that comes in three pieces."""


# Priority and bandwidth


def test_priority(peers: Peers) -> None:
    with netcore.Client(base_url=peers.origin, limits=netcore.Limits(transfers=1)) as client:
        order: List[str] = []
        client.dispatch("GET", script({"sleep_ms": 200}, {"send": "HTTP/1.1 204 No Content\r\n\r\n"}))
        client.dispatch("GET", "/echo", priority="low", on_done=lambda _: order.append("low"))
        client.dispatch("GET", "/echo", on_done=lambda _: order.append("default"))
        client.dispatch("GET", "/echo", priority="high", on_done=lambda _: order.append("high"))
        until(lambda: len(order) == 3)
        assert order == ["high", "default", "low"]


@pytest.mark.parametrize("option, size", [("max_receive_rate", 40_000), ("max_send_rate", 400_000)])
def test_rates(client: netcore.Client, option: str, size: int) -> None:
    rate: Any = {option: size if option == "max_receive_rate" else size // 2}
    start = time.monotonic()
    assert client.post("/echo", content=b"x" * size, **rate).status_code == 200
    assert time.monotonic() - start >= 0.5


@pytest.mark.parametrize("option", ["max_receive_rate", "max_send_rate", "min_receive_rate"])
def test_a_rate_of_zero_is_any(client: netcore.Client, option: str) -> None:
    rate: Any = {option: 0}
    start = time.monotonic()
    assert client.post("/echo", content=b"x" * 10_000, timeout=30, **rate).status_code == 200
    assert time.monotonic() - start < 20  # at 1 byte per second it takes hours


def test_a_body_below_the_minimum_rate(client: netcore.Client) -> None:
    dripping = script({"send": "HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n"}, {"drip": "a" * 40, "interval_ms": 50})
    with pytest.raises(netcore.MinimumRateError) as caught:
        client.get(dripping, min_receive_rate=1000, min_receive_rate_window=0.3)
    assert caught.value.is_retryable and isinstance(caught.value, TimeoutError)
    assert client.get(dripping, min_receive_rate=1000).content == b"a" * 40  # the default window is longer


@pytest.mark.parametrize("option", [{"min_receive_rate": -1}, {"min_receive_rate": (1 << 40) + 1}])
@pytest.mark.parametrize("window", [{}, {"min_receive_rate_window": 1}])
def test_minimum_rates_that_are_not_allowed(client: netcore.Client, option: Any, window: Any) -> None:
    with pytest.raises(netcore.InvalidRequest, match=r"^min_receive_rate: "):
        client.get("/echo", **option, **window)


def test_windows_that_are_not_allowed(client: netcore.Client) -> None:
    for window in (0, -1, 1e9):
        with pytest.raises(netcore.InvalidRequest, match=r"^min_receive_rate_window: "):
            client.get("/echo", min_receive_rate=1, min_receive_rate_window=window)


# Progress


def check_progress(seen: List[netcore.Progress]) -> None:
    assert seen and {progress.expected for progress in seen} == {4}
    received = [progress.received for progress in seen]
    assert received == sorted(received) and received[0] >= 2 and received[-1] == 4


@pytest.mark.parametrize("in_thread", [False, True])
def test_progress_of_a_blocking_call(client: netcore.Client, in_thread: bool) -> None:
    seen: List[netcore.Progress] = []
    threads: List[int] = []

    def note(progress: netcore.Progress) -> None:
        seen.append(progress)
        threads.append(threading.get_ident())

    def call() -> None:
        threads.append(threading.get_ident())
        assert client.get(SLOW_BODY, on_progress=note, progress_interval=0.02).content == b"abcd"

    if in_thread:
        thread = threading.Thread(target=call)
        thread.start()
        thread.join()
    else:
        call()
    check_progress(seen)
    assert len(set(threads)) == 1 and [progress.received for progress in seen] == sorted({p.received for p in seen})


def test_progress_of_a_dispatch(client: netcore.Client) -> None:
    seen: List[netcore.Progress] = []
    task = client.dispatch("GET", SLOW_BODY, on_progress=seen.append, progress_interval=0.01)
    assert task.result().content == b"abcd"
    check_progress(seen)
    group = client.group()
    seen.clear()
    group.add("GET", SLOW_BODY, on_progress=seen.append)
    group.dispatch()
    group.wait()
    check_progress(seen)


def test_progress_of_an_upload(client: netcore.Client) -> None:
    seen: List[netcore.Progress] = []
    task = client.dispatch("POST", "/echo", content=b"x" * 3_000_000, on_progress=seen.append, progress_interval=0.001)
    task.result()
    assert seen[0].to_send == 3_000_000 and 0 < seen[0].sent <= 3_000_000


def test_progress_is_told_rarely(client: netcore.Client) -> None:
    seen: List[netcore.Progress] = []
    client.dispatch("GET", SLOW_BODY, on_progress=seen.append, progress_interval=1000).result()
    until(lambda: bool(seen) and seen[-1].received == 4)
    assert len(seen) <= 2  # at the beginning, and at the end
    seen.clear()
    client.get(SLOW_BODY, on_progress=seen.append, progress_interval=1000)
    assert [(progress.received, progress.expected) for progress in seen] == [(4, 4)]


@pytest.mark.parametrize("path", ["/chunked/100000", "/gzip/100000", "/status/204"])
def test_the_last_report_is_of_all_bytes(client: netcore.Client, path: str) -> None:
    seen: List[netcore.Progress] = []
    client.dispatch("GET", path, on_progress=seen.append, progress_interval=1000).result()
    until(lambda: bool(seen) and seen[-1].received == seen[-1].expected)
    seen.clear()
    client.get(path, on_progress=seen.append, progress_interval=1000)
    assert seen[-1].received == seen[-1].expected == len(client.get(path).content)


def test_progress_in_the_loop(peers: Peers) -> None:
    async def main() -> None:
        async with netcore.AsyncClient(base_url=peers.origin) as client:
            seen: List[netcore.Progress] = []
            threads: List[int] = []

            def note(progress: netcore.Progress) -> None:
                seen.append(progress)
                threads.append(threading.get_ident())

            def fail(progress: netcore.Progress) -> None:
                raise StopIteration if len(threads) % 2 else LookupError("enough")

            assert (await client.get(SLOW_BODY, on_progress=note)).content == b"abcd"
            check_progress(seen)
            await client.dispatch("GET", SLOW_BODY, on_progress=note)
            assert set(threads) == {threading.get_ident()}
            threads.clear()
            with pytest.raises(LookupError, match="enough"):
                await client.get(SLOW_BODY, on_progress=fail)
            threads.append(0)
            with pytest.raises(RuntimeError):  # as of any coroutine
                await client.get(SLOW_BODY, on_progress=fail)
            waiting = asyncio.ensure_future(client.get(SLOW_BODY, on_progress=lambda _: waiting.cancel()))
            with pytest.raises(asyncio.CancelledError):
                await waiting

    asyncio.run(main())


def test_what_on_progress_raises_cancels_the_transfer(client: netcore.Client) -> None:
    def fail(progress: netcore.Progress) -> None:
        raise LookupError(str(progress.received))

    calls: List[Callable[[], Any]] = [
        lambda: client.get(SLOW_BODY, on_progress=fail, progress_interval=0.02),
        lambda: client.dispatch("GET", SLOW_BODY, on_progress=fail).result(),
    ]
    for call in calls:
        with pytest.raises(LookupError):
            call()
    assert client.get("/echo").status_code == 200


def test_who_hears_of_progress_goes_with_the_request(client: netcore.Client) -> None:
    class Function:
        def __call__(self, progress: netcore.Progress) -> None: ...

    function = Function()
    gone = is_gone(weakref.ref(function))
    client.get("/echo", on_progress=function)
    task = client.dispatch("GET", "/echo", on_progress=function)
    task.result()
    del function
    until(gone)


# User info


def test_user_info(peers: Peers, client: netcore.Client) -> None:
    info: Dict[str, Any] = {}
    response = client.get("/echo", user_info=info)
    assert response.request.user_info is info and response.request == ("GET", f"{peers.origin}/echo")
    assert client.get("/echo").request.user_info is None
    task = client.dispatch("GET", peers.refused, user_info=info)
    with pytest.raises(netcore.ConnectError) as caught:
        task.result()
    assert caught.value.request is not None and caught.value.request.user_info is task.request.user_info is info


def test_user_info_goes_with_the_response(client: netcore.Client) -> None:
    class Info:
        pass

    info = Info()
    gone = weakref.ref(info)
    response = client.get("/echo", user_info=info)
    del info
    assert gone() is not None
    del response
    gc.collect()
    assert gone() is None


# The network

NETWORKS = [
    (None, {"allow_metered": False}, 0),
    (None, {"allowed_interface": "lo"}, 0),
    ({"is_metered": True}, {"allow_metered": True}, 0),
    ({"is_metered": True}, {"allow_metered": False}, 1400),
    ({"interface": "lo"}, {"allowed_interface": "lo"}, 0),
    ({"interface": "wlan0"}, {"allowed_interface": "lo"}, 1401),
    ({"interface": "wlan0", "is_metered": True}, {}, 0),
    ({}, {"allowed_interface": "lo", "allow_metered": False}, 0),
]
CLASSES = {1400: netcore.MeteredNotAllowed, 1401: netcore.InterfaceNotAllowed}


@pytest.mark.parametrize("network, options, status", NETWORKS)
def test_demands_of_the_network(peers: Peers, network: Any, options: Any, status: int) -> None:
    async def ask() -> netcore.Response:
        async with netcore.AsyncClient(base_url=peers.origin) as client:
            if network is not None:
                client.set_network(**network)
            return await client.get("/echo", **options)

    with netcore.Client(base_url=peers.origin) as client:
        if network is not None:
            client.set_network(**network)
        calls: List[Callable[[], Any]] = [lambda: client.get("/echo", **options), lambda: asyncio.run(ask())]
        for call in calls:
            if not status:
                assert call().status_code == 200
                continue
            with pytest.raises(CLASSES[status]) as caught:
                call()
            assert isinstance(caught.value, netcore.NetworkNotAllowed) and caught.value.status == status
            assert caught.value.attempts == 0
        client.set_network()
        assert client.get("/echo", **options).status_code == 200
    with pytest.raises(netcore.StateError, match="closed"):
        client.set_network()


# Bad input

WRONG: List[Any] = [
    ({"priority": "urgent"}, netcore.InvalidRequest),
    ({"priority": 1}, netcore.InvalidRequest),
    ({"max_receive_rate": -1}, netcore.InvalidRequest),
    ({"max_send_rate": -1}, netcore.InvalidRequest),
    ({"max_send_rate": 1 << 63}, netcore.InvalidRequest),
    ({"max_send_rate": 1.5}, TypeError),
    ({"max_receive_rate": True}, TypeError),
    ({"on_progress": 5}, TypeError),
    ({"on_progress": print, "progress_interval": 0}, netcore.InvalidRequest),
    ({"on_progress": print, "progress_interval": "1"}, TypeError),
    ({"on_progress": print, "progress_interval": None}, TypeError),
    ({"allowed_interface": ""}, netcore.InvalidRequest),
    ({"allowed_interface": "a\0"}, netcore.InvalidRequest),
    ({"allowed_interface": 5}, TypeError),
    ({"allow_metered": 0}, TypeError),
    ({"sent_once": 1}, TypeError),
    ({"allow_unclean_end": 1}, TypeError),
]


@pytest.mark.parametrize("options, error", WRONG)
def test_options_that_cannot_be(client: netcore.Client, options: Any, error: Any) -> None:
    with pytest.raises(error, match=next(iter(options)) if len(options) == 1 else None):
        client.get("/echo", **options)


@pytest.mark.parametrize(
    "network, error",
    [({"interface": ""}, netcore.InvalidRequest), ({"interface": 5}, TypeError), ({"is_metered": 1}, TypeError)],
)
def test_networks_that_cannot_be(client: netcore.Client, network: Any, error: Any) -> None:
    with pytest.raises(error):
        client.set_network(**network)
