"""Downloads: what comes is the server's file, byte by byte, or an error and no file."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import random
import threading
from pathlib import Path
from typing import Any, Callable, Iterator, List, Tuple

import pytest

import netcore
from range_origin import (
    Fault,
    Origin,
    cut,
    drops_range,
    ends_early,
    goes_beyond,
    has_other_length,
    ignores_if_range,
    is_busy,
    is_coded,
    is_multipart,
    lacks_content_range,
    lies_in_overlap,
    refuses_range,
    serving,
    starts_early,
    starts_late,
)

SIZE = 300_000


@pytest.fixture
def origin() -> Iterator[Origin]:
    with serving(Origin(random.Random(7).randbytes(SIZE))) as origin:
        yield origin


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "file"


def leave_part(client: netcore.Client, origin: Origin, target: Path, count: int = 100_000) -> None:
    """A download that breaks off after so many bytes."""
    origin.faults = [cut(count)]
    with pytest.raises(netcore.TruncatedError):
        client.download(origin.url, target, resumes=0)
    assert not target.exists()
    origin.requests.clear()


def names(target: Path) -> List[str]:
    return sorted(path.name for path in target.parent.iterdir())


def test_a_download_continues_in_another_client(origin: Origin, target: Path) -> None:
    with netcore.Client() as client:
        leave_part(client, origin, target)
    assert netcore.download_parts(target.parent)[0].size == 100_000
    with netcore.Client() as client:
        download = client.download(origin.url, target, sha256=hashlib.sha256(origin.data).hexdigest())
    assert (download.size, download.resumed_from, download.fetched) == (SIZE, 100_000, SIZE - 100_000)
    assert origin.requests[0]["range"] == "bytes=100000-"
    assert origin.requests[0]["if-range"] == origin.etag
    assert origin.requests[0]["accept-encoding"] == "identity"
    assert target.read_bytes() == origin.data
    assert names(target) == ["file"]


@pytest.mark.parametrize("fault", [starts_early, ends_early, drops_range])
def test_an_answer_that_can_be_used_starts_nothing_over(origin: Origin, target: Path, fault: Fault) -> None:
    with netcore.Client() as client:
        leave_part(client, origin, target)
        origin.faults = [fault]
        download = client.download(origin.url, target)
    assert target.read_bytes() == origin.data
    assert download.resumed_from == 100_000


@pytest.mark.parametrize(
    "fault",
    [
        starts_late,
        lies_in_overlap,
        is_coded,
        has_other_length,
        lacks_content_range,
        is_multipart,
        goes_beyond,
        refuses_range,
    ],
)
def test_an_answer_that_does_not_fit_starts_over(origin: Origin, target: Path, fault: Fault) -> None:
    with netcore.Client() as client:
        leave_part(client, origin, target)
        origin.faults = [fault]
        download = client.download(origin.url, target)
        assert target.read_bytes() == origin.data
        assert download.resumed_from == 0


@pytest.mark.parametrize("fault", [starts_late, is_coded, lacks_content_range, refuses_range])
def test_a_download_starts_over_once_without_new_bytes(origin: Origin, target: Path, fault: Fault) -> None:
    with netcore.Client() as client:
        leave_part(client, origin, target)
        origin.faults = [fault, cut(1000), fault]
        with pytest.raises(netcore.ProtocolError):
            client.download(origin.url, target)
    assert not target.exists()


def test_a_file_that_changed_starts_over(origin: Origin, target: Path) -> None:
    rng = random.Random(1)
    with netcore.Client() as client:
        for faults in ([], [ignores_if_range]):
            leave_part(client, origin, target)
            origin.change(rng)
            origin.faults = list(faults)
            download = client.download(origin.url, target, overwrite=True)
            assert target.read_bytes() == origin.data
            assert (download.resumed_from, download.fetched_again) == (0, 100_000)
            target.unlink()


@pytest.mark.parametrize("etag", ['W/"1"', None])
def test_without_a_strong_validator_only_a_digest_continues(origin: Origin, target: Path, etag: str) -> None:
    origin.etag = etag
    with netcore.Client() as client:
        leave_part(client, origin, target)
        client.download(origin.url, target)
        assert "range" not in origin.requests[0]
        leave_part(client, origin, target.with_name("other"))
        client.download(origin.url, target.with_name("other"), sha256=hashlib.sha256(origin.data).hexdigest())
        assert origin.requests[0]["range"] == "bytes=100000-"
        assert "if-range" not in origin.requests[0]
    assert target.with_name("other").read_bytes() == origin.data


def test_a_strong_date_is_a_validator(origin: Origin, target: Path) -> None:
    dates = {"Last-Modified": "Sun, 22 Nov 2026 10:00:00 GMT", "Date": "Sun, 22 Nov 2026 11:00:00 GMT"}
    origin.etag, origin.extra = None, dates
    with netcore.Client() as client:
        leave_part(client, origin, target)
        client.download(origin.url, target)
    assert origin.requests[0]["if-range"] == dates["Last-Modified"]


def test_another_key_starts_over(origin: Origin, target: Path) -> None:
    with netcore.Client() as client:
        leave_part(client, origin, target)
        client.download(origin.url, target, key="another")
        assert "range" not in origin.requests[0]
        origin.faults = [cut(1000)]
        with pytest.raises(netcore.TruncatedError):
            client.download(origin.url + "?token=1", target.with_name("x"), key="x", resumes=0)
        origin.requests.clear()
        client.download(origin.url + "?token=2", target.with_name("x"), key="x")
        assert origin.requests[0]["range"] == "bytes=1000-"


def test_a_digest_that_the_server_sends_is_checked(origin: Origin, target: Path) -> None:
    digest = base64.b64encode(hashlib.sha256(origin.data).digest()).decode()
    origin.extra = {"Repr-Digest": f"sha-512=:AAAA:, sha-256=:{digest}:"}
    with netcore.Client() as client:
        leave_part(client, origin, target)
        assert client.download(origin.url, target).sha256 == hashlib.sha256(origin.data).hexdigest()
        origin.data = origin.data[:-1] + b"?"
        with pytest.raises(netcore.IntegrityError):
            client.download(origin.url, target.with_name("other"))
    assert names(target) == ["file"]


def test_a_break_is_continued_by_itself_and_only_so_often(origin: Origin, target: Path) -> None:
    with netcore.Client() as client:
        origin.faults = [cut(1000), cut(0), is_busy, cut(10, "reset")]
        download = client.download(origin.url, target, resumes=4)
        assert (download.requests, download.fetched_again) == (5, 0)
        assert target.read_bytes() == origin.data
        origin.faults = [cut(1000), cut(0)]
        with pytest.raises(netcore.TruncatedError):
            client.download(origin.url, target, resumes=1, overwrite=True)
    assert target.read_bytes() == origin.data


def test_a_stall_is_continued_after_the_idle_timeout(origin: Origin, target: Path) -> None:
    origin.faults = [cut(1000, "stall")]
    with netcore.Client(timeout=netcore.Timeout(idle=0.2)) as client:
        assert client.download(origin.url, target).requests == 2
    assert target.read_bytes() == origin.data


def test_the_total_timeout_is_that_of_the_download(origin: Origin, target: Path) -> None:
    origin.faults = [cut(1000)] * 3 + [cut(1000, "stall")]
    with netcore.Client() as client, pytest.raises(netcore.TotalTimeout):
        client.download(origin.url, target, timeout=netcore.Timeout(total=3), resumes=50)


def test_a_part_that_is_whole_needs_no_byte_more(origin: Origin, target: Path) -> None:
    origin.hold = threading.Event()

    def put(_progress: netcore.DownloadProgress) -> None:
        target.touch()  # in the way of the file, which has begun
        assert origin.hold is not None
        origin.hold.set()

    with netcore.Client() as client:
        with pytest.raises(netcore.DownloadExists):
            client.download(origin.url, target, progress=put)
        download = client.download(origin.url, target, overwrite=True)
    assert (download.fetched, download.resumed_from, download.response.status_code) == (0, SIZE, 416)
    assert target.read_bytes() == origin.data


def test_what_is_there_is_replaced_only_if_asked(origin: Origin, target: Path) -> None:
    target.write_text("mine")
    with netcore.Client() as client:
        with pytest.raises(FileExistsError) as raised:
            client.download(origin.url, target)
        assert isinstance(raised.value, netcore.DownloadExists)
        assert (target.read_text(), origin.requests) == ("mine", [])
        client.download(origin.url, target, overwrite=True)
    assert target.read_bytes() == origin.data


def test_an_answer_without_a_file_raises_its_status(client: netcore.Client, target: Path) -> None:
    with pytest.raises(netcore.HTTPStatusError) as raised:
        client.download("/status/404", target)
    assert raised.value.response.status_code == 404
    assert names(target) == []


def test_progress_tells_bytes_rate_and_time(origin: Origin, target: Path) -> None:
    origin.pause, origin.piece = 0.05, 20_000
    seen: List[netcore.DownloadProgress] = []
    with netcore.Client() as client:
        client.download(origin.url, target, progress=seen.append)
    assert [each.size for each in seen] == sorted(each.size for each in seen)
    assert seen[-1].size == SIZE
    assert all(each.total == SIZE for each in seen)
    assert any(each.rate > 0 and each.time_left for each in seen)


def test_what_progress_raises_ends_the_download(origin: Origin, target: Path) -> None:
    origin.hold = threading.Event()

    def fail(_progress: netcore.DownloadProgress) -> None:
        raise KeyError("mine")

    with netcore.Client() as client:
        with pytest.raises(KeyError):
            client.download(origin.url, target, progress=fail)
        origin.hold.set()
        assert not netcore.download_parts(target.parent)[0].is_busy
        assert client.download(origin.url, target).resumed_from > 0


def test_of_two_downloads_to_one_file_one_works(origin: Origin, target: Path) -> None:
    origin.hold = threading.Event()
    has_begun = threading.Event()
    with netcore.Client() as first, netcore.Client() as second:
        worker = threading.Thread(
            target=lambda: first.download(origin.url, target, progress=lambda _progress: has_begun.set())
        )
        worker.start()
        assert has_begun.wait(30)
        with pytest.raises(netcore.DownloadBusy):
            second.download(origin.url, target)
        with pytest.raises(netcore.DownloadBusy):
            netcore.remove_download_part(target)
        origin.hold.set()
        worker.join()
    assert target.read_bytes() == origin.data


def test_a_part_is_listed_and_removed(origin: Origin, target: Path) -> None:
    with netcore.Client() as client:
        leave_part(client, origin, target)
    (part,) = netcore.download_parts(target.parent)
    assert (part.path, part.size, part.total, part.is_busy) == (str(target), 100_000, SIZE, False)
    assert netcore.remove_download_part(target)
    assert not netcore.remove_download_part(target)
    assert names(target) == []
    with pytest.raises(netcore.StorageError):
        netcore.download_parts(target)


@pytest.mark.parametrize("damage", [lambda notes: notes[:40], lambda notes: b"", lambda notes: notes[:-60] + bytes(60)])
def test_damaged_notes_never_make_a_wrong_file(origin: Origin, target: Path, damage: Callable[[bytes], bytes]) -> None:
    with netcore.Client() as client:
        leave_part(client, origin, target)
        path = Path(f"{target}.netcore-notes")
        path.write_bytes(damage(path.read_bytes()))
        client.download(origin.url, target, sha256=True)
    assert target.read_bytes() == origin.data


def test_bad_arguments_are_named(target: Path) -> None:
    with netcore.Client() as client:
        cases: List[Tuple[Any, Any, str]] = [
            ({"sha256": "12"}, netcore.InvalidRequest, "sha256"),
            ({"sha256": 1}, TypeError, "sha256"),
            ({"size": -1}, netcore.InvalidRequest, "size"),
            ({"overwrite": 1}, TypeError, "overwrite"),
            ({"resumes": "5"}, TypeError, "resumes"),
            ({"progress": 1}, TypeError, "progress"),
            ({"on_progress": print}, netcore.InvalidRequest, "on_progress"),
            ({"headers": {"Range": "bytes=0-1"}}, netcore.InvalidRequest, "Range"),
        ]
        for options, error, name in cases:
            with pytest.raises(error, match=name):
                client.download("http://127.0.0.1:9/", target, **options)
        with pytest.raises(TypeError, match="path"):
            client.download("http://127.0.0.1:9/", 5)  # type: ignore[arg-type]
        with pytest.raises(netcore.InvalidRequest, match="path"):
            client.download("http://127.0.0.1:9/", "folder/..")
    with pytest.raises(netcore.StateError):
        client.download("http://127.0.0.1:9/", target)


def test_asyncio_downloads_and_cancels(origin: Origin, target: Path) -> None:
    async def run() -> None:
        async with netcore.AsyncClient() as client:
            origin.faults = [cut(1000)]
            seen: List[netcore.DownloadProgress] = []
            download = await client.download(origin.url, target, progress=seen.append)
            assert (download.requests, seen[-1].size) == (2, SIZE)
            with pytest.raises(netcore.DownloadExists):
                await client.download(origin.url, target)
            origin.hold = threading.Event()
            other = target.with_name("other")
            has_begun = asyncio.Event()
            task = asyncio.ensure_future(client.download(origin.url, other, progress=lambda _progress: has_begun.set()))
            await has_begun.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            origin.hold.set()
            while netcore.download_parts(other.parent)[0].is_busy:  # until its thread has let go
                await asyncio.sleep(0.01)
            assert (await client.download(origin.url, other)).resumed_from > 0
            assert other.read_bytes() == origin.data

    asyncio.run(run())
    assert target.read_bytes() == origin.data


def test_a_path_of_bytes_is_a_path(origin: Origin, target: Path) -> None:
    with netcore.Client() as client:
        client.download(origin.url, os.fsencode(target))
    assert target.read_bytes() == origin.data


@pytest.mark.parametrize("name", ["../escaped", "/tmp/netcore-escaped", "..", "other"])
def test_a_name_that_the_server_gives_is_not_used(origin: Origin, target: Path, name: str) -> None:
    origin.extra = {"Content-Disposition": f"attachment; filename=\"{name}\"; filename*=UTF-8''{name}"}
    with netcore.Client() as client:
        client.download(origin.url, target)
    assert names(target) == ["file"] and not (target.parent.parent / "escaped").exists()
    assert not Path("/tmp/netcore-escaped").exists()


def test_a_folder_that_cannot_be_written_leaves_nothing(origin: Origin, target: Path) -> None:
    folder = target.parent / "read-only"
    folder.mkdir()
    folder.chmod(0o555)
    try:
        if os.access(folder, os.W_OK):
            pytest.skip("who runs the tests may write everywhere")
        with netcore.Client() as client, pytest.raises(netcore.StorageError):
            client.download(origin.url, folder / "file")
        assert list(folder.iterdir()) == [] and not origin.requests
    finally:
        folder.chmod(0o755)
