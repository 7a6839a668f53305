"""Downloads by several segments at once: the same file, byte by byte, and nothing fetched twice."""

from __future__ import annotations

import asyncio
import hashlib
import random
import threading
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

import pytest

import netcore
from range_origin import Answer, Fault, Origin, cut, drops_range, ends_early, goes_beyond, is_busy, is_coded, serving

SIZE = 400_000
SEGMENTED: Dict[str, Any] = {"segments": 4, "segment_size": 40_000}


@pytest.fixture
def origin() -> Iterator[Origin]:
    with serving(Origin(random.Random(7).randbytes(SIZE), piece=5000, pause=0.002)) as origin:
        yield origin


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "file"


def nothing(_answer: Answer, _origin: Origin) -> None:
    """No fault."""


def ignores_range(answer: Answer, origin: Origin) -> None:
    """The whole, as from a server that knows no ranges."""
    if answer.status == 206:
        answer.status, answer.start, answer.body = 200, 0, origin.data
        del answer.fields["Content-Range"]


def refuses_connection(answer: Answer, _origin: Origin) -> None:
    answer.status, answer.fields, answer.body = 429, {"Retry-After": "60"}, b"too many"


def ranges(origin: Origin) -> List[Tuple[int, int]]:
    asked = [each["range"][6:].split("-") for each in origin.requests if "range" in each]
    return sorted((int(first), int(last) + 1 if last else len(origin.data)) for first, last in asked)


def assert_whole(download: netcore.Download, origin: Origin, target: Path) -> None:
    """No byte came twice, except what was on its way to a segment whose rest another one took over."""
    assert target.read_bytes() == origin.data
    assert download.resumed_from + download.fetched - download.fetched_again == len(origin.data)


def test_segments_bring_each_byte_once(origin: Origin, target: Path) -> None:
    with netcore.Client() as client:
        download = client.download(origin.url, target, sha256=True, **SEGMENTED)
    assert_whole(download, origin, target)
    assert download.sha256 == hashlib.sha256(origin.data).hexdigest()
    assert (download.size, download.resumed_from) == (SIZE, 0)
    assert download.requests == len(origin.requests) >= 4
    assert origin.requests[0]["range"] == "bytes=0-39999" and "if-range" not in origin.requests[0]
    assert all(each["if-range"] == origin.etag for each in origin.requests[1:])
    assert [path.name for path in target.parent.iterdir()] == ["file"]


def test_segments_come_at_once(origin: Origin, target: Path) -> None:
    together = threading.Barrier(4)

    def meets(answer: Answer, _origin: Origin) -> None:
        together.wait(30)  # breaks, and with it the answer, unless four requests are under way

    origin.faults = [nothing, *[meets] * 4]
    origin.pause = 0
    with netcore.Client() as client:
        client.download(origin.url, target, segments=5, segment_size=40_000, resumes=0)
    assert target.read_bytes() == origin.data and not together.broken


@pytest.mark.parametrize("etag", ['"1"', 'W/"1"', None])
def test_a_server_without_ranges_sends_the_file_once(origin: Origin, target: Path, etag: Any) -> None:
    origin.etag = etag
    origin.faults = [ignores_range]
    with netcore.Client() as client:
        download = client.download(origin.url, target, **SEGMENTED)
    assert target.read_bytes() == origin.data
    assert (download.requests, download.fetched) == (1, SIZE)


@pytest.mark.parametrize("etag", ['W/"1"', None])
def test_parts_without_a_strong_validator_are_not_put_together(origin: Origin, target: Path, etag: Any) -> None:
    origin.etag = etag
    with netcore.Client() as client:
        download = client.download(origin.url, target, **SEGMENTED)
    assert target.read_bytes() == origin.data
    assert (download.requests, download.fetched, len(ranges(origin))) == (2, SIZE, 1)


def test_a_small_file_takes_one_request_and_an_empty_one_two(origin: Origin, target: Path) -> None:
    with netcore.Client() as client:
        assert client.download(origin.url, target, segments=4).requests == 1
        assert target.read_bytes() == origin.data
        origin.data = b""
        assert client.download(origin.url, target, overwrite=True, **SEGMENTED).requests == 2
    assert target.read_bytes() == b""


@pytest.mark.parametrize("ending", ["close", "reset", "stall"])
def test_a_segment_that_breaks_off_goes_on_by_itself(origin: Origin, target: Path, ending: str) -> None:
    origin.faults = [nothing, cut(10_000, ending), cut(20_000, ending)]
    with netcore.Client(timeout=netcore.Timeout(idle=0.3)) as client:
        download = client.download(origin.url, target, **SEGMENTED)
    assert_whole(download, origin, target)
    starts = [first for first, _last in ranges(origin)]
    assert len(starts) == len(set(starts))


def test_the_rate_of_each_segment_has_the_minimum_of_the_request(origin: Origin, target: Path) -> None:
    origin.faults = [nothing, cut(10_000, "stall")]
    with netcore.Client() as client:
        download = client.download(origin.url, target, min_receive_rate=1000, min_receive_rate_window=0.5, **SEGMENTED)
    assert_whole(download, origin, target)


def test_a_connection_that_is_much_slower_than_the_others_is_replaced(origin: Origin, target: Path) -> None:
    origin.faults = [nothing, cut(5000, "stall")]
    origin.pause = 0.25  # the others take longer than two comparisons
    with netcore.Client(timeout=netcore.Timeout(idle=300)) as client:
        download = client.download(origin.url, target, **SEGMENTED)
    assert_whole(download, origin, target)


