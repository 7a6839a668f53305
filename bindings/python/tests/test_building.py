"""What a client says once, and how requests are built: common parts, values in paths, typed parameters."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any, Dict, Iterator, List, Tuple, Type
from urllib.parse import unquote

import pytest

import netcore
from peers import Peers


def echo(client: netcore.Client, method: str = "GET", url: str = "/echo", **options: Any) -> Dict[str, Any]:
    seen: Dict[str, Any] = client.request(method, url, **options).json()
    return seen


def values(seen: Dict[str, Any], name: str) -> List[str]:
    return [value for key, value in seen["headers"] if key.lower() == name.lower()]


# Common parts


@pytest.fixture
def common(peers: Peers) -> Iterator[netcore.Client]:
    """A client whose requests have parts in common."""
    with netcore.Client(base_url=peers.origin, headers=[("X-A", "1"), ("X-A", "2")], params={"a": 1}) as client:
        yield client


def test_a_common_field_holds_for_requests_from_then_on(common: netcore.Client) -> None:
    assert values(echo(common), "X-A") == ["1", "2"]
    common.set_header("x-a", "3")
    common.set_header("User-Agent", "app/1")
    common.set_header("X-B", b"\xff")
    seen = echo(common)
    assert (values(seen, "X-A"), values(seen, "User-Agent"), values(seen, "X-B")) == (["3"], ["app/1"], ["\xff"])
    assert values(echo(common, headers={"X-A": "own"}), "X-A") == ["own"]
    assert values(echo(common, headers={"X-A": None}), "X-A") == []
    common.set_header("X-A", None)
    assert values(echo(common), "X-A") == []


def test_a_common_parameter_holds_for_requests_from_then_on(common: netcore.Client) -> None:
    assert echo(common)["target"] == "/echo?a=1"
    common.set_param("lang", "de")
    common.set_param("a", [2, None])
    assert echo(common)["target"] == "/echo?lang=de&a=2&a="
    assert echo(common, params={"lang": "en"})["target"] == "/echo?a=2&a=&lang=en"
    common.set_param("a", None)
    assert echo(common, "POST")["target"] == "/echo?lang=de"


def test_a_custom_request_goes_out_as_it_is(peers: Peers, common: netcore.Client) -> None:
    common.set_header("X-B", "1")
    seen = echo(common, url=f"{peers.origin}/echo", bare=True, params={"own": 1}, headers={"X-C": "2"})
    assert seen["target"] == "/echo?own=1"
    assert [name for name, _ in seen["headers"] if name.startswith("X-")] == ["X-C"]
    with pytest.raises(netcore.InvalidURL, match="bare"):
        echo(common, bare=True)


def test_common_parts_of_asyncio(peers: Peers) -> None:
    async def fetch() -> Any:
        async with netcore.AsyncClient(base_url=peers.origin) as client:
            await client.get("/echo")
            client.set_header("X-A", "1")
            client.set_param("a", 1)
            return (await client.get("/echo")).json()

    seen = asyncio.run(fetch())
    assert (seen["target"], values(seen, "X-A")) == ("/echo?a=1", ["1"])


def test_common_parts_that_other_threads_set(peers: Peers, common: netcore.Client) -> None:
    """Whoever has set a field sends it from then on; fields of other threads are not lost."""
    wrong: List[Any] = []

    def change(name: str) -> None:
        for number in range(50):
            common.set_header(name, str(number))
            sent = values(echo(common), name)
            if sent != [str(number)]:
                wrong.append((name, number, sent))

    threads = [threading.Thread(target=change, args=(f"X-Thread-{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert [values(echo(common), f"X-Thread-{number}") for number in range(4)] == [["49"]] * 4


HEADERS: List[Tuple[Any, Any, Type[BaseException]]] = [
    ("", "x", netcore.InvalidRequest),
    ("X A", "x", netcore.InvalidRequest),
    ("X-A", "a\nb", netcore.InvalidRequest),
    ("X-A", "a\0b", netcore.InvalidRequest),
    ("X-A", "\u20ac", netcore.InvalidRequest),
    ("Content-Length", "5", netcore.InvalidRequest),
    (None, "x", TypeError),
    ("X-A", 5, TypeError),
]


@pytest.mark.parametrize("name, value, error", HEADERS)
def test_wrong_common_fields_are_refused_at_once(
    common: netcore.Client, name: Any, value: Any, error: Type[BaseException]
) -> None:
    with pytest.raises(error):
        common.set_header(name, value)
    assert values(echo(common), "X-A") == ["1", "2"]


PARAMS: List[Tuple[Any, Any, Type[BaseException]]] = [
    (5, "x", TypeError),
    ("a", object(), TypeError),
    ("a", {"b": 1}, TypeError),
    ("a", "\ud800", netcore.InvalidRequest),
    ("\ud800", "a", netcore.InvalidRequest),
]


@pytest.mark.parametrize("name, value, error", PARAMS)
def test_wrong_common_parameters_are_refused_at_once(
    common: netcore.Client, name: Any, value: Any, error: Type[BaseException]
) -> None:
    with pytest.raises(error):
        common.set_param(name, value)
    assert echo(common)["target"] == "/echo?a=1"


def test_a_string_of_common_parameters_cannot_be_changed_by_name(peers: Peers) -> None:
    with netcore.Client(base_url=peers.origin, params="raw=%20") as client:
        with pytest.raises(netcore.InvalidRequest, match="params: those of the client"):
            client.set_param("a", 1)
        assert echo(client)["target"] == "/echo?raw=%20"


# URLs


def test_values_in_a_path_may_be_numbers(peers: Peers, client: netcore.Client) -> None:
    client.add_service("origin", f"{peers.origin}/echo/")
    for number in (7, 8):
        seen = echo(client, url="users/{id}", service="origin", path_values={"id": number}, params={"a": 1})
        assert seen["target"] == f"/echo/users/{number}?a=1"


# Parameters by type

TYPES: Dict[str, Any] = {
    "s": "a b&ü",
    "i": -(2**63),
    "d": 0.1,
    "b": True,
    "n": None,
    "j": {"x": [1, {}]},
}


def test_a_list_in_a_form_repeats_its_name(client: netcore.Client) -> None:
    seen = echo(client, "POST", params={"a": [1, None], "b": {"c": [2]}}, serializer="form")
    assert (seen["target"], seen["body"]) == ("/echo", "a=1&a=&b=%7B%22c%22%3A%5B2%5D%7D")
    assert values(seen, "Content-Type") == ["application/x-www-form-urlencoded"]


def test_nested_values_have_brackets_in_a_query_too(client: netcore.Client) -> None:
    seen = echo(client, "GET", params={"a": {"b": [1, 2]}}, param_nesting="brackets")
    assert unquote(seen["target"]) == "/echo?a[b][]=1&a[b][]=2"


def test_a_client_may_ask_for_brackets(peers: Peers) -> None:
    with netcore.Client(base_url=peers.origin, param_nesting="brackets") as client:
        assert unquote(echo(client, "GET", params={"a": {"b": 1}})["target"]) == "/echo?a[b]=1"
        assert unquote(echo(client, "GET", params={"a": [1]}, param_nesting="repeat")["target"]) == "/echo?a=1"


def test_typed_parameters_as_json(client: netcore.Client) -> None:
    params = {**TYPES, "l": [1, None, "x"], "t": ()}
    seen = echo(client, "PUT", params=params, serializer="json")
    assert seen["target"] == "/echo"
    assert values(seen, "Content-Type") == ["application/json"]
    assert json.loads(seen["body"].encode("latin-1")) == {**params, "t": []}


def test_parameters_of_the_client_are_written_with_those_of_the_request(common: netcore.Client) -> None:
    common.set_param("lang", ["de", "en"])
    seen = echo(common, "POST", params=[("a", True), ("b", 1), ("b", 2)], serializer="form")
    assert (seen["target"], seen["body"]) == ("/echo", "lang=de&lang=en&a=true&b=1&b=2")
    assert json.loads(echo(common, "POST", serializer="json")["body"]) == {"a": 1, "lang": ["de", "en"]}


WRONG: List[Tuple[Dict[str, Any], Type[BaseException], str]] = [
    ({"params": {"a": 1}, "serializer": "xml"}, netcore.InvalidRequest, "serializer"),
    ({"params": {"a": 1}, "serializer": 1}, netcore.InvalidRequest, "serializer"),
    ({"params": {"a": float("nan")}, "serializer": "json"}, netcore.InvalidRequest, "params"),
    ({"params": {"a": [float("inf")]}, "serializer": "json"}, netcore.InvalidRequest, "params"),
    ({"params": {"a": 2**63}, "serializer": "json"}, netcore.InvalidRequest, "params"),
    ({"params": {"a": object()}, "serializer": "json"}, TypeError, "params"),
    ({"params": {"a": b"x"}, "serializer": "form"}, TypeError, "params"),
    ({"params": {"a": "\ud800"}, "serializer": "form"}, netcore.InvalidRequest, "params"),
    ({"params": {"a": {"b": "\ud800"}}, "serializer": "json"}, netcore.InvalidRequest, "params"),
    ({"params": {"\0": 1}, "serializer": "form"}, netcore.InvalidRequest, "params"),
    ({"params": {"": 1}, "serializer": "form"}, netcore.InvalidRequest, "params"),
    ({"params": "a=1", "serializer": "form"}, TypeError, "params"),
    ({"params": [("a", 1), ("a", 2)], "serializer": "json"}, netcore.InvalidRequest, "parameters"),
    ({"path_values": {"id": ""}}, netcore.InvalidURL, "url"),
    ({"path_values": {"id": ".."}}, netcore.InvalidURL, "url"),
    ({"path_values": {"id": 1, "other": 2}}, netcore.InvalidURL, "url"),
    ({"path_values": {"other": 2}}, netcore.InvalidURL, "url"),
    ({"path_values": {"i d": 1}}, netcore.InvalidRequest, "path_values"),
    ({"path_values": {"id": None}}, TypeError, "path_values"),
    ({"path_values": {"id": True}}, TypeError, "path_values"),
    ({"path_values": {"id": "\0"}}, netcore.InvalidRequest, "path_values"),
    ({"path_values": {5: "x"}}, TypeError, "path_values"),
    ({"path_values": [("id", 1)]}, TypeError, "path_values"),
    ({"use_cdn": "yes"}, TypeError, "use_cdn"),
    ({"use_https": 1}, TypeError, "use_https"),
    ({"bare": "yes"}, TypeError, "bare"),
    ({"base_url": "/relative"}, netcore.InvalidURL, "base_url"),
    ({"base_url": 5}, TypeError, "base_url"),
    ({"base_url": "http://h/", "service": "a"}, netcore.InvalidRequest, "base_url, service"),
    ({"url": "x", "service": 5}, TypeError, "service"),
    ({"url": "x", "service": ""}, netcore.InvalidRequest, "service"),
    ({"url": "//host/x"}, netcore.InvalidURL, "url"),
    ({"url": "mailto:a@b"}, netcore.InvalidURL, "url"),
]


@pytest.mark.parametrize("options, error, name", WRONG)
def test_what_is_wrong_is_named_and_not_sent(
    peers: Peers, options: Dict[str, Any], error: Type[BaseException], name: str
) -> None:
    url = options.pop("url", f"{peers.origin}/echo/wrong/{{id}}")
    with netcore.Client() as client:
        client.add_service("a", f"{peers.origin}/echo/wrong/")
        for call in (client.request, client.dispatch, client.group().add):
            with pytest.raises(error, match=f"^{name}: "):
                call("POST", url, **options)
        assert not [path for path in client.get(f"{peers.origin}/stats").json()["by_path"] if "wrong" in path]


def test_the_fields_of_a_client_are_a_mapping(peers: Peers, common: netcore.Client) -> None:
    common.headers["X-B"] = b"\xff"
    common.headers.update({"x-c": "3"})
    assert (dict(common.headers), len(common.headers)) == ({"X-A": "1, 2", "X-B": "\xff", "x-c": "3"}, 3)
    assert common.headers.get_list("x-a") == ["1", "2"] and "X-C" in common.headers and "X-D" not in common.headers
    del common.headers["X-A"]
    with pytest.raises(KeyError):
        del common.headers["X-A"]
    seen = echo(common)
    assert [values(seen, name) for name in ("X-A", "X-B", "X-C")] == [[], ["\xff"], ["3"]]
    common.headers["X-V"] = lambda: "now"
    assert common.headers["X-V"] == "" and values(echo(common), "X-V") == ["now"]
    common.headers = {"X-D": "4"}
    assert common.headers.multi_items() == [("X-D", "4")]
    assert values(echo(common), "X-V") == [] and values(echo(common), "X-D") == ["4"]


def test_a_closed_client_has_no_fields(peers: Peers) -> None:
    client = netcore.Client()
    client.close()
    with pytest.raises(netcore.StateError, match="closed"):
        len(client.headers)
