"""Streamed responses and the cache: stored when they came whole, and only then."""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest

import netcore
from netcore import CacheResult
from peers import Peers, script

TEXT = "netcore "
SIZE = 320_000
BODY = TEXT.encode() * (SIZE // len(TEXT))
FRESH = "Cache-Control: max-age=1000\r\n"
ALL: Dict[str, Any] = {"repeat": TEXT, "times": SIZE // len(TEXT)}


def with_length(fields: str = FRESH) -> str:
    return script({"send": f"HTTP/1.1 200 OK\r\n{fields}Content-Length: {SIZE}\r\n\r\n"}, ALL)


def chunked(fields: str = FRESH, end: str = "\r\n0\r\n\r\n") -> str:
    head = f"HTTP/1.1 200 OK\r\n{fields}Transfer-Encoding: chunked\r\n\r\n{SIZE:x}\r\n"
    return script({"send": head}, ALL, {"send": end})


def packed() -> str:
    body = gzip.compress(BODY, mtime=0).decode("latin-1")
    head = f"HTTP/1.1 200 OK\r\n{FRESH}Content-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n"
    return script({"send": head}, {"send": body})


def read(client: netcore.Client, path: str, window: int = 1 << 20) -> bytes:
    with client.stream("GET", path, window=window) as response:
        return response.read()


def is_stored(client: netcore.Client, path: str) -> bool:
    return client.get_cached("GET", path) is not None


@pytest.mark.parametrize("make", [with_length, chunked, packed])
@pytest.mark.parametrize("window", [1000, 1 << 20])
def test_what_was_streamed_answers_the_next_request(peers: Peers, make: Callable[[], str], window: int) -> None:
    path = f"{make()}?{window}"
    with netcore.Cache() as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
        assert read(client, path, window) == BODY
        with client.stream("GET", path) as response:
            assert response.from_cache and response.read() == BODY
        again = client.get(path)
        assert again.cache_result is CacheResult.HIT and again.content == BODY


def test_what_was_streamed_is_on_disk(peers: Peers, tmp_path: Path) -> None:
    path = f"{with_length()}?disk"
    for hits in (False, True):
        with netcore.Cache(tmp_path) as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
            with client.stream("GET", path) as response:
                assert response.from_cache is hits and response.read() == BODY


def test_a_body_that_is_not_read_to_its_end_is_not_stored(peers: Peers) -> None:
    path = f"{with_length()}?left"
    with netcore.Cache() as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
        with client.stream("GET", path, window=1000) as response:
            next(response.iter_bytes(10))
        assert not is_stored(client, path)


@pytest.mark.parametrize("end", ["", "\r\n", "\r\n5\r\nab"])
def test_a_body_that_is_cut_is_not_stored(peers: Peers, end: str) -> None:
    path = chunked(end=end)
    with netcore.Cache() as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
        with pytest.raises(netcore.TruncatedError):
            read(client, path)
        assert not is_stored(client, path)


@pytest.mark.parametrize("make", [with_length, chunked, packed])
def test_a_body_above_the_size_is_streamed_and_not_stored(peers: Peers, make: Callable[[], str]) -> None:
    path = f"{make()}?large"
    cases: List[Any] = [(SIZE - 1, False), (SIZE, True)]
    for streamed_bytes, stores in cases:
        with netcore.Cache(streamed_bytes=streamed_bytes) as cache:
            with netcore.Client(base_url=peers.origin, cache=cache) as client:
                assert read(client, path) == BODY
                assert is_stored(client, path) is stores


@pytest.mark.parametrize("fields", ["Cache-Control: no-store\r\n", "", "Cache-Control: max-age=9\r\nVary: *\r\n"])
def test_what_may_not_be_stored_is_not(peers: Peers, fields: str) -> None:
    path = with_length(fields)
    with netcore.Cache() as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
        assert read(client, path) == BODY
        assert not is_stored(client, path)


def test_a_time_to_live_keeps_what_was_streamed(peers: Peers) -> None:
    path = with_length("")
    with netcore.Cache() as cache, netcore.Client(base_url=peers.origin, cache=cache, cache_ttl=100) as client:
        assert read(client, path) == BODY
        assert client.get(path).cache_result is CacheResult.HIT


def test_a_newer_answer_that_is_too_large_takes_the_place_of_the_stored_one(peers: Peers) -> None:
    path = f"{with_length()}?newer"
    with netcore.Cache(streamed_bytes=1000) as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
        client.get(path)
        assert is_stored(client, path)
        with client.stream("GET", path, headers={"Cache-Control": "no-cache"}) as response:
            assert response.read() == BODY
        assert not is_stored(client, path)


def test_requests_that_stream_do_not_wait_for_each_other(peers: Peers) -> None:
    meeting = f"streams-{id(object())}"
    path = script(
        {"meet": meeting, "count": 2}, {"send": f"HTTP/1.1 200 OK\r\n{FRESH}Content-Length: {SIZE}\r\n\r\n"}, ALL
    )

    async def main() -> None:
        async def one(client: netcore.AsyncClient) -> bytes:
            async with client.stream("GET", path) as response:
                return await response.aread()

        with netcore.Cache() as cache:
            async with netcore.AsyncClient(base_url=peers.origin, cache=cache) as client:
                assert set(await asyncio.gather(one(client), one(client))) == {BODY}
                assert (await client.get(path)).cache_result is CacheResult.HIT

    asyncio.run(main())


def test_events_below_a_cache_come_as_they_are_sent(peers: Peers) -> None:
    httpx = pytest.importorskip("httpx")
    import netcore.httpx

    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n{FRESH}Transfer-Encoding: chunked\r\n\r\n"
    path = script({"send": f"{head}9\r\ndata: a\n\n\r\n"}, {"stall": True})
    transport = netcore.httpx.HTTPTransport(cache=netcore.Cache())
    with httpx.Client(transport=transport, base_url=peers.origin) as client:
        with client.stream("GET", path) as response:
            assert next(response.iter_text()) == "data: a\n\n"