@pytest.mark.parametrize("fault", [refuses_connection, is_busy])
def test_a_further_connection_that_is_refused_fails_nothing(origin: Origin, target: Path, fault: Fault) -> None:
    origin.faults = [nothing, nothing, fault, fault]
    with netcore.Client() as client:
        download = client.download(origin.url, target, resumes=0, **SEGMENTED)
    assert_whole(download, origin, target)


@pytest.mark.parametrize("fault", [ignores_range, drops_range, is_coded, goes_beyond, ends_early])
def test_an_answer_that_does_not_fit_never_makes_a_wrong_file(origin: Origin, target: Path, fault: Fault) -> None:
    origin.faults = [nothing, nothing, fault]
    with netcore.Client() as client:
        client.download(origin.url, target, **SEGMENTED)
    assert target.read_bytes() == origin.data


def test_a_file_that_changes_between_segments_starts_over(origin: Origin, target: Path) -> None:
    rng = random.Random(3)

    def changes(answer: Answer, origin: Origin) -> None:
        origin.change(rng)

    origin.faults = [nothing, changes]
    with netcore.Client() as client:
        download = client.download(origin.url, target, **SEGMENTED)
    assert target.read_bytes() == origin.data != origin.earlier[0]
    assert download.fetched_again > 0


def leave_gaps(client: netcore.Client, origin: Origin, target: Path) -> int:
    """A download whose segments have come to the middle. Returns the bytes that are there."""
    origin.faults = [cut(20_000), *[cut(30_000)] * 3]
    with pytest.raises(netcore.Error):
        client.download(origin.url, target, resumes=0, **SEGMENTED)
    origin.faults = [nothing, *[cut(30_000)] * 3, *[refuses_connection] * 9]
    with pytest.raises(netcore.Error):
        client.download(origin.url, target, resumes=0, **SEGMENTED)
    origin.faults = []
    origin.requests.clear()
    (part,) = netcore.download_parts(target.parent)
    assert part.total == SIZE and not part.is_busy
    return part.size


@pytest.mark.parametrize("options", [{}, SEGMENTED, {"segments": 16, "segment_size": 1000}])
def test_what_is_missing_comes_later_by_as_many_segments_as_one_likes(
    origin: Origin, target: Path, options: Dict[str, Any]
) -> None:
    with netcore.Client() as client:
        size = leave_gaps(client, origin, target)
    assert 0 < size < SIZE
    with netcore.Client() as client:
        download = client.download(origin.url, target, sha256=hashlib.sha256(origin.data).hexdigest(), **options)
    assert_whole(download, origin, target)
    assert download.resumed_from == size
    assert all("if-range" in each for each in origin.requests)


def test_notes_of_gaps_that_are_damaged_never_make_a_wrong_file(origin: Origin, target: Path) -> None:
    rng = random.Random(5)
    notes = Path(f"{target}.netcore-notes")
    origin.pause = 0
    with netcore.Client() as client:
        for _ in range(20):
            leave_gaps(client, origin, target)
            origin.pause = 0
            bytes_ = bytearray(notes.read_bytes())
            bytes_[rng.randrange(len(bytes_))] ^= 1 << rng.randrange(8)
            notes.write_bytes(bytes_)
            client.download(origin.url, target, overwrite=True)
            assert target.read_bytes() == origin.data
            target.unlink()


def test_segments_keep_to_the_limit_of_the_host(origin: Origin, target: Path) -> None:
    with netcore.Client(limits=netcore.Limits(transfers_per_host=1)) as client:
        download = client.download(origin.url, target, **SEGMENTED)
    assert_whole(download, origin, target)


def test_progress_is_the_sum_of_all_segments(origin: Origin, target: Path) -> None:
    seen: List[netcore.DownloadProgress] = []
    origin.pause = 0.02
    with netcore.Client() as client:
        client.download(origin.url, target, progress=seen.append, **SEGMENTED)
    sizes = [each.size for each in seen]
    assert sizes == sorted(sizes) and sizes[-1] == SIZE and all(each.total == SIZE for each in seen)


def test_a_cancel_ends_all_segments_and_keeps_what_came(origin: Origin, target: Path) -> None:
    async def run() -> None:
        async with netcore.AsyncClient() as client:
            has_begun = asyncio.Event()
            origin.hold = threading.Event()
            task = asyncio.ensure_future(
                client.download(origin.url, target, progress=lambda _progress: has_begun.set(), **SEGMENTED)
            )
            await has_begun.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            origin.hold.set()
            while netcore.download_parts(target.parent)[0].is_busy:  # until its thread has let go
                await asyncio.sleep(0.01)
            assert (await client.download(origin.url, target, **SEGMENTED)).resumed_from > 0

    asyncio.run(run())
    assert target.read_bytes() == origin.data


def test_bad_numbers_of_segments_are_named(target: Path) -> None:
    with netcore.Client() as client:
        for options, error, name in (
            ({"segments": 0}, netcore.InvalidRequest, "segments"),
            ({"segments": 17}, netcore.InvalidRequest, "segments"),
            ({"segments": "4"}, TypeError, "segments"),
            ({"segment_size": 0}, netcore.InvalidRequest, "segment_size"),
            ({"segment_size": -1}, netcore.InvalidRequest, "segment_size"),
        ):
            with pytest.raises(error, match=name):
                client.download("http://127.0.0.1:9/", target, **options)
