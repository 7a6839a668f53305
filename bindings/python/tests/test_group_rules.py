"""Groups with a rule, chains and graphs, of both clients."""

from __future__ import annotations

import asyncio
from typing import Any, List

import pytest

import netcore
from netcore.testing import Fault, Stubs
from peers import Peers, until


def numbers(count: int = 9) -> Stubs:
    """Each path /N answers N."""
    stubs = Stubs()
    for number in range(count):
        stubs.get(f"/{number}").answer(json=number)
    stubs.get("/slow").answer(delay=30)
    stubs.get("/failing").answer(fault=Fault.reset())
    return stubs


@pytest.fixture()
def stubbed() -> Any:
    with netcore.Client(base_url="https://api.test", transport=numbers()) as client:
        yield client


def test_the_first_failure_cancels_the_rest_and_is_named(stubbed: netcore.Client) -> None:
    group = stubbed.group("all_or_nothing")
    slow, failing = group.add("GET", "/slow"), group.add("GET", "/failing")
    group.dispatch()
    with pytest.raises(netcore.ConnectionLost) as caught:
        group.wait(timeout=10)
    assert group.decided_by is failing and group.error is caught.value
    with pytest.raises(netcore.Canceled):
        slow.result()
    assert group.progress == netcore.GroupProgress(2, 0, 1, 1, True)


def test_the_first_success_wins(stubbed: netcore.Client) -> None:
    group = stubbed.group("any")
    group.add("GET", "/failing")
    group.add("GET", "/slow")
    third = group.add("GET", "/3")
    group.dispatch()
    group.wait(timeout=10)
    assert group.decided_by is third and group.error is None
    assert third.result().json() == 3


def test_a_group_that_takes_too_long(stubbed: netcore.Client) -> None:
    group = stubbed.group(timeout=0.02)
    group.add("GET", "/slow")
    group.dispatch()
    with pytest.raises(netcore.TotalTimeout):
        group.wait(timeout=10)
    assert group.decided_by is None


def test_a_limit_starts_members_in_order(stubbed: netcore.Client) -> None:
    order: List[int] = []
    group = stubbed.group(limit=1)
    for number in range(9):
        group.add("GET", f"/{number}", on_done=lambda task: order.append(task.result().json()))
    group.dispatch()
    group.wait(timeout=10)
    assert order == list(range(9))


def test_a_step_of_a_chain_sees_what_the_one_before_brought(stubbed: netcore.Client) -> None:
    chain = stubbed.group("chain")
    chain.add("GET", "/2")
    second = chain.add_task(lambda step: step.send("GET", f"/{step.inputs[0].json() * 2}"))
    third = chain.add_task(lambda step: step.complete(result=step.inputs[0].json() + 1))
    chain.dispatch()
    chain.wait(timeout=10)
    assert second.result().json() == 4 and third.result() == 5
    with pytest.raises(netcore.StateError):
        chain.dispatch()


def test_a_chain_grows_while_it_runs(stubbed: netcore.Client) -> None:
    seen: List[int] = []
    chain = stubbed.group("chain")

    def more(task: netcore.Task) -> None:
        number = task.result().json()
        seen.append(number)
        if number < 4:
            chain.add("GET", f"/{number + 1}", on_done=more)

    chain.add("GET", "/0", on_done=more)
    chain.dispatch()
    chain.wait(timeout=10)
    assert seen == [0, 1, 2, 3, 4]
    with pytest.raises(netcore.StateError):
        chain.add("GET", "/1")


def test_the_first_failure_ends_a_chain(stubbed: netcore.Client) -> None:
    chain = stubbed.group("chain")
    chain.add("GET", "/1")
    failing = chain.add_task(lambda step: step.send("GET", "/failing"))
    rest = chain.add("GET", "/2")
    work = chain.add_task(lambda _: pytest.fail("was started"))
    chain.dispatch()
    with pytest.raises(netcore.ConnectionLost):
        chain.wait(timeout=10)
    assert chain.decided_by is failing
    for skipped in (rest, work):
        with pytest.raises(netcore.Skipped):
            skipped.result()
    assert chain.progress == netcore.GroupProgress(4, 1, 1, 0, True, 2)


def test_cancel_ends_the_step_in_flight_and_drops_the_rest(stubbed: netcore.Client) -> None:
    told: List[object] = []
    chain = stubbed.group("chain")

    def stop(step: netcore.ApplicationTask) -> None:
        told.append(step)
        step.complete()

    work = chain.add_task(cancel=stop)
    rest = chain.add("GET", "/1")
    chain.dispatch()
    until(lambda: work._is_resumed)
    assert chain.cancel()
    with pytest.raises(netcore.Canceled):
        chain.wait(timeout=10)
    assert told == [work]
    with pytest.raises(netcore.Canceled):
        rest.result()


def test_members_of_a_graph_wait_for_others(stubbed: netcore.Client) -> None:
    order: List[str] = []
    graph = stubbed.group()

    def note(name: str) -> Any:
        return lambda _: order.append(name)

    user = graph.add("GET", "/1", on_done=note("user"))
    carts = graph.add("GET", "/2", after=[user], on_done=note("carts"))
    total = graph.add_task(
        lambda step: step.complete(result=sum(one.json() for one in step.inputs)), after=[user, carts]
    )
    graph.add("GET", "/3", after=[total], on_done=note("last"))
    graph.dispatch()
    graph.wait(timeout=10)
    assert order == ["user", "carts", "last"] and total.result() == 3


