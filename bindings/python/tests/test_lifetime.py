"""Closing, dropping, exiting, forking and interrupting while requests are in flight."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any, Callable, List

import pytest

import netcore
import programs
from peers import Peers, aborted, received, until


def test_close_ends_what_is_in_flight(peers: Peers, stalled: str) -> None:
    client = netcore.Client(base_url=peers.origin)
    ended: List[netcore.Task] = []
    tasks = [client.dispatch("GET", stalled, on_done=ended.append) for _ in range(20)]
    client.close()
    assert len(ended) == 20 and all(task.done() for task in tasks)
    for task in tasks:
        with pytest.raises(netcore.Canceled):
            task.result(timeout=0)


def test_close_ends_calls_of_other_threads(peers: Peers, stalled: str) -> None:
    client = netcore.Client(base_url=peers.origin)
    caught: List[BaseException] = []

    def call() -> None:
        try:
            client.get(stalled)
        except netcore.Error as error:
            caught.append(error)

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    until(lambda: received(peers.origin, stalled) == 4)
    client.close()
    for thread in threads:
        thread.join()
    assert [type(error) for error in caught] == [netcore.Canceled] * 4


@pytest.mark.parametrize("has_callbacks", [False, True])
def test_close_by_another_thread_ends_the_call_of_the_main_thread(
    peers: Peers, stalled: str, has_callbacks: bool
) -> None:
    client = netcore.Client(base_url=peers.origin)
    if has_callbacks:
        client.dispatch("GET", "/echo").result()

    def close() -> None:
        until(lambda: received(peers.origin, stalled) == 1)
        client.close()

    thread = threading.Thread(target=close)
    thread.start()
    with pytest.raises(netcore.Canceled):
        client.get(stalled)
    thread.join()


USES: List[Callable[[netcore.Client], Any]] = [
    lambda client: client.get("/echo"),
    lambda client: client.post("/echo", content=b"x"),
    lambda client: client.dispatch("GET", "/echo"),
    lambda client: client.group(),
    lambda client: client.cancel_all(),
    lambda client: client.cancel_tag("x"),
    lambda client: client.add_service("a", "http://h/"),
    lambda client: client.select_next_service(),
    lambda client: setattr(client, "service", "origin"),
    lambda client: setattr(client, "environment", "release"),
    lambda client: client.set_header("X-A", "1"),
    lambda client: client.set_param("a", 1),
]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("was_used", [False, True])
def test_use_after_close(peers: Peers, use: Callable[[netcore.Client], Any], was_used: bool) -> None:
    client = netcore.Client(base_url=peers.origin)
    client.add_service("origin", peers.origin)
    if was_used:
        client.dispatch("GET", "/echo").result()
    client.close()
    client.close()
    assert client.is_closed
    with pytest.raises(netcore.StateError, match="the client is closed"):
        use(client)
    assert client.cancel(1) is False


def test_a_task_keeps_its_client(peers: Peers) -> None:
    task = netcore.Client(base_url=peers.origin).dispatch("GET", "/delay/100")
    gc.collect()
    assert task.result().status_code == 200


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def test_clients_that_are_dropped_leave_nothing(peers: Peers) -> None:
    netcore.Client(base_url=peers.origin).dispatch("GET", "/echo").result()
    threads = threading.active_count()

    def settled() -> bool:
        gc.collect()
        return threading.active_count() <= threads

    until(settled)
    before = descriptors()
    for number in range(20):
        client = netcore.Client(base_url=peers.origin)
        if number % 2:
            client.dispatch("GET", "/echo").result()
        else:
            client.get("/echo")
        del client
    until(settled)
    until(lambda: descriptors() <= before)


@pytest.mark.parametrize(
    "program",
    [
        "client = netcore.Client(); client.dispatch('GET', url, on_done=print)",
        "tasks = [netcore.Client().dispatch('GET', url) for _ in range(3)]",
        "client = netcore.Client(); group = client.group(); group.add('GET', url); group.dispatch(print)",
        "client = netcore.Client(); group = client.group(); group.add_task(cancel=print); group.dispatch()",
        "threading.Thread(target=netcore.get, args=(url,), daemon=True).start()",
        "netcore.Client().dispatch('GET', url, on_done=lambda _: time.sleep(60))",
        "client = netcore.AsyncClient()\n"
        "async def go(): client.dispatch('GET', url); await asyncio.sleep(0.05)\n"
        "asyncio.run(go())",
        "async def go():\n"
        "    client = netcore.AsyncClient(); asyncio.ensure_future(client.get(url)); await asyncio.sleep(0.05)\n"
        "asyncio.run(go())",
        "client = netcore.Client(); client.dispatch('GET', url); sys.exit(0)",
    ],
)
def test_the_interpreter_exits_with_requests_in_flight(peers: Peers, stalled: str, program: str) -> None:
    began = time.monotonic()
    done = programs.run(
        f"import asyncio, netcore, sys, threading, time\nurl = sys.argv[1]\n{program}\n", peers.origin + stalled
    )
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - began < 10


def test_an_exception_of_a_callback_is_shown_at_exit(peers: Peers) -> None:
    program = """
        import netcore, sys, time
        client = netcore.Client()
        task = client.dispatch("GET", sys.argv[1], on_done=lambda _: 1 / 0)
        while not task.done():
            time.sleep(0.01)
    """
    done = programs.run(program, peers.origin + "/echo")
    assert done.returncode == 0 and "ZeroDivisionError" in done.stderr


@pytest.mark.parametrize("uses_callbacks", [False, True])
def test_ctrl_c_ends_a_call_and_its_transfer(peers: Peers, stalled: str, uses_callbacks: bool) -> None:
    program = """
        import netcore, sys, time
        client = netcore.Client(base_url=sys.argv[1])
        if sys.argv[3] == "True":
            client.dispatch("GET", "/echo").result()
        try:
            client.get(sys.argv[2])
        except KeyboardInterrupt:
            print("interrupted", time.monotonic(), client.get("/echo").status_code)
    """
    with programs.start(program, peers.origin, stalled, str(uses_callbacks)) as process:
        until(lambda: received(peers.origin, stalled) == 1)
        pressed = time.monotonic()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=20)
    assert process.returncode == 0, errors
    word, moment, status = output.split()
    assert (word, status) == ("interrupted", "200")
    assert float(moment) - pressed < 2
    until(lambda: aborted(peers.origin, stalled) == 1)


def test_a_signal_handler_may_make_a_call_amid_another(peers: Peers) -> None:
    program = """
        import netcore, signal, sys
        client = netcore.Client(base_url=sys.argv[1])
        signal.signal(signal.SIGALRM, lambda *_: print(client.get("/status/201").status_code))
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        print(client.get("/delay/600").status_code)
    """
    done = programs.run(program, peers.origin)
    assert (done.stdout.split(), done.returncode) == (["201", "200"], 0), done.stderr


FORK = """
    import os, sys
    import netcore
    origin, stalled = sys.argv[1:]

    client = netcore.Client(base_url=origin)
    client.add_service("a", origin)
    read = client.get("/echo")
    task = client.dispatch("GET", stalled)
    group = client.group()
    group.add("GET", stalled)
    group.dispatch()
    assert netcore.get(origin + "/echo").status_code == 200

    def fails_as_forked(call):
        try:
            call()
        except netcore.StateError as error:
            assert error.name == "NETCORE_ERR_FORKED", error.name
        else:
            raise AssertionError("no StateError")

    child = os.fork()
    if child == 0:
        fails_as_forked(lambda: client.get("/echo"))
        fails_as_forked(lambda: client.dispatch("GET", "/echo"))
        fails_as_forked(client.group)
        fails_as_forked(client.cancel_all)
        fails_as_forked(client.select_next_service)
        fails_as_forked(task.result)
        assert task.cancel() is False and task.done()
        group.wait(timeout=5)
        assert read.status_code == 200 and read.headers["content-type"] and read.url == origin + "/echo"
        client.close()
        assert netcore.get(origin + "/echo").status_code == 200
        with netcore.Client(base_url=origin) as own:
            assert own.dispatch("GET", "/echo").result(5).status_code == 200
            print("child", own.get("/echo").status_code)
        sys.exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert client.get("/echo").status_code == 200 and not task.done()
    assert read.headers["content-type"]
    client.close()
    print("parent", task.done())
