"""One table of cases, run through each way to make a call."""

from __future__ import annotations

import asyncio
from typing import Any, Callable, Dict, List, Tuple

import pytest

import netcore
from peers import Peers

Call = Callable[..., netcore.Response]


def through_module(base: str, method: str, path: str, **options: Any) -> netcore.Response:
    return netcore.request(method, base + path, **options)


def through_client(base: str, method: str, path: str, **options: Any) -> netcore.Response:
    with netcore.Client(base_url=base) as client:
        return client.request(method, path, **options)


def through_dispatch(base: str, method: str, path: str, **options: Any) -> netcore.Response:
    with netcore.Client(base_url=base) as client:
        return client.dispatch(method, path, **options).result()


def through_group(base: str, method: str, path: str, **options: Any) -> netcore.Response:
    with netcore.Client(base_url=base) as client:
        group = client.group()
        task = group.add(method, path, **options)
        group.dispatch()
        group.wait()
        return task.result()


def through_asyncio(base: str, method: str, path: str, **options: Any) -> netcore.Response:
    async def call() -> netcore.Response:
        async with netcore.AsyncClient(base_url=base) as client:
            return await client.request(method, path, **options)

    return asyncio.run(call())


def through_async_dispatch(base: str, method: str, path: str, **options: Any) -> netcore.Response:
    async def call() -> netcore.Response:
        async with netcore.AsyncClient(base_url=base) as client:
            return await client.dispatch(method, path, **options)

    return asyncio.run(call())


def through_async_group(base: str, method: str, path: str, **options: Any) -> netcore.Response:
    async def call() -> netcore.Response:
        async with netcore.AsyncClient(base_url=base) as client:
            group = client.group()
            task = group.add(method, path, **options)
            group.dispatch()
            await group.wait()
            return await task

    return asyncio.run(call())


DOORS = [
    through_module,
    through_client,
    through_dispatch,
    through_group,
    through_asyncio,
    through_async_dispatch,
    through_async_group,
]


@pytest.fixture(params=DOORS, ids=lambda door: door.__name__)
def call(request: pytest.FixtureRequest, peers: Peers) -> Call:
    door = request.param

    def call(method: str, path: str, **options: Any) -> netcore.Response:
        response = door(peers.origin, method, path, **options)
        assert isinstance(response, netcore.Response)
        return response

    return call


CASES: List[Tuple[str, Dict[str, Any], str]] = [
    ("GET", {}, ""),
    ("POST", {"content": b"\x00\xff"}, "\x00\xff"),
    ("POST", {}, ""),
    ("PUT", {"content": "text"}, "text"),
    ("PATCH", {"json": {"a": 1}}, '{"a":1}'),
    ("DELETE", {}, ""),
    ("DELETE", {"content": b"with a body"}, "with a body"),
    ("OPTIONS", {}, ""),
    ("GET", {"content": b"even so"}, "even so"),
    ("PROPFIND", {}, ""),
]


@pytest.mark.parametrize("method, options, body", CASES)
def test_a_request_arrives_as_it_was_made(call: Call, method: str, options: Dict[str, Any], body: str) -> None:
    response = call(method, "/echo", **options)
    seen = response.json()
    assert response.status_code == 200
    assert (seen["method"], seen["target"], seen["body"]) == (method, "/echo", body)


def test_head_has_headers_and_no_body(call: Call) -> None:
    response = call("HEAD", "/bytes/1000")
    assert response.headers["content-length"] == "1000"
    assert response.content == b""


def test_an_answer_of_any_status_is_an_answer(call: Call) -> None:
    response = call("GET", "/status/503?Retry-After=1")
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "1"
    assert response.text == "status 503\n"


def test_a_large_body_arrives_whole(call: Call) -> None:
    response = call("GET", "/bytes/1000000")
    assert response.content == (bytes((i * 31 + 7) % 256 for i in range(256)) * 3907)[:1_000_000]
    assert response.headers["content-length"] == "1000000"


def test_a_coded_body_arrives_decoded(call: Call) -> None:
    plain = call("GET", "/bytes/5000").content
    for coding in ("gzip", "deflate", "rawdeflate"):
        assert call("GET", f"/{coding}/5000").content == plain


def test_decoding_can_be_switched_off(call: Call) -> None:
    response = call("GET", "/gzip/5000", decode_content=False)
    assert response.content[:2] == b"\x1f\x8b"


def test_redirects_are_followed_and_counted(call: Call) -> None:
    response = call("GET", "/redirect-chain/3")
    assert response.redirects == 3
    assert response.url.endswith("/echo")
    assert response.request.url.endswith("/redirect-chain/3")


def test_a_redirect_can_be_received(call: Call) -> None:
    response = call("GET", "/redirect-chain/3", follow_redirects=False)
    assert (response.status_code, response.headers["location"]) == (302, "/redirect-chain/2")
    assert response.is_redirect and response.redirects == 0


def test_a_post_that_is_seen_elsewhere_becomes_a_get(call: Call) -> None:
    seen = call("POST", "/redirect/303?to=/echo", content=b"x").json()
    assert (seen["method"], seen["body"]) == ("GET", "")


@pytest.mark.parametrize("door", DOORS)
def test_a_refused_connection_is_an_error(peers: Peers, door: Call) -> None:
    with pytest.raises(netcore.ConnectError) as caught:
        door(peers.refused, "GET", "/")
    assert caught.value.name == "NETCORE_ERR_CONNECT"
    assert caught.value.request == netcore.Request("GET", f"{peers.refused}/")


def test_a_bad_option_is_refused_before_anything_is_sent(call: Call) -> None:
    with pytest.raises(netcore.InvalidRequest):
        call("GET", "/echo", headers={"bad name": "x"})
    with pytest.raises(TypeError, match="nonsense"):
        call("GET", "/echo", nonsense=1)


@pytest.mark.parametrize("name", ["get", "head", "post", "put", "patch", "delete", "options"])
def test_each_verb_has_a_function_and_methods(peers: Peers, name: str) -> None:
    async def call() -> netcore.Response:
        async with netcore.AsyncClient() as client:
            response: netcore.Response = await getattr(client, name)(peers.origin + "/echo")
            return response

    with netcore.Client() as client:
        responses = [getattr(netcore, name)(peers.origin + "/echo"), getattr(client, name)(peers.origin + "/echo")]
    for response in [*responses, asyncio.run(call())]:
        assert response.status_code == 200
        assert response.request.method == name.upper()
        if name != "head":
            assert response.json()["method"] == name.upper()


def test_the_usual_methods_may_be_written_small(client: netcore.Client) -> None:
    assert client.request("get", "/echo").json()["method"] == "GET"
