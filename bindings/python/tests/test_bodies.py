"""Bodies that are read while they are sent: files and iterables; gzip."""

from __future__ import annotations

import asyncio
import gc
import gzip
import io
import tempfile
import weakref
from functools import partial
from pathlib import Path
from typing import Any, AsyncIterator, Callable, Dict, List, Tuple

import pytest

import netcore
from bodies import BYTES, SIZE, Chunks, Duck, broken, failure
from netcore._requests import sources
from peers import Peers, is_gone, until


def echo(client: netcore.Client, path: str = "/echo", **options: Any) -> Dict[str, Any]:
    seen: Dict[str, Any] = client.post(path, **options).json()
    return seen


def values(seen: Dict[str, Any], name: str) -> List[str]:
    return [value for key, value in seen["headers"] if key.lower() == name.lower()]


def framing(seen: Dict[str, Any]) -> Tuple[List[str], List[str]]:
    return values(seen, "Content-Length"), values(seen, "Transfer-Encoding")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "body"
    path.write_bytes(BYTES)
    return path


CONTENTS: List[Tuple[Callable[[Path], Any], bool]] = [
    (lambda path: path, True),
    (lambda path: path.open("rb"), True),
    (lambda path: path.open("rb", buffering=0), True),
    (lambda path: io.BytesIO(BYTES), True),
    (lambda path: Duck(BYTES[:70_000], bytearray(BYTES[70_000:])), False),
    (lambda path: Chunks(BYTES[:70_000], b"", memoryview(BYTES)[70_000:]), False),
    (lambda path: [BYTES], False),
    (lambda path: iter([BYTES]), False),
    (lambda path: (BYTES[start : start + 999] for start in range(0, SIZE, 999)), False),
]


@pytest.mark.parametrize("make, has_length", CONTENTS)
def test_a_body_that_is_read_while_it_is_sent(
    client: netcore.Client, path: Path, make: Callable[[Path], Any], has_length: bool
) -> None:
    expected = ([str(SIZE)], []) if has_length else ([], ["chunked"])
    with_whole = echo(client, content=BYTES)
    content = make(path)
    seen = echo(client, content=content)
    assert (seen["body_sha256"], framing(seen)) == (with_whole["body_sha256"], expected)
    assert values(seen, "Content-Type") == []
    if isinstance(content, io.IOBase):
        assert not content.closed
        content.close()


@pytest.mark.parametrize("make, has_length", CONTENTS[1:])
def test_a_length_that_the_caller_knows(
    client: netcore.Client, path: Path, make: Callable[[Path], Any], has_length: bool
) -> None:
    content = make(path)
    assert framing(echo(client, content=content, content_length=SIZE)) == ([str(SIZE)], [])
    if isinstance(content, io.IOBase):
        content.close()


def test_a_file_goes_out_from_where_it_stands(client: netcore.Client) -> None:
    file = io.BytesIO(b"head body")
    file.seek(5)
    seen = echo(client, content=file)
    assert (seen["body"], framing(seen)) == ("body", (["4"], []))
    seen = echo(client, data=io.BytesIO(b"data"))
    assert (seen["body"], values(seen, "Content-Type")) == ("data", [])
    with tempfile.SpooledTemporaryFile() as spooled:
        spooled.write(b"spooled")
        spooled.seek(0)
        assert echo(client, content=spooled)["body"] == "spooled"


@pytest.mark.parametrize("content", [io.BytesIO(), (), iter(()), Duck()])
def test_an_empty_body(client: netcore.Client, content: Any) -> None:
    assert not echo(client, content=content)["body"]


def test_a_body_is_read_again_for_a_redirect(client: netcore.Client, path: Path) -> None:
    redirect = "/redirect/307?to=/echo"
    file = io.BytesIO(b"head body")
    file.seek(5)
    assert echo(client, redirect, content=path)["body_size"] == SIZE
    assert echo(client, redirect, content=file)["body"] == "body"
    assert echo(client, redirect, content=Chunks(b"a", b"b"))["body"] == "ab"
    for content in (Duck(b"a"), iter([b"a"])):
        error = failure(partial(echo, client, redirect, content=content))
        assert isinstance(error, netcore.BodyRewindError) and error.name == "NETCORE_ERR_BODY_REWIND"


class AsyncChunks:
    """An asynchronous iterable, which can be read again."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"a"
        await asyncio.sleep(0)
        yield b"b"


def test_asyncio(peers: Peers, path: Path) -> None:
    async def fail() -> AsyncIterator[bytes]:
        yield b"x"
        raise LookupError

    async def main() -> None:
        async with netcore.AsyncClient(base_url=peers.origin) as client:
            assert (await client.post("/echo", content=path)).json()["body_size"] == SIZE
            for content in (iter([b"a", b"b"]), AsyncChunks(), AsyncChunks().__aiter__()):
                assert (await client.post("/echo", content=content)).json()["body"] == "ab"
            assert (await client.post("/redirect/307?to=/echo", content=AsyncChunks())).json()["body"] == "ab"
            assert "ab" in (await client.post("/echo", files={"a": AsyncChunks()})).json()["body"]
            for call in (
                client.post("/echo", content=broken()),
                client.post("/echo", content=fail()),
                client.dispatch("POST", "/echo", content=fail()),
            ):
                with pytest.raises(netcore.BodyError) as caught:
                    await call
                assert isinstance(caught.value.__cause__, LookupError)
            with netcore.Client() as other, pytest.raises(TypeError, match="content: an asynchronous iterable"):
                other.post("/echo", content=AsyncChunks())

    asyncio.run(main())


@pytest.mark.parametrize("is_canceled", [False, True])
def test_a_loop_that_ends_while_it_is_asked_for_a_body(peers: Peers, is_canceled: bool) -> None:
    async def main() -> Callable[[], bool]:
        entered = asyncio.Event()

        async def block() -> AsyncIterator[bytes]:
            yield b"x"
            entered.set()
            await asyncio.Event().wait()

        content = block()
        gone = is_gone(weakref.ref(content))
        client = netcore.AsyncClient(base_url=peers.origin)
        waiting = asyncio.ensure_future(client.post("/echo", content=content))
        await entered.wait()
        if is_canceled:
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            await client.aclose()
        return gone

    until(asyncio.run(main()))


def test_a_loop_that_is_closed() -> None:
    loop = asyncio.new_event_loop()
    loop.close()
    with pytest.raises(RuntimeError, match="closed"):
        next(sources._awaited_chunks(AsyncChunks(), loop))
    gc.collect()  # nothing is left that was to be awaited


# gzip


@pytest.mark.parametrize("content", [BYTES, iter([BYTES]), io.BytesIO(BYTES)])
def test_gzip(client: netcore.Client, content: Any) -> None:
    seen = echo(client, content=content, gzip=True)
    assert values(seen, "Content-Encoding") == ["gzip"] and seen["body_size"] < SIZE
    seen = echo(client, content=Chunks(b"body", b" " * 99), gzip=1000)
    assert gzip.decompress(seen["body"].encode("latin-1")) == b"body" + b" " * 99


def test_what_is_not_packed(client: netcore.Client) -> None:
    for options in ({"gzip": 1000}, {"gzip": False}, {"gzip": True, "headers": {"Content-Encoding": "identity"}}):
        assert echo(client, content=b"x" * 999, **options)["body_size"] == 999
    assert echo(client, content=b"tiny", gzip=True)["body"] == "tiny"
    assert client.get("/echo", gzip=True).json()["headers"] == client.get("/echo").json()["headers"]
