"""A body and its answer that stream at the same time."""

from __future__ import annotations

import queue
import socket
import threading
from contextlib import contextmanager
from typing import Iterator, List

import netcore

ROUNDS = 50


def _lines(stream: socket.SocketIO) -> Iterator[bytes]:
    line = stream.readline()
    while line:
        yield line
        line = stream.readline()


@contextmanager
def echo_server() -> Iterator[str]:
    """Sends the head of its answer when that of the request has come, and each chunk of the body back at once."""

    def serve() -> None:
        connection = listener.accept()[0]
        with connection, connection.makefile("rb") as stream:
            while stream.readline() != b"\r\n":
                pass
            connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            size = -1
            while size != 0:
                head = stream.readline()
                size = int(head, 16)
                connection.sendall(head + stream.read(size + 2))

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        thread.join()


def test_each_piece_is_answered_before_the_next_is_made(client: netcore.Client) -> None:
    echoes: "queue.Queue[bytes]" = queue.Queue()
    seen: List[bytes] = []

    def pieces() -> Iterator[bytes]:
        for number in range(ROUNDS):
            yield b"%d" % number
            seen.append(echoes.get(timeout=30))

    with echo_server() as url, client.stream("POST", url, content=pieces()) as response:
        for piece in response.iter_bytes():
            echoes.put(piece)
    assert seen == [b"%d" % number for number in range(ROUNDS)]
