"""Streamed responses of the blocking client."""

from __future__ import annotations

import gc
import json
import pickle
import signal
import threading
import time
from itertools import islice
from typing import Any, Callable, List

import pytest

import netcore
from bodies import pattern
from netcore._responses.pieces import Cutter, JSONLines, LineDecoder, TextDecoder
from peers import Peers, aborted, script, until

HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset={}\r\nTransfer-Encoding: chunked\r\n\r\n"


def chunked(*pieces: str, charset: str = "utf-8", end: str = "0\r\n\r\n") -> str:
    """The path of an answer whose body comes in these pieces, each of characters up to U+00FF that stand for bytes."""
    steps: List[Any] = [{"send": HEAD.format(charset)}]
    for piece in pieces:
        steps += [{"send": f"{len(piece):x}\r\n{piece}\r\n"}, {"sleep_ms": 5}]
    return script(*steps, {"send": end} if end else {"cut": True})


@pytest.mark.parametrize("window", [1, 1000, 1 << 20])
@pytest.mark.parametrize(
    "path", ["/bytes/3000000", "/chunked/100000", "/gzip/300000", "/bytes/0", "/redirect/302?to=/bytes/3000"]
)
def test_the_body_comes_whole(client: netcore.Client, path: str, window: int) -> None:
    size = int(path.rpartition("/")[2])
    with client.stream("GET", path, window=window) as response:
        assert response.status_code == 200 and response.url.endswith(path.rpartition("=")[2])
        assert len(response.history) == path.count("redirect")
        assert b"".join(response.iter_bytes()) == pattern(size)
        assert response.is_closed and response.is_stream_consumed


@pytest.mark.parametrize("size", [1, 7, 65_536, 100_000, 10_000_000])
def test_pieces_have_the_size_that_was_asked_for(client: netcore.Client, size: int) -> None:
    length = 3_000 if size < 100 else 300_000
    with client.stream("GET", f"/bytes/{length}") as response:
        pieces = list(response.iter_bytes(size))
    assert {len(piece) for piece in pieces[:-1]} <= {size} and 0 < len(pieces[-1]) <= size
    assert b"".join(pieces) == pattern(length)


def test_views_are_read_without_a_copy(client: netcore.Client) -> None:
    read = bytearray()
    with client.stream("GET", "/bytes/300000") as response:
        for view in response.iter_views():
            assert view.readonly
            read += view
    assert read == pattern(300_000)


def test_what_read_gives_is_kept(client: netcore.Client) -> None:
    with client.stream("GET", "/headers?X-A=1") as response:
        assert response.read() == response.read() == response.content == bytes(response.body_view())
        assert response.text == response.content.decode() and "".join(response.iter_text()) == response.text
        assert next(iter(response.iter_bytes(2))) == response.content[:2]
        assert response.headers["x-a"] == "1"
    assert response.text
    with client.stream("POST", "/echo", json={"a": 1}) as response:
        response.read()
    assert response.json()["body"] == '{"a": 1}' or response.json()["body"] == '{"a":1}'


def test_the_end_has_trailers_timings_and_counts(client: netcore.Client) -> None:
    with client.stream("GET", "/chunked/50000") as response:
        assert not response.trailers and response.num_bytes_downloaded <= 50_000
        assert sum(map(len, response.iter_bytes())) == 50_000
        assert list(response.trailers) == ["X-Trailer"] or response.trailers
        assert response.num_bytes_downloaded == 50_000 < response.bytes_received
        assert response.timings.total is not None and response.attempts == 1
    with client.stream("GET", "/gzip/100000") as response:
        assert len(response.read()) == 100_000 > response.num_bytes_downloaded > 0
    assert client.get("/chunked/50000").trailers == response.trailers or response.trailers is not None


def test_text_is_decoded_across_pieces(client: netcore.Client) -> None:
    with client.stream("GET", chunked("gr\xc3", "\xbc\xc3\x9f\xe2", "\x82", "\xac\xff")) as response:
        assert "".join(response.iter_text()) == "grüß€\ufffd"
    with client.stream("GET", chunked("\xfcb", "er", charset="iso-8859-1")) as response:
        assert list(response.iter_text(3)) == ["übe", "r"]


def test_lines_end_with_any_of_the_three_ends_wherever_they_are_cut() -> None:
    text = "a\nb\r\nc\rd\n\n\re\u2028f\r\n\r\n\r\rg"
    lines = ["a", "b", "c", "d", "", "", "e\u2028f", "", "", "", "g"]
    for ended, expected in ((text, lines), (text + "\n", lines), (text + "\r", lines), (text + "\r\n", lines)):
        for first in range(len(ended) + 1):
            for second in range(first, len(ended) + 1):
                decoder = LineDecoder()
                pieces = ended[:first], ended[first:second], ended[second:]
                found = [line for piece in pieces for line in decoder.feed(piece)] + decoder.finish()
                assert found == expected, (pieces, found)
    assert LineDecoder().finish() == []


