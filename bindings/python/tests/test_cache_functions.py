"""Functions of the user's that say under which key, and where, a cache stores an answer."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Callable, List

import pytest

import netcore
from cached import fresh, new_key
from netcore import Cache
from peers import Peers


def test_a_function_makes_the_key(peers: Peers) -> None:
    seen: List[netcore.CacheRequest] = []

    def key(request: netcore.CacheRequest) -> str:
        seen.append(request)
        return "long " * 1000 + request.headers.get("x-key", "none")

    url = peers.origin + fresh()
    with Cache(key=key) as cache, netcore.Client(cache=cache) as client:
        client.post(url + "#f", content=b"body", headers={"X-Key": "1"}, cache_ttl=60)
        assert client.get(peers.origin + fresh(), headers={"X-Key": "1"}, cache_ttl=60).from_cache
        assert not client.get(url, headers={"X-Key": "2"}, cache_ttl=60).from_cache
    assert (seen[0].method, seen[0].url, seen[0].content) == ("POST", url, b"body")
    assert len(seen) == 3


def test_a_key_of_none_is_the_usual_one(peers: Peers) -> None:
    with Cache(key=lambda _: None) as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
        path = fresh()
        assert not client.get(path).from_cache and client.get(path).from_cache and not client.get(fresh()).from_cache


def test_a_function_that_raises_ends_its_call_alone(peers: Peers) -> None:
    wrong: List[Any] = [KeyError("mine")]

    def key(request: netcore.CacheRequest) -> Any:
        if isinstance(wrong[0], BaseException):
            raise wrong[0]
        return wrong[0]

    async def by_asyncio(cache: Cache) -> None:
        async with netcore.AsyncClient(base_url=peers.origin, cache=cache) as client:
            with pytest.raises(KeyError):
                await client.get(fresh())
            with pytest.raises(KeyError):
                await client.get_cached("GET", fresh())

    with Cache(key=key) as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
        ended: List[netcore.Task] = []
        group = client.group()
        calls: List[Callable[[], Any]] = [
            lambda: client.get(fresh()),
            lambda: client.get(peers.refused),
            lambda: client.get_cached("GET", fresh()),
            lambda: client.dispatch("GET", fresh(), on_done=ended.append),
            lambda: group.add("GET", fresh(), on_done=ended.append),
        ]
        for call in calls:
            with pytest.raises(KeyError):
                call()
        asyncio.run(by_asyncio(cache))
        wrong[0] = 5
        with pytest.raises(TypeError, match="key: "):
            client.get(fresh())
        wrong[0] = "a\0b"
        with pytest.raises(netcore.InvalidRequest, match="key: "):
            client.get(fresh())
        wrong[0] = new_key()
        assert client.get(fresh()).attempts == 1
        group.dispatch()
        group.wait()
        assert ended == []


def test_a_function_that_raises_for_a_redirect_is_heard_of_by_close(peers: Peers) -> None:
    def key(request: netcore.CacheRequest) -> None:
        if "redirect" not in request.url:
            raise KeyError("mine")

    cache = Cache(key=key)
    with netcore.Client(base_url=peers.origin, cache=cache) as client:
        assert client.get("/redirect/302?to=/echo").status_code == 200
    with pytest.raises(KeyError):
        cache.close()


def test_a_function_chooses_the_folder(peers: Peers, tmp_path: Path) -> None:
    def folder_for(request: netcore.CacheRequest) -> str:
        return str(tmp_path / request.headers["x-user"])

    with Cache(folder_for=folder_for) as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
        path = fresh()
        for user in ("ann", "bob", "ann"):
            response = client.get(path, headers={"X-User": user})
        assert response.from_cache
    assert sorted(folder.name for folder in tmp_path.iterdir()) == ["ann", "bob"]
    with Cache(tmp_path / "bob") as cache:
        assert len(list(cache.entries())) == 1
