"""Answers by HTTP/2 that break its rules (RFC 9113): a ProtocolError, not retryable, and no lost connection."""

from __future__ import annotations

import socket
import struct
from pathlib import Path
from typing import Callable, List, Tuple

import hpack
import pytest

import netcore
from h2_origin import Origin, Stream
from peers import Peers

DATA, HEADERS, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 5, 6, 7, 8, 9
END_STREAM, END_HEADERS, PADDED = 1, 4, 8


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def head(*fields: Tuple[str, str], flags: int = END_HEADERS | END_STREAM) -> bytes:
    return frame(HEADERS, flags, 1, hpack.Encoder().encode(list(fields), huffman=False))


GOOD = head((":status", "200"), flags=END_HEADERS)

MALFORMED = {
    "a capital letter in a name": head((":status", "200"), ("Name", "value")),
    "no status": head(("name", "value")),
    "a status of two digits": head((":status", "20")),
    "a status that is no number": head((":status", "abc")),
    "two statuses": head((":status", "200"), (":status", "200")),
    "a status after a field": head(("name", "value"), (":status", "200")),
    "an unknown pseudo-header": head((":status", "200"), (":odd", "value")),
    "a field of requests": head((":status", "200"), (":path", "/")),
    "a field of the connection": head((":status", "200"), ("connection", "close")),
    "Transfer-Encoding": head((":status", "200"), ("transfer-encoding", "chunked")),
    "a line end in a value": head((":status", "200"), ("name", "a\nb")),
    "101": head((":status", "101")),
    "less than Content-Length": head((":status", "200"), ("content-length", "5"), flags=END_HEADERS)
    + frame(DATA, END_STREAM, 1, b"abc"),
    "more than Content-Length": head((":status", "200"), ("content-length", "5"), flags=END_HEADERS)
    + frame(DATA, END_STREAM, 1, b"abcdefgh"),
    "two lengths": head((":status", "200"), ("content-length", "5"), ("content-length", "6"), flags=END_HEADERS)
    + frame(DATA, END_STREAM, 1, b"abcde"),
    "data before the head": frame(DATA, END_STREAM, 1, b"abc"),
    "an interim answer that ends the stream": head((":status", "103")),
    "a broken field block": frame(HEADERS, END_HEADERS | END_STREAM, 1, b"\xff\xff\xff\xff\xff\xff"),
    "an index beyond the table": frame(HEADERS, END_HEADERS | END_STREAM, 1, b"\x88\xfe"),
    "padding beyond the frame": frame(HEADERS, END_HEADERS | END_STREAM | PADDED, 1, b"\x50\x88"),
    "a continuation of nothing": frame(CONTINUATION, END_HEADERS, 1, b"\x88"),
    "a frame within a head": frame(HEADERS, END_STREAM, 1, b"\x88") + frame(PING, 0, 0, bytes(8)),
    "data on no stream": frame(DATA, END_STREAM, 0, b"abc"),
    "data on a stream that is not open": frame(DATA, END_STREAM, 99, b"abc"),
    "a head on no stream": frame(HEADERS, END_HEADERS | END_STREAM, 0, b"\x88"),
    "settings of odd length": frame(SETTINGS, 0, 0, b"abc"),
    "settings on a stream": frame(SETTINGS, 0, 1),
    "settings with a wrong value": frame(SETTINGS, 0, 0, struct.pack(">HI", 2, 7)),
    "a ping of odd length": frame(PING, 0, 0, b"abc"),
    "a window that grows by nothing": frame(WINDOW_UPDATE, 0, 0, bytes(4)),
    "a stream's window that grows by nothing": frame(WINDOW_UPDATE, 0, 1, bytes(4)),
    "a window beyond all bounds": frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 2**31 - 1)),
    "a reset of odd length": frame(RST_STREAM, 0, 1, b"ab"),
    "a reset of an idle stream": frame(RST_STREAM, 0, 99, bytes(4)),
    "a pushed answer": frame(PUSH_PROMISE, END_HEADERS, 1, struct.pack(">I", 2) + b"\x88"),
    "a frame beyond the largest": frame(DATA, 0, 1, bytes(70000)),
    "no HTTP/2": b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
}


def close(stream: Stream) -> None:
    """Ends TLS by close_notify, without a GOAWAY before it."""
    stream.connection.sock.unwrap().close()


def cut(stream: Stream) -> None:
    """Ends the connection without a word."""
    stream.connection.sock.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("end", [close, cut])
def test_a_connection_that_ends_is_no_protocol_error(peers: Peers, end: Callable[[Stream], None]) -> None:
    with Origin(Path(peers.ca).parent, end) as origin, netcore.Client(verify=peers.ca, timeout=5) as client:
        with pytest.raises(netcore.ConnectionLost) as caught:
            client.get(origin.url)
    assert caught.value.is_retryable


@pytest.mark.parametrize("end", [close, cut])
def test_a_kept_connection_that_ends_under_a_request_has_it_sent_again(
    peers: Peers, end: Callable[[Stream], None]
) -> None:
    streams: List[Stream] = []

    def handle(stream: Stream) -> None:
        streams.append(stream)
        end(stream) if len(streams) == 2 else stream.answer(f"answer {len(streams)}")

    with Origin(Path(peers.ca).parent, handle) as origin, netcore.Client(verify=peers.ca, timeout=5) as client:
        assert client.get(origin.url).text == "answer 1"
        assert client.get(origin.url).text == "answer 3"
    assert origin.requests == [(1, "GET"), (1, "GET"), (2, "GET")]


def test_a_kept_connection_that_ended_has_the_next_request_sent_again(peers: Peers) -> None:
    streams: List[Stream] = []

    def handle(stream: Stream) -> None:
        streams.append(stream)
        stream.answer(f"answer {len(streams)}")
        if len(streams) == 1:
            connection = stream.connection
            connection.sock.sendall(connection.state.data_to_send())
            close(stream)

    with Origin(Path(peers.ca).parent, handle) as origin, netcore.Client(verify=peers.ca, timeout=5) as client:
        assert [client.get(origin.url).text for _ in range(2)] == ["answer 1", "answer 2"]


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_answer_is_a_protocol_error(peers: Peers, name: str) -> None:
    def handle(stream: Stream) -> None:
        connection = stream.connection
        connection.sock.sendall(connection.state.data_to_send() + MALFORMED[name])

    with Origin(Path(peers.ca).parent, handle) as origin:
        with netcore.Client(verify=peers.ca, timeout=5) as client:
            with pytest.raises(netcore.ProtocolError) as caught:
                client.get(origin.url)
    assert not caught.value.is_retryable
