"""Caches: what is stored, and when it is served."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Dict, Union

import pytest

import netcore
from cached import fresh, new_key, uncacheable
from netcore import Cache, CacheMode, CacheResult
from peers import Peers


def test_a_fresh_answer_is_served_again(caching_client: netcore.Client) -> None:
    path = fresh()
    first, second = caching_client.get(path), caching_client.get(path)
    assert (first.cache_result, first.from_cache, first.attempts) == (CacheResult.NOT_CACHED, False, 1)
    assert (second.cache_result, second.from_cache, second.attempts) == (CacheResult.HIT, True, 0)
    assert second.content == first.content and second.url == first.url
    assert "age" in second.headers and not second.is_provisional


def test_a_304_confirms_what_is_stored(peers: Peers, cache: Cache) -> None:
    with netcore.Client(base_url=peers.nginx, cache=cache) as client:
        first = client.get("/small.txt")
        second = client.get("/small.txt", headers={"Cache-Control": "no-cache"})
    assert second.cache_result is CacheResult.REVALIDATED and second.from_cache
    assert (second.status_code, second.content) == (200, first.content)


def test_without_a_cache_options_have_no_effect(peers: Peers) -> None:
    path = fresh()
    with netcore.Client(base_url=peers.origin) as client:
        for _ in range(2):
            response = client.get(path, cache_ttl=60, cache_scope="a")
            assert response.cache_result is CacheResult.NONE and not response.from_cache
        with pytest.raises(netcore.StateError, match="no cache"):
            client.get_cached("GET", path)


@pytest.mark.parametrize("ttl", [60, 59.5, timedelta(minutes=1)])
def test_a_time_to_live_stores_any_method_by_its_body(
    caching_client: netcore.Client, ttl: Union[float, timedelta]
) -> None:
    path = uncacheable()
    results = [caching_client.post(path, json={"a": a}, cache_ttl=ttl).cache_result for a in (1, 1, 2)]
    assert results == [CacheResult.NOT_CACHED, CacheResult.HIT, CacheResult.NOT_CACHED]


def test_fields_belong_to_the_key_when_named(caching_client: netcore.Client) -> None:
    path = uncacheable()

    def get(language: str, color: str) -> CacheResult:
        fields = {"Accept-Language": language, "X-Color": color}
        return caching_client.get(path, headers=fields, cache_ttl=60, cache_key_fields=["accept-language"]).cache_result

    results = [get("de", "red"), get("de", "blue"), get("fr", "red")]
    assert results == [CacheResult.NOT_CACHED, CacheResult.HIT, CacheResult.NOT_CACHED]


def test_scope_and_versions_tell_why_not(peers: Peers, tmp_path: Path) -> None:
    path = fresh()
    with Cache(tmp_path / "c", application_version="1") as cache:
        with netcore.Client(base_url=peers.origin, cache=cache) as client:
            client.get(path, cache_scope="a")
            assert client.get(path, cache_scope="b").cache_result is CacheResult.SCOPE
            assert client.get(path, cache_scope="a", cache_version=2).cache_result is CacheResult.VERSION
            assert client.get(path, cache_scope="a", cache_version=2).cache_result is CacheResult.HIT
    with Cache(tmp_path / "c", application_version="2") as cache:
        with netcore.Client(base_url=peers.origin, cache=cache) as client:
            response = client.get(path, cache_scope="a", cache_version=2)
            assert response.cache_result is CacheResult.APPLICATION_VERSION


def test_credentials_are_a_scope(caching_client: netcore.Client) -> None:
    path = fresh()
    caching_client.get(path, headers={"Authorization": "one"})
    assert caching_client.get(path, headers={"Authorization": "one"}).from_cache
    assert caching_client.get(path, headers={"Authorization": "two"}).cache_result is CacheResult.SCOPE


def test_a_key_stands_for_method_url_and_body(caching_client: netcore.Client) -> None:
    key = new_key()
    first = caching_client.get(fresh(), cache_key=key)
    assert caching_client.get(fresh(), cache_key=key).headers["x-number"] == first.headers["x-number"]


def test_rules_give_times_to_live_by_url(peers: Peers) -> None:
    rules: Dict[str, Union[float, timedelta]] = {"*X-Number=*": timedelta(minutes=1), "*": 0}
    for form in (rules, list(rules.items())):
        with Cache(rules=form, ttl_only=True) as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
            path = uncacheable()
            assert not client.get(path).from_cache and client.get(path).from_cache
    with Cache(ttl_only=True) as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
        path = fresh()
        assert not client.get(path).from_cache and not client.get(path).from_cache


# Modes


def test_modes_that_read_nothing(caching_client: netcore.Client) -> None:
    path = fresh()
    caching_client.get(path)
    for mode in (CacheMode.RELOAD, CacheMode.IGNORE, CacheMode.NETWORK_ELSE_CACHE, CacheMode.CACHE_THEN_NETWORK):
        response = caching_client.get(path, cache_mode=mode)
        assert (response.cache_result, response.attempts) == (CacheResult.REQUESTED, 1), mode
    assert caching_client.get(path).from_cache
    caching_client.get(path, cache_mode=CacheMode.NEVER)
    assert caching_client.get(path).cache_result is CacheResult.NOT_CACHED


def test_modes_that_prefer_what_is_stored(caching_client: netcore.Client) -> None:
    path = fresh()
    missing = caching_client.get(path, cache_mode=CacheMode.CACHE_ONLY)
    assert (missing.status_code, missing.cache_result) == (504, CacheResult.UNSATISFIABLE)
    assert caching_client.get(path, cache_mode=CacheMode.CACHE_ELSE_NETWORK).attempts == 1
    for mode in (CacheMode.CACHE_ONLY, CacheMode.CACHE_ELSE_NETWORK):
        assert caching_client.get(path, cache_mode=mode).cache_result is CacheResult.HIT


def test_what_is_stored_stands_in_for_an_origin_out_of_reach(caching_client: netcore.Client, peers: Peers) -> None:
    caching_client.get(fresh(), cache_key="key")
    mode = CacheMode.NETWORK_ELSE_CACHE
    assert caching_client.get(peers.refused, cache_key="key", cache_mode=mode).from_cache
    with pytest.raises(netcore.ConnectError):
        caching_client.get(peers.refused, cache_key="other", cache_mode=mode)
