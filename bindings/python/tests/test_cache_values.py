"""Values of the application's in a cache: bytes under a key, by the policy of the cache."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, List

import pytest

import netcore
from netcore import Cache, CacheEvent, CacheEventKind
from netcore.testing import Clock, Stubs

VALUE = random.Random(1).randbytes(1000)
"""Cannot be compressed."""


def test_a_value_is_put_got_and_removed() -> None:
    with Cache() as cache:
        assert cache.get("a") is None
        cache.put("a", b"\x00\x01")
        cache.put("b", "grün")
        cache.put("c", b"")
        assert (cache.get("a"), cache.get_text("b"), cache.get("c")) == (b"\x00\x01", "grün", b"")
        cache.put("a", bytearray(b"other"))
        assert cache.get("a") == b"other"
        cache.remove("a")
        cache.remove("a")
        assert cache.get("a") is None and cache.get("b") == "grün".encode()


def test_a_value_ends_with_its_time_to_live() -> None:
    clock = Clock()
    with Cache(clock=clock, value_ttl=60) as cache:
        cache.put("own", b"1", ttl=10)
        cache.put("default", b"2")
        clock.advance(9.999)
        assert (cache.get("own"), cache.get("default")) == (b"1", b"2")
        clock.advance(0.001)
        assert (cache.get("own"), cache.get("default")) == (None, b"2")
        clock.advance(50)
        assert cache.get("default") is None


def test_values_outlive_the_cache_on_disk(tmp_path: Path) -> None:
    with Cache(tmp_path) as cache:
        cache.put("a", b"kept", tags=["t"])
        cache.put("large", bytes(3 << 20))
    with Cache(tmp_path) as cache:
        assert cache.get("a") == b"kept" and cache.get("large") == bytes(3 << 20)
        cache.remove("a")
        assert cache.get("a") is None
    with Cache(tmp_path) as cache:
        assert cache.get("a") is None and cache.get("large") is not None
    with Cache(tmp_path, application_version="2") as cache:
        assert cache.get("large") is None


def test_tags_remove_values_as_they_remove_answers() -> None:
    stubs = Stubs()
    stubs.post("/posts").answer(201)
    with Cache() as cache, netcore.Client(transport=stubs, cache=cache) as client:
        cache.put("drafts", b"1", tags=["posts", "mine"])
        cache.put("menu", b"2")
        client.post("http://app.invalid/posts", invalidates=["posts"])
        assert (cache.get("drafts"), cache.get("menu")) == (None, b"2")
        cache.put("drafts", b"1", tags="mine")
        cache.clear(tag="mine")
        assert (cache.get("drafts"), cache.get("menu")) == (None, b"2")


def test_values_and_answers_are_kept_apart() -> None:
    stubs = Stubs()
    stubs.get("/a").answer(headers={"Cache-Control": "max-age=60"})
    url = "http://app.invalid/a"
    with Cache() as cache, netcore.Client(transport=stubs, cache=cache) as client:
        cache.put(url, b"own")
        assert client.get(url).content == b""
        assert client.get(url, cache_key=url).content == b""
        assert cache.get(url) == b"own"
        assert sorted(entry.url for entry in cache.entries())[-1] == f"value:{url}"
        cache.clear(prefix="http:")
        assert cache.get(url) == b"own"
        cache.clear(prefix=f"value:{url}")
        assert cache.get(url) is None
        cache.put(url, b"own")
        cache.clear()
        assert cache.get(url) is None


def test_the_least_used_goes_when_there_is_no_room() -> None:
    with Cache(memory_bytes=20_000) as cache:
        for number in range(10):
            cache.put(str(number), bytes(4000))
        kept = [number for number in range(10) if cache.get(str(number)) is not None]
        assert 1 <= len(kept) <= 4 and 9 in kept
        cache.put("too large", bytes(30_000))
        assert cache.get("too large") is None


def test_a_damaged_value_is_gone_and_told_of(tmp_path: Path) -> None:
    events: List[CacheEvent] = []
    with Cache(tmp_path) as cache:
        cache.put("a", VALUE)
    (database,) = tmp_path.glob("*.db")
    data = database.read_bytes()
    at = data.index(VALUE[:100])
    database.write_bytes(data[:at] + b"?" + data[at + 1 :])
    with Cache(tmp_path, on_event=events.append) as cache:
        assert cache.get("a") is None
        cache.flush()
    assert [(event.kind, event.path) for event in events] == [(CacheEventKind.DAMAGED_ENTRY, "value:a")]


def test_what_is_no_key_or_value_is_refused() -> None:
    wrong: Any = 5
    with Cache() as cache:
        with pytest.raises(netcore.InvalidRequest, match="key"):
            cache.put("", b"")
        for use in (cache.get, cache.remove):
            with pytest.raises(netcore.InvalidRequest, match="key"):
                use("")
        with pytest.raises(netcore.InvalidRequest, match="tags"):
            cache.put("a", b"", tags=[""])
        with pytest.raises(TypeError):
            cache.put("a", wrong)
        with pytest.raises(TypeError):
            cache.put(wrong, b"")
    with pytest.raises(netcore.StateError):
        cache.get("a")
