"""The events of a client: their order, rings that are full, waiting for them, and the end."""

from __future__ import annotations

import asyncio
import contextlib
import select
import socket
import threading
import time
from typing import Dict, List, Tuple
from urllib.parse import urlsplit

import pytest

import netcore
from netcore import EventKind, Response, WaitKind
from peers import Peers

URL = "http://app.invalid/"


def answer(request: netcore.Request) -> Response:
    return Response(200)


def kinds(events: List[netcore.ClientEvent]) -> List[EventKind]:
    return [EventKind(event.kind) for event in events]


def test_a_request_is_told_from_its_dispatch_to_its_end() -> None:
    with netcore.Client(transport=answer) as client, client.events() as events:
        before = time.monotonic_ns()
        client.get(URL)
        seen = events.read()
        assert kinds(seen) == [
            EventKind.QUEUED,
            EventKind.DISPATCHED,
            EventKind.HOP_BEGAN,
            EventKind.HOP_ENDED,
            EventKind.DONE,
        ]
        assert [event.time for event in seen] == sorted(event.time for event in seen)
        assert before // 1000 <= seen[0].time // 1000 and seen[-1].time <= time.monotonic_ns()
        assert {event.number for event in seen} == {1}
        assert (seen[-1].status, seen[-1].error, seen[-1].attempt) == (200, 0, 1)
        assert events.read() == []


def test_an_error_is_told_by_its_class() -> None:
    def lose(request: netcore.Request) -> Response:
        raise netcore.ConnectError("no connection")

    with netcore.Client(transport=lose) as client, client.events() as events:
        with pytest.raises(netcore.ConnectError):
            client.get(URL)
        assert {event.error_type for event in events.read()[-2:]} == {netcore.ConnectError}


def test_the_end_of_a_hop_says_by_what_it_was_sent(peers: Peers) -> None:
    origin = urlsplit(peers.origin)
    with netcore.Client() as client, client.events() as events:
        client.get(f"{peers.origin}/status/200")
        (end,) = [event for event in events.read() if event.kind == EventKind.HOP_ENDED]
    assert (end.peer_address, end.peer_port, end.http_version) == ("127.0.0.1", origin.port, "HTTP/1.1")


def test_a_connection_that_fails_is_told_of_as_far_as_it_came() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with netcore.Client() as client, client.events() as events:
            with pytest.raises(netcore.ConnectError):
                client.get(f"http://localhost:{unused.getsockname()[1]}/")
            seen = events.read()
    assert kinds(seen) == [
        EventKind.QUEUED,
        EventKind.DISPATCHED,
        EventKind.HOP_BEGAN,
        EventKind.RESOLVED,
        EventKind.HOP_ENDED,
        EventKind.DONE,
    ]
    assert seen[-2].http_version == "" and seen[3].value > 0


def waits(events: List[netcore.ClientEvent], number: int) -> List[Tuple[int, int]]:
    """Those of a request, each with what it waits for."""
    both = EventKind.WAIT_BEGAN, EventKind.WAIT_ENDED
    return [(event.kind, event.value) for event in events if event.number == number and event.kind in both]


def test_waits_are_told_with_what_is_waited_for() -> None:
    answers = threading.Event()

    def slow(request: netcore.Request) -> Response:
        answers.wait(60)
        return Response(200)

    limits = netcore.Limits(transfers=1)
    with netcore.Client(transport=slow, limits=limits) as client, client.events() as events:
        first = client.dispatch("GET", URL)
        second = client.dispatch("GET", URL)
        client.reachability = "unreachable"
        third, fourth = (client.dispatch("GET", URL, wait_for_network=60) for _ in range(2))
        seen: List[netcore.ClientEvent] = []
        for event in events:
            seen.append(event)
            if event.kind == EventKind.WAIT_BEGAN and event.number == 4:
                break
        fourth.cancel()
        client.reachability = "reachable"
        answers.set()
        for task in (first, second, third):
            assert task.result().status_code == 200
        seen += events.read()
    assert waits(seen, 1) == []
    for number, kind in [(2, WaitKind.SLOT), (4, WaitKind.NETWORK)]:
        assert waits(seen, number) == [(EventKind.WAIT_BEGAN, kind), (EventKind.WAIT_ENDED, kind)]
    assert waits(seen, 3)[:2] == [(EventKind.WAIT_BEGAN, WaitKind.NETWORK), (EventKind.WAIT_ENDED, WaitKind.NETWORK)]
    assert all(event.detail > 0 for event in seen if event.kind == EventKind.WAIT_ENDED)


