"""Requests that ask the server before they send their body ("Expect: 100-continue")."""

from __future__ import annotations

import os
import socket
import threading
from contextlib import contextmanager
from typing import BinaryIO, Iterator, List

import pytest

import netcore
from peers import Peers

BODY = b"x" * 300_000
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
REFUSAL = b"HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Asked:
    """What a server was sent: each head, and the bytes of body that had come when it had answered."""

    def __init__(self) -> None:
        self.url = ""
        self.heads: List[bytes] = []
        self.bodies: List[int] = []


def read_head(stream: BinaryIO) -> bytes:
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        line = stream.readline()
        if not line:
            return b""
        head += line
    return head


def reply(connection: socket.socket, stream: BinaryIO, answer: bytes) -> int:
    """Answers, and returns how many bytes of the body came."""
    connection.sendall(answer)
    if answer in (b"", CONTINUE):
        size = len(stream.read(len(BODY)))
        connection.sendall(OK)
        return size
    if b"Connection: close" not in answer:
        return 0
    connection.shutdown(socket.SHUT_WR)
    return len(stream.read())


@contextmanager
def server(*answers: bytes) -> Iterator[Asked]:
    """Answers one request after the other as soon as its head has come; after an interim answer and after b"" it reads
    the body, and gives a 200."""
    asked = Asked()

    pending = list(answers)

    def serve() -> None:
        while pending:
            connection = listener.accept()[0]
            with connection, connection.makefile("rb") as stream:
                while pending and (head := read_head(stream)):
                    asked.heads.append(head)
                    asked.bodies.append(reply(connection, stream, pending.pop(0)))

    with socket.create_server(("127.0.0.1", 0)) as listener:
        asked.url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        thread = threading.Thread(target=serve)
        thread.start()
        yield asked
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


def closing(status: str) -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()


def is_asked(head: bytes) -> bool:
    return b"\r\nExpect: 100-continue\r\n" in head


@pytest.mark.parametrize("method", ["PUT", "POST"])
def test_the_body_comes_after_leave_was_given(client: netcore.Client, method: str) -> None:
    with server(CONTINUE) as asked:
        response = client.request(method, asked.url, content=BODY, expect_continue=60)
        assert response.status_code == 200
    assert is_asked(asked.heads[0]) and asked.bodies == [len(BODY)]


def test_the_body_comes_when_the_time_is_over(client: netcore.Client) -> None:
    with server(b"") as asked:
        response = client.put(asked.url, content=BODY, expect_continue=0.05)
        assert response.status_code == 200 and (response.timings.total or 0) >= 0.05
    assert is_asked(asked.heads[0]) and asked.bodies == [len(BODY)]


@pytest.mark.parametrize("status", ["403 No", "413 Too Large", "417 No", "200 OK"])
def test_a_final_answer_comes_in_place_of_the_body(client: netcore.Client, status: str) -> None:
    with server(closing(status)) as asked:
        response = client.put(asked.url, content=BODY, expect_continue=60)
        assert response.status_code == int(status[:3])
    assert is_asked(asked.heads[0]) and asked.bodies == [0]


def test_after_a_417_the_request_is_sent_without_the_question(client: netcore.Client) -> None:
    with server(REFUSAL, b"") as asked:
        assert client.put(asked.url, content=BODY, expect_continue=60).status_code == 200
    assert [is_asked(head) for head in asked.heads] == [True, False]
    assert asked.bodies == [0, len(BODY)]


def test_nobody_is_asked_without_a_body_or_without_the_option(client: netcore.Client) -> None:
    with server(b"") as asked:
        client.put(asked.url, content=BODY)
    assert b"Expect" not in asked.heads[0]
    for options in ({"expect_continue": 60.0}, {"expect_continue": 60.0, "content": b""}):
        echoed = client.put("/echo", **options).json()
        assert "Expect" not in dict(echoed["headers"])


def test_a_client_has_a_default(peers: Peers) -> None:
    with server(CONTINUE, b"") as asked, netcore.Client(expect_continue=60) as client:
        client.put(asked.url, content=BODY)
        client.put(asked.url, content=BODY, expect_continue=None)
    assert [is_asked(head) for head in asked.heads] == [True, False]


def test_real_servers_give_leave(client: netcore.Client, peers: Peers) -> None:
    for url in (f"{os.environ['NETCORE_TEST_UPLOADS']}/upload", f"{peers.nginx}/upload"):
        response = client.post(url, content=BODY, expect_continue=60)
        assert response.status_code < 500 and (response.timings.total or 0) < 50


def test_misuse(client: netcore.Client) -> None:
    for wrong in (-1, 0, 1e9):
        with pytest.raises(netcore.InvalidRequest, match="expect_continue"):
            client.put("/echo", expect_continue=wrong)
