"""Tasks of the blocking client: ids, results, callbacks, canceling."""

from __future__ import annotations

import builtins
import threading
import time
from typing import List, Optional

import pytest

import netcore
from peers import OK_HEAD, Peers, aborted, received, script, until


def test_a_task_is_known_at_once_and_ends_with_a_response(client: netcore.Client) -> None:
    task = client.dispatch("GET", "/echo")
    assert isinstance(task.id, int) and 0 < task.id < 2**53
    assert task.request.method == "GET"
    response = task.result()
    assert response is task.result(timeout=0)
    assert task.done() and task.state is netcore.TaskState.FINISHED
    assert task.progress() == netcore.Progress(len(response.content), len(response.content), 0)


def test_a_hundred_at_once(client: netcore.Client) -> None:
    seen: List[netcore.Task] = []
    tasks = [client.dispatch("GET", f"/status/200?X-Number={n}", on_done=seen.append) for n in range(100)]
    assert len({task.id for task in tasks}) == 100
    assert [task.result().headers["x-number"] for task in tasks] == [str(n) for n in range(100)]
    assert sorted(task.id for task in seen) == sorted(task.id for task in tasks)


def test_callbacks_run_once_in_one_thread_that_is_not_this_one(client: netcore.Client) -> None:
    threads: List[int] = []
    tasks = [client.dispatch("GET", "/echo", on_done=lambda _: threads.append(threading.get_ident())) for _ in range(9)]
    for task in tasks:
        task.result()
    assert len(threads) == 9 and len(set(threads)) == 1 and threads[0] != threading.get_ident()


def test_a_callback_is_given_the_task_that_has_ended(client: netcore.Client) -> None:
    seen: List[object] = []

    def on_done(task: netcore.Task) -> None:
        seen.extend([task.id, task.state, task.result().status_code])

    task = client.dispatch("GET", "/status/204", on_done=on_done)
    assert task.result().status_code == 204
    assert seen == [task.id, netcore.TaskState.FINISHED, 204]


def test_a_failure_is_raised_where_the_user_waits(client: netcore.Client, peers: Peers) -> None:
    task = client.dispatch("GET", peers.refused)
    for _ in range(2):
        with pytest.raises(netcore.ConnectError):
            task.result()
    assert task.done()


def test_a_wait_that_is_too_short_leaves_the_task_alone(client: netcore.Client) -> None:
    task = client.dispatch("GET", "/delay/300")
    with pytest.raises(builtins.TimeoutError) as caught:
        task.result(timeout=0.01)
    assert not isinstance(caught.value, netcore.Error)
    assert not task.done()
    assert task.result().status_code == 200


def test_state_and_progress_while_a_body_arrives(client: netcore.Client) -> None:
    task = client.dispatch("GET", script({"send": OK_HEAD + "he"}, {"stall": True}))
    until(lambda: task.progress().received == 2)
    assert task.state is netcore.TaskState.RUNNING
    assert task.progress() == netcore.Progress(received=2, expected=5, sent=0, to_send=0)
    task.cancel()


def test_tasks_beyond_the_limit_wait_in_the_queue(peers: Peers, stalled: str) -> None:
    with netcore.Client(base_url=peers.origin, limits=netcore.Limits(transfers=1)) as client:
        first = client.dispatch("GET", stalled)
        second = client.dispatch("GET", "/echo")
        until(lambda: first.state is netcore.TaskState.RUNNING)
        assert second.state is netcore.TaskState.QUEUED
        first.cancel()
        assert second.result().status_code == 200


def test_cancel_ends_the_task_and_its_transfer(client: netcore.Client, peers: Peers, stalled: str) -> None:
    ended: List[netcore.Task] = []
    task = client.dispatch("GET", stalled, on_done=ended.append)
    until(lambda: received(peers.origin, stalled) == 1)
    assert task.cancel()
    with pytest.raises(netcore.Canceled):
        task.result(timeout=10)
    assert ended == [task]
    assert not task.cancel()
    until(lambda: aborted(peers.origin, stalled) == 1)


def test_cancel_by_id(client: netcore.Client, stalled: str) -> None:
    task = client.dispatch("GET", stalled)
    assert client.cancel(task.id)
    with pytest.raises(netcore.Canceled):
        task.result(timeout=10)
    assert not client.cancel(task.id)


def test_an_id_of_another_client_cancels_nothing(client: netcore.Client, peers: Peers) -> None:
    with netcore.Client(base_url=peers.origin) as other:
        task = other.task("GET", "/echo")
        assert client.cancel(task.id) is False
        task.dispatch()
        assert task.result().status_code == 200


@pytest.mark.parametrize("id", [0, 1, -1, 2**53, 2**64, 2**70])
def test_ids_that_are_none(client: netcore.Client, id: int) -> None:
    assert client.cancel(id) is False


def test_cancel_all(client: netcore.Client, stalled: str) -> None:
    tasks = [client.dispatch("GET", stalled) for _ in range(20)]
    assert client.cancel_all() == 20
    for task in tasks:
        with pytest.raises(netcore.Canceled):
            task.result(timeout=10)
    assert client.cancel_all() == 0
    assert client.get("/echo").status_code == 200


