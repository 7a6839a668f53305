"""Common fields and parameters whose values are asked for at the time of sending."""

from __future__ import annotations

import itertools
from typing import Any, Callable, Dict, Iterator, List, Tuple

import pytest

import netcore
from peers import Peers


def echo(client: netcore.Client, method: str = "GET", url: str = "/echo", **options: Any) -> Dict[str, Any]:
    seen: Dict[str, Any] = client.request(method, url, **options).json()
    return seen


def values(seen: Dict[str, Any], name: str) -> List[str]:
    return [value for key, value in seen["headers"] if key.lower() == name.lower()]


def counter() -> Callable[[], str]:
    numbers = itertools.count(1)
    return lambda: str(next(numbers))


def test_values_are_asked_for_at_each_sending(client: netcore.Client) -> None:
    client.set_header("X-N", "fixed")
    client.set_header("x-n", counter())
    client.set_param("n", counter())
    for number in "12":
        seen = echo(client, url="/echo?a=b")
        assert (seen["target"], values(seen, "X-N")) == (f"/echo?a=b&n={number}", [number])
    seen = echo(client, headers={"X-N": "own"}, params={"n": "o w", "m": 1})
    assert (seen["target"], values(seen, "X-N")) == ("/echo?n=o+w&m=1", ["own"])
    client.set_header("X-N", "fixed again")
    client.set_param("n", None)
    seen = echo(client)
    assert (seen["target"], values(seen, "X-N")) == ("/echo", ["fixed again"])


@pytest.mark.parametrize("method", ["GET", "DELETE", "POST", "PUT", "OPTIONS"])
@pytest.mark.parametrize("options", [{}, {"content": b""}, {"content": b"x"}, {"json": 0}, {"data": {}}])
def test_a_value_is_in_the_query(client: netcore.Client, method: str, options: Dict[str, Any]) -> None:
    client.set_param("n", lambda: "v")
    seen = echo(client, method, **options)
    assert seen["target"] == "/echo?n=v" and seen["body"] in ("", "x", "0", None)
    assert echo(client, method, params={"n": 1}, **options)["target"] == "/echo?n=1"
    assert echo(client, method, params="raw", **options)["target"] == "/echo?raw&n=v"


def test_a_value_in_a_body_of_parameters(client: netcore.Client) -> None:
    client.set_param("n", lambda: "v")
    assert echo(client, "POST", params={"a": 1}, serializer="form")["body"] == "n=v&a=1"
    assert echo(client, "POST", params={"n": 1}, serializer="json")["body"] == '{"n":1}'


GIVEN: List[Tuple[Any, Any]] = [("", [""]), ("x" * 999, ["x" * 999]), (b"bytes", ["bytes"]), (None, [])]


@pytest.mark.parametrize("value, sent", GIVEN)
def test_what_a_function_may_give(client: netcore.Client, value: Any, sent: Any) -> None:
    client.set_header("X-V", lambda: value)
    assert values(echo(client), "X-V") == sent
    client.set_param("p", lambda: value if isinstance(value, str) else None)
    assert echo(client)["target"] == "/echo" + "".join(f"?p={text}" for text in sent if isinstance(value, str))


@pytest.fixture
def unchanged(client: netcore.Client) -> Iterator[netcore.Client]:
    """Whatever a function gave, the next request goes well."""
    yield client
    client.set_header("X-V", None)
    client.set_param("p", None)
    assert echo(client)["target"] == "/echo"


@pytest.mark.parametrize("value", ["a\nb", "a\0", "\u20ac", b"\xff", 5, [], "x" * ((1 << 20) + 1)])
def test_a_wrong_value_of_a_field_ends_the_task(unchanged: netcore.Client, value: Any) -> None:
    unchanged.set_header("X-V", lambda: value)
    with pytest.raises(netcore.Refused) as caught:
        unchanged.get("/echo")
    assert isinstance(caught.value.__cause__, (netcore.InvalidRequest, TypeError))


@pytest.mark.parametrize("value", ["a\0", "\ud800", object(), [], b"x"])
def test_a_wrong_value_of_a_parameter_ends_the_task(unchanged: netcore.Client, value: Any) -> None:
    unchanged.set_param("p", lambda: value)
    with pytest.raises(netcore.Refused) as caught:
        unchanged.get("/echo")
    assert isinstance(caught.value.__cause__, (netcore.InvalidRequest, TypeError))


def test_what_a_function_raises_is_the_cause(unchanged: netcore.Client) -> None:
    unchanged.set_header("X-V", lambda: str(1 / 0))
    with pytest.raises(netcore.Refused) as caught:
        unchanged.get("/echo")
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_what_cannot_be_a_value(peers: Peers, client: netcore.Client) -> None:
    for name in ("X A", "", "Content-Length", "a\0"):
        with pytest.raises(netcore.InvalidRequest):
            client.set_header(name, lambda: "x")
    client.set_header("X-V", lambda: "x")
    assert values(echo(client, headers={"x-v": None}), "X-V") == []
    assert values(echo(client), "X-V") == ["x"]
    with netcore.Client(base_url=peers.origin, params="raw") as other:
        with pytest.raises(netcore.InvalidRequest, match="params"):
            other.set_param("p", lambda: "x")
        assert echo(other)["target"] == "/echo?raw"
