"""Which requests go out again when a stream of HTTP/2 is refused, or its connection is lost (RFC 9113 section 8.7)."""

from __future__ import annotations

from pathlib import Path
from typing import Callable, List, Optional

import pytest

import netcore
from h2_origin import Origin, Stream
from peers import Peers

METHODS = ["GET", "PUT", "POST", "PATCH"]


def body_of(method: str) -> Optional[bytes]:
    # One that is not empty goes by HTTP/1.1 where libcurl loses early answers (docs/decisions.md).
    return None if method == "GET" else b""


def at_second(end: Callable[[Stream], None]) -> Callable[[Stream], None]:
    """Ends the second request in a way, and answers all others."""
    count = 0

    def handle(stream: Stream) -> None:
        nonlocal count
        count += 1
        if count == 2:
            end(stream)
        else:
            stream.answer(f"answer {count}")

    return handle


@pytest.mark.parametrize("method", ["GET", "PUT"])
@pytest.mark.parametrize("end", [Stream.refuse, Stream.go_away])
def test_what_a_server_did_not_process_goes_out_again(peers: Peers, method: str, end: Callable[[Stream], None]) -> None:
    with Origin(Path(peers.ca).parent, at_second(end)) as origin, netcore.Client(verify=peers.ca) as client:
        assert client.get(origin.url).text == "answer 1"
        response = client.request(method, origin.url, content=body_of(method))
        assert response.text == "answer 3" and response.http_version == "HTTP/2"
    assert origin.requests == [(1, "GET"), (1, method), (2, method)]


def test_what_is_sent_once_does_not_go_out_again(peers: Peers) -> None:
    with Origin(Path(peers.ca).parent, at_second(Stream.refuse)) as origin, netcore.Client(verify=peers.ca) as client:
        assert client.get(origin.url).text == "answer 1"
        with pytest.raises(netcore.ConnectionLost):
            client.get(origin.url, sent_once=True)
    assert origin.requests == [(1, "GET"), (1, "GET")]


@pytest.mark.parametrize("method", METHODS)
def test_a_first_stream_that_is_refused_goes_out_again(peers: Peers, method: str) -> None:
    refused: List[Stream] = []

    def handle(stream: Stream) -> None:
        stream.answer("done") if refused else stream.refuse()
        refused.append(stream)

    with Origin(Path(peers.ca).parent, handle) as origin, netcore.Client(verify=peers.ca) as client:
        assert client.request(method, origin.url, content=body_of(method)).text == "done"


@pytest.mark.parametrize("method", ["POST", "PATCH"])
# Of a stream on a kept connection libcurl 7.88 does not tell whether it was refused or lost.
@pytest.mark.parametrize("end", [Stream.reset_connection, Stream.go_away, Stream.refuse])
def test_what_may_have_been_carried_out_does_not(peers: Peers, method: str, end: Callable[[Stream], None]) -> None:
    with Origin(Path(peers.ca).parent, at_second(end)) as origin:
        with netcore.Client(verify=peers.ca) as client:
            assert client.get(origin.url).text == "answer 1"
            with pytest.raises(netcore.ConnectionLost):
                client.request(method, origin.url, content=body_of(method))
    assert [sent for _, sent in origin.requests] == ["GET", method]


def test_large_header_sections_come_whole_on_a_kept_connection(peers: Peers) -> None:
    fields = [(f"x-{number}", "v" * 4000) for number in range(25)]

    def handle(stream: Stream) -> None:
        stream.answer("done", *fields)

    with Origin(Path(peers.ca).parent, handle) as origin, netcore.Client(verify=peers.ca) as client:
        for _ in range(4):
            response = client.get(origin.url)
            assert response.text == "done" and response.http_version == "HTTP/2"
            assert all(response.headers[name] == value for name, value in fields)
    assert [connection for connection, _ in origin.requests] == [1, 1, 1, 1]
