"""Bodies of parts: files, and fields before them."""

from __future__ import annotations

import asyncio
import email
import email.policy
import io
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Type, cast

import pytest

import netcore
from peers import Peers


class Part(NamedTuple):
    """A part as the server saw it."""

    name: Any
    file_name: Any
    content_type: Optional[str]
    body: bytes


def parsed(seen: Dict[str, Any]) -> List[EmailMessage]:
    """The parts of a body, read by another library than the one that wrote them."""
    (content_type,) = [value for name, value in seen["headers"] if name.lower() == "content-type"]
    text = f"Content-Type: {content_type}\r\n\r\n".encode() + seen["body"].encode("latin-1")
    message = email.message_from_bytes(text, policy=email.policy.HTTP)
    assert message.get_content_type() == "multipart/form-data"
    return [part for part in message.iter_parts() if isinstance(part, EmailMessage)]


def parts(client: netcore.Client, **options: Any) -> List[Part]:
    return [
        Part(
            part.get_param("name", header="content-disposition"),
            part.get_filename(),
            part["Content-Type"] and part.get_content_type(),
            cast(bytes, part.get_payload(decode=True)),
        )
        for part in parsed(client.post("/echo", **options).json())
    ]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "photo.png"
    path.write_bytes(b"\x89PNG")
    return path


OCTETS = "application/octet-stream"

SHAPES: List[Tuple[Any, Part]] = [
    (b"bytes", Part("a", "upload", OCTETS, b"bytes")),
    ("text \u00fc", Part("a", "upload", OCTETS, "text \u00fc".encode())),
    (io.BytesIO(b"file"), Part("a", "upload", OCTETS, b"file")),
    ([b"it", b"er"], Part("a", "upload", OCTETS, b"iter")),
    (("b.txt", b"x"), Part("a", "b.txt", "text/plain", b"x")),
    (("b.txt", "x", None), Part("a", "b.txt", "text/plain", b"x")),
    (("b.unknown", bytearray(b"x")), Part("a", "b.unknown", OCTETS, b"x")),
    (("b.txt", b"x", "image/png"), Part("a", "b.txt", "image/png", b"x")),
    (("b.txt", b"x", None, {"content-type": "image/png"}), Part("a", "b.txt", "image/png", b"x")),
    (("b.txt", b"x", "image/gif", {"Content-Type": "image/png"}), Part("a", "b.txt", "image/gif", b"x")),
    ((Path("b.html"), memoryview(b"x")), Part("a", "b.html", "text/html", b"x")),
    ((None, "value"), Part("a", None, None, b"value")),
    ((None, b"{}", "application/json"), Part("a", None, "application/json", b"{}")),
    (("b.bin", iter([b"1", b"2"])), Part("a", "b.bin", OCTETS, b"12")),
    (("b.bin", b""), Part("a", "b.bin", OCTETS, b"")),
]


@pytest.mark.parametrize("value, part", SHAPES)
def test_the_shapes_of_a_part(client: netcore.Client, value: Any, part: Part) -> None:
    assert parts(client, files={"a": value}) == [part]


def test_files_by_path_and_open(client: netcore.Client, path: Path) -> None:
    expected = Part("a", "photo.png", "image/png", b"\x89PNG")
    assert parts(client, files={"a": path}) == [expected]
    with path.open("rb") as file:
        assert parts(client, files={"a": file}) == [expected]
    assert parts(client, files={"a": ("b.gif", path)}) == [Part("a", "b.gif", "image/gif", b"\x89PNG")]
    with path.open("rb") as named, open(named.fileno(), "rb", closefd=False) as unnamed:
        assert parts(client, files={"a": unnamed}) == [Part("a", "upload", OCTETS, b"\x89PNG")]


def test_fields_come_before_files_in_their_order(client: netcore.Client) -> None:
    data = {"z": ["1", 2, None], "y": b"\xff", "x": True}
    files = [("f", ("1", b"a")), ("e", b"b"), ("f", ("2", b"c"))]
    seen = parts(client, data=data, files=files)
    assert [(part.name, part.body) for part in seen] == [
        ("z", b"1"), ("z", b"2"), ("z", b""), ("y", b"\xff"), ("x", b"true"), ("f", b"a"), ("e", b"b"), ("f", b"c"),
    ]  # fmt: skip
    assert [part.file_name for part in seen] == [None] * 5 + ["1", "upload", "2"]
    assert parts(client, data=[("a", 1)], files=iter([("b", b"")]))[0] == Part("a", None, None, b"1")


def test_header_fields_of_a_part(client: netcore.Client) -> None:
    (part,) = parsed(client.post("/echo", files={"a": ("b", b"x", "a/b", {"X-Part": "1"})}).json())
    assert part["X-Part"] == "1"


def test_names_with_special_characters(client: netcore.Client) -> None:
    body = client.post("/echo", files={'a"b\r\n': ('\u00fc"\n.txt', b"")}).json()["body"].encode("latin-1").decode()
    assert 'name="a%22b%0D%0A"; filename="\u00fc%22%0A.txt"' in body


def test_lengths_and_gzip(client: netcore.Client, path: Path) -> None:
    for content, field in ((path, "content-length"), (iter([b"x"]), "transfer-encoding")):
        seen = client.post("/echo", files={"a": content}).json()
        assert field in {name.lower() for name, _ in seen["headers"]}
    assert client.post("/echo", files={"a": b"x" * 99_999}, gzip=True).json()["body_size"] < 9_999


