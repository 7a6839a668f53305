"""Groups of the blocking client. What is shared with the asyncio client is tested here alone."""

from __future__ import annotations

import builtins
import gc
import threading
from typing import List

import pytest

import netcore
from peers import Peers, received, until


def test_the_notification_comes_after_every_callback(client: netcore.Client) -> None:
    order: List[object] = []
    group = client.group()
    tasks = [group.add("GET", "/echo", on_done=lambda _: order.append("task")) for _ in range(10)]
    assert len(group) == 10 and tasks[0].state is netcore.TaskState.CREATED
    assert group.progress == netcore.GroupProgress(10, 0, 0, 0, False)
    group.dispatch(lambda one: order.append(one))
    assert group.wait() == tasks == group.tasks
    assert order == ["task"] * 10 + [group]
    assert [task.result().status_code for task in tasks] == [200] * 10
    assert group.progress == netcore.GroupProgress(10, 10, 0, 0, True)
    assert group.progress.ended == 10


def test_nothing_goes_out_before_dispatch(client: netcore.Client, peers: Peers, stalled: str) -> None:
    group = client.group()
    group.add("GET", stalled)
    client.get("/echo")
    assert received(peers.origin, stalled) == 0
    group.cancel()


def test_an_empty_group_notifies(client: netcore.Client) -> None:
    seen: List[netcore.Group] = []
    group = client.group()
    group.dispatch(seen.append)
    assert group.wait(timeout=10) == []
    assert seen == [group]


def test_members_fail_on_their_own(client: netcore.Client, peers: Peers) -> None:
    group = client.group()
    fine, refused = group.add("GET", "/status/500"), group.add("GET", peers.refused)
    group.dispatch()
    group.wait()
    assert fine.result().status_code == 500
    with pytest.raises(netcore.ConnectError):
        refused.result()
    assert group.progress == netcore.GroupProgress(2, 1, 1, 0, True)


def test_cancel_ends_all_members_and_notifies(client: netcore.Client, stalled: str) -> None:
    seen: List[netcore.Group] = []
    group = client.group()
    tasks = [group.add("GET", stalled) for _ in range(5)]
    group.dispatch(seen.append)
    assert group.cancel()
    group.wait(timeout=10)
    assert seen == [group]
    for task in tasks:
        with pytest.raises(netcore.Canceled):
            task.result(timeout=0)
    assert group.progress == netcore.GroupProgress(5, 0, 0, 5, True)
    assert not group.cancel()


def test_cancel_before_dispatch_ends_the_group_without_notification(client: netcore.Client, stalled: str) -> None:
    group = client.group()
    task, host = group.add("GET", stalled), group.add_task(resume=lambda _: pytest.fail("was resumed"))
    assert group.cancel()
    assert group.wait(timeout=10) == [task]
    with pytest.raises(netcore.Canceled):
        task.result(timeout=10)
    until(host.done)
    for call in (group.dispatch, lambda: group.add("GET", "/echo"), group.add_task):
        with pytest.raises(netcore.StateError):
            call()


def test_a_group_that_is_dropped_is_canceled(client: netcore.Client) -> None:
    group = client.group()
    task = group.add("GET", "/echo")
    del group
    gc.collect()
    with pytest.raises(netcore.Canceled):
        task.result(timeout=10)


def test_a_group_is_dispatched_once(client: netcore.Client) -> None:
    group = client.group()
    with pytest.raises(netcore.StateError, match="not dispatched"):
        group.wait()
    group.dispatch()
    for call in (group.dispatch, lambda: group.add("GET", "/echo"), group.add_task):
        with pytest.raises(netcore.StateError):
            call()
    group.wait()


def test_a_wait_that_is_too_short(client: netcore.Client, stalled: str) -> None:
    group = client.group()
    group.add("GET", stalled)
    group.dispatch()
    with pytest.raises(builtins.TimeoutError):
        group.wait(timeout=0.01)
    group.cancel()
    group.wait(timeout=10)


