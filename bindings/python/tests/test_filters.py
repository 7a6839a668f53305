"""Functions that have a say in requests: filters, and values of the time of sending."""

from __future__ import annotations

import asyncio
import itertools
import pickle
import threading
from typing import Any, Callable, Dict, List, Tuple, Type

import pytest

import netcore
from peers import Peers, received

Filter = Callable[[netcore.FilterRequest], object]


def echo(client: netcore.Client, method: str = "GET", url: str = "/echo", **options: Any) -> Dict[str, Any]:
    seen: Dict[str, Any] = client.request(method, url, **options).json()
    return seen


def values(seen: Dict[str, Any], name: str) -> List[str]:
    return [value for key, value in seen["headers"] if key.lower() == name.lower()]


def counter() -> Callable[[], str]:
    numbers = itertools.count(1)
    return lambda: str(next(numbers))


# What a filter sees and changes


def test_a_filter_sees_the_request_with_all_in_place(peers: Peers, client: netcore.Client) -> None:
    seen: List[Any] = []

    def look(request: netcore.FilterRequest) -> None:
        seen.append((request.method, request.url, request.params, request.content))
        seen.append((request.headers["x-common"], dict(request.headers), len(request.headers), repr(request)))
        seen.append(threading.get_ident())

    client.set_header("X-Common", "c\xfc")
    client.set_header("X-Value", lambda: "v")
    client.add_filter(look)
    client.post("echo", params={"a": "b c"}, json={"d": 1}).raise_for_status()
    url = f"{peers.origin}/echo?a=b+c"
    assert seen[0] == ("POST", url, (("a", "b c"),), b'{"d":1}')
    fields = {"X-Common": "c\xfc", "X-Value": "v", "Content-Type": "application/json"}
    assert seen[1][:3] == ("c\xfc", fields, 3) and "a=b" not in seen[1][3]
    assert seen[2] != threading.get_ident()
    client.get("/echo")
    assert seen[3][0] == "GET" and seen[3][3] is None


def test_a_filter_changes_the_request(peers: Peers, client: netcore.Client) -> None:
    def change(request: netcore.FilterRequest) -> None:
        request.method = "PUT"
        request.url = f"{peers.origin}/echo/elsewhere?x=1#f"
        request.params = [*request.params, ("y", ["2", None])]
        request.headers["X-Set"] = "\xfc"
        request.headers.add("x-set", b"\xff")
        request.headers.update({"X-More": "m"})
        del request.headers["x-own"]
        request.content = "\u20ac"

    client.add_filter(change)
    for _ in range(2):  # the request itself stays as it is
        seen = echo(client, headers={"X-Own": "o"})
        assert (seen["method"], seen["target"]) == ("PUT", "/echo/elsewhere?x=1&y=2&y=")
        assert (values(seen, "X-Set"), values(seen, "X-More"), values(seen, "X-Own")) == (["\xfc", "\xff"], ["m"], [])
        assert seen["body"].encode("latin-1").decode() == "\u20ac"


def test_a_filter_replaces_all_fields_and_the_body(client: netcore.Client) -> None:
    def change(request: netcore.FilterRequest) -> None:
        assert request.headers.get_list("X-A") == ["1", "2"] and "x-a" in request.headers
        request.headers = [("X-B", "1"), ("X-B", "2"), ("X-C", None)]
        assert request.headers.multi_items() == [("X-B", "1"), ("X-B", "2")]
        with pytest.raises(KeyError):
            del request.headers["X-A"]
        request.content = None

    client.add_filter(change)
    seen = echo(client, "POST", content=b"x", headers=[("X-A", "1"), ("X-A", "2")])
    assert (values(seen, "X-A"), values(seen, "X-B"), seen["body"]) == ([], ["1", "2"], "")


def test_filters_run_in_order_until_they_are_removed(client: netcore.Client) -> None:
    for name in "ab":
        client.add_filter(lambda request, name=name: request.headers.add("X-F", name))  # type: ignore[misc]
    assert values(echo(client), "X-F") == ["a", "b"]
    assert values(client.dispatch("GET", "/echo").result().json(), "X-F") == ["a", "b"]
    client.remove_filters()
    client.remove_filters()
    assert values(echo(client), "X-F") == []
    client.add_filter(lambda request: request.headers.add("X-F", "c"))
    assert values(echo(client), "X-F") == ["c"]


def test_custom_requests_are_spared(peers: Peers, client: netcore.Client) -> None:
    client.set_header("X-V", counter())
    client.add_filter(lambda request: 1 / 0)
    assert values(echo(client, url=f"{peers.origin}/echo", bare=True), "X-V") == []


def test_a_body_that_is_read_later_is_not_seen(client: netcore.Client) -> None:
    contents: List[Any] = []
    client.add_filter(lambda request: contents.append(request.content))
    assert echo(client, "POST", content=iter([b"x"]))["body"] == "x"
    client.add_filter(lambda request: setattr(request, "content", b"instead"))
    assert echo(client, "POST", content=iter([b"x"]))["body"] == "instead"
    assert contents == [None, None]


WRONG_CHANGES: List[Tuple[Filter, Type[BaseException]]] = [
    (lambda request: setattr(request, "method", "A B"), netcore.InvalidRequest),
    (lambda request: setattr(request, "method", 5), TypeError),
    (lambda request: setattr(request, "url", "/relative"), netcore.InvalidURL),
    (lambda request: setattr(request, "url", "a\0"), netcore.InvalidURL),
    (lambda request: setattr(request, "params", 5), TypeError),
    (lambda request: setattr(request, "headers", {"X": 5}), TypeError),
    (lambda request: request.headers.update({"X A": "b"}), netcore.InvalidRequest),
    (lambda request: request.headers.update({"X": "a\nb"}), netcore.InvalidRequest),
    (lambda request: request.headers.update({"X": None}), TypeError),
    (lambda request: request.headers.update({"Content-Length": "5"}), netcore.InvalidRequest),
    (lambda request: request.headers["X"], KeyError),
    (lambda request: setattr(request, "content", 5), TypeError),
    (lambda request: setattr(request, "unknown", 5), AttributeError),
]


