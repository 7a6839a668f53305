"""Caches: how they are looked after."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import List

import pytest

import netcore
import programs
from cached import fresh
from netcore import Cache
from peers import Peers


def test_clearing(peers: Peers, cache: Cache) -> None:
    with netcore.Client(cache=cache) as client:
        urls = [peers.origin + fresh() for _ in range(4)]
        filters = [{"url": urls[0] + "#fragment"}, {"prefix": urls[1]}, {"tag": "t"}, {"scope": "s"}]
        options: List[netcore.RequestOptions] = [{}, {}, {"tag": "t"}, {"cache_scope": "s"}]

        def stored() -> List[bool]:
            pairs = zip(urls, options)
            return [client.get_cached("GET", url, **option) is not None for url, option in pairs]

        for number, chosen in enumerate(filters):
            for url, option in zip(urls, options):
                client.get(url, **option)
            assert stored() == [True] * 4
            cache.clear(**chosen)
            assert stored() == [other != number for other in range(4)]
        cache.clear()
        assert stored() == [False] * 4


def test_statistics_and_entries(caching_client: netcore.Client, cache: Cache, peers: Peers) -> None:
    path = fresh()
    response = caching_client.get(path, tag="t", cache_scope="s")
    caching_client.get(path, tag="t", cache_scope="s")
    statistics = cache.statistics
    assert (statistics.hits, statistics.misses, statistics.stored, statistics.memory_count) == (1, 1, 1, 1)
    assert statistics.saved_bytes == len(response.content)
    (entry,) = cache.entries()
    assert (entry.url, entry.tag, entry.scope) == (peers.origin + path, "t", "s")
    assert entry.body_size == len(response.content) and entry.size >= entry.body_size
    assert abs(datetime.now(timezone.utc) - entry.stored_at) < timedelta(seconds=30)
    assert timedelta(seconds=50) < entry.fresh_until - entry.stored_at <= timedelta(seconds=60)


def test_entries_that_are_fresh_for_ever(caching_client: netcore.Client, cache: Cache) -> None:
    caching_client.get("/headers?Cache-Control=max-age%3D99999999999999999999")
    (entry,) = cache.entries()
    assert entry.fresh_until > entry.stored_at + timedelta(days=10_000)


def test_entries_on_disk(peers: Peers, tmp_path: Path) -> None:
    with Cache(tmp_path / "c") as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
        paths = [fresh() for _ in range(250)]
        for path in paths:
            client.get(path)
        cache.flush()
        assert sorted(entry.url for entry in cache.entries()) == sorted(peers.origin + path for path in paths)
        assert cache.statistics.disk_count == 250


def test_limits_evict(caching_client: netcore.Client, cache: Cache) -> None:
    for _ in range(10):
        caching_client.get(fresh())
    cache.set_limits(memory_count=3)
    assert cache.statistics.memory_count <= 3 and cache.statistics.memory_evictions >= 7


def test_a_limit_of_0_holds_nothing(peers: Peers) -> None:
    with Cache(memory_bytes=0) as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
        path = fresh()
        assert not client.get(path).from_cache and not client.get(path).from_cache


def test_what_is_on_disk_outlives_cache_and_process(peers: Peers, tmp_path: Path) -> None:
    program = """
        import netcore, sys
        cache = netcore.Cache(sys.argv[1])
        print(netcore.Client(cache=cache).get(sys.argv[2]).cache_result.name)
    """
    url = peers.origin + fresh()
    seen = []
    for _ in range(2):
        done = programs.run(program, str(tmp_path / "c"), url)  # nothing is closed
        assert done.returncode == 0 and not done.stderr, done.stderr
        seen.append(done.stdout.strip())
    with Cache(tmp_path / "c", synchronous=True) as cache, netcore.Client(cache=cache) as client:
        seen.append(client.get(url).cache_result.name)
        assert cache.statistics.disk_hits == 1
    assert seen == ["NOT_CACHED", "HIT", "HIT"]


def spoiled(folder: Path) -> Path:
    """A folder whose database is none."""
    Cache(folder).close()
    (database,) = folder.glob("*.db")
    database.write_bytes(b"no database" * 1000)
    return folder


def test_events(peers: Peers, tmp_path: Path) -> None:
    events: List[netcore.CacheEvent] = []
    with Cache(spoiled(tmp_path / "c"), on_event=events.append) as cache:
        with netcore.Client(base_url=peers.origin, cache=cache) as client:
            path = fresh()
            assert not client.get(path).from_cache and client.get(path).from_cache
    assert [event.kind for event in events] == [netcore.CacheEventKind.SET_ASIDE]
    assert Path(events[0].path).exists() and events[0].reason


@pytest.mark.parametrize("ending", ["", "/below"])
def test_a_file_as_the_folder_is_refused_by_its_name(tmp_path: Path, ending: str) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    with pytest.raises(netcore.InvalidRequest, match=f"folder: {file} is not a folder"):
        Cache(f"{file}{ending}")


def test_an_exception_of_on_event_is_raised_by_close(tmp_path: Path) -> None:
    cache = Cache(spoiled(tmp_path / "c"), on_event=lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        cache.close()
    cache.close()
