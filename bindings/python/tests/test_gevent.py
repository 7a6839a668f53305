"""Under gevent, which puts greenlets in the place of threads: nothing may hang. Each test is a process."""

from __future__ import annotations

import pytest

import programs
from peers import Peers

PROGRAM = """
    from gevent import monkey
    monkey.patch_all()
    import logging, sys, threading
    import gevent
    import netcore
    origin = sys.argv[1]
    logging.basicConfig(format="%(name)s %(levelname)s %(message)s", stream=sys.stdout)
"""


def run(peers: Peers, body: str) -> str:
    pytest.importorskip("gevent")
    done = programs.run(PROGRAM + body, peers.origin)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_dispatch(peers: Peers) -> None:
    output = run(
        peers,
        """
    with netcore.Client(base_url=origin) as client:
        seen = []
        tasks = [client.dispatch("GET", "/echo", on_done=lambda task: seen.append(task.id)) for _ in range(10)]
        assert [task.result(timeout=20).status_code for task in tasks] == [200] * 10
        assert sorted(seen) == sorted(task.id for task in tasks)
        print("done")
    """,
    )
    assert output.strip() == "done"


def test_groups_calls_and_unstarted_tasks(peers: Peers) -> None:
    output = run(
        peers,
        """
    client = netcore.Client(base_url=origin)
    group = client.group()
    for _ in range(3):
        group.add("GET", "/echo")
    group.dispatch()
    assert [task.result().status_code for task in group.wait(timeout=20)] == [200] * 3
    jobs = [gevent.spawn(client.get, "/echo") for _ in range(3)]
    gevent.joinall(jobs, timeout=20)
    assert [job.value.status_code for job in jobs] == [200] * 3
    task = client.task("GET", "/echo")
    task.dispatch()
    assert task.result(timeout=20).status_code == 200
    client.close()
    print("done")
    """,
    )
    assert output.strip() == "done"


def test_a_client_that_is_not_closed_does_not_keep_the_process(peers: Peers) -> None:
    output = run(
        peers,
        """
    client = netcore.Client(base_url=origin)
    client.dispatch("GET", "/delay/30000")
    print("end")
    """,
    )
    assert output.strip() == "end"