def test_rates_and_intervals_are_waits_too() -> None:
    hour = 3600
    with netcore.Client(transport=answer) as client, client.events() as events:
        client.set_rate(netcore.Rate(1, per=hour))
        client.get(URL, min_interval=netcore.MinInterval(hour, wait=True))
        soon = client.dispatch("GET", URL, min_interval=netcore.MinInterval(hour, wait=True))
        other = client.dispatch("GET", URL + "other")
        seen: List[netcore.ClientEvent] = []
        for event in events:
            seen.append(event)
            if event.kind == EventKind.WAIT_BEGAN and event.number == 3:
                break
        for task in (soon, other):
            task.cancel()
            with pytest.raises(netcore.Canceled):
                task.result()
        seen += events.read()
    for number, kind in [(2, WaitKind.INTERVAL), (3, WaitKind.RATE)]:
        assert waits(seen, number) == [(EventKind.WAIT_BEGAN, kind), (EventKind.WAIT_ENDED, kind)]


def test_a_breaker_that_opens_and_closes_is_told_of() -> None:
    answers = [503, 200]
    breaker = netcore.Breaker(min_tries=1, open_time=0.001, max_open_time=0.001)
    with netcore.Client(transport=lambda request: Response(answers.pop(0)), breaker=breaker) as client:
        with client.events() as events:
            client.get(URL)
            while answers:
                with contextlib.suppress(netcore.BreakerOpen):
                    client.get(URL)
            seen = [event for event in events.read() if event.kind == EventKind.BREAKER_STATE]
    assert [event.value for event in seen] == [1, 2, 0]
    assert seen[0].number == 1 and seen[0].detail > 0 and seen[1].number == seen[2].number


def test_what_nobody_takes_in_time_is_counted() -> None:
    with netcore.Client() as client, client.events(capacity=2) as small, client.events() as large:
        for word in ["reachable", "unreachable", "unknown"]:
            client.reachability = word
        assert [event.value for event in small.read()] == [2, 0]
        assert [event.value for event in large.read()] == [1, 2, 0]
        assert (small.dropped, large.dropped) == (1, 0)


def test_the_descriptor_is_readable_while_there_are_events() -> None:
    with netcore.Client() as client, client.events() as events:
        assert select.select([events], [], [], 0)[0] == []
        client.reachability = "reachable"
        assert select.select([events], [], [], 0)[0] == [events]
        events.read()
        assert select.select([events], [], [], 0)[0] == []


def test_iterating_waits_until_the_client_is_closed() -> None:
    numbers: Dict[int, int] = {}
    client = netcore.Client(transport=answer)
    events = client.events(capacity=100_000)

    def count() -> None:
        for event in events:
            if event.kind == EventKind.DONE:
                numbers[event.number] = event.status

    reader = threading.Thread(target=count)
    reader.start()
    for _ in range(300):
        client.get(URL)
    client.close()
    reader.join(60)
    assert numbers == dict.fromkeys(range(1, 301), 200)
    assert list(events) == [] and events.dropped == 0


def test_coroutines_wait_for_events_too() -> None:
    async def run() -> List[netcore.ClientEvent]:
        async with netcore.AsyncClient(transport=answer) as client:
            events = client.events()

            async def collect() -> List[netcore.ClientEvent]:
                return [event async for event in events]

            reader = asyncio.ensure_future(collect())
            await asyncio.gather(*(client.get(URL) for _ in range(20)))
            await client.aclose()
            return await asyncio.wait_for(reader, 60)

    seen = asyncio.run(run())
    assert sum(event.kind == EventKind.DONE for event in seen) == 20


def test_who_closed_them_reads_no_more() -> None:
    with netcore.Client() as client:
        events = client.events()
        events.close()
        events.close()
        assert list(events) == []
        for use in [events.read, events.fileno]:
            with pytest.raises(netcore.StateError):
                use()
        for wrong in [0, 1 << 21]:
            with pytest.raises(netcore.InvalidRequest):
                client.events(capacity=wrong)


def test_many_events_are_read_in_one_call() -> None:
    with netcore.Client() as client, client.events() as events:
        for turn in range(3000):
            client.reachability = "reachable" if turn % 2 else "unreachable"
        assert [event.value for event in events.read()] == [2, 1] * 1500
