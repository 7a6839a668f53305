"""Equal requests in flight."""

from __future__ import annotations

import asyncio
import threading
from typing import Any, List

import pytest

import netcore
from netcore import Request, Response
from peers import until

URL = "http://app.invalid/"


class Server:
    """Answers when it is told to."""

    def __init__(self) -> None:
        self.requests: List[Request] = []
        self.may_answer = threading.Event()

    def __call__(self, request: Request) -> Response:
        self.requests.append(request)
        assert self.may_answer.wait(10)
        return Response(200, content="x")


def test_requests_that_join_are_answered_by_one_transfer() -> None:
    server = Server()

    async def main() -> List[Response]:
        async with netcore.AsyncClient(transport=server, duplicates="join") as client:
            tasks = [asyncio.create_task(client.get(URL)) for _ in range(4)]
            while not server.requests:
                await asyncio.sleep(0.001)
            tasks.pop(0).cancel()
            await asyncio.sleep(0)
            server.may_answer.set()
            return await asyncio.gather(*tasks)

    responses = asyncio.run(main())
    assert [one.text for one in responses] == ["x"] * 3 and len(server.requests) == 1
    assert sorted(one.joined for one in responses) == [False, True, True]


def test_a_new_request_is_dropped() -> None:
    server = Server()
    with netcore.Client(transport=server) as client:
        task = client.dispatch("GET", URL, duplicates="drop_new")
        until(lambda: bool(server.requests))
        with pytest.raises(netcore.DuplicateRequest) as caught:
            client.get(URL, duplicates="drop_new")
        assert isinstance(caught.value, netcore.NotAdmitted) and not caught.value.sent
        server.may_answer.set()
        assert task.result().text == "x"


def test_the_old_request_is_canceled() -> None:
    server = Server()
    with netcore.Client(transport=server) as client:
        old = client.dispatch("POST", URL, content=b"1", duplicates="cancel_old")
        until(lambda: bool(server.requests))
        new = client.dispatch("POST", URL, content=b"1", duplicates="cancel_old")
        with pytest.raises(netcore.Canceled) as caught:
            old.result()
        assert caught.value.cause == "replaced" and caught.value.sent
        server.may_answer.set()
        assert new.result().text == "x"


def test_a_canceled_task_says_whether_it_was_sent() -> None:
    server = Server()
    with netcore.Client(transport=server, limits=netcore.Limits(transfers=1)) as client:
        tasks = [client.dispatch("GET", URL) for _ in range(2)]
        until(lambda: bool(server.requests))
        sent = []
        for task in reversed(tasks):
            task.cancel()
            with pytest.raises(netcore.Canceled) as caught:
                task.result()
            sent.append((caught.value.sent, caught.value.cause))
        assert sent == [(False, "application"), (True, "application")]
        server.may_answer.set()


@pytest.mark.parametrize("value", ["merge", 1, True])
def test_another_policy_is_refused(value: Any) -> None:
    with netcore.Client() as client, pytest.raises((netcore.InvalidRequest, TypeError)):
        client.get(URL, duplicates=value)
