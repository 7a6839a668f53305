"""What goes wrong while a body is read, and what is left behind."""

from __future__ import annotations

import io
import signal
import threading
import weakref
from functools import partial
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple, Type

import pytest

import netcore
import programs
from bodies import BYTES, Chunks, Duck, broken, failure
from peers import Peers, is_gone, until


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "body"
    path.write_bytes(BYTES)
    return path


class Wrong(io.BytesIO):
    def __init__(self, name: str) -> None:
        super().__init__(b"body")
        self.wrong = name

    def read(self, size: Any = -1, /) -> bytes:
        if self.wrong == "read":
            raise OSError("the disk is gone")
        return super().read(size)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        if self.wrong == "second seek" and self.tell() == 4 and whence == 0:
            self.wrong = "seek"
        elif self.wrong == "seek" and whence == 0:
            raise RuntimeError("stuck")
        return super().seek(offset, whence)


FAILING: List[Tuple[Callable[[], Any], Type[BaseException]]] = [
    (lambda: broken(), LookupError),
    (lambda: broken(BYTES), LookupError),
    (lambda: ["text"], TypeError),
    (lambda: [b"a", None], TypeError),
    (lambda: [5], TypeError),
    (lambda: Duck("text"), TypeError),
    (lambda: Duck(b"a", None), BlockingIOError),
    (lambda: Wrong("read"), OSError),
    (lambda: Wrong("second seek"), RuntimeError),
]


@pytest.mark.parametrize("make, cause", FAILING)
def test_what_reading_raises_is_the_cause(
    client: netcore.Client, make: Callable[[], Any], cause: Type[BaseException]
) -> None:
    calls = [
        lambda: client.post("/echo", content=make()),
        lambda: client.post("/echo", content=make(), gzip=True),
        lambda: client.post("/echo", files={"a": make()}),
        lambda: client.dispatch("POST", "/echo", content=make()).result(),
    ]
    for call in calls:
        error = failure(call)
        assert isinstance(error.__cause__, cause) and error.name == "NETCORE_ERR_BODY"
    assert client.get("/echo").status_code == 200


@pytest.mark.parametrize("length", [3, 5, 1 << 20])
def test_a_body_of_another_length_than_was_said(client: netcore.Client, length: int) -> None:
    error = failure(lambda: client.post("/echo", content=iter([b"body"]), content_length=length))
    assert error.__cause__ is None and "bytes" in str(error)
    failure(lambda: client.post("/echo", content=io.BytesIO(b"body"), content_length=length))


def test_files_that_vanish_or_change(peers: Peers, path: Path) -> None:
    missing = path.with_name("missing")
    with netcore.Client(base_url=peers.origin) as client:
        for error in (
            failure(lambda: client.post("/echo", content=missing)),
            failure(lambda: client.post("/echo", files={"a": missing})),
            failure(lambda: client.dispatch("POST", "/echo", content=missing)),
        ):
            assert isinstance(error.__cause__, FileNotFoundError) and error.__cause__.errno == error.native_code
        failure(lambda: client.post("/echo", content=path.parent))
        client.add_filter(lambda _: path.write_bytes(b"another"))  # between the dispatch and the sending
        failure(lambda: client.post("/echo", content=path))
        client.remove_filters()
        client.add_filter(lambda _: path.unlink())
        assert isinstance(failure(lambda: client.post("/echo", content=path)).__cause__, FileNotFoundError)


