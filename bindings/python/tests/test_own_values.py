"""Requests and responses that users make themselves, and what a response says of links and of its request."""

from __future__ import annotations

import copy
import pickle
from typing import Any, Callable, Dict

import pytest

import netcore
from peers import script


def test_a_response_of_your_own() -> None:
    request = netcore.Request("POST", "https://example.com/a?b", headers={"X-A": "1"}, user_info=7)
    response = netcore.Response(404, headers=[("X-B", "2"), ("X-B", "3")], json={"a": 1}, request=request)
    assert (response.status_code, response.reason_phrase, response.ok) == (404, "Not Found", False)
    assert response.headers.get_list("x-b") == ["2", "3"] and response.headers["Content-Type"] == "application/json"
    assert response.json() == {"a": 1} and response.url == "https://example.com/a?b"
    assert response.request == ("POST", "https://example.com/a?b") and response.request.user_info == 7
    assert response.request.headers == {"X-A": "1"}
    assert (response.http_version, response.attempts, response.from_cache) == ("HTTP/1.1", 0, False)
    assert response.timings.total is None and response.trailers == {} and response.cookies == {}
    assert response.decoded(lambda one: one.json()["a"]) == 1
    with pytest.raises(netcore.HTTPStatusError, match=r"404 Not Found for POST https://example\.com/a$"):
        response.raise_for_status()


def test_the_defaults_of_a_response() -> None:
    response = netcore.Response()
    assert (response.status_code, response.content, response.text, dict(response.headers)) == (200, b"", "", {})
    assert netcore.Response(content="ü").content == "ü".encode()
    assert netcore.Response(json=1, headers={"content-type": "x"}).headers.multi_items() == [("content-type", "x")]


WRONG: Any = 5


@pytest.mark.parametrize(
    "make, error, message",
    [
        (lambda: netcore.Response(99), netcore.InvalidRequest, "status_code: 99 is not between"),
        (lambda: netcore.Response(True), TypeError, "status_code: an integer"),
        (lambda: netcore.Response(WRONG / 2), TypeError, "status_code: an integer"),
        (lambda: netcore.Response(content=b"", json=1), netcore.InvalidRequest, "content, data, json: give only one"),
        (lambda: netcore.Response(content=WRONG), TypeError, "content: bytes or str"),
        (lambda: netcore.Response(headers={"X": WRONG}), TypeError, "headers: "),
        (lambda: netcore.Response(http_version="HTTP/9"), netcore.InvalidRequest, "http_version: "),
        (lambda: netcore.Request("GET", "http://h/", headers=WRONG), TypeError, "headers: |object is not iterable"),
    ],
)
def test_values_that_are_not_allowed(make: Callable[[], Any], error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        make()


def test_a_request_is_still_a_pair() -> None:
    request = netcore.Request("GET", "http://h/", headers={"X-A": "1"}, user_info="me")
    method, url = request
    assert (method, url) == request == ("GET", "http://h/")
    for other in (copy.copy(request), pickle.loads(pickle.dumps(request))):
        assert other == request and other.headers == {"X-A": "1"} and other.user_info == "me"


def test_the_headers_that_were_given(client: netcore.Client) -> None:
    client.set_header("X-Common", "1")
    request = client.post("/echo", json=1, headers={"X-Own": "2"}).request
    assert dict(request.headers) == {"X-Common": "1", "X-Own": "2", "Content-Type": "application/json"}
    assert dict(client.get("/echo").request.headers) == {"X-Common": "1"}


LINKS: Dict[str, Dict[str, Dict[str, str]]] = {
    "": {},
    '<https://h/a?page=2>; rel="next", </last>; rel=last': {
        "next": {"url": "https://h/a?page=2", "rel": "next"},
        "last": {"url": "/last", "rel": "last"},
    },
    '</a>; rel="next prefetch"; title="a, \\"b\\"; c"': {
        "next": {"url": "/a", "rel": "next prefetch", "title": 'a, "b"; c'},
        "prefetch": {"url": "/a", "rel": "next prefetch", "title": 'a, "b"; c'},
    },
    "</a>": {"/a": {"url": "/a"}},
    "</a>; rel=next, </b>; rel=next": {"next": {"url": "/a", "rel": "next"}},
    "nonsense, </b>; REL=next": {"next": {"url": "/b", "rel": "next"}},
    "</a; rel=next": {},
    "</a>; rel=x; flag; rel=y": {"x": {"url": "/a", "rel": "x", "flag": ""}},
}


@pytest.mark.parametrize("field", LINKS)
def test_links(field: str) -> None:
    assert netcore.Response(headers={"Link": field}).links == LINKS[field]


def test_links_of_hostile_fields_take_no_time() -> None:
    for field in ("<" * 100_000, "<a>;" * 50_000, '<a>;b="' + "\\" * 100_000, "," * 100_000, "<a>" + "; x" * 50_000):
        netcore.Response(headers={"Link": field}).links  # noqa: B018


def test_links_of_an_answer(client: netcore.Client) -> None:
    path = script(
        {"send": "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nLink: </2>; rel=next\r\nLink: </9>; rel=last\r\n\r\n"}
    )
    links = client.get(path).links
    assert (links["next"]["url"], links["last"]["url"]) == ("/2", "/9")