"""


def test_a_forked_child_has_clients_of_its_own(peers: Peers, stalled: str) -> None:
    done = programs.run(FORK, peers.origin, stalled)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["child", "200", "parent", "True"]


def test_multiprocessing_by_fork(peers: Peers) -> None:
    program = """
        import multiprocessing, sys
        import netcore

        def fetch(number):
            response = netcore.get(f"{sys.argv[1]}/status/200?X-Number={number}")
            return response  # pickled on its way back

        if __name__ == "__main__":
            client = netcore.Client()
            client.dispatch("GET", sys.argv[1] + "/echo").result()
            netcore.get(sys.argv[1] + "/echo")
            with multiprocessing.get_context("fork").Pool(2) as pool:
                print([response.headers["x-number"] for response in pool.map(fetch, range(4))])
    """
    done = programs.run(program, peers.origin)
    assert (done.stdout.strip(), done.returncode) == ("['0', '1', '2', '3']", 0), done.stderr


def test_importing_opens_no_client() -> None:
    program = "import netcore, os; print(len(os.listdir('/proc/self/task')))"
    done = subprocess.run(
        [sys.executable, "-c", program], env=programs.environment(), capture_output=True, text=True, timeout=30
    )
    assert (done.stdout.strip(), done.returncode) == ("1", 0), done.stderr
