"""What is known of an answer."""

from __future__ import annotations

import copy
import gc
import hashlib
import json
import os
import pickle
import threading
from typing import List, Tuple, Union

import pytest

import netcore
from peers import Peers, script


def test_headers_compare_names_without_case(client: netcore.Client) -> None:
    headers = client.get("/headers?X-Name=value").headers
    assert headers["x-name"] == headers["X-NAME"] == headers.get("X-Name") == "value"
    assert "x-NAME" in headers and "y-name" not in headers
    assert headers.get("absent") is None
    with pytest.raises(KeyError):
        headers["absent"]


def test_repeated_headers_are_joined_and_kept_apart(client: netcore.Client) -> None:
    headers = client.get("/headers?X-A=1&X-B=b&x-a=2").headers
    assert headers["X-A"] == "1, 2"
    assert headers.get_list("X-A") == ["1", "2"]
    assert [pair for pair in headers.multi_items() if pair[0].lower().startswith("x-")] == [
        ("X-A", "1"),
        ("X-B", "b"),
        ("x-a", "2"),
    ]
    assert list(headers).count("X-A") == 1 and "x-a" not in list(headers)
    assert dict(headers)["X-A"] == "1, 2"
    assert headers.get_list("absent") == []


@pytest.mark.parametrize("reads_all_first", [False, True])
def test_headers_read_one_by_one_and_all_at_once_are_the_same(client: netcore.Client, reads_all_first: bool) -> None:
    headers = client.get("/headers?X-A=1&X-A=2&X-Empty=&X-B=b").headers
    if reads_all_first:
        headers.multi_items()
    assert (headers["x-a"], headers["x-empty"], headers["x-b"]) == ("1, 2", "", "b")
    assert (b"X-Empty", b"") in headers.raw
    assert headers == dict(headers) and headers == netcore.Headers(headers.multi_items())
    assert len(headers) == len(list(headers))


def test_header_bytes_that_are_no_utf8_survive(client: netcore.Client) -> None:
    headers = client.get("/headers?X-Bytes=%FF%FEa%E9").headers
    assert headers["x-bytes"] == "\xff\xfea\xe9"
    assert headers["x-bytes"].encode("latin-1") == b"\xff\xfea\xe9"
    assert (b"X-Bytes", b"\xff\xfea\xe9") in headers.raw


@pytest.mark.parametrize("name", ["x\0y", "ü", "\u20ac", ""])
def test_names_that_no_header_can_have_are_absent(client: netcore.Client, name: str) -> None:
    assert name not in client.get("/echo").headers


def test_trailers_are_apart_from_headers(client: netcore.Client) -> None:
    response = client.get("/chunked/100")
    assert dict(response.trailers) == {"X-Trailer": "done"}
    assert "x-trailer" not in response.headers
    assert not client.get("/echo").trailers


@pytest.mark.parametrize(
    "content_type, encoding, text",
    [
        ("text/plain; charset=iso-8859-1", "cp1252", "\xfc"),
        ('text/plain; CHARSET="latin-1"', "cp1252", "\xfc"),
        ("text/plain", "utf-8", "\ufffd"),
        ("text/plain; charset=nonsense", "utf-8", "\ufffd"),
        ("text/plain; charset=zlib", "utf-8", "\ufffd"),
        ("text/plain; charset=", "utf-8", "\ufffd"),
    ],
)
def test_text_is_decoded_by_the_charset(client: netcore.Client, content_type: str, encoding: str, text: str) -> None:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: 1\r\n\r\n\xfc"
    response = client.get(script({"send": head}, {"keep": True}))
    assert (response.encoding, response.text) == (encoding, text)


def test_json(client: netcore.Client) -> None:
    assert client.get("/echo").json()["target"] == "/echo"
    assert isinstance(client.get("/echo").json(parse_int=str)["body_size"], str)
    with pytest.raises(json.JSONDecodeError):
        client.get("/status/200").json()


