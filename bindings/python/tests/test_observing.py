"""The events of a client: their order, rings that are full, waiting for them, and the end."""

from __future__ import annotations

import asyncio
import select
import threading
import time
from typing import Dict, List

import pytest

import netcore
from netcore import EventKind, Response

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
