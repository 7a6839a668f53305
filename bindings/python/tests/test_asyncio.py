"""The asyncio client."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import threading
from pathlib import Path
from typing import Any, Awaitable, Callable, List, Set

import pytest

import netcore
from peers import Peers, aborted, received, until

Test = Callable[[netcore.AsyncClient, Peers], Awaitable[None]]


def in_loop(test: Test) -> Callable[[Peers], None]:
    """Runs a test in an event loop, with a client of the scripted origin."""

    @functools.wraps(test)
    def run(peers: Peers) -> None:
        async def body() -> None:
            async with netcore.AsyncClient(base_url=peers.origin) as client:
                await test(client, peers)

        asyncio.run(body())

    del run.__wrapped__  # pytest would look for its arguments
    return run


@in_loop
async def test_a_hundred_at_once(client: netcore.AsyncClient, peers: Peers) -> None:
    answers = await asyncio.gather(*(client.get(f"/status/200?X-Number={n}") for n in range(100)))
    assert [one.headers["x-number"] for one in answers] == [str(n) for n in range(100)]


@in_loop
async def test_a_thousand_one_after_another_in_many_tasks(client: netcore.AsyncClient, peers: Peers) -> None:
    async def work() -> int:
        return sum([(await client.get("/echo")).status_code for _ in range(20)])

    assert sum(await asyncio.gather(*(work() for _ in range(50)))) == 200 * 1000


@in_loop
async def test_the_loop_goes_on_while_a_request_waits(client: netcore.AsyncClient, peers: Peers) -> None:
    turns = 0
    waiting = asyncio.ensure_future(client.get("/delay/200"))
    while not waiting.done():
        turns += 1
        await asyncio.sleep(0.001)
    assert turns > 10 and waiting.result().status_code == 200


@in_loop
async def test_canceling_the_asyncio_task_cancels_the_transfer(client: netcore.AsyncClient, peers: Peers) -> None:
    path = "/delay/29001"
    waiting = asyncio.ensure_future(client.get(path))
    await eventually(lambda: received(peers.origin, path) == 1)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await eventually(lambda: aborted(peers.origin, path) == 1)
    assert (await client.get("/echo")).status_code == 200


@in_loop
async def test_wait_for_cancels_the_transfer(client: netcore.AsyncClient, peers: Peers) -> None:
    path = "/delay/29002"
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(client.get(path), 0.2)
    await eventually(lambda: aborted(peers.origin, path) == 1)


async def eventually(condition: Callable[[], bool]) -> None:
    """Waits, in a thread, for something that happens soon."""
    await asyncio.get_running_loop().run_in_executor(None, until, condition)


@in_loop
async def test_errors_are_those_of_the_blocking_client(client: netcore.AsyncClient, peers: Peers) -> None:
    with pytest.raises(netcore.ConnectError):
        await client.get(peers.refused)
    with pytest.raises(netcore.FirstByteTimeout):
        await client.get("/delay/5000", timeout=0.1)
    with pytest.raises(netcore.InvalidURL):
        await client.get("ftp://127.0.0.1/")


@in_loop
async def test_a_task_can_be_awaited_more_than_once(client: netcore.AsyncClient, peers: Peers) -> None:
    task = client.dispatch("GET", "/echo")
    assert 0 < task.id < 2**53 and not task.done()
    with pytest.raises(netcore.StateError):
        task.result()
    first, second = await asyncio.gather(wait_for(task), wait_for(task))
    assert first is second is await task is task.result()
    assert task.done() and task.state is netcore.TaskState.FINISHED


async def wait_for(task: netcore.AsyncTask) -> netcore.Response:
    return await task


@in_loop
async def test_a_task_canceled_by_id_is_no_canceled_coroutine(client: netcore.AsyncClient, peers: Peers) -> None:
    for cancel in (lambda task: client.cancel(task.id), lambda task: task.cancel(), lambda _: client.cancel_all() == 1):
        task = client.dispatch("GET", "/delay/29003")
        assert cancel(task)
        with pytest.raises(netcore.Canceled):
            await task
        assert task.cancel() is False


@in_loop
async def test_canceling_one_wait_cancels_the_task_for_all(client: netcore.AsyncClient, peers: Peers) -> None:
    task = client.dispatch("GET", "/delay/29004")
    one, other = asyncio.ensure_future(wait_for(task)), asyncio.ensure_future(wait_for(task))
    await asyncio.sleep(0)
    one.cancel()
    with pytest.raises(netcore.Canceled):
        await other
    assert one.cancelled()


@in_loop
async def test_callbacks_run_in_the_loop(client: netcore.AsyncClient, peers: Peers) -> None:
    seen: List[object] = []

    def on_done(task: netcore.AsyncTask) -> None:
        seen.append((task.result().status_code, threading.get_ident()))

    await client.dispatch("GET", "/echo", on_done=on_done)
    assert seen == [(200, threading.get_ident())]


@in_loop
async def test_an_exception_of_a_callback_is_raised_where_it_is_awaited(
    client: netcore.AsyncClient, peers: Peers
) -> None:
    with pytest.raises(ZeroDivisionError):
        await client.dispatch("GET", "/echo", on_done=lambda _: 1 / 0)


def test_an_exception_of_a_callback_that_nobody_saw_is_raised_by_aclose(peers: Peers) -> None:
    async def body() -> None:
        client = netcore.AsyncClient(base_url=peers.origin)
        done = asyncio.Event()

        def on_done(_: netcore.AsyncTask) -> None:
            done.set()
            raise KeyError("mine")

        client.dispatch("GET", "/echo", on_done=on_done)
        await done.wait()
        with pytest.raises(KeyError, match="mine"):
            await client.aclose()
        await client.aclose()

    asyncio.run(body())


@in_loop
async def test_groups(client: netcore.AsyncClient, peers: Peers) -> None:
    order: List[object] = []
    group = client.group()
    tasks = [group.add("GET", "/echo", on_done=lambda _: order.append("task")) for _ in range(10)]
    host = group.add_task(resume=lambda one: asyncio.get_running_loop().call_later(0.05, one.complete))
    with pytest.raises(netcore.StateError):
        await group.wait()
    group.dispatch(order.append)
    assert await group.wait() == tasks == group.tasks
    assert order == ["task"] * 10 + [group]
    assert host.done()
    assert group.progress == netcore.GroupProgress(11, 11, 0, 0, True)
    empty = client.group()
    empty.dispatch()
    assert await empty.wait() == []


@in_loop
async def test_a_canceled_wait_leaves_the_group_alone(client: netcore.AsyncClient, peers: Peers) -> None:
    group = client.group()
    task = group.add("GET", "/delay/300")
    group.dispatch()
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(group.wait(), 0.01)
    await group.wait()
    assert task.result().status_code == 200


@in_loop
async def test_a_canceled_group(client: netcore.AsyncClient, peers: Peers) -> None:
    group = client.group()
    task = group.add("GET", "/delay/29005")
    group.dispatch()
    assert group.cancel()
    await group.wait()
    with pytest.raises(netcore.Canceled):
        await task


def test_close_ends_what_is_in_flight(peers: Peers) -> None:
    async def body() -> None:
        client = netcore.AsyncClient(base_url=peers.origin)
        ended: List[netcore.AsyncTask] = []
        waiting = asyncio.ensure_future(client.get("/delay/29006"))
        await asyncio.sleep(0)
        tasks = [client.dispatch("GET", "/delay/29007", on_done=ended.append) for _ in range(10)]
        group = client.group()
        host = group.add_task(cancel=lambda _: None)
        group.dispatch()
        created = client.group().add("GET", "/echo")
        await client.aclose()
        assert ended == tasks and host.done() and created.done()
        with pytest.raises(netcore.Canceled):
            await waiting
        with pytest.raises(netcore.StateError, match="closed"):
            await client.get("/echo")
        with pytest.raises(netcore.StateError, match="closed"):
            client.dispatch("GET", "/echo")

    asyncio.run(body())


def test_one_client_in_one_loop_after_another(peers: Peers) -> None:
    client = netcore.AsyncClient(base_url=peers.origin)

    async def body() -> int:
        return (await client.get("/echo")).status_code

    assert [asyncio.run(body()) for _ in range(3)] == [200] * 3
    asyncio.run(client.aclose())


def test_one_client_in_two_loops_at_once(peers: Peers) -> None:
    client = netcore.AsyncClient(base_url=peers.origin)
    caught: List[Any] = []

    def other() -> None:
        try:
            asyncio.run(client.request("GET", "/echo"))
        except netcore.StateError as error:
            caught.append(error)

    async def body() -> None:
        await client.get("/echo")
        thread = threading.Thread(target=other)
        thread.start()
        await asyncio.get_running_loop().run_in_executor(None, thread.join)
        await client.aclose()

    asyncio.run(body())
    assert "two event loops" in str(caught[0])


def test_a_client_that_is_dropped_without_close(peers: Peers) -> None:
    async def body() -> None:
        for _ in range(5):
            client = netcore.AsyncClient(base_url=peers.origin)
            assert (await client.get("/echo")).status_code == 200
            del client
            gc.collect()
            await asyncio.sleep(0)

    asyncio.run(body())


def test_a_loop_that_ends_with_requests_in_flight(peers: Peers) -> None:
    path = "/delay/29008"
    client = netcore.AsyncClient(base_url=peers.origin)

    async def body() -> None:
        waiting = asyncio.ensure_future(client.get(path))
        client.dispatch("GET", path)
        await eventually(lambda: received(peers.origin, path) == 2)
        assert not waiting.done()

    asyncio.run(body())
    until(lambda: aborted(peers.origin, path) == 1)  # the coroutine was canceled; the task goes on without a loop
    asyncio.run(client.aclose())
    until(lambda: aborted(peers.origin, path) == 2)


def test_an_answer_from_memory_does_not_pass_the_loop(peers: Peers) -> None:
    async def body() -> None:
        with netcore.Cache() as cache:
            async with netcore.AsyncClient(base_url=peers.origin, cache=cache) as client:
                path = "/headers?Cache-Control=max-age%3D60&X-Number=loop"
                stored = await client.get(path)
                with pytest.raises(StopIteration) as ended:
                    client.get(path).send(None)  # runs to its end, and never waits
                assert ended.value.value.from_cache
                assert ended.value.value.content == stored.content

    asyncio.run(body())


def io_threads() -> Set[str]:
    found = set()
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):  # it has ended
            if (task / "comm").read_text() == "netcore-io\n":
                found.add(task.name)
    return found


def test_no_thread_moves_the_bytes(peers: Peers) -> None:
    async def body() -> None:
        before = io_threads()
        async with netcore.AsyncClient(base_url=peers.origin) as client:
            await client.get("/status/200")
            assert io_threads() <= before

    asyncio.run(body())
