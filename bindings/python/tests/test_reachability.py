"""Whether the network can be reached: what is said of it, and requests that wait for it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, List

import pytest

import netcore
from netcore import Response

URL = "http://app.invalid/"


def answer(request: netcore.Request) -> Response:
    return Response(200)


def test_changes_are_told_in_their_order() -> None:
    seen: List[str] = []
    done = threading.Event()

    def listener(reachability: str) -> None:
        seen.append(reachability)
        if len(seen) == 2:
            done.set()

    with netcore.Client() as client:
        assert client.reachability == "unknown"
        client.on_reachability_change(listener)
        client.reachability = "unreachable"
        client.reachability = "unreachable"
        client.reachability = "reachable"
        assert client.reachability == "reachable"
        assert done.wait(30)
        client.on_reachability_change(None)
        client.reachability = "unknown"
    assert seen == ["unreachable", "reachable"]


def test_a_request_waits_for_the_network() -> None:
    with netcore.Client(transport=answer) as client:
        client.reachability = "unreachable"
        task = client.dispatch("GET", URL, wait_for_network=600)
        assert client.get(URL).status_code == 200
        assert not task.done()
        client.reachability = "reachable"
        assert task.result(timeout=30).status_code == 200


def test_it_waits_no_longer_than_it_says() -> None:
    with netcore.Client(transport=answer, wait_for_network=0.001) as client:
        client.reachability = "unreachable"
        with pytest.raises(netcore.NetworkUnreachable) as caught:
            client.get(URL)
        assert isinstance(caught.value, ConnectionError) and caught.value.attempts == 0
        assert client.get(URL, wait_for_network=None).status_code == 200


def test_an_asynchronous_client_waits_as_well() -> None:
    async def run() -> int:
        async with netcore.AsyncClient(transport=answer) as client:
            client.reachability = "unreachable"
            waiting = asyncio.ensure_future(client.get(URL, wait_for_network=600))
            await client.get(URL)
            assert not waiting.done()
            client.reachability = "unknown"
            return (await waiting).status_code

    assert asyncio.run(run()) == 200


def test_what_a_listener_raises_is_raised_by_close() -> None:
    called = threading.Event()

    def fail(reachability: str) -> None:
        called.set()
        raise KeyError(reachability)

    client = netcore.Client()
    client.on_reachability_change(fail)
    client.reachability = "unreachable"
    assert called.wait(30)
    with pytest.raises(KeyError, match="unreachable"):
        client.close()


def test_what_is_none_of_the_words_is_refused() -> None:
    wrong: Any = 5
    with netcore.Client() as client:
        with pytest.raises(netcore.InvalidRequest, match="reachability"):
            client.reachability = "perhaps"
        with pytest.raises(TypeError, match="listener"):
            client.on_reachability_change(wrong)
        with pytest.raises(netcore.InvalidRequest, match="wait_for_network"):
            client.get(URL, wait_for_network=100_000)


def in_network_namespace(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Runs network_changes.py in a network namespace of its own."""
    program = str(Path(__file__).with_name("network_changes.py"))
    command = ["unshare", "--map-root-user", "--net", sys.executable, program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_a_client_that_watches_the_network_follows_its_links_and_drops_connections_of_the_old_one() -> None:
    try:
        attempt = in_network_namespace("try")
    except OSError as error:
        pytest.skip(f"network namespaces: {error}")
    if attempt.returncode:
        pytest.skip(f"network namespaces: {attempt.stderr.strip()[-200:]}")
    done = in_network_namespace()
    assert done.returncode == 0, done.stderr
    assert done.stdout == "done\n"


def test_watching_the_network_takes_a_bool() -> None:
    with netcore.Client() as client:
        with pytest.raises(TypeError):
            client.watch_network(1)  # type: ignore[arg-type]
        client.watch_network()
        assert client.reachability in ("reachable", "unreachable")
        client.reachability = "unreachable"
        assert client.reachability == "unreachable"
        client.watch_network(False)
        client.reachability = "unknown"
        assert client.reachability == "unknown"
