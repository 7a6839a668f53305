"""Streamed responses of the asyncio client."""

from __future__ import annotations

import asyncio
import gc
from typing import Any, List

import pytest

import netcore
from bodies import pattern
from peers import Peers, aborted, received, script
from test_asyncio import eventually, in_loop
from test_streams import JSON_LINES, chunked


@in_loop
async def test_the_body_comes_whole(client: netcore.AsyncClient, peers: Peers) -> None:
    for path in ("/bytes/3000000", "/chunked/100000", "/gzip/300000", "/bytes/0", "/redirect/302?to=/bytes/3000"):
        for window in (1, 1000, 1 << 20):
            async with client.stream("GET", path, window=window) as response:
                assert response.status_code == 200 and len(response.history) == path.count("redirect")
                body = b"".join([chunk async for chunk in response.aiter_bytes()])
            assert body == pattern(int(path.rpartition("/")[2])) and response.is_closed


@in_loop
async def test_pieces_text_lines_and_all(client: netcore.AsyncClient, peers: Peers) -> None:
    async with client.stream("GET", "/bytes/100000") as response:
        pieces = [piece async for piece in response.aiter_bytes(30_000)]
    assert [len(piece) for piece in pieces] == [30_000, 30_000, 30_000, 10_000]
    async with client.stream("GET", "/bytes/100000") as response:
        assert b"".join([bytes(view) async for view in response.aiter_views()]) == pattern(100_000)
    async with client.stream("GET", chunked("gr\xc3", "\xbc\xc3\x9f\r", "\nx")) as response:
        assert [line async for line in response.aiter_lines()] == ["grüß", "x"]
    async with client.stream("GET", chunked("gr\xc3", "\xbc\xc3\x9f")) as response:
        assert [text async for text in response.aiter_text(2)] == ["gr", "üß"]
    async with client.stream("GET", chunked("[1, ", "2]")) as response:
        assert await response.aread() == await response.aread() == response.content == b"[1, 2]"
        assert response.json() == [1, 2] and [piece async for piece in response] == [b"[1, 2]"]
    async with client.stream("GET", "/chunked/5000") as response:
        assert len(await response.aread()) == response.num_bytes_downloaded == 5000
    assert response.trailers and response.timings.total is not None


@in_loop
async def test_a_body_is_read_once(client: netcore.AsyncClient, peers: Peers) -> None:
    async with client.stream("GET", "/bytes/100000") as response:
        await response.aiter_bytes().__anext__()
        for again in (response.aiter_bytes, response.aiter_views, response.aiter_text, response.aiter_lines):
            with pytest.raises(netcore.StateError, match="once"):
                await again().__anext__()
    with pytest.raises(netcore.StateError, match="read"):
        response.body_view()
    async with client.stream("GET", "/bytes/10") as response:
        await response.aclose()
        with pytest.raises(netcore.StateError, match="closed"):
            await response.aread()


@in_loop
async def test_hundreds_at_once(client: netcore.AsyncClient, peers: Peers) -> None:
    async def read(size: int) -> bool:
        async with client.stream("GET", f"/chunked/{size}", window=5000) as response:
            return await response.aread() == pattern(size)

    assert all(await asyncio.gather(*(read(20_000 + n) for n in range(200))))


@in_loop
async def test_the_loop_goes_on_meanwhile(client: netcore.AsyncClient, peers: Peers) -> None:
    turns = 0
    reading = asyncio.ensure_future(_read(client, "/bytes/50000000"))
    while not reading.done():
        turns += 1
        await asyncio.sleep(0)
    assert reading.result() == 50_000_000 and turns > 20


async def _read(client: netcore.AsyncClient, url: str) -> int:
    count = 0
    async with client.stream("GET", url) as response:
        async for view in response.aiter_views():
            count += len(view)
    return count


@in_loop
async def test_canceling_the_asyncio_task_cancels_the_transfer(client: netcore.AsyncClient, peers: Peers) -> None:
    head, body = "/delay/28001", script({"send": "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na"}, {"stall": True})
    for path in (head, body):
        reading = asyncio.ensure_future(_read(client, path))
        await eventually(lambda path=path: received(peers.origin, path) == 1)  # type: ignore[misc]
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        await eventually(lambda path=path: aborted(peers.origin, path) == 1)  # type: ignore[misc]
    assert await _read(client, "/bytes/5") == 5


@in_loop
async def test_leaving_or_dropping_ends_the_transfer(client: netcore.AsyncClient, peers: Peers) -> None:
    path = "/bytes/100000011"
    async with client.stream("GET", path) as response:
        async for _ in response.aiter_bytes():
            break
    await eventually(lambda: aborted(peers.origin, path) == 1)
    context = client.stream("GET", path)
    await context.__aenter__()
    del context
    gc.collect()
    await asyncio.sleep(0)
    await eventually(lambda: aborted(peers.origin, path) == 2)


@in_loop
async def test_errors_come_at_their_place(client: netcore.AsyncClient, peers: Peers) -> None:
    read: List[bytes] = []
    with pytest.raises(netcore.TruncatedError):
        async with client.stream("GET", chunked("abc", "def", end="")) as response:
            async for piece in response.aiter_bytes():
                read.append(piece)
    assert b"".join(read) == b"abcdef"
    with pytest.raises(netcore.ConnectError):
        async with client.stream("GET", peers.refused):
            pass

    async def body() -> Any:
        yield b"a"
        raise LookupError("no more")

    with pytest.raises(netcore.BodyError) as caught:
        async with client.stream("POST", "/echo", content=body()):
            pass
    assert isinstance(caught.value.__cause__, LookupError)


@in_loop
async def test_closing_the_client_ends_heads_and_bodies(client: netcore.AsyncClient, peers: Peers) -> None:
    other = netcore.AsyncClient()
    async with other.stream("GET", f"{peers.nginx}/slow") as response:
        waiting = asyncio.ensure_future(_read(other, f"{peers.origin}/delay/28002"))
        await eventually(lambda: received(peers.origin, "/delay/28002") == 1)
        reading = asyncio.ensure_future(response.aread())
        await asyncio.sleep(0)
        await other.aclose()
        for ended in (waiting, reading):
            with pytest.raises(netcore.Canceled):
                await ended


@in_loop
async def test_a_stored_answer_is_streamed(client: netcore.AsyncClient, peers: Peers) -> None:
    async with netcore.AsyncClient(base_url=peers.origin, cache=netcore.Cache()) as cached:
        stored = (await cached.get("/bytes/2000", cache_ttl=100)).content
        async with cached.stream("GET", "/bytes/2000", cache_ttl=100) as response:
            assert response.from_cache and await response.aread() == stored


@in_loop
async def test_wrong_options_are_refused(client: netcore.AsyncClient, peers: Peers) -> None:
    for options in ({"window": 0}, {"window": "1"}, {"on_progress": print}, {"unknown": 1}):
        with pytest.raises((netcore.InvalidRequest, TypeError), match=next(iter(options))):
            async with client.stream("GET", "/bytes/10", **options):
                pass


@in_loop
async def test_json_lines(client: netcore.AsyncClient, peers: Peers) -> None:
    async with client.stream("GET", chunked(*JSON_LINES)) as response:
        assert [value async for value in response.aiter_json_lines()] == [{"a": "ä"}, [1, 2], "3"]
    async with client.stream("GET", chunked("1\n", "12345")) as response:
        with pytest.raises(netcore.LimitError, match="larger than 4"):
            _ = [value async for value in response.aiter_json_lines(4)]
        assert response.is_closed