def test_what_is_said_about_the_transfer(client: netcore.Client, peers: Peers) -> None:
    first, second = client.get("/bytes/1000?x#f"), client.get("/bytes/1000")
    assert first.http_version == "HTTP/1.1"
    assert first.url == f"{peers.origin}/bytes/1000?x#f"
    assert first.request == netcore.Request("GET", f"{peers.origin}/bytes/1000?x#f")
    assert (first.attempts, first.redirects, first.connection_reused) == (1, 0, False)
    assert second.connection_reused
    assert first.bytes_received > 1000 and first.bytes_sent > 30
    timings = first.timings
    assert timings.tls is None and timings.connect is not None and timings.first_byte is not None
    assert timings.total is not None and 0 < timings.first_byte <= timings.total < 10
    assert first.elapsed.total_seconds() == pytest.approx(timings.total)
    assert second.timings.connect is None
    with pytest.raises(AttributeError):
        timings.total = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    "status, reason, success, error, ok",
    [
        (200, "OK", True, False, True),
        (204, "No Content", True, False, True),
        (304, "Not Modified", False, False, True),
        (404, "Not Found", False, True, False),
        (503, "Service Unavailable", False, True, False),
        (799, "", False, False, False),
    ],
)
def test_status_codes(client: netcore.Client, status: int, reason: str, success: bool, error: bool, ok: bool) -> None:
    response = client.get(f"/status/{status}")
    assert (response.status_code, response.reason_phrase) == (status, reason)
    assert (response.is_success, response.is_error, response.ok) == (success, error, ok)
    assert repr(response) == f"<Response [{status} {reason}]>".replace(" ]", "]")


def test_raise_for_status(client: netcore.Client, peers: Peers) -> None:
    fine = client.get("/echo")
    assert fine.raise_for_status() is fine
    response = client.get("/status/404?secret=1")
    with pytest.raises(netcore.HTTPStatusError) as caught:
        response.raise_for_status()
    assert str(caught.value) == f"404 Not Found for GET {peers.origin}/status/404"
    assert caught.value.response is response
    assert caught.value.request == response.request


SIZES = [0, 1, 1000, *range(15_300, 16_500, 300), 20_000, 65_535, 65_536, 100_000]
"""Around those from which on a response is received in another way."""


@pytest.mark.parametrize("size", SIZES)
def test_a_response_of_any_size_says_all_of_itself(client: netcore.Client, peers: Peers, size: int) -> None:
    response = client.get(f"/bytes/{size}")
    assert response.url == f"{peers.origin}/bytes/{size}"
    assert len(response.content) == len(response.body_view()) == size
    assert response.headers.get("content-length") == str(size) and response.http_version == "HTTP/1.1"
    assert response.attempts == 1 and response.bytes_received > size and not response.joined
    assert response.history == [] and dict(response.trailers) == {} and response.body_sha256 is None
    assert response.cached_value is None and not response.from_cache and not response.is_provisional
    (one,) = response.tries
    assert (one.server, one.status_code, one.reason, one.attempt) == (peers.origin, 200, "outcome", 1)
    assert one.address == "127.0.0.1" and one.error is None and one.duration > 0
    with pytest.raises(AttributeError, match="unknown"):
        _ = response.unknown  # type: ignore[attr-defined]