@pytest.mark.parametrize("change, error", WRONG_CHANGES)
def test_a_wrong_change_ends_the_task(client: netcore.Client, change: Filter, error: Type[BaseException]) -> None:
    client.add_filter(change)
    with pytest.raises(netcore.Refused) as caught:
        client.get("/echo")
    assert type(caught.value.__cause__) is error


def test_a_request_is_the_filters_until_it_returns(client: netcore.Client) -> None:
    kept: List[netcore.FilterRequest] = []
    client.add_filter(kept.append)
    client.get("/echo")
    for use in (lambda: kept[0].url, lambda: kept[0].headers["X"], lambda: setattr(kept[0], "method", "GET")):
        with pytest.raises(netcore.StateError, match="has returned"):
            use()
    assert repr(kept[0]) == "<FilterRequest>"


# What filters raise


def refuse(status: int, message: str) -> Filter:
    def function(request: netcore.FilterRequest) -> None:
        raise netcore.Refused(status, message)

    return function


@pytest.mark.parametrize("status", [1300, 2000, 2345, 2999])
def test_refusals(peers: Peers, status: int) -> None:
    with netcore.Client(base_url=peers.origin) as client:
        client.add_filter(refuse(status, "not today"))
        calls: List[Callable[[], Any]] = [
            lambda: client.get("/echo/refused"),
            lambda: client.dispatch("GET", "/echo/refused").result(),
        ]
        for call in calls:
            with pytest.raises(netcore.Refused, match=r"^not today$") as caught:
                call()
            error = caught.value
            assert (error.status, error.attempts) == (status, 0)
            assert error.request == netcore.Request("GET", f"{peers.origin}/echo/refused")
            assert isinstance(error.__cause__, netcore.Refused) and error.__cause__.status == status
            assert pickle.loads(pickle.dumps(error)).status == status
    assert received(peers.origin, "/echo/refused") == 0


@pytest.mark.parametrize("status", [0, -1, 1, 300, 1999, 3000])
def test_a_refusal_has_a_number_of_its_own(status: int) -> None:
    with pytest.raises(netcore.InvalidRequest, match="status"):
        netcore.Refused(status)


@pytest.mark.parametrize("arguments", [("text",), (True,), (2000, 5)])
def test_a_refusal_of_wrong_types(arguments: Any) -> None:
    with pytest.raises(TypeError):
        netcore.Refused(*arguments)


@pytest.mark.parametrize("cause", [ValueError, KeyboardInterrupt, SystemExit, netcore.ConnectError])
def test_what_a_filter_raises_is_the_cause(client: netcore.Client, cause: Type[BaseException]) -> None:
    def fail(request: netcore.FilterRequest) -> None:
        raise cause("secret")

    client.add_filter(fail)
    calls: List[Callable[[], Any]] = [lambda: client.get("/echo"), lambda: client.dispatch("GET", "/echo").result()]
    for call in calls:
        with pytest.raises(netcore.Refused, match=f"^a filter raised {cause.__name__}$") as caught:
            call()
        assert type(caught.value.__cause__) is cause and caught.value.name == "NETCORE_ERR_REFUSED"
    client.remove_filters()
    assert client.get("/echo").status_code == 200


def test_each_task_has_the_exception_of_its_own(client: netcore.Client) -> None:
    def fail(request: netcore.FilterRequest) -> None:
        raise LookupError(request.url.rpartition("/")[2])

    client.add_filter(fail)
    tasks = [client.dispatch("GET", f"/echo/{number}") for number in range(3000)]
    for number, task in enumerate(tasks):
        with pytest.raises(netcore.Refused) as caught:
            task.result()
        assert str(caught.value.__cause__) == str(LookupError(str(number)))


def test_a_look_into_the_cache_passes_filters(peers: Peers) -> None:
    with netcore.Cache() as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
        client.add_filter(refuse(2001, "offline"))
        with pytest.raises(netcore.Refused, match=r"^offline$") as caught:
            client.get_cached("GET", "/echo")
        assert caught.value.status == 2001


def test_asyncio(peers: Peers) -> None:
    async def main() -> None:
        async with netcore.AsyncClient(base_url=peers.origin) as client:
            loop = asyncio.get_running_loop()
            client.set_header("X-N", counter())

            def fetch(request: netcore.FilterRequest) -> None:
                """Waits for the loop, in which the client is at work."""
                call = client.get(f"{peers.origin}/echo/token", bare=True)
                token = asyncio.run_coroutine_threadsafe(call, loop).result().json()["target"]
                request.headers["X-Token"] = token

            client.add_filter(fetch)
            for number in "123":
                seen = (await client.get("/echo")).json()
                assert (values(seen, "X-N"), values(seen, "X-Token")) == ([number], ["/echo/token"])
            client.add_filter(lambda _: 1 / 0)
            for call in (client.get("/echo"), client.dispatch("GET", "/echo")):
                with pytest.raises(netcore.Refused) as caught:
                    await call
                assert isinstance(caught.value.__cause__, ZeroDivisionError)

    asyncio.run(main())


def test_only_functions_are_filters(client: netcore.Client) -> None:
    async def later(request: netcore.FilterRequest) -> None: ...

    for wrong in (None, 5, "text", later):
        with pytest.raises(TypeError, match=r"^function: "):
            client.add_filter(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^value: "):
        client.set_header("X", later)  # type: ignore[arg-type]
