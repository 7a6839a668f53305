"""Caches between clients, threads and processes, and what they refuse."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from pathlib import Path
from typing import Any, Callable, List, Tuple
from urllib.parse import urlsplit

import pytest

import netcore
import programs
from cached import fresh
from netcore import Cache, CacheMode
from peers import Peers, received


def test_two_clients_share_a_cache(peers: Peers, cache: Cache) -> None:
    async def run(path: str) -> None:
        async with netcore.AsyncClient(base_url=peers.origin, cache=cache) as client:
            assert (await client.get(path)).from_cache

    with netcore.Client(base_url=peers.origin, cache=cache) as client:
        path = fresh()
        client.get(path)
        asyncio.run(run(path))


def test_identical_misses_send_one_request(peers: Peers, caching_client: netcore.Client) -> None:
    path = "/delay/203"
    before = received(peers.origin, path)
    tasks = [caching_client.dispatch("GET", path, cache_ttl=60) for _ in range(10)]
    assert {task.result().status_code for task in tasks} == {200}
    assert received(peers.origin, path) == before + 1


def test_a_cache_may_be_used_inside_callbacks(caching_client: netcore.Client, cache: Cache) -> None:
    path = fresh()
    caching_client.get(path)
    seen: List[Any] = []

    def use(*_: Any) -> None:
        seen.append((cache.statistics.hits, len(list(cache.entries())), caching_client.get(path).decoded(lambda _: 1)))
        cache.clear(prefix="http")
        cache.flush()
        assert caching_client.get_cached("GET", path) is None
        caching_client.get(path)

    mode = CacheMode.CACHE_THEN_NETWORK
    caching_client.dispatch("GET", path, cache_mode=mode, on_early=use, on_done=use).result(timeout=10)
    assert len(seen) == 2
    caching_client.dispatch("GET", path, on_done=lambda _: cache.close()).result(timeout=10)
    assert cache.is_closed


def test_a_closed_cache(peers: Peers, cache: Cache) -> None:
    uses: List[Callable[[], object]] = [
        cache.clear,
        cache.entries,
        cache.flush,
        lambda: cache.statistics,
        lambda: cache.set_limits(memory_bytes=5),
        lambda: netcore.Client(cache=cache),
    ]
    with netcore.Client(base_url=peers.origin, cache=cache) as client:
        cache.close()
        cache.close()
        for use in uses:
            with pytest.raises(netcore.StateError, match="the cache is closed"):
                use()
        path = fresh()
        assert not client.get(path).from_cache and client.get(path).from_cache  # the client keeps it


@pytest.mark.parametrize(
    "program",
    [
        "client.get(url).set_cached_value(object())",
        "response = client.get(url); response.set_cached_value(Loud())",
        "client.get(url); client.dispatch('GET', url, cache_mode=netcore.CacheMode.CACHE_THEN_NETWORK, on_early=print)",
        "client.dispatch('GET', url, interim=True, on_early=lambda *_: time.sleep(0.01)); sys.exit(0)",
        "def use():\n"
        "    with contextlib.suppress(netcore.Error):\n"
        "        while True: client.get(url).decoded(Loud); cache.clear()\n"
        "threading.Thread(target=use, daemon=True).start()\n"
        "time.sleep(0.1)",
        "def use():\n"
        "    with contextlib.suppress(netcore.Error):\n"
        "        while True:\n"
        "            hop = url.replace('headers?', 'status/302?Location=/echo&')\n"
        "            client.get(hop, cache_ttl=9).decoded(Loud)\n"
        "            client.dispatch('GET', hop, on_early=print, on_done=lambda task: task.done())\n"
        "for _ in range(3): threading.Thread(target=use, daemon=True).start()\n"
        "time.sleep(0.1)",
        "client = netcore.AsyncClient(cache=cache)\nasync def go(): await client.get(url)\nasyncio.run(go())",
    ],
)
def test_the_interpreter_exits_with_a_cache_open(peers: Peers, tmp_path: Path, program: str) -> None:
    head = """
import asyncio, contextlib, netcore, sys, threading, time
class Loud:
    def __init__(self, *_): pass
    def __del__(self): len([self])
