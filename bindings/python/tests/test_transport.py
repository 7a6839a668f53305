"""A function in place of the network: what an application tests itself with."""

from __future__ import annotations

import asyncio
import threading
from typing import Any, Callable, List, Type

import pytest

import netcore
from netcore import MockTransport, Request, Response

BASE = "http://example.invalid/api/"


def client_of(function: Callable[[Request], Any], **options: Any) -> netcore.Client:
    return netcore.Client(base_url=BASE, transport=MockTransport(function), **options)


def test_a_function_answers() -> None:
    seen: List[Request] = []

    def handler(request: Request) -> Response:
        seen.append(request)
        return Response(201, headers={"X-A": "b"}, json={"path": request.url})

    with client_of(handler, headers={"X-Common": "1"}) as client:
        response = client.post("items", params={"q": 1}, json=[1])
    assert (response.status_code, response.headers["x-a"]) == (201, "b")
    assert response.json() == {"path": BASE + "items?q=1"} and response.url == BASE + "items?q=1"
    (request,) = seen
    assert (request.method, request.content) == ("POST", b"[1]")
    assert request.headers["X-Common"] == "1" and request.headers["Content-Type"] == "application/json"


def test_a_bare_function_will_do() -> None:
    with netcore.Client(transport=lambda request: Response(content=request.method)) as client:
        assert client.get("http://h.invalid/").text == "GET"
        assert client.delete("http://h.invalid/").text == "DELETE"


def test_redirects_cookies_and_filters_work() -> None:
    def handler(request: Request) -> Response:
        if request.url.endswith("/first"):
            return Response(302, headers={"Location": "second", "Set-Cookie": "a=1"})
        return Response(json=[request.url, request.headers.get("cookie"), request.headers.get("x-filter")])

    with client_of(handler) as client:
        client.add_filter(lambda request: request.headers.update({"X-Filter": "ran"}))
        response = client.get("first")
        assert response.json() == [BASE + "second", "a=1", "ran"] and response.redirects == 1


def test_the_cache_works() -> None:
    calls: List[int] = []

    def handler(request: Request) -> Response:
        calls.append(1)
        return Response(headers={"Cache-Control": "max-age=60"}, content="kept")

    with netcore.Cache() as cache, client_of(handler, cache=cache) as client:
        assert client.get("a").text == "kept" and client.get("a").from_cache
    assert len(calls) == 1


def test_errors_of_netcore() -> None:
    def handler(request: Request) -> Response:
        raise netcore.ConnectTimeout("too slow today", status=400)

    with client_of(handler) as client, pytest.raises(netcore.ConnectTimeout, match="too slow today") as caught:
        client.get("a")
    assert caught.value.is_retryable


def test_other_exceptions() -> None:
    client = client_of(lambda request: 1 / 0)
    with pytest.raises(netcore.Refused, match="the transport raised ZeroDivisionError"):
        client.get("a")
    with pytest.raises(ZeroDivisionError):
        client.close()


def test_what_is_no_response() -> None:
    client = client_of(lambda request: "text")
    with pytest.raises(netcore.Refused, match=r"netcore\.Response expected, not str"):
        client.get("a")
    with pytest.raises(TypeError):
        client.close()


@pytest.mark.parametrize("transport", [5, "text"])
def test_what_is_no_transport(transport: Any) -> None:
    with pytest.raises(TypeError, match=r"^transport: a function expected, not "):
        netcore.Client(transport=transport)


def test_tasks_and_groups() -> None:
    with client_of(lambda request: Response(content=request.url)) as client:
        group = client.group()
        for number in range(20):
            group.add("GET", str(number))
        group.dispatch()
        assert [task.result().text for task in group.wait()] == [f"{BASE}{number}" for number in range(20)]


def test_an_async_function_needs_an_event_loop() -> None:
    async def handler(request: Request) -> Response:
        return Response()

    client = client_of(handler)
    with pytest.raises(netcore.Refused, match="an async function needs an AsyncClient"):
        client.get("a")
    with pytest.raises(TypeError):
        client.close()


def test_an_async_function_runs_in_the_event_loop() -> None:
    async def main() -> None:
        threads: List[int] = []

        async def handler(request: Request) -> Response:
            threads.append(threading.get_ident())
            await asyncio.sleep(0)
            return Response(content=request.url)

        async with netcore.AsyncClient(base_url=BASE, transport=handler) as client:
            answers = await asyncio.gather(*(client.get(str(number)) for number in range(10)))
        assert [answer.text for answer in answers] == [f"{BASE}{number}" for number in range(10)]
        assert set(threads) == {threading.get_ident()}

    asyncio.run(main())


def test_a_plain_function_for_an_async_client() -> None:
    async def main() -> None:
        async with netcore.AsyncClient(base_url=BASE, transport=lambda request: Response(204)) as client:
            assert (await client.get("a")).status_code == 204

    asyncio.run(main())


def test_a_function_that_waits_too_long() -> None:
    gate = threading.Event()

    def handler(request: Request) -> Response:
        gate.wait(20)
        return Response()

    client = client_of(handler)
    try:
        with pytest.raises(netcore.FirstByteTimeout):
            client.get("a", timeout=netcore.Timeout(first_byte=0.2))
    finally:
        gate.set()
        client.close()


def test_the_exception_of_a_transport_is_the_cause() -> None:
    client = client_of(lambda request: 1 / 0)
    calls: List[Callable[[], Any]] = [lambda: client.get("a"), lambda: client.dispatch("GET", "a").result()]
    for call in calls:
        with pytest.raises(netcore.Refused, match="the transport raised ZeroDivisionError") as caught:
            call()
        assert isinstance(caught.value.__cause__, ZeroDivisionError) and caught.value.native_code == 0
    with pytest.raises(ZeroDivisionError):
        client.close()


@pytest.mark.parametrize(
    "error, status",
    [
        (netcore.ConnectTimeout, "NETCORE_ERR_TIMEOUT_CONNECT"),
        (netcore.TimeoutException, "NETCORE_ERR_TIMEOUT_CONNECT"),
        (netcore.ConnectError, "NETCORE_ERR_CONNECT"),
        (netcore.ConnectionLost, "NETCORE_ERR_CONNECTION_LOST"),
        (netcore.TruncatedError, "NETCORE_ERR_TRUNCATED"),
    ],
)
def test_an_error_that_was_made_without_a_status(error: Type[netcore.Error], status: str) -> None:
    def handler(request: Request) -> Response:
        raise error("as told")

    with client_of(handler) as client, pytest.raises(error, match=r"^as told") as caught:
        client.get("a")
    assert caught.value.name == status
