"""Options: each is known by its name, checked, documented, and may be given to a client for all its requests."""

from __future__ import annotations

import asyncio
import base64
import gzip
import time
from typing import Any, AsyncContextManager, Awaitable, Callable

import pytest

import netcore
from netcore._clients.options import CLIENT_OPTIONS, CLIENT_TABLE
from netcore._requests.options import TABLE
from peers import Peers, script

TIMOUT: Any = {"timout": 1}
VERFY: Any = {"verfy": False}
TAG: Any = {"tag": "a"}
MOUNTS: Any = {"mounts": {}}
VERIFY: Any = {"verify": False}
OTHER: Any = {"allow_redirects": False}


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda client: client.get("/echo", timout=5), "get(): unknown option 'timout'; did you mean 'timeout'?"),
        (lambda client: client.put("/echo", jsn=5), "put(): unknown option 'jsn'; did you mean 'json'?"),
        (lambda client: client.dispatch("GET", "/", qqqqqq=1), "dispatch(): unknown option 'qqqqqq'"),
        (lambda client: client.group().add("GET", "/", tagg="a"), "add(): unknown option 'tagg'; did you mean 'tag'?"),
        (lambda client: netcore.Client(**VERFY), "Client(): unknown option 'verfy'; did you mean 'verify'?"),
        (lambda client: netcore.AsyncClient(**TAG), "AsyncClient(): unknown option 'tag'"),
        (lambda client: netcore.Client(**MOUNTS), "Client(): unknown option 'mounts'"),
        (lambda client: client.get("/", **VERIFY), "get(): unknown option 'verify'; it is an option of the client"),
        (
            lambda client: client.get("/", **OTHER),
            "get(): unknown option 'allow_redirects'; did you mean 'follow_redirects'?",
        ),
    ],
)
def test_an_unknown_option(client: netcore.Client, call: Callable[[Any], Any], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        call(client)
    assert str(caught.value) == message


async def enter(stream: AsyncContextManager[object]) -> None:
    async with stream:
        pass


@pytest.mark.parametrize(
    "name, call",
    [
        *(
            (name, lambda client, name=name: getattr(client, name)("/echo", **TIMOUT))
            for name in ("get", "head", "options", "post", "put", "patch", "delete")
        ),
        ("request", lambda client: client.request("GET", "/echo", **TIMOUT)),
        ("stream", lambda client: enter(client.stream("GET", "/echo", **TIMOUT))),
        ("get_cached", lambda client: client.get_cached("GET", "/echo", **TIMOUT)),
        ("download", lambda client: client.download("/echo", "file", **TIMOUT)),
    ],
)
def test_an_unknown_option_of_a_coroutine(name: str, call: Callable[[Any], Awaitable[object]]) -> None:
    async def main() -> None:
        async with netcore.AsyncClient() as client:
            with pytest.raises(TypeError) as caught:
                await call(client)
        assert str(caught.value) == f"{name}(): unknown option 'timout'; did you mean 'timeout'?"

    asyncio.run(main())


def test_an_unknown_option_of_a_streamed_response(client: netcore.Client) -> None:
    with pytest.raises(TypeError, match=r"^stream\(\): unknown option 'timout'"), client.stream("GET", "/", **TIMOUT):
        pass


def test_every_option_is_documented() -> None:
    documentation = netcore.RequestOptions.__doc__ or ""
    for name, option in TABLE.items():
        assert option.text.endswith((".", "`.")), name
        assert f"- {name}: {option.text}" in documentation


def test_every_option_of_a_client_is_documented() -> None:
    documentation = netcore.Client.__doc__ or ""
    for name in CLIENT_OPTIONS:
        assert f"- {name}: " in documentation or f", {name}" in documentation or f"- {name}, " in documentation, name
    for name, option in CLIENT_TABLE.items():
        assert option.text.endswith((".", "`.")), name


def test_options_of_a_client_hold_for_its_requests(peers: Peers) -> None:
    packed = "/gzip/100"
    with netcore.Client(base_url=peers.origin, decode_content=False, serializer="json") as client:
        assert client.get(packed).content[:2] == b"\x1f\x8b"
        assert client.get(packed, decode_content=True).content[:2] != b"\x1f\x8b"
        assert client.post("/echo", params={"a": [1]}).json()["body"] == '{"a":[1]}'
        assert client.post("/echo", params={"a": 1}, serializer=None).json()["body"] == ""
        assert client.post("/echo", params={"a": 1}, serializer="form").json()["body"] == "a=1"


def test_a_time_to_live_of_a_client(peers: Peers) -> None:
    url = script({"send": "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"}) + f"?{time.time_ns()}"
    with netcore.Cache() as cache, netcore.Client(base_url=peers.origin, cache=cache, cache_ttl=60) as client:
        assert not client.get(url).from_cache
        assert client.get(url).from_cache
        assert not client.get(url, cache_mode=netcore.CacheMode.RELOAD).from_cache


def test_a_minimum_rate_of_a_client(peers: Peers) -> None:
    dripping = script({"send": "HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n"}, {"drip": "a" * 40, "interval_ms": 50})
    with netcore.Client(base_url=peers.origin, min_receive_rate=1000, min_receive_rate_window=0.3) as client:
        with pytest.raises(netcore.MinimumRateError):
            client.get(dripping)
        assert client.get(dripping, min_receive_rate=None).content == b"a" * 40


@pytest.mark.parametrize(
    "options",
    [
        {"decode_content": 1},
        {"serializer": "xml"},
        {"param_nesting": "dots"},
        {"cache_ttl": -1},
        {"min_receive_rate": -1},
    ],
)
def test_options_of_a_client_are_checked_at_once(options: Any) -> None:
    (name,) = options
    with pytest.raises((TypeError, netcore.InvalidRequest), match=f"^{name}: "):
        netcore.Client(**options)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"path_values": {"a b": "1"}}, "path_values: 'a b': "),
        ({"cookies": {"a;b": "1"}}, "cookies: 'a;b': "),
        ({"params": [("", 1)], "serializer": "json"}, "params: '': "),
        ({"cache_key_fields": ["a b"]}, "cache_key_fields: 'a b' "),
        ({"tag": "a\0b"}, "tag: "),
    ],
)
def test_messages_begin_with_the_option_and_not_with_the_argument_of_c(
    client: netcore.Client, options: Any, message: str
) -> None:
    with pytest.raises(netcore.InvalidRequest) as caught:
        client.get("/{a}", **options)
    sentence = str(caught.value)
    assert sentence.startswith(message)
    assert not sentence[len(message) :].startswith(("name: ", "value: "))