def test_lines_of_a_body(client: netcore.Client) -> None:
    with client.stream("GET", chunked("one\r", "\ntw", "o\n", "\xc3", "\xbc")) as response:
        assert list(response.iter_lines()) == ["one", "two", "ü"]


def test_text_and_pieces_without_io() -> None:
    decoder = TextDecoder("utf-16")
    assert "".join(decoder.feed(bytes([byte])) for byte in "aü€".encode("utf-16")) + decoder.finish() == "aü€"
    cutter = Cutter(4, "")
    assert [part for text in ("abc", "", "defgh", "i") for part in cutter.feed(text)] == ["abcd", "efgh"]
    assert list(cutter.finish()) == ["i"]


@pytest.mark.parametrize("size", [0, -1, True, "1", 1.5])
def test_a_wrong_size_of_pieces_is_refused(client: netcore.Client, size: Any) -> None:
    with client.stream("GET", "/bytes/10") as response:
        for iterate in (response.iter_bytes, response.iter_text):
            with pytest.raises((netcore.InvalidRequest, TypeError), match="chunk_size"):
                list(iterate(size))


@pytest.mark.parametrize("options", [{"window": 0}, {"window": 1 << 31}, {"window": None}, {"on_progress": print}])
def test_wrong_options_are_refused(client: netcore.Client, options: Any) -> None:
    with pytest.raises((netcore.InvalidRequest, TypeError), match=next(iter(options))):
        with client.stream("GET", "/bytes/10", **options):
            pass


def test_a_body_is_read_once(client: netcore.Client) -> None:
    with client.stream("GET", "/bytes/100000") as response:
        with pytest.raises(netcore.StateError, match="read"):
            response.body_view()
        next(response.iter_bytes())
        for again in (response.iter_bytes, response.iter_views, response.iter_text, response.iter_lines):
            with pytest.raises(netcore.StateError, match="once"):
                list(again())
        with pytest.raises(netcore.StateError, match="once"):
            response.read()
    with client.stream("GET", "/bytes/10") as response:
        response.close()
        response.close()
        with pytest.raises(netcore.StateError, match="closed"):
            response.read()
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(response)


def test_leaving_the_block_ends_the_transfer(client: netcore.Client, peers: Peers) -> None:
    path = "/bytes/100000001"
    with client.stream("GET", path) as response:
        next(response.iter_bytes())
    assert response.is_closed and response.num_bytes_downloaded > 0
    until(lambda: aborted(peers.origin, path) == 1)
    with pytest.raises(LookupError):
        with client.stream("GET", path):
            raise LookupError
    until(lambda: aborted(peers.origin, path) == 2)


def test_a_response_that_is_dropped_ends_the_transfer(client: netcore.Client, peers: Peers) -> None:
    path = "/bytes/100000002"
    context = client.stream("GET", path)
    context.__enter__()
    del context
    gc.collect()
    until(lambda: aborted(peers.origin, path) == 1)


def test_errors_come_at_their_place(client: netcore.Client, peers: Peers) -> None:
    read = b""
    with pytest.raises(netcore.TruncatedError) as caught:
        with client.stream("GET", chunked("abc", "def", end="")) as response:
            for piece in response.iter_bytes():
                read += piece
    assert read == b"abcdef" and response.is_closed
    assert caught.value.request == ("GET", response.request.url)
    with pytest.raises(netcore.ConnectError):
        with client.stream("GET", peers.refused):
            pass
    with pytest.raises(netcore.LimitError):
        with netcore.Client(limits=netcore.Limits(body_bytes=1000)) as small:
            with small.stream("GET", f"{peers.origin}/chunked/5000") as response:
                response.read()
    with pytest.raises(netcore.IdleTimeout):
        with client.stream(
            "GET",
            script({"send": "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\na"}, {"stall": True}),
            timeout=netcore.Timeout(idle=0.2),
        ) as response:
            response.read()


def test_the_cause_of_a_body_that_cannot_be_read(client: netcore.Client) -> None:
    def body() -> Any:
        yield b"a"
        raise LookupError("no more")

    with pytest.raises(netcore.BodyError) as caught:
        with client.stream("POST", "/echo", content=body()):
            pass
    assert isinstance(caught.value.__cause__, LookupError)


def test_a_status_is_no_error(client: netcore.Client) -> None:
    with client.stream("GET", "/status/404") as response:
        assert response.is_client_error
        with pytest.raises(netcore.HTTPStatusError):
            response.raise_for_status()
        assert response.read() is not None


def test_closing_the_client_ends_a_read(peers: Peers) -> None:
    client = netcore.Client()
    with client.stream("GET", f"{peers.nginx}/slow") as response:
        closing = threading.Timer(0.2, client.close)
        closing.start()
        with pytest.raises(netcore.Canceled):
            response.read()
        closing.join()
    with pytest.raises(netcore.StateError):
        with client.stream("GET", peers.nginx):
            pass