def test_a_failure_skips_those_that_wait_for_it(stubbed: netcore.Client) -> None:
    graph = stubbed.group()
    failing = graph.add("GET", "/failing")
    waiting = graph.add("GET", "/1", after=[failing])
    behind = graph.add("GET", "/2", after=[waiting])
    other = graph.add("GET", "/3")
    graph.dispatch()
    graph.wait(timeout=10)
    assert other.result().json() == 3 and graph.decided_by is failing
    for task in (waiting, behind):
        with pytest.raises(netcore.Skipped):
            task.result()


def test_a_group_is_a_member_of_a_group(stubbed: netcore.Client) -> None:
    order: List[object] = []
    inner = stubbed.group("all_or_nothing")
    outer = stubbed.group("chain")
    inner.add("GET", "/1", on_done=lambda _: order.append("task"))
    outer.add_group(inner, notify=lambda _: order.append("inner"))
    outer.add("GET", "/2", on_done=lambda _: order.append("after"))
    with pytest.raises(netcore.StateError):
        outer.add_group(inner)
    with pytest.raises(netcore.StateError):
        inner.dispatch()
    outer.dispatch(lambda _: order.append("outer"))
    outer.wait(timeout=10)
    inner.wait(timeout=10)
    assert order == ["task", "inner", "after", "outer"]
    assert outer.members[0] is inner


def test_a_group_cannot_be_a_member_of_itself(stubbed: netcore.Client) -> None:
    inner, outer = stubbed.group(), stubbed.group()
    outer.add_group(inner)
    with pytest.raises(netcore.InvalidRequest):
        inner.add_group(outer)
    with pytest.raises(netcore.InvalidRequest):
        outer.add_group(outer)
    outer.cancel()


def test_a_task_that_was_made_before_joins(stubbed: netcore.Client, client: netcore.Client) -> None:
    task = stubbed.task("GET", "/1")
    group = stubbed.group()
    assert group.join(task) is task
    with pytest.raises(netcore.StateError):
        group.join(task)
    with pytest.raises(netcore.StateError):
        task.dispatch()
    with pytest.raises(netcore.InvalidRequest):
        group.join(client.task("GET", "/echo"))
    sent = stubbed.dispatch("GET", "/2")
    sent.result()
    with pytest.raises(netcore.StateError):
        group.join(sent)
    group.dispatch()
    assert group.wait(timeout=10) == [task] and task.result().json() == 1


@pytest.mark.parametrize("how", [{"rule": "some"}, {"limit": 0}, {"limit": True}, {"timeout": 0}, {"timeout": "1"}])
def test_refused_options(stubbed: netcore.Client, how: Any) -> None:
    with pytest.raises((netcore.InvalidRequest, TypeError)):
        stubbed.group(**how)


def test_refused_conditions(stubbed: netcore.Client) -> None:
    chain, group = stubbed.group("chain"), stubbed.group()
    foreign = chain.add("GET", "/1")
    with pytest.raises(netcore.StateError):
        chain.add("GET", "/1", after=[foreign])
    with pytest.raises(netcore.InvalidRequest):
        group.add("GET", "/1", after=[foreign])
    assert len(group) == 0
    chain.cancel()


async def rules_of_the_asyncio_client() -> None:
    async with netcore.AsyncClient(base_url="https://api.test", transport=numbers()) as client:
        chain = client.group("chain")
        first = chain.add("GET", "/2")

        async def square(step: netcore.ApplicationTask) -> int:
            return int((await client.get(f"/{step.inputs[0].json() * 2}")).json()) ** 2

        second = chain.add_task(square)
        third = chain.add_task(lambda step: step.send("GET", f"/{step.inputs[0] // 4}"))
        chain.dispatch()
        await chain.wait()
        assert first.result().json() == 2 and second.result() == 16 and third.result().json() == 4

        graph = client.group("all_or_nothing", limit=3)
        slow = graph.add("GET", "/slow")

        async def fail(_: netcore.ApplicationTask) -> None:
            await asyncio.sleep(0)
            raise ValueError("mine")

        failing = graph.add_task(fail, after=[graph.add("GET", "/1")])
        graph.dispatch()
        with pytest.raises(ValueError, match="mine"):
            await graph.wait()
        assert graph.decided_by is failing
        with pytest.raises(netcore.Canceled):
            await slow


def test_chains_and_graphs_of_the_asyncio_client() -> None:
    asyncio.run(asyncio.wait_for(rules_of_the_asyncio_client(), 20))


async def canceled_coroutine() -> None:
    async with netcore.AsyncClient(base_url="https://api.test", transport=numbers()) as client:
        started = asyncio.Event()
        ended: List[str] = []

        async def work(_: netcore.ApplicationTask) -> None:
            started.set()
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                ended.append("canceled")
                raise

        group = client.group(limit=1)
        task = group.add_task(work)
        group.dispatch()
        await started.wait()
        group.cancel()
        await group.wait()
        assert ended == ["canceled"] and group.progress.canceled == 1
        with pytest.raises(netcore.Canceled):
            task.result()


def test_a_cancel_cancels_the_coroutine_of_a_member() -> None:
    asyncio.run(asyncio.wait_for(canceled_coroutine(), 20))


def test_closing_the_client_ends_chains(peers: Peers, stalled: str) -> None:
    client = netcore.Client(base_url=peers.origin)
    chain = client.group("chain")
    tasks = [chain.add("GET", stalled) for _ in range(3)]
    notified: List[object] = []
    chain.dispatch(notified.append)
    client.close()
    assert notified == [chain]
    for task in tasks:
        with pytest.raises(netcore.Canceled):
            task.result(timeout=0)