GZIPPED = gzip.compress(b"what an old server sends")
GZIP_HEAD = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nCache-Control: max-age=600\r\nContent-Length: {}\r\n\r\n"


def gzip_answer(body: bytes) -> str:
    return script(
        {"send": GZIP_HEAD.format(len(body))}, {"send_base64": base64.b64encode(body).decode()}, {"keep": True}
    )


def test_an_unclean_end_is_taken_where_it_is_allowed(peers: Peers) -> None:
    cut = gzip_answer(GZIPPED[:-8])
    with netcore.Client(base_url=peers.origin) as client:
        assert client.get(cut, allow_unclean_end=True).text == "what an old server sends"
        with pytest.raises(netcore.TruncatedError):
            client.get(cut)
        with pytest.raises(netcore.TruncatedError):
            client.get(cut, allow_unclean_end=False)


@pytest.mark.parametrize("size, is_stored", [(len(GZIPPED), True), (len(GZIPPED) - 8, False)])
def test_an_unclean_end_is_not_stored(peers: Peers, size: int, is_stored: bool) -> None:
    url = f"{gzip_answer(GZIPPED[:size])}?{time.time_ns()}"
    for cache_ttl in (None, 60):
        with netcore.Cache() as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
            seen = [client.get(url, allow_unclean_end=True, cache_ttl=cache_ttl) for _ in range(2)]
            assert [response.text for response in seen] == ["what an old server sends"] * 2
            assert [response.from_cache for response in seen] == [False, is_stored]


# Options of a client


DRIPPING = script({"send": "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n"}, {"drip": "a" * 20, "interval_ms": 50})


def test_a_timeout_of_a_call_replaces_all_of_the_clients(peers: Peers) -> None:
    with netcore.Client(base_url=peers.origin, timeout=netcore.Timeout(first_byte=0.15)) as client:
        with pytest.raises(netcore.FirstByteTimeout):
            client.get("/delay/600")
        for timeout in (netcore.Timeout(), netcore.Timeout(total=30), None, 30, (10, 30)):
            assert client.get("/delay/600", timeout=timeout).status_code == 200


def test_a_flag_of_a_call_replaces_the_clients(peers: Peers) -> None:
    with netcore.Client(base_url=peers.origin, follow_redirects=False, decode_content=False) as client:
        assert client.get("/redirect/302?to=/echo").status_code == 302
        assert client.get("/redirect/302?to=/echo", follow_redirects=True).status_code == 200
        assert client.get("/gzip/100").content[:2] == b"\x1f\x8b"
        assert len(client.get("/gzip/100", decode_content=True).content) == 100


def test_a_minimum_rate_of_a_call_replaces_the_clients(peers: Peers) -> None:
    with netcore.Client(base_url=peers.origin, min_receive_rate=1000, min_receive_rate_window=0.3) as client:
        for too_fast in ({}, {"min_receive_rate": 2000}):
            with pytest.raises(netcore.MinimumRateError):
                client.get(DRIPPING, **too_fast)  # type: ignore[arg-type]
        assert client.get(DRIPPING, min_receive_rate_window=60).content == b"a" * 20
        assert client.get(DRIPPING, min_receive_rate=None).content == b"a" * 20


def test_a_time_to_live_of_a_call_replaces_the_clients(peers: Peers) -> None:
    url = f"{peers.origin}/echo?{time.time_ns()}"
    with netcore.Cache() as cache, netcore.Client(cache=cache, cache_ttl=60) as client:
        assert [client.get(url).from_cache for _ in range(2)] == [False, True]
        assert [client.get(url + "b", cache_ttl=None).from_cache for _ in range(2)] == [False, False]


def test_a_serializer_of_a_call_replaces_the_clients(peers: Peers) -> None:
    with netcore.Client(base_url=peers.origin, serializer="json", params={"key": "k"}) as client:
        assert client.post("/echo", params={"a": [1]}).json()["body"] == '{"key":"k","a":[1]}'
        assert client.post("/echo").json()["body"] == '{"key":"k"}'
        sent = client.post("/echo", params={"a": [1]}, serializer=None)
        assert sent.json()["body"] == "" and sent.url.endswith("?key=k&a=1")


def test_an_option_that_cannot_be_is_refused_as_the_client_is_made() -> None:
    options: Any
    for options in ({"cache_ttl": -1}, {"min_receive_rate": -1}, {"auth": ("a:b", "c")}, {"serializer": "xml"}):
        with pytest.raises(netcore.InvalidRequest):
            netcore.Client(**options)
