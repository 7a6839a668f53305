"""What tasks belong to, and what becomes of them when it is closed."""

from __future__ import annotations

import asyncio
import gc
import threading
from typing import Any, List

import pytest

import netcore
from netcore import Request, Response, TaskScope

URL = "http://app.invalid/"


class Server:
    """Answers when it may."""

    def __init__(self) -> None:
        self.may_answer = threading.Event()

    def __call__(self, request: Request) -> Response:
        if "held" in request.url:
            assert self.may_answer.wait(10)
        return Response(200, content="x")


def test_with_cancels_what_has_not_ended() -> None:
    server = Server()
    with netcore.Client(transport=server) as client:
        with TaskScope() as scope:
            ended = client.dispatch("GET", URL, task_scope=scope)
            assert ended.result().text == "x"
            held = client.dispatch("GET", URL + "held", task_scope=scope)
            apart = client.dispatch("GET", URL + "held")
            assert len(scope) == 1
        with pytest.raises(netcore.Canceled) as caught:
            held.result(10)
        assert caught.value.cause == "scope" and scope.is_closed and len(scope) == 0
        server.may_answer.set()
        assert apart.result(10).text == "x"
        with pytest.raises(netcore.StateError, match="task_scope"):
            client.get(URL, task_scope=scope)


def test_async_with_cancels_what_is_awaited() -> None:
    server = Server()

    async def main() -> str:
        async with netcore.AsyncClient(transport=server) as client:
            async with TaskScope() as scope:
                await client.get(URL, task_scope=scope)
                held = client.dispatch("GET", URL + "held", task_scope=scope)
            with pytest.raises(netcore.Canceled) as caught:
                await held
            server.may_answer.set()
            return caught.value.cause

    assert asyncio.run(main()) == "scope"


def test_a_scope_that_is_no_longer_referred_to_is_closed() -> None:
    server = Server()
    with netcore.Client(transport=server) as client:
        scope = TaskScope()
        task = client.dispatch("GET", URL + "held", task_scope=scope)
        del scope
        gc.collect()
        with pytest.raises(netcore.Canceled):
            task.result(10)
        server.may_answer.set()


def test_a_scope_that_drops_callbacks_runs_none_after_it_is_closed() -> None:
    server = Server()
    calls: List[Any] = []
    with netcore.Client(transport=server) as client:
        scope = TaskScope(drop_callbacks=True)
        task = client.dispatch("GET", URL + "held", task_scope=scope, on_done=calls.append)
        kept = client.dispatch("GET", URL + "held", task_scope=(other := TaskScope()), on_done=calls.append)
        scope.close()
        other.close()
        scope.close()
        for one in (task, kept):
            with pytest.raises(netcore.Canceled):
                one.result(10)
        server.may_answer.set()
    assert calls == [kept]


def test_closing_waits_for_a_callback_that_runs() -> None:
    began, may_end, steps = threading.Event(), threading.Event(), []
    scope = TaskScope(drop_callbacks=True)

    def on_done(task: Any) -> None:
        began.set()
        assert may_end.wait(10)
        steps.append("ran")

    with netcore.Client(transport=Server()) as client:
        client.dispatch("GET", URL, task_scope=scope, on_done=on_done)
        assert began.wait(10)
        threading.Timer(0.02, may_end.set).start()
        scope.close()
        steps.append("closed")
    assert steps == ["ran", "closed"]


def test_a_callback_may_close_the_scope_of_its_own_task() -> None:
    scope = TaskScope(drop_callbacks=True)
    with netcore.Client(transport=Server()) as client:
        task = client.dispatch("GET", URL, task_scope=scope, on_done=lambda task: scope.close())
        assert task.result(10).text == "x" and scope.is_closed


def test_cancel_leaves_the_scope_open() -> None:
    server = Server()
    with netcore.Client(transport=server) as client, TaskScope() as scope:
        task = client.dispatch("GET", URL + "held", task_scope=scope)
        scope.cancel()
        with pytest.raises(netcore.Canceled):
            task.result(10)
        server.may_answer.set()
        assert client.get(URL, task_scope=scope).text == "x"


@pytest.mark.parametrize("value", [1, "scope"])
def test_what_is_no_scope_is_refused(value: Any) -> None:
    with netcore.Client() as client, pytest.raises(TypeError, match="task_scope"):
        client.get(URL, task_scope=value)
