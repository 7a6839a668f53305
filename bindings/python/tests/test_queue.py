"""The queue: who goes first, and what becomes of tasks when it is full."""

from __future__ import annotations

import threading
from typing import Any, List

import pytest

import netcore
from netcore import Limits, Request, Response
from peers import until

URL = "http://app.invalid/"


class Server:
    """Answers when it is told to."""

    def __init__(self) -> None:
        self.paths: List[str] = []
        self.may_answer = threading.Event()

    def __call__(self, request: Request) -> Response:
        self.paths.append(request.url[len(URL) :])
        assert self.may_answer.wait(30)
        return Response(200)

    def client(self, **limits: Any) -> netcore.Client:
        """One that sends one request at a time, the first of which is under way."""
        client = netcore.Client(transport=self, limits=Limits(transfers=1, **limits))
        client.dispatch("GET", URL + "first")
        until(lambda: self.paths == ["first"])
        return client


def test_a_task_that_waits_goes_by_its_new_priority() -> None:
    server = Server()
    with server.client() as client:
        tasks = [client.dispatch("GET", URL + name) for name in "abc"]
        assert tasks[1].priority == "default"
        assert tasks[1].set_priority("high")
        assert tasks[0].set_priority("low")
        assert [task.priority for task in tasks] == ["low", "high", "default"]
        with pytest.raises(netcore.InvalidRequest, match="priority"):
            tasks[1].set_priority("urgent")  # type: ignore[arg-type]
        server.may_answer.set()
        for task in tasks:
            task.result()
        assert not tasks[1].set_priority("low")
        assert tasks[1].priority == "default"
    assert server.paths == ["first", "b", "c", "a"]


def test_the_lowest_is_dropped_when_the_queue_is_full() -> None:
    server = Server()
    with server.client(queue_length=2, queue_overflow="drop_lowest") as client:
        tasks = [client.dispatch("GET", URL + name, priority="low") for name in "ab"]
        tasks.append(client.dispatch("GET", URL + "c"))
        with pytest.raises(netcore.Dropped) as caught:
            tasks[1].result()
        assert isinstance(caught.value, netcore.NotAdmitted)
        assert not caught.value.sent
        server.may_answer.set()
        assert [tasks[index].result().status_code for index in (0, 2)] == [200, 200]
    assert server.paths == ["first", "c", "a"]


def test_an_overflow_that_is_none_is_refused() -> None:
    with pytest.raises(netcore.InvalidRequest, match="queue_overflow"):
        netcore.Client(limits=Limits(queue_overflow="drop"))  # type: ignore[arg-type]
