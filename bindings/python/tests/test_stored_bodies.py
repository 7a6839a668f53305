"""Large stored bodies: streamed from disk, and read in part, each block checked as it is read."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any, Iterator, Tuple

import pytest

import netcore
from netcore import CacheResult
from peers import until
from range_origin import Answer, Origin, serving

BLOCK = 64 << 10
SIZE = (1 << 20) + 300_000
NOISE = random.Random(1).randbytes(SIZE)
TEXT = (b"netcore stores what packs well in blocks that are packed. " * (SIZE // 50))[:SIZE]


@pytest.fixture(params=[NOISE, TEXT], ids=["noise", "text"])
def origin(request: Any) -> Iterator[Origin]:
    with serving(Origin(request.param, extra={"Cache-Control": "max-age=1000"})) as origin:
        yield origin


@pytest.fixture
def noise() -> Iterator[Origin]:
    with serving(Origin(NOISE, extra={"Cache-Control": "max-age=1000"})) as origin:
        yield origin


def read(client: netcore.Client, url: str, **options: Any) -> Tuple[bytes, bool]:
    with client.stream("GET", url, **options) as response:
        return response.read(), bool(response.from_cache)


def body_file(folder: Path) -> Path:
    (file,) = (path for path in (folder / "bodies").iterdir() if not path.suffix)
    return file


def flip(file: Path, place: int) -> None:
    with file.open("r+b") as opened:
        opened.seek(place)
        byte = opened.read(1)[0]
        opened.seek(place)
        opened.write(bytes([byte ^ 1]))


@pytest.mark.parametrize("streams", [True, False])
def test_a_large_body_is_stored_and_streamed_from_disk(origin: Origin, tmp_path: Path, streams: bool) -> None:
    for times in range(2):
        with netcore.Cache(tmp_path, synchronous=True) as cache, netcore.Client(cache=cache) as client:
            if times == 0 and not streams:
                assert client.get(origin.url).content == origin.data
            for _ in range(2):
                body, from_cache = read(client, origin.url, window=100_000)
                assert body == origin.data
            assert from_cache and client.get(origin.url).content == origin.data
    assert len(origin.requests) == 1


def test_a_streamed_body_that_is_on_disk_takes_no_memory_of_the_cache(noise: Origin, tmp_path: Path) -> None:
    with netcore.Cache(tmp_path, synchronous=True) as cache, netcore.Client(cache=cache) as client:
        assert read(client, noise.url) == (NOISE, False)
        assert read(client, noise.url) == (NOISE, True)
        assert cache.statistics.memory_bytes == 0 and cache.statistics.disk_count == 1


def test_ranges_of_a_large_body_are_read_from_disk(origin: Origin, tmp_path: Path) -> None:
    rng = random.Random(2)
    places = [(0, 1), (BLOCK - 1, 2), (BLOCK, BLOCK), (SIZE - 1, 1), (BLOCK * 3 - 5, 4 * BLOCK), (0, SIZE)]
    places += [
        (start, rng.randrange(1, min(SIZE - start, 300_000))) for start in (rng.randrange(SIZE) for _ in range(20))
    ]
    with netcore.Cache(tmp_path, synchronous=True) as cache, netcore.Client(cache=cache) as client:
        read(client, origin.url)
        for start, count in places:
            fields = {"Range": f"bytes={start}-{start + count - 1}"}
            part = client.get(origin.url, headers=fields)
            assert part.status_code == 206 and part.content == origin.data[start : start + count]
            with client.stream("GET", origin.url, headers=fields) as response:
                assert response.status_code == 206 and response.read() == origin.data[start : start + count]
        assert client.get(origin.url, headers={"Range": f"bytes={SIZE}-"}).status_code == 416
    assert len(origin.requests) == 1


def test_each_damaged_block_ends_the_stream_and_the_entry(noise: Origin, tmp_path: Path) -> None:
    blocks = list(range(0, SIZE, BLOCK))
    with netcore.Cache(tmp_path, synchronous=True) as cache, netcore.Client(cache=cache) as client:
        for number, start in enumerate(blocks):
            assert read(client, noise.url) == (NOISE, False)
            flip(body_file(tmp_path), random.Random(number).randrange(start, min(start + BLOCK, SIZE)))
            got = bytearray()
            with pytest.raises(netcore.TruncatedError, match="damaged"):
                with client.stream("GET", noise.url, window=BLOCK) as response:
                    assert response.from_cache
                    for piece in response.iter_bytes(BLOCK):
                        got += piece
            assert NOISE.startswith(bytes(got)) and len(got) <= start
            assert cache.statistics.disk_damaged == number + 1
            cache.flush()
    assert len(noise.requests) == len(blocks)


def test_a_damaged_block_that_is_not_asked_for_is_not_read(noise: Origin, tmp_path: Path) -> None:
    with netcore.Cache(tmp_path, synchronous=True) as cache, netcore.Client(cache=cache) as client:
        read(client, noise.url)
        flip(body_file(tmp_path), 5 * BLOCK)
        part = client.get(noise.url, headers={"Range": f"bytes={6 * BLOCK}-{7 * BLOCK}"})
        assert part.content == NOISE[6 * BLOCK : 7 * BLOCK + 1] and part.from_cache
        assert len(noise.requests) == 1


@pytest.mark.parametrize("fields", [{}, {"Range": f"bytes={5 * BLOCK}-"}])
def test_a_damaged_body_that_is_not_streamed_comes_from_the_origin(noise: Origin, tmp_path: Path, fields: Any) -> None:
    with netcore.Cache(tmp_path, synchronous=True) as cache, netcore.Client(cache=cache) as client:
        read(client, noise.url)
        flip(body_file(tmp_path), 5 * BLOCK + 7)
        response = client.get(noise.url, headers=fields)
        assert not response.from_cache and response.content == NOISE[5 * BLOCK if fields else 0 :]
        assert cache.statistics.disk_damaged == 1


@pytest.mark.parametrize("place", [-1, -8, -8 * (SIZE // BLOCK + 1)])
def test_a_damaged_table_of_blocks_is_a_miss(noise: Origin, tmp_path: Path, place: int) -> None:
    with netcore.Cache(tmp_path, synchronous=True) as cache, netcore.Client(cache=cache) as client:
        read(client, noise.url)
        file = body_file(tmp_path)
        flip(file, file.stat().st_size + place)
        assert read(client, noise.url) == (NOISE, False)


def test_a_stream_goes_on_from_the_file_of_an_entry_that_goes(noise: Origin, tmp_path: Path) -> None:
    with netcore.Cache(tmp_path, synchronous=True) as cache, netcore.Client(cache=cache) as client:
        read(client, noise.url)
        for forget in (cache.clear, lambda: read(client, noise.url, headers={"Cache-Control": "no-cache"})):
            noise.data = NOISE
            read(client, noise.url)
            with client.stream("GET", noise.url, window=BLOCK) as response:
                assert response.from_cache
                pieces = response.iter_bytes(BLOCK)
                first = next(pieces)
                noise.data = TEXT
                forget()
                assert first + b"".join(pieces) == NOISE
            cache.clear()


def test_a_304_confirms_a_body_that_stays_on_disk(noise: Origin, tmp_path: Path) -> None:
    def not_modified(answer: Answer, _origin: Origin) -> None:
        assert answer.asked["if-none-match"] == noise.etag
        answer.status, answer.body = 304, b""

    with netcore.Cache(tmp_path, synchronous=True) as cache, netcore.Client(cache=cache) as client:
        read(client, noise.url)
        for _ in range(2):
            noise.faults = [not_modified]
            with client.stream("GET", noise.url, headers={"Cache-Control": "no-cache"}) as response:
                assert response.read() == NOISE and response.cache_result is CacheResult.REVALIDATED
        assert read(client, noise.url) == (NOISE, True)
        flip(body_file(tmp_path), BLOCK)
        noise.faults = [not_modified]
        with pytest.raises(netcore.TruncatedError):
            read(client, noise.url, headers={"Cache-Control": "no-cache"})
        assert read(client, noise.url) == (NOISE, False)


def test_a_consumer_that_leaves_a_stored_body_leaves_nothing_behind(noise: Origin, tmp_path: Path) -> None:
    with netcore.Cache(tmp_path, synchronous=True) as cache, netcore.Client(cache=cache) as client:
        read(client, noise.url)
        files = len(os.listdir("/proc/self/fd"))
        for _ in range(20):
            with client.stream("GET", noise.url, window=1000) as response:
                next(response.iter_bytes(10))
        assert read(client, noise.url) == (NOISE, True)
        until(lambda: len(os.listdir("/proc/self/fd")) <= files)


def test_a_body_that_is_cut_while_it_is_written_leaves_no_file(noise: Origin, tmp_path: Path) -> None:
    def cut(answer: Answer, _origin: Origin) -> None:
        answer.sends = SIZE - 1000

    with netcore.Cache(tmp_path, synchronous=True) as cache, netcore.Client(cache=cache) as client:
        noise.faults = [cut]
        with pytest.raises(netcore.TruncatedError):
            read(client, noise.url)
    assert [path for path in (tmp_path / "bodies").iterdir()] == []