@pytest.mark.parametrize("size", SIZES)
def test_a_response_says_all_of_itself_in_a_forked_child(client: netcore.Client, peers: Peers, size: int) -> None:
    response = client.get(f"/bytes/{size}")
    child = os.fork()
    if child == 0:
        is_known = len(response.content) == size and response.headers["content-length"] == str(size)
        os._exit(0 if is_known and response.tries[0].server == peers.origin and response.url else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_a_digest_comes_with_a_response(client: netcore.Client) -> None:
    response = client.get("/bytes/10", body_sha256=True)
    assert response.body_sha256 == hashlib.sha256(response.content).hexdigest()


@pytest.mark.parametrize("size", [0, 1000, 100_000])
def test_a_response_outlives_its_client_and_can_be_copied(peers: Peers, size: int) -> None:
    with netcore.Client() as client:
        response = client.get(f"{peers.origin}/bytes/{size}")
    copies = [copy.copy(response), copy.deepcopy(response), pickle.loads(pickle.dumps(response))]
    expected = (response.content, response.url, dict(response.headers), response.timings, response.http_version)
    del response
    gc.collect()
    for one in copies:
        assert (one.content, one.url, dict(one.headers), one.timings, one.http_version) == expected
        assert len(one.content) == size and one.headers["content-length"] == str(size)


def test_headers_outlive_their_response(client: netcore.Client) -> None:
    headers = client.get("/headers?X-A=1").headers
    gc.collect()
    assert headers["x-a"] == "1"
    assert headers.get_list("X-A") == ["1"]


def test_many_threads_may_read_one_response(client: netcore.Client) -> None:
    response = client.get("/headers?" + "&".join(f"X-{number}={number}" for number in range(50)))
    seen: List[bool] = []

    def read() -> None:
        single = all(response.headers[f"x-{number}"] == str(number) for number in range(50))
        seen.append(single and len(response.headers.multi_items()) >= 50 and response.timings.total is not None)

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [True] * 8


def test_a_request_says_what_the_client_added(peers: Peers) -> None:
    headers: List[Tuple[str, Union[str, bytes]]] = [("X-A", "client"), ("X-B", b"\xff"), ("X-C", "client")]
    with netcore.Client(base_url=peers.origin, headers=headers, params={"lang": "de"}) as client:
        given = client.post("/echo", params={"a": [1, "x y"]}, headers={"x-a": "own", "X-C": None}, json={}).request
        client.set_header("X-B", "later")
        assert client.get("/echo").request.headers["X-B"] == "later"
    assert (given.method, given.url) == ("POST", f"{peers.origin}/echo?lang=de&a=1&a=x+y")
    assert given.headers == netcore.Headers([("x-a", "own"), ("Content-Type", "application/json"), ("X-B", "\xff")])
    copied = pickle.loads(pickle.dumps(given))
    assert (copied, copied.headers) == (given, given.headers)


def test_a_request_says_what_was_added_when_it_was_made(peers: Peers) -> None:
    with netcore.Client(base_url=peers.origin, headers={"X-A": "first"}) as client:
        unread = [client.post("/echo", content=b"x" * size).request for size in (0, 10, 5000)]
        client.headers["X-A"] = "second"
        client.set_param("late", 1)
        later = client.get("/echo?a").request
    assert [(request.url, request.headers["X-A"]) for request in unread] == [(f"{peers.origin}/echo", "first")] * 3
    assert (later.url, later.headers["X-A"]) == (f"{peers.origin}/echo?a&late=1", "second")


def test_a_request_is_the_pair_of_method_and_url() -> None:
    request = netcore.Request("GET", "http://localhost/")
    method, url = request
    assert request == (method, url) == ("GET", "http://localhost/") and request != ("PUT", url)
    assert len({request, netcore.Request(method, url)}) == 1


def test_the_history_of_redirects(client: netcore.Client, peers: Peers) -> None:
    response = client.get("/redirect/301?to=/redirect/302?to=/echo")
    assert response.status_code == 200 and response.redirects == len(response.history)
    assert response.history[0].status_code == 301
    assert all(answer.is_redirect and answer.content == b"" for answer in response.history)
    assert response.history[0].url == f"{peers.origin}/redirect/301?to=/redirect/302?to=/echo"
    assert pickle.loads(pickle.dumps(response)).history[0].status_code == 301
    assert client.dispatch("GET", "/redirect/307?to=/echo").result().history[0].status_code == 307
    assert client.get("/echo").history == netcore.Response().history == []