def test_no_files_are_none(client: netcore.Client) -> None:
    empty: List[Any] = [{}, [], None]
    for files in empty:
        assert client.post("/echo", data={"a": 1}, files=files).json()["body"] == "a=1"


def test_a_common_content_type_is_left_out(client: netcore.Client) -> None:
    client.set_header("Content-Type", "application/json")
    assert parts(client, files={"a": b"x"}) == [SHAPES[0][1]._replace(body=b"x")]
    with pytest.raises(netcore.InvalidRequest, match="Content-Type"):
        client.post("/echo", files={"a": b"x"}, headers={"Content-Type": "text/plain"})


def test_parts_are_read_again_for_a_redirect(client: netcore.Client, path: Path) -> None:
    files: Dict[str, Any] = {"a": path, "b": io.BytesIO(b"x"), "c": b"y"}
    seen = client.post("/redirect/307?to=/echo", files=files).json()
    assert [part.get_payload() for part in parsed(seen)][1:] == ["x", "y"]
    with pytest.raises(netcore.BodyRewindError):
        client.post("/redirect/307?to=/echo", files={**files, "d": iter([b"z"])})


def test_asyncio(peers: Peers, path: Path) -> None:
    async def main() -> Any:
        async with netcore.AsyncClient(base_url=peers.origin) as client:
            files: List[Tuple[str, Any]] = [("a", path), ("b", iter([b"x"]))]
            return (await client.post("/echo", files=files)).json()

    assert [part.get_filename() for part in parsed(asyncio.run(main()))] == ["photo.png", "upload"]


def test_what_is_wrong_with_a_part_is_told_by_its_name(client: netcore.Client, path: Path) -> None:
    with pytest.raises(netcore.BodyError, match='part "b": the file cannot be read'):
        client.post("/echo", files={"a": path, "b": path.with_name("missing")})
    with pytest.raises(netcore.BodyError, match='part "b"') as caught:
        client.post("/echo", files=[("a", b"x"), ("b", cast(Any, [b"x", 5]))])
    assert isinstance(caught.value.__cause__, TypeError)


WRONG: List[Tuple[Dict[str, Any], Type[BaseException], str]] = [
    ({"files": {"a": 5}}, TypeError, "files: 'a': bytes, str, a Path"),
    ({"files": {"a": None}}, TypeError, "files: 'a': bytes, str, a Path"),
    ({"files": {"a": io.StringIO("x")}}, TypeError, "files: 'a': the file is open for text"),
    ({"files": {"a": ()}}, TypeError, "files"),
    ({"files": {"a": ("name",)}}, TypeError, "files"),
    ({"files": {"a": ("name", b"", None, {}, 5)}}, TypeError, "files"),
    ({"files": {"a": (5, b"")}}, TypeError, "files"),
    ({"files": {"a": ("", b"")}}, netcore.InvalidRequest, "files: 'a': file_name"),
    ({"files": {"a": ("n\0", b"")}}, netcore.InvalidRequest, "files"),
    ({"files": {"a": ("n", b"", 5)}}, TypeError, "files"),
    ({"files": {"a": ("n", b"", "")}}, netcore.InvalidRequest, "files: 'a': content_type"),
    ({"files": {"a": ("n", b"", "a\nb")}}, netcore.InvalidRequest, "files: 'a': content_type"),
    ({"files": {"a": ("n", b"", "a/b", ["X"])}}, TypeError, "files"),
    ({"files": {"a": ("n", b"", "a/b", {"X": 5})}}, TypeError, "files"),
    ({"files": {"a": ("n", b"", "a/b", {"X Y": "z"})}}, netcore.InvalidRequest, "files: 'a': headers"),
    ({"files": {"a": ("n", b"", "a/b", {"Content-Length": "5"})}}, netcore.InvalidRequest, "files: 'a': headers"),
    ({"files": {"": b""}}, netcore.InvalidRequest, "files: ''"),
    ({"files": {"\ud800": b""}}, netcore.InvalidRequest, "files"),
    ({"files": {"a": "\ud800"}}, netcore.InvalidRequest, "files"),
    ({"files": b"bytes"}, TypeError, "files: a mapping"),
    ({"files": "text"}, TypeError, "files: a mapping"),
    ({"files": 5}, TypeError, "files: a mapping"),
    ({"files": {"a": b""}, "content": b"x"}, netcore.InvalidRequest, "files"),
    ({"files": {"a": b""}, "json": 1}, netcore.InvalidRequest, "files"),
    ({"files": {"a": b""}, "content_length": 1}, netcore.InvalidRequest, "files"),
    ({"files": {"a": b""}, "data": b"x"}, netcore.InvalidRequest, "data"),
    ({"files": {"a": b""}, "data": {"b": {}}}, TypeError, "data"),
    ({"files": {"a": b""}, "data": {"b": "\ud800"}}, netcore.InvalidRequest, "data"),
]


@pytest.mark.parametrize("options, error, message", WRONG)
def test_what_is_wrong_is_named_and_not_sent(
    client: netcore.Client, options: Dict[str, Any], error: Type[BaseException], message: str
) -> None:
    for call in (client.request, client.dispatch, client.group().add):
        with pytest.raises(error, match=f"^{message}"):
            call("POST", "/echo", **options)