WRONG: List[Tuple[Dict[str, Any], Type[BaseException], str]] = [
    ({"content": 5}, TypeError, "content"),
    ({"content": {"a": 1}}, TypeError, "content"),
    ({"content": io.StringIO("text")}, TypeError, "content"),
    ({"content": Path("a\0b")}, netcore.InvalidRequest, "content"),
    ({"content": b"a", "content_length": 1}, netcore.InvalidRequest, "content_length"),
    ({"content": Path("a"), "content_length": 1}, netcore.InvalidRequest, "content_length"),
    ({"content_length": 1}, netcore.InvalidRequest, "content_length"),
    ({"content": [b"a"], "content_length": -1}, netcore.InvalidRequest, "content_length"),
    ({"content": [b"a"], "content_length": (1 << 62) + 1}, netcore.InvalidRequest, "content_length"),
    ({"content": [b"a"], "content_length": True}, TypeError, "content_length"),
    ({"content": [b"a"], "content_length": "1"}, TypeError, "content_length"),
    ({"content": [b"a"], "json": 1}, netcore.InvalidRequest, "content, data, json"),
    ({"content": b"a", "gzip": "yes"}, TypeError, "gzip"),
    ({"content": b"a", "gzip": None}, TypeError, "gzip"),
    ({"content": b"a", "gzip": -1}, netcore.InvalidRequest, "gzip"),
]


@pytest.mark.parametrize("options, error, name", WRONG)
def test_what_is_wrong_is_named_and_not_sent(
    client: netcore.Client, options: Dict[str, Any], error: Type[BaseException], name: str
) -> None:
    for call in (client.request, client.dispatch, client.group().add):
        with pytest.raises(error, match=f"^{name}: "):
            call("POST", "/echo", **options)


def test_a_closed_file(client: netcore.Client) -> None:
    file = io.BytesIO(b"x")
    file.close()
    with pytest.raises(netcore.InvalidRequest, match=r"content: .*closed"):
        client.post("/echo", content=file)


# What is left behind


def watched(*arguments: Any, **options: Any) -> Tuple[Chunks, Callable[[], bool]]:
    chunks = Chunks(*arguments, **options)
    return chunks, is_gone(weakref.ref(chunks))


def test_a_body_goes_with_its_task(client: netcore.Client) -> None:
    uses: List[Callable[[Any], Any]] = [
        lambda content: client.post("/echo", content=content),
        lambda content: client.post("/echo", files=[("a", content), ("b", content)]),
        lambda content: client.dispatch("POST", "/echo", content=content).result(),
        lambda content: client.group().add("POST", "/echo", content=content),  # never dispatched
        lambda content: client.post("/redirect/307?to=/echo", content=content),
    ]
    for use in uses:
        chunks, gone = watched(b"body")
        kept = use(chunks)
        del chunks
        if isinstance(kept, netcore.Task):
            kept = None
        until(gone)
    for options in ({"headers": {"X A": "x"}}, {"gzip": -1}, {"serializer": "xml"}):
        chunks, gone = watched(b"body")
        with pytest.raises(netcore.InvalidRequest):
            client.post("/echo", content=chunks, **options)
        del chunks
        until(gone)
    chunks, gone = watched(b"body", None)
    failure(partial(client.post, "/echo", content=chunks))
    del chunks
    until(gone)


def test_a_body_that_blocks_is_let_go_when_it_returns(peers: Peers) -> None:
    entered, released = threading.Event(), threading.Event()

    def block() -> None:
        entered.set()
        released.wait()

    client = netcore.Client(base_url=peers.origin)
    first, first_gone = watched(b"body", before_end=block)
    with pytest.raises(netcore.TotalTimeout):
        client.post("/echo", content=first, timeout=netcore.Timeout(total=0.1))
    assert client.get("/echo").status_code == 200
    second, second_gone = watched(b"body", before_end=block)
    entered.clear()
    task = client.dispatch("POST", "/echo", content=second)
    assert entered.wait(10)
    client.close()
    with pytest.raises(netcore.Canceled):
        task.result(0)
    del first, second
    released.set()
    until(first_gone)
    until(second_gone)


def test_ctrl_c_while_a_body_blocks(peers: Peers) -> None:
    program = """
        import netcore, sys, threading
        def body():
            print("reading")
            yield b"x"
            threading.Event().wait()
        with netcore.Client(base_url=sys.argv[1]) as client:
            try:
                client.post("/echo", content=body())
            except KeyboardInterrupt:
                print("interrupted", client.get("/echo").status_code)
    """
    with programs.start(program, peers.origin) as process:
        assert process.stdout is not None and process.stdout.readline() == "reading\n"
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=20)
    assert (output, process.returncode) == ("interrupted 200\n", 0), errors
