"""Sources of events, at both clients. When one connects again is tested below Python."""

from __future__ import annotations

import asyncio
import threading
from typing import List

import pytest

import netcore
from netcore import ServerSentEvent
from peers import Peers, script
from test_asyncio import in_loop

EVENTS = "/numbered-events/5?per=2&retry=1"
STALLED = script({"send": "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n"}, {"stall": True})


def test_events_come_until_a_204(client: netcore.Client) -> None:
    with client.event_source("GET", EVENTS) as source:
        assert not source.is_closed and source.connections == 0
        events = list(source)
    assert events[0] == ServerSentEvent("message", "GET 0", "1", 0.001)
    assert [event.last_event_id for event in events] == ["1", "2", "3", "4", "5"]
    assert source.is_closed and source.connections == 4 and source.last_event_id == "5"


def test_the_shared_client_has_sources_too(peers: Peers) -> None:
    with netcore.event_source("GET", peers.origin + EVENTS, last_event_id="3") as source:
        assert [event.last_event_id for event in source] == ["4", "5"]


def test_a_body_is_sent_with_each_connection(client: netcore.Client) -> None:
    with client.event_source("POST", "/numbered-events/3?lost=1", json={"a": 1}, retry=0.01) as source:
        assert {event.data for event in source} == {"POST 7"}


def test_what_was_read_before_is_not_sent_again(client: netcore.Client) -> None:
    with client.event_source("GET", EVENTS, last_event_id="3") as source:
        assert [event.last_event_id for event in source] == ["4", "5"]


def test_other_answers_end_it(client: netcore.Client) -> None:
    with client.event_source("GET", "/status/503") as source:
        for _ in range(2):
            with pytest.raises(netcore.HTTPStatusError, match="503"):
                next(source)
    with client.event_source("GET", "/bytes/3") as source, pytest.raises(netcore.ProtocolError):
        next(source)
    with client.event_source("GET", STALLED, largest_event=4) as source, pytest.raises(netcore.LimitError):
        next(source)


def test_it_is_closed_while_another_thread_waits(client: netcore.Client) -> None:
    source = client.event_source("GET", STALLED)
    ended: List[BaseException] = []

    def read() -> None:
        try:
            list(source)
        except netcore.Error as error:
            ended.append(error)

    assert next(source).data == "1"
    thread = threading.Thread(target=read)
    thread.start()
    source.close()
    thread.join()
    assert [type(error) for error in ended] == [netcore.Canceled]
    source.close()
    assert source.is_closed


def test_the_end_of_the_client_ends_it(peers: Peers) -> None:
    with netcore.Client(base_url=peers.origin) as client:
        source = client.event_source("GET", "/numbered-events/5?retry=60000")
        assert next(source).data
    with pytest.raises(netcore.Error):
        next(source)


def test_misuse(client: netcore.Client) -> None:
    for options in ({"retry": -1}, {"longest_retry": 1e10}, {"largest_event": 0}):
        with pytest.raises(netcore.InvalidRequest, match=next(iter(options))):
            client.event_source("GET", EVENTS, **options)
    for wrong in ({"retry": "1"}, {"last_event_id": 1}, {"largest_event": 1.5}):
        with pytest.raises(TypeError, match=next(iter(wrong))):
            client.event_source("GET", EVENTS, **wrong)


@in_loop
async def test_events_of_the_asyncio_client(client: netcore.AsyncClient, peers: Peers) -> None:
    async with client.event_source("GET", EVENTS) as source:
        assert [event.last_event_id async for event in source] == ["1", "2", "3", "4", "5"]
    assert source.connections == 4
    async with client.event_source("GET", "/bytes/3") as source:
        with pytest.raises(netcore.ProtocolError):
            await source.__anext__()


@in_loop
async def test_the_loop_goes_on_while_events_are_waited_for(client: netcore.AsyncClient, peers: Peers) -> None:
    async with client.event_source("GET", STALLED) as source:
        assert (await source.__anext__()).data == "1"
        waiting = asyncio.ensure_future(source.__anext__())
        assert (await client.get("/bytes/3")).status_code == 200
        assert not waiting.done()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        waiting = asyncio.ensure_future(source.__anext__())
        await asyncio.sleep(0)
        await source.aclose()
        with pytest.raises(netcore.Canceled):
            await waiting
