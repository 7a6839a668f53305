"""What is called at the end of a task, events of one request, the request log, and what happens to a whole client."""

from __future__ import annotations

import asyncio
import logging
import random
import threading
from pathlib import Path
from typing import Any, List, Tuple

import pytest

import netcore
from netcore import CacheEventKind, ClientEvent, EventKind, Response

URL = "http://app.invalid/"


def answer(request: netcore.Request) -> Response:
    return Response(200)


def lose(request: netcore.Request) -> Response:
    raise netcore.ConnectError("gone")


@pytest.mark.parametrize(
    ("transport", "expected"), [(answer, ["success 200", "done"]), (lose, ["failure ConnectError", "done"])]
)
@pytest.mark.parametrize("left_out", ["", "on_success", "on_failure", "on_done"])
def test_callbacks_in_any_combination(transport: Any, expected: List[str], left_out: str) -> None:
    called: List[str] = []
    functions = {
        "on_success": lambda response: called.append(f"success {response.status_code}"),
        "on_failure": lambda error: called.append(f"failure {type(error).__name__}"),
        "on_done": lambda task: called.append("done"),
    }
    functions.pop(left_out, None)
    given: Any = functions
    with netcore.Client(transport=transport) as client:
        task = client.dispatch("GET", URL, **given)
        try:
            task.result(timeout=50)
        except netcore.ConnectError:
            pass
    left = left_out.replace("on_", "")
    assert called == [line for line in expected if not left or not line.startswith(left)]


def test_a_callback_that_raises_does_not_keep_the_next_one_from_being_called() -> None:
    called: List[str] = []

    def boom(response: Response) -> None:
        raise ValueError("boom")

    with pytest.raises(ValueError, match="boom"), netcore.Client(transport=answer) as client:
        task = client.dispatch("GET", URL, on_success=boom, on_done=lambda task: called.append("done"))
        task.result(timeout=50)
    assert called == ["done"]


def test_the_return_of_callbacks_is_an_event() -> None:
    seen: List[str] = []
    has_returned = threading.Event()

    def note(event: ClientEvent) -> None:
        if event.kind == EventKind.RETURNED:
            seen.append("returned")
            has_returned.set()

    with netcore.Client(transport=answer) as client:
        client.dispatch("GET", URL, on_event=note, on_done=lambda task: seen.append("done"))
        assert has_returned.wait(50)
    assert seen == ["done", "returned"]


@pytest.mark.parametrize("silent", [False, True])
def test_a_canceled_task_is_silent_where_that_is_asked_for(silent: bool) -> None:
    began, may_end = threading.Event(), threading.Event()
    called: List[str] = []

    def slow(request: netcore.Request) -> Response:
        began.set()
        may_end.wait(50)
        return Response(200)

    with netcore.Client(transport=slow) as client:
        task = client.dispatch(
            "GET",
            URL,
            on_failure=lambda error: called.append("failure"),
            on_done=lambda task: called.append("done"),
            silent_cancel=silent,
        )
        began.wait(50)
        task.cancel()
        with pytest.raises(netcore.Canceled):
            task.result(timeout=50)
        may_end.set()
    assert called == ([] if silent else ["failure", "done"])


def test_the_events_of_one_request() -> None:
    seen: List[Tuple[int, int]] = []
    statuses = [503, 200, 200]
    retry = netcore.Retry(throttled_delay=0.001)

    def note(event: ClientEvent) -> None:
        seen.append((event.kind, event.status))

    with netcore.Client(transport=lambda request: Response(statuses.pop(0)), retries=retry) as client:
        client.get(URL, on_event=note)
        client.get(URL)
    assert seen == [
        (EventKind.QUEUED, 0),
        (EventKind.DISPATCHED, 0),
        (EventKind.HOP_BEGAN, 0),
        (EventKind.HOP_ENDED, 503),
        (EventKind.RETRY, 503),
        (EventKind.HOP_BEGAN, 0),
        (EventKind.HOP_ENDED, 200),
        (EventKind.DONE, 200),
    ]


def test_the_events_of_a_request_that_the_cache_answers() -> None:
    seen: List[int] = []

    def store(request: netcore.Request) -> Response:
        return Response(200, headers={"Cache-Control": "max-age=60"})

    with netcore.Cache() as cache, netcore.Client(transport=store, cache=cache) as client:
        client.get(URL)
        client.get(URL, on_event=lambda event: seen.append(event.kind))
    assert seen == [EventKind.QUEUED, EventKind.CACHE, EventKind.DONE]


def test_coroutines_have_them_too() -> None:
    seen: List[int] = []

    async def run() -> None:
        called: List[int] = []
        async with netcore.AsyncClient(transport=answer) as client:
            task = client.dispatch(
                "GET", URL, on_event=lambda event: seen.append(event.kind), on_success=lambda one: called.append(1)
            )
            await task
        assert called == [1]

    asyncio.run(run())
    assert seen[0] == EventKind.QUEUED and seen[-2:] == [EventKind.DONE, EventKind.RETURNED]


def test_the_request_log() -> None:
    lines: List[Tuple[int, str]] = []
    netcore.set_log(lambda level, message: lines.append((level, message)))
    try:
        with netcore.Client(transport=answer) as client:
            client.get(URL)
            client.log_requests()
            client.get(URL + "?key=secret")
            client.log_requests(False)
            client.get(URL)
    finally:
        netcore.set_log(None)
    (began, ended) = [message.partition(": ")[2] for level, message in lines if level == logging.DEBUG]
    assert began == f"GET {URL} began; 1 task has not ended"
    assert ended == f"GET {URL} ended with 200; 0 tasks have not ended"


def test_damage_of_the_cache_is_an_event_of_each_client(tmp_path: Path) -> None:
    value = random.Random(1).randbytes(1000)
    with netcore.Cache(tmp_path) as cache:
        cache.put("a", value)
    (database,) = tmp_path.glob("*.db")
    data = database.read_bytes()
    at = data.index(value[:100])
    database.write_bytes(data[:at] + b"?" + data[at + 1 :])
    with netcore.Cache(tmp_path) as cache:
        with netcore.Client(cache=cache) as one, netcore.Client(cache=cache) as other:
            with one.events() as first, one.events() as second, other.events() as third:
                assert cache.get("a") is None
                cache.flush()
                for events in (first, second, third):
                    found = [(event.number, event.value) for event in events.read() if event.kind == EventKind.STORAGE]
                    assert found == [(0, CacheEventKind.DAMAGED_ENTRY)]


def test_what_is_no_function_is_refused() -> None:
    wrong: Any = 5
    with netcore.Client(transport=answer) as client:
        for name in ("on_success", "on_failure", "on_done", "on_event", "silent_cancel"):
            options: Any = {name: wrong}
            with pytest.raises(TypeError, match=name):
                client.dispatch("GET", URL, **options)
        with pytest.raises(TypeError):
            client.log_requests(wrong)
