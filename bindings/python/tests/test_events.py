"""Events of streamed responses, at both clients. What makes an event of which lines is tested below Python."""

from __future__ import annotations

import json
from typing import Any, List

import pytest

import netcore
from netcore import ServerSentEvent
from peers import Peers, script
from test_asyncio import in_loop

HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"


def stream(*steps: Any, head: str = HEAD) -> str:
    return script({"send": head}, *steps)


ANSWER = stream(
    {"send": ': hello\n\nid: 1\nevent: delta\ndata: {"text":\ndata: "Gr\xc3\xbc\xc3\x9fe"}\n\n'},
    {"drip": "retry: 1500\r\ndata\r\n\r\n", "interval_ms": 1},
    {"send": "data: [DONE]\n\ndata: never ended"},
)
EVENTS = [
    ServerSentEvent("delta", '{"text":\n"Grüße"}', "1", None),
    ServerSentEvent("message", "", "1", 1.5),
    ServerSentEvent("message", "[DONE]", "1", 1.5),
]


def test_events_come_in_order(client: netcore.Client) -> None:
    with client.stream("POST", ANSWER, json={"stream": True}) as response:
        events = list(response.events())
    assert events == EVENTS and json.loads(events[0].data) == {"text": "Grüße"}
    assert response.is_closed and response.num_bytes_downloaded > 0


def test_an_event_is_there_while_the_stream_goes_on(client: netcore.Client) -> None:
    with client.stream("GET", stream({"send": "data: 1\n\ndata: 2"}, {"stall": True})) as response:
        for event in response.events():
            assert event.data == "1"
            break


def test_other_answers_are_refused_and_can_be_read(client: netcore.Client) -> None:
    with client.stream("GET", stream({"send": '{"error": 1}'}, head=HEAD.replace("200 OK", "429 No"))) as response:
        with pytest.raises(netcore.HTTPStatusError, match="429") as caught:
            next(response.events())
        assert caught.value.response is response
        assert json.loads(response.read()) == {"error": 1}
    with client.stream("GET", stream({"send": "data: 1\n\n"}, head=HEAD.replace("event-stream", "plain"))) as response:
        with pytest.raises(netcore.ProtocolError):
            next(response.events())
        assert response.read() == b"data: 1\n\n"


def test_many_events_come_in_order_with_what_each_says(client: netcore.Client) -> None:
    count = 2000
    retries = [f"retry: {number}\n" if number % 3 == 0 else "" for number in range(count)]
    text = "".join(f"{retry}id: {number}\ndata: Zeile {number} ü\x00\n\n" for number, retry in enumerate(retries))
    with client.stream("GET", stream({"send": text.encode().decode("latin-1")})) as response:
        for number, event in enumerate(response.events()):
            last = number // 3 * 3
            assert event == ("message", f"Zeile {number} ü\x00", str(number), last / 1000)
            assert type(event) is ServerSentEvent and event.data.endswith("\0")
    assert number == count - 1


def test_errors_come_after_what_was_whole(client: netcore.Client) -> None:
    cut = HEAD.replace("\r\n\r\n", "\r\nContent-Length: 99\r\n\r\n")
    events: List[ServerSentEvent] = []
    with client.stream("GET", stream({"send": "data: 1\n\ndata: 2"}, head=cut)) as response:
        with pytest.raises(netcore.TruncatedError):
            events.extend(response.events())
    assert [event.data for event in events] == ["1"]
    with client.stream("GET", stream({"send": "data: 1\n\ndata: 23456789\n\n"})) as response:
        with pytest.raises(netcore.LimitError):
            events.extend(response.events(largest_event=12))
    assert [event.data for event in events] == ["1", "1"]


def test_misuse(client: netcore.Client) -> None:
    with client.stream("GET", ANSWER) as response:
        for wrong in (0, -1):
            with pytest.raises(netcore.InvalidRequest, match="largest_event"):
                next(response.events(wrong))
        with pytest.raises(TypeError, match="largest_event"):
            next(response.events("1"))  # type: ignore[arg-type]
        assert list(response.events()) == EVENTS
        with pytest.raises(netcore.StateError, match="only once"):
            next(response.events())
    with client.stream("GET", ANSWER) as response:
        pass
    with pytest.raises(netcore.StateError, match="closed"):
        next(response.events())


@in_loop
async def test_events_of_the_asyncio_client(client: netcore.AsyncClient, peers: Peers) -> None:
    async with client.stream("GET", ANSWER) as response:
        assert [event async for event in response.events()] == EVENTS
    async with client.stream("GET", stream({"send": "data: 1\n\n"}, {"stall": True})) as response:
        async for event in response.events():
            assert event.data == "1"
            break
    async with client.stream("GET", stream(head=HEAD.replace("event-stream", "plain"))) as response:
        with pytest.raises(netcore.ProtocolError):
            await response.events().__anext__()
        assert await response.aread() == b""