cache = netcore.Cache(sys.argv[2], key=lambda request: None, on_event=print)
client = netcore.Client(cache=cache)
url = sys.argv[1]
"""
    began = time.monotonic()
    done = programs.run(head + program, peers.origin + fresh(), str(tmp_path / "c"))
    assert (done.returncode, done.stderr) == (0, "")
    assert time.monotonic() - began < 10
    events: List[netcore.CacheEvent] = []
    with Cache(tmp_path / "c", on_event=events.append) as cache:
        assert {urlsplit(entry.url).netloc for entry in cache.entries()} <= {urlsplit(peers.origin).netloc}
    assert events == []


def test_a_forked_child_has_caches_of_its_own(peers: Peers) -> None:
    program = """
        import netcore, os, sys
        cache = netcore.Cache()
        client = netcore.Client(cache=cache)
        response = client.get(sys.argv[1])
        response.set_cached_value("value")
        child = os.fork()
        if child == 0:
            for use in (cache.clear, lambda: netcore.Client(cache=cache), lambda: cache.statistics):
                try:
                    use()
                except netcore.StateError as error:
                    assert error.name == "NETCORE_ERR_FORKED"
                else:
                    raise AssertionError("no StateError")
            assert response.cached_value is None and response.decoded(lambda _: 5) == 5
            with netcore.Cache() as own, netcore.Client(cache=own) as client:
                print([client.get(sys.argv[1]).from_cache for _ in range(2)])
            sys.exit(0)
        _, status = os.waitpid(child, 0)
        assert status == 0 and response.cached_value == "value" and client.get(sys.argv[1]).from_cache
    """
    done = programs.run(program, peers.origin + fresh())
    assert (done.stdout.strip(), done.returncode) == ("[False, True]", 0), done.stderr


# What is not allowed


@pytest.mark.parametrize(
    "options, error",
    [
        ({"folder": 5}, TypeError),
        ({"folder": ""}, netcore.InvalidRequest),
        ({"folder": "a\0b"}, netcore.InvalidRequest),
        ({"shared": 1}, TypeError),
        ({"ttl_only": "yes"}, TypeError),
        ({"synchronous": None}, TypeError),
        ({"stale_when_disconnected": 1}, TypeError),
        ({"rules": 5}, TypeError),
        ({"rules": ["*"]}, TypeError),
        ({"rules": {5: 1}}, TypeError),
        ({"rules": {"*": "60"}}, TypeError),
        ({"rules": {"*": -1}}, netcore.InvalidRequest),
        ({"rules": {"a\0b": 1}}, netcore.InvalidRequest),
        ({"memory_bytes": -1}, netcore.InvalidRequest),
        ({"memory_count": 1.5}, TypeError),
        ({"disk_bytes": "1"}, TypeError),
        ({"disk_count": 2**64}, netcore.InvalidRequest),
        ({"application_version": 5}, TypeError),
        ({"application_version": "a\0b"}, netcore.InvalidRequest),
        ({"key": "x"}, TypeError),
        ({"folder_for": 5}, TypeError),
        ({"on_event": []}, TypeError),
    ],
)
def test_options_of_a_cache_that_are_not_allowed(options: Any, error: Any) -> None:
    with pytest.raises(error, match=next(iter(options))):
        Cache(**options)


@pytest.mark.parametrize(
    "options, error",
    [
        ({"cache_mode": 1}, TypeError),
        ({"cache_mode": "reload"}, TypeError),
        ({"cache_ttl": "60"}, TypeError),
        ({"cache_ttl": True}, TypeError),
        ({"cache_ttl": -1}, netcore.InvalidRequest),
        ({"cache_ttl": float("nan")}, netcore.InvalidRequest),
        ({"cache_ttl": float("inf")}, netcore.InvalidRequest),
        ({"cache_ttl": timedelta(days=-1)}, netcore.InvalidRequest),
        ({"cache_scope": 5}, TypeError),
        ({"cache_scope": "a\0b"}, netcore.InvalidRequest),
        ({"cache_version": "1"}, TypeError),
        ({"cache_version": -1}, netcore.InvalidRequest),
        ({"cache_version": 2**32}, netcore.InvalidRequest),
        ({"cache_key": b"x"}, TypeError),
        ({"cache_key": "\ud800"}, netcore.InvalidRequest),
        ({"cache_key_fields": "Accept"}, TypeError),
        ({"cache_key_fields": [5]}, TypeError),
        ({"cache_key_fields": ["a b"]}, netcore.InvalidRequest),
    ],
)
def test_options_of_a_request_that_are_not_allowed(caching_client: netcore.Client, options: Any, error: Any) -> None:
    for call in (
        caching_client.request,
        caching_client.dispatch,
        caching_client.get_cached,
        caching_client.group().add,
    ):
        with pytest.raises(error, match=next(iter(options))):
            call("GET", fresh(), **options)


def test_other_arguments_that_are_not_allowed(caching_client: netcore.Client, cache: Cache) -> None:
    wrong: Any = 5
    response = caching_client.get(fresh())
    calls: List[Tuple[str, type, Callable[[], object]]] = [
        ("cache", TypeError, lambda: netcore.Client(cache=wrong)),
        ("on_early", TypeError, lambda: caching_client.dispatch("GET", "/echo", on_early=wrong)),
        ("url", TypeError, lambda: cache.clear(url=wrong)),
        ("url", netcore.InvalidRequest, lambda: cache.clear(url="/relative")),
        ("prefix", netcore.InvalidRequest, lambda: cache.clear(prefix="a\0b")),
        ("only one", netcore.InvalidRequest, lambda: cache.clear(tag="a", scope="b")),
        ("memory_bytes", netcore.InvalidRequest, lambda: cache.set_limits(memory_bytes=-1)),
        ("disk_count", TypeError, lambda: cache.set_limits(disk_count=wrong / 2)),
        ("size", TypeError, lambda: response.set_cached_value(1, size=wrong / 2)),
        ("size", netcore.InvalidRequest, lambda: response.set_cached_value(1, size=-1)),
    ]
    for name, error, call in calls:
        with pytest.raises(error, match=name):
            call()
