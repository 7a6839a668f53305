"""Answers that a cache gives before the network does, and interim ones."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from pathlib import Path
from typing import Any, Callable, List, Tuple

import pytest

import netcore
from cached import fresh
from netcore import Cache, CacheMode, CacheResult
from peers import Peers, until

Heard = List[Tuple[str, bool, int]]


def listeners() -> Tuple[Heard, Callable[[Any, netcore.Response], None], Callable[[Any], None]]:
    """What is heard of a task: (callback, whether provisional, attempts), and the callbacks that write it down."""
    heard: Heard = []

    def on_early(task: Any, response: netcore.Response) -> None:
        assert task.id and not task.done() and response.request == task.request
        heard.append(("early", response.is_provisional, response.attempts))

    def on_done(task: Any) -> None:
        heard.append(("done", task.result().is_provisional, task.result().attempts))

    return heard, on_early, on_done


FIRST_THE_CACHE = [("early", True, 0), ("done", False, 1)]


def test_first_what_is_stored_then_the_network(caching_client: netcore.Client) -> None:
    path = fresh()
    for expected in (FIRST_THE_CACHE[1:], FIRST_THE_CACHE):
        heard, on_early, on_done = listeners()
        mode = CacheMode.CACHE_THEN_NETWORK
        task = caching_client.dispatch("GET", path, cache_mode=mode, on_early=on_early, on_done=on_done)
        assert task.result().attempts == 1 and heard == expected
    # No function listens.
    assert caching_client.dispatch("GET", path, cache_mode=CacheMode.CACHE_THEN_NETWORK).result().attempts == 1


def test_first_what_is_stored_then_the_network_in_a_group(caching_client: netcore.Client) -> None:
    path = fresh()
    caching_client.get(path)
    heard, on_early, on_done = listeners()
    group = caching_client.group()
    group.add("GET", path, cache_mode=CacheMode.CACHE_THEN_NETWORK, on_early=on_early, on_done=on_done)
    group.add("GET", path, cache_mode=CacheMode.CACHE_THEN_NETWORK)
    group.dispatch()
    assert [task.result().attempts for task in group.wait()] == [1, 1] and heard == FIRST_THE_CACHE
    assert group.progress.succeeded == 2


def test_first_what_is_stored_then_the_network_by_asyncio(peers: Peers, cache: Cache) -> None:
    async def run() -> None:
        async with netcore.AsyncClient(base_url=peers.origin, cache=cache) as client:
            path = fresh()
            await client.get(path)
            heard, on_early, on_done = listeners()
            mode = CacheMode.CACHE_THEN_NETWORK
            task = client.dispatch("GET", path, cache_mode=mode, on_early=on_early, on_done=on_done)
            assert (await task).attempts == 1 and heard == FIRST_THE_CACHE
            assert (await client.get(path, cache_mode=mode)).attempts == 1
            group = client.group()
            group.add("GET", path, cache_mode=mode, on_early=on_early, on_done=on_done)
            group.dispatch()
            await group.wait()
            assert heard == FIRST_THE_CACHE * 2

    asyncio.run(run())


def test_a_stored_redirect_is_followed(caching_client: netcore.Client) -> None:
    path = "/redirect-chain/1"
    assert [caching_client.get(path, cache_ttl=60).status_code for _ in range(2)] == [200, 200]
    statuses: List[int] = []
    task = caching_client.dispatch(
        "GET",
        path,
        cache_ttl=60,
        cache_mode=CacheMode.CACHE_THEN_NETWORK,
        on_early=lambda _, response: statuses.append(response.status_code),
    )
    assert task.result().attempts == 1 and statuses == [200]


def is_running(task: netcore.Task) -> bool:
    return task.state is netcore.TaskState.RUNNING


def test_a_stored_redirect_to_what_is_not_stored(caching_client: netcore.Client, stalled: str) -> None:
    path = "/status/302?Cache-Control=max-age%3D60&Location="
    for _ in range(2):
        response = caching_client.get(f"{path}/headers%3FCache-Control%3Dno-store")
        assert (response.status_code, response.redirects, response.attempts) == (200, 1, 1)
    for _ in range(2):
        task = caching_client.dispatch("GET", path + stalled)
        until(partial(is_running, task))
        time.sleep(0.05)
        task.cancel()
        with pytest.raises(netcore.Canceled) as caught:
            task.result(timeout=10)
        assert caught.value.attempts <= 1


def test_interim_answers(caching_client: netcore.Client) -> None:
    statuses: List[int] = []

    def on_early(_: netcore.Task, response: netcore.Response) -> None:
        statuses.append(response.status_code)
        assert response.headers["link"] == "a" and not response.is_provisional

    path = "/status/103?Link=a"
    assert caching_client.dispatch("GET", path, on_early=on_early, interim=True).result().status_code == 200
    assert statuses == [103]
    assert caching_client.dispatch("GET", path, on_early=on_early).result().status_code == 200
    assert caching_client.get(path, interim=True).status_code == 200
    assert statuses == [103]


def test_interim_answers_by_asyncio(peers: Peers) -> None:
    async def run() -> None:
        statuses: List[int] = []
        async with netcore.AsyncClient(base_url=peers.origin) as client:
            task = client.dispatch(
                "GET", "/status/103", interim=True, on_early=lambda _, response: statuses.append(response.status_code)
            )
            assert (await task).status_code == 200 and statuses == [103]
            assert (await client.get("/status/103", interim=True)).status_code == 200

    asyncio.run(run())


def test_an_exception_of_on_early_ends_the_task_and_is_raised(peers: Peers) -> None:
    ended: List[netcore.Task] = []
    with netcore.Client(base_url=peers.origin) as client:
        task = client.dispatch("GET", "/status/103", interim=True, on_early=lambda *_: 1 / 0, on_done=ended.append)
        with pytest.raises(ZeroDivisionError):
            task.result(timeout=10)
        assert ended == [task]


def test_a_task_canceled_by_on_early(caching_client: netcore.Client, stalled: str) -> None:
    caching_client.get(fresh(), cache_key="key")
    mode = CacheMode.CACHE_THEN_NETWORK
    task = caching_client.dispatch(
        "GET", stalled, cache_key="key", cache_mode=mode, on_early=lambda task, _: task.cancel()
    )
    with pytest.raises(netcore.Canceled):
        task.result(timeout=10)


# Looking without sending


def test_what_is_stored_can_be_had_without_sending(caching_client: netcore.Client, peers: Peers) -> None:
    path = fresh()
    assert caching_client.get_cached("GET", path) is None
    assert caching_client.cache_lookup("GET", path) == (None, CacheResult.NOT_CACHED)
    caching_client.get(path)
    found = caching_client.get_cached("GET", path)
    assert found is not None and found.cache_result is CacheResult.HIT and found.request.url == peers.origin + path
    response, result = caching_client.cache_lookup("GET", path, cache_scope="other")
    assert (response, result) == (None, CacheResult.SCOPE)


@pytest.mark.parametrize("has_disk", [False, True])
def test_what_is_stored_can_be_had_without_sending_by_asyncio(peers: Peers, tmp_path: Path, has_disk: bool) -> None:
    async def run(cache: Cache) -> None:
        async with netcore.AsyncClient(base_url=peers.origin, cache=cache) as client:
            path = fresh()
            assert (await client.cache_lookup("GET", path)).result is CacheResult.NOT_CACHED
            await client.get(path)
            found = await client.get_cached("GET", path)
            assert found is not None and found.from_cache

    with Cache(tmp_path / "c" if has_disk else None) as cache:
        asyncio.run(run(cache))