@pytest.mark.parametrize("path", ["", "/stalls"])
def test_ctrl_c_ends_a_wait(client: netcore.Client, stalled: str, path: str) -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    answer = script({"send": "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\na"}, {"stall": True})
    before = signal.signal(signal.SIGUSR1, interrupt)
    timer = threading.Timer(0.3, lambda: signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1))
    began = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            timer.start()
            with client.stream("GET", answer if path else stalled) as response:
                response.read()
    finally:
        timer.join()
        signal.signal(signal.SIGUSR1, before)
    assert time.monotonic() - began < 20


def test_a_stored_answer_is_streamed(peers: Peers) -> None:
    with netcore.Client(base_url=peers.origin, cache=netcore.Cache()) as client:
        stored = client.get("/bytes/2000", cache_ttl=100).content
        with client.stream("GET", "/bytes/2000", cache_ttl=100) as response:
            assert response.from_cache and response.read() == stored
            assert response.num_bytes_downloaded == 0


def test_an_answer_of_a_mock_transport_is_streamed() -> None:
    def answer(request: netcore.Request) -> netcore.Response:
        return netcore.Response(201, content=b"x" * 100_000)

    with netcore.Client(transport=answer) as client:
        with client.stream("GET", "http://nowhere.invalid/") as response:
            assert response.status_code == 201 and sum(map(len, response)) == 100_000


def test_http_2(peers: Peers) -> None:
    with netcore.Client(verify=peers.ca) as client:
        with client.stream("GET", f"{peers.nginx_h2}/10m") as response:
            assert response.http_version == "HTTP/2" and sum(map(len, response.iter_bytes())) == 10 << 20


def test_a_stream_of_the_module(peers: Peers) -> None:
    with netcore.stream("GET", f"{peers.origin}/bytes/100") as response:
        assert response.read() == pattern(100)


def test_streams_of_many_threads(client: netcore.Client) -> None:
    sizes: List[int] = []

    def read() -> None:
        with client.stream("GET", "/bytes/1000000", window=10_000) as response:
            sizes.append(sum(map(len, response.iter_bytes())))

    threads = [threading.Thread(target=read) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sizes == [1_000_000] * 20


def test_a_slow_reader_holds_the_server_up(client: netcore.Client) -> None:
    with client.stream("GET", "/bytes/100000003", window=100_000) as response:
        list(islice(response.iter_bytes(), 3))
        before = -1
        while response.num_bytes_downloaded != before:
            before = response.num_bytes_downloaded
            time.sleep(0.3)
        assert before < 2_000_000


JSON_LINES = '{"a": "\xc3\xa4"}\r\n\n \t\r\n[1,\r2]\n"3"'


def test_json_lines(client: netcore.Client) -> None:
    values = [{"a": "ä"}, [1, 2], "3"]
    for pieces in ([JSON_LINES], list(JSON_LINES)):
        with client.stream("GET", chunked(*pieces)) as response:
            assert list(response.iter_json_lines()) == values
    with client.stream("GET", chunked("1\n", "no\n", "2\n")) as response:
        lines = response.iter_json_lines()
        assert next(lines) == 1
        with pytest.raises(ValueError, match="Expecting value"):
            next(lines)


@pytest.mark.parametrize(
    "line",
    [b"1", b" 1 ", b"\t[1]\r", b"\xef\xbb\xbf1", b'"\xff"', b"1 2", b"[1", b"NaN", b'{"a":1,"a":2}', b'"\xc3\xa4"'],
)
def test_a_json_line_is_what_json_makes_of_it(line: bytes) -> None:
    def outcome(read: Callable[[bytes], Any]) -> Any:
        try:
            return repr(read(line))
        except ValueError as error:
            return type(error), str(error)

    assert outcome(lambda line: next(JSONLines(100).feed(line + b"\n"))) == outcome(json.loads)


@pytest.mark.parametrize("text", ["12345\n", "12345", "1\n12345", "1\n12345\n1"])
def test_a_line_above_the_limit_is_an_error(client: netcore.Client, text: str) -> None:
    for pieces in ([text], list(text)):
        for read in ("iter_lines", "iter_json_lines"):
            with client.stream("GET", chunked(*pieces)) as response:
                with pytest.raises(netcore.LimitError, match="larger than 4"):
                    list(getattr(response, read)(4))
                assert response.is_closed
            with client.stream("GET", chunked(*pieces)) as response:
                assert list(getattr(response, read)(5))
    for wrong in (0, -1):
        with client.stream("GET", "/bytes/1") as response, pytest.raises(netcore.InvalidRequest, match="largest_line"):
            response.iter_lines(wrong)


def test_views_stay_valid(client: netcore.Client) -> None:
    with client.stream("GET", "/bytes/300000") as response:
        views = list(response.iter_views())
    assert b"".join(views) == pattern(300_000)