def test_cancel_by_tag(client: netcore.Client, stalled: str) -> None:
    images = [client.dispatch("GET", stalled, tag="images") for _ in range(3)]
    other = client.dispatch("GET", stalled, tag="image")
    assert client.cancel_tag("images") == 3
    for task in images:
        with pytest.raises(netcore.Canceled):
            task.result(timeout=10)
    assert client.cancel_tag("absent") == 0
    assert not other.done()
    other.cancel()


def test_an_exception_of_a_callback_is_raised_by_result(peers: Peers) -> None:
    with netcore.Client(base_url=peers.origin) as client:
        task = client.dispatch("GET", "/echo", on_done=lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            task.result()
        assert client.dispatch("GET", "/echo").result().status_code == 200


def test_an_exception_of_a_callback_is_logged_at_once(client: netcore.Client, caplog: pytest.LogCaptureFixture) -> None:
    task = client.dispatch("GET", "/echo", on_done=lambda _: 1 / 0)
    until(task.done)  # nothing was raised yet
    (record,) = caplog.records
    assert (record.name, record.levelname) == ("netcore", "ERROR")
    assert record.exc_info is not None and record.exc_info[0] is ZeroDivisionError
    with pytest.raises(ZeroDivisionError):
        task.result()


def test_an_exception_of_a_callback_that_nobody_saw_is_raised_by_close(peers: Peers) -> None:
    client = netcore.Client(base_url=peers.origin)
    task = client.dispatch("GET", "/echo", on_done=lambda _: 1 / 0)
    until(task.done)
    with pytest.raises(ZeroDivisionError):
        client.close()
    client.close()


def test_close_does_not_hide_an_exception_that_is_on_its_way(peers: Peers, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyError), netcore.Client(base_url=peers.origin) as client:
        until(client.dispatch("GET", "/echo", on_done=lambda _: 1 / 0).done)
        raise KeyError("mine")
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_requests_inside_a_callback(client: netcore.Client) -> None:
    seen: List[object] = []

    def on_done(task: netcore.Task) -> None:
        seen.append(client.get("/status/201").status_code)
        seen.append(client.dispatch("GET", "/status/202", on_done=lambda one: seen.append(one.result().status_code)))

    client.dispatch("GET", "/echo", on_done=on_done).result()
    until(lambda: len(seen) == 3)
    assert (seen[0], seen[2]) == (201, 202)


def test_a_callback_cannot_wait_for_another_one(client: netcore.Client, stalled: str) -> None:
    other = client.dispatch("GET", stalled)

    def on_done(_: netcore.Task) -> None:
        other.result()

    with pytest.raises(netcore.StateError, match="inside a callback"):
        client.dispatch("GET", "/echo", on_done=on_done).result()
    other.cancel()


def test_callbacks_may_cancel_and_close(peers: Peers, stalled: str) -> None:
    client = netcore.Client(base_url=peers.origin)
    tasks = [client.dispatch("GET", stalled) for _ in range(3)]

    def on_done(_: netcore.Task) -> None:
        tasks[0].cancel()
        client.close()

    client.dispatch("GET", "/echo", on_done=on_done).result()
    for task in tasks:
        with pytest.raises(netcore.Canceled):
            task.result(timeout=10)
    client.close()


def test_calls_and_tasks_of_many_threads(client: netcore.Client) -> None:
    failures: List[Optional[BaseException]] = []

    def work(number: int) -> None:
        try:
            for turn in range(20):
                path = f"/status/200?X-Number={number}-{turn}"
                task = client.dispatch("GET", path)
                assert client.get(path).headers["x-number"] == f"{number}-{turn}"
                assert task.result().headers["x-number"] == f"{number}-{turn}"
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    work(8)
    for thread in threads:
        thread.join()
    assert failures == []


def test_the_first_dispatch_while_the_main_thread_waits(peers: Peers) -> None:
    """The main thread takes its own completion until there is a thread for that."""
    for _ in range(5):
        with netcore.Client(base_url=peers.origin) as client:
            tasks: List[netcore.Task] = []
            thread = threading.Thread(target=dispatch_ten, args=(client, tasks))
            thread.start()
            assert client.get("/delay/100").status_code == 200
            thread.join()
            began = time.monotonic()
            assert [task.result(timeout=10).status_code for task in tasks] == [200] * 10
            assert time.monotonic() - began < 5


def dispatch_ten(client: netcore.Client, tasks: List[netcore.Task]) -> None:
    tasks.extend(client.dispatch("GET", "/echo") for _ in range(10))


def test_a_task_with_several_tags(client: netcore.Client, stalled: str) -> None:
    tasks = [client.dispatch("GET", stalled, tag=["page", f"item {number}"]) for number in range(3)]
    assert client.cancel_tag("item 1") == 1
    assert [task.done() or task.cancel() for task in tasks[1:2]] == [True]
    assert client.cancel_tag("page") == 2
    for task in tasks:
        with pytest.raises(netcore.Canceled):
            task.result()