def test_the_group_waits_for_work_of_the_hosts_own(client: netcore.Client) -> None:
    started: List[netcore.ApplicationTask] = []
    group = client.group()
    host = group.add_task(resume=started.append)
    with pytest.raises(netcore.StateError):
        host.complete()
    group.add("GET", "/echo")
    group.dispatch()
    assert started == [host] and host.id > 0
    with pytest.raises(builtins.TimeoutError):
        group.wait(timeout=0.05)
    threading.Thread(target=host.complete).start()
    group.wait(timeout=10)
    assert host.done() and host.error is None
    assert host.complete() is False
    assert group.progress.succeeded == 2


def test_work_that_fails(client: netcore.Client) -> None:
    group = client.group()
    host = group.add_task(lambda one: one.complete(ValueError("mine")))
    group.dispatch()
    group.wait(timeout=10)
    assert isinstance(host.error, ValueError)
    assert group.progress == netcore.GroupProgress(1, 0, 1, 0, True)


@pytest.mark.parametrize("how", ["task", "group", "id", "all"])
def test_work_is_told_once_that_it_is_canceled(client: netcore.Client, how: str) -> None:
    told: List[netcore.ApplicationTask] = []
    group = client.group()
    host = group.add_task(cancel=told.append)
    group.dispatch()
    cancels = {"task": host.cancel, "group": group.cancel, "all": client.cancel_all}
    for _ in range(2):
        cancels.get(how, lambda: client.cancel(host.id))()
    assert told == [host] and not host.done()
    host.complete()
    group.wait(timeout=10)
    assert group.progress.canceled == 1
    assert host.cancel() is False


def test_an_exception_of_a_members_callback_is_raised_by_wait(client: netcore.Client) -> None:
    group = client.group()
    group.add("GET", "/echo", on_done=lambda _: 1 / 0)
    group.dispatch()
    with pytest.raises(ZeroDivisionError):
        group.wait()


def test_an_exception_of_notify_is_raised_by_wait(client: netcore.Client) -> None:
    group = client.group()
    group.dispatch(lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        group.wait()


def test_an_exception_of_resume_ends_the_work(client: netcore.Client) -> None:
    group = client.group()
    host = group.add_task(resume=lambda _: 1 / 0)
    group.dispatch()
    with pytest.raises(ZeroDivisionError):
        group.wait(timeout=10)
    assert isinstance(host.error, ZeroDivisionError)
    assert group.progress.canceled == 1


def test_an_exception_of_cancel_ends_the_work(client: netcore.Client) -> None:
    group = client.group()
    group.add_task(cancel=lambda _: 1 / 0)
    group.dispatch()
    assert group.cancel()
    with pytest.raises(ZeroDivisionError):
        group.wait(timeout=10)


def test_close_ends_groups_and_tells_their_work(peers: Peers, stalled: str) -> None:
    told: List[netcore.ApplicationTask] = []
    notified: List[netcore.Group] = []
    client = netcore.Client(base_url=peers.origin)
    group = client.group()
    task, host = group.add("GET", stalled), group.add_task(cancel=told.append)
    group.dispatch(notified.append)
    waiting = client.group()
    created = waiting.add("GET", stalled)
    client.close()
    assert (told, notified) == ([host], [group])
    for one in (task, created):
        with pytest.raises(netcore.Canceled):
            one.result(timeout=0)
    group.wait(timeout=0)
    assert host.done() and host.complete() is False
    with pytest.raises(netcore.StateError):
        waiting.dispatch()
    with pytest.raises(netcore.StateError):
        client.group()


@pytest.mark.parametrize("options", [{"resume": 1}, {"cancel": "x"}])
def test_only_functions_can_be_called(client: netcore.Client, options: object) -> None:
    group = client.group()
    with pytest.raises(TypeError):
        group.add_task(**options)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        group.dispatch(notify=1)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        group.add("GET", "/echo", on_done=1)  # type: ignore[arg-type]
    assert len(group) == 0
