"""What a request is made of: URL, query, headers, body."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

import pytest

import netcore
from peers import Peers


def echo(client: netcore.Client, path: str = "/echo", **options: Any) -> Dict[str, Any]:
    seen: Dict[str, Any] = client.post(path, **options).json()
    return seen


def values(seen: Dict[str, Any], name: str) -> List[str]:
    return [value for key, value in seen["headers"] if key.lower() == name.lower()]


QUERIES: List[Tuple[Any, str]] = [
    ({"a": 1, "b": "x y"}, "a=1&b=x+y"),
    ({"a": [1, 2], "b": ("x",)}, "a=1&a=2&b=x"),
    ({"a": None, "b": ""}, "a=&b="),
    ({"yes": True, "no": False, "f": 1.5}, "yes=true&no=false&f=1.5"),
    ([("a", 1), ("b", 2), ("a", 3)], "a=1&b=2&a=3"),
    ("raw=%20&x", "raw=%20&x"),
    ({"ü&=": "é#"}, "%C3%BC%26%3D=%C3%A9%23"),
    ({}, ""),
]


@pytest.mark.parametrize("params, query", QUERIES)
def test_params_become_the_query(client: netcore.Client, params: Any, query: str) -> None:
    assert echo(client, params=params)["target"] == ("/echo?" + query).rstrip("?")


@pytest.mark.parametrize(
    "path, target",
    [("/echo?x=1", "/echo?x=1&a=1"), ("/echo?", "/echo?a=1"), ("/echo?x&", "/echo?x&a=1"), ("/echo#f", "/echo?a=1")],
)
def test_params_come_behind_the_query_of_the_url(client: netcore.Client, path: str, target: str) -> None:
    assert echo(client, path, params={"a": 1})["target"] == target


def test_params_of_a_request_replace_those_of_the_client(peers: Peers) -> None:
    with netcore.Client(base_url=peers.origin, params={"key": "k", "page": 1}) as client:
        assert echo(client)["target"] == "/echo?key=k&page=1"
        assert echo(client, params={"page": [2, 3]})["target"] == "/echo?key=k&page=2&page=3"
        assert echo(client, params="raw")["target"] == "/echo?raw&key=k&page=1"


@pytest.mark.parametrize(
    "base, url, target",
    [
        ("", "/echo", "/echo"),
        ("/", "echo", "/echo"),
        ("/status", "/200", "/status/200"),
        ("/status/", "200", "/status/200"),
        ("/echo", "", "/echo"),
        ("/echo/", "", "/echo/"),
    ],
)
def test_relative_urls_are_appended_to_the_base(peers: Peers, base: str, url: str, target: str) -> None:
    with netcore.Client(base_url=peers.origin + base) as client:
        assert client.get(url).request.url == peers.origin + target


def test_a_relative_url_that_names_a_host_is_refused(peers: Peers) -> None:
    with netcore.Client(base_url=peers.origin + "/status") as client:
        with pytest.raises(netcore.InvalidURL, match="host"):
            client.get("//200")


def test_an_absolute_url_ignores_the_base(peers: Peers) -> None:
    with netcore.Client(base_url="http://nowhere.invalid/x") as client:
        assert client.get(f"{peers.origin}/echo").status_code == 200


BODIES: List[Tuple[Dict[str, Any], str, List[str]]] = [
    ({"content": b"bytes"}, "bytes", []),
    ({"content": bytearray(b"array")}, "array", []),
    ({"content": memoryview(b"view")}, "view", []),
    ({"content": "ü"}, "ü".encode().decode("latin-1"), []),
    ({"content": b""}, "", []),
    ({"data": b"raw"}, "raw", []),
    ({"data": {"a": 1, "b": [True, None], "c": "x y"}}, "a=1&b=true&b=&c=x+y", ["application/x-www-form-urlencoded"]),
    ({"data": {}}, "", ["application/x-www-form-urlencoded"]),
    ({"json": {"ü": [1, None]}}, '{"ü":[1,null]}'.encode().decode("latin-1"), ["application/json"]),
    ({"json": []}, "[]", ["application/json"]),
    ({"json": 0}, "0", ["application/json"]),
    ({"json": {}, "headers": {"content-type": "application/merge+json"}}, "{}", ["application/merge+json"]),
    ({}, "", []),
]


@pytest.mark.parametrize("options, body, content_type", BODIES)
def test_a_body_and_its_content_type(
    client: netcore.Client, options: Dict[str, Any], body: str, content_type: List[str]
) -> None:
    seen = echo(client, **options)
    assert seen["body"] == body
    assert values(seen, "Content-Type") == content_type
    assert values(seen, "Content-Length") == [str(len(body))]


def test_repeated_fields_keep_their_order(client: netcore.Client) -> None:
    seen = echo(client, headers=[("X-A", "1"), ("X-B", "2"), ("x-a", "3")])
    assert values(seen, "X-A") == ["1", "3"]
    assert [name for name, _ in seen["headers"] if name.lower().startswith("x-")] == ["X-A", "X-B", "x-a"]


def test_bytes_beyond_ascii_are_sent_as_they_are(client: netcore.Client) -> None:
    seen = echo(client, headers={"X-Text": "gr\xfc\xdfe", "X-Bytes": b"\xff\xfe"})
    assert values(seen, "X-Text") == ["gr\xfc\xdfe"]
    assert values(seen, "X-Bytes") == ["\xff\xfe"]


def test_headers_of_a_request_replace_those_of_the_client(peers: Peers) -> None:
    defaults = [("X-A", "client"), ("X-A", "again"), ("X-B", "client")]
    with netcore.Client(base_url=peers.origin, headers=defaults) as client:
        assert values(echo(client), "X-A") == ["client", "again"]
        seen = echo(client, headers={"x-a": "request"})
        assert (values(seen, "X-A"), values(seen, "X-B")) == (["request"], ["client"])
        assert values(echo(client, headers={"X-B": None}), "X-B") == []


def test_received_headers_can_be_sent_on(client: netcore.Client) -> None:
    received = client.get("/headers?X-A=1&X-A=2").headers
    forwarded = netcore.Headers([pair for pair in received.multi_items() if pair[0] == "X-A"])
    assert values(echo(client, headers=forwarded), "X-A") == ["1", "2"]


def test_netcore_says_who_it_is_unless_told_otherwise(client: netcore.Client) -> None:
    assert values(echo(client), "User-Agent")[0].startswith("netcore/")
    assert values(echo(client, headers={"User-Agent": "me"}), "User-Agent") == ["me"]


def test_calling_the_same_again_is_the_same_request(client: netcore.Client) -> None:
    for _ in range(3):
        assert client.get("/echo", headers={"X-A": "1"}).json()["target"] == "/echo"
    assert values(client.get("/echo", headers={"X-A": "2"}).json(), "X-A") == ["2"]
    assert values(client.get("/echo").json(), "X-A") == []


def test_more_different_requests_than_are_kept(client: netcore.Client) -> None:
    for number in [*range(300), *range(300)]:
        assert client.get(f"/status/200?X-Number={number}").headers["x-number"] == str(number)


def test_connections_are_used_again(client: netcore.Client) -> None:
    first, second = client.get("/echo"), client.get("/echo")
    assert (first.connection_reused, second.connection_reused) == (False, True)
    assert first.json()["connection"] == second.json()["connection"]
