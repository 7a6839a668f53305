"""Cookies: those that a client keeps, and those of a request."""

from __future__ import annotations

import asyncio
import pickle
import threading
import time
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List
from urllib.parse import quote

import pytest

import netcore
from peers import Peers, script

HERE = "127.0.0.1"


@pytest.fixture
def httpbin(peers: Peers) -> Iterator[netcore.Client]:
    with netcore.Client(base_url=peers.httpbin) as client:
        yield client


def seen(client: netcore.Client, **options: Any) -> Dict[str, str]:
    """The cookies that the server saw."""
    found: Dict[str, str] = client.get("/cookies", **options).json()["cookies"]
    return found


def cookie_fields(client: netcore.Client, url: str = "/echo", **options: Any) -> List[str]:
    fields = client.get(url, **options).json()["headers"]
    return [value for name, value in fields if name.lower() == "cookie"]


def setting(*values: str) -> str:
    """The path of an answer of the scripted origin with these Set-Cookie fields."""
    fields = "".join(f"Set-Cookie: {value}\r\n" for value in values)
    return script({"send": f"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n{fields}\r\n"})


# What a client keeps


def test_a_client_keeps_cookies(httpbin: netcore.Client) -> None:
    assert len(httpbin.cookies) == 0 and seen(httpbin) == {}
    assert httpbin.get("/cookies/set?a=1&b=2").json()["cookies"] == {"a": "1", "b": "2"}
    assert seen(httpbin) == {"a": "1", "b": "2"}
    assert list(httpbin.cookies) == [netcore.Cookie("a", "1", HERE), netcore.Cookie("b", "2", HERE)]
    httpbin.get("/cookies/delete?a")
    assert [cookie.name for cookie in httpbin.cookies] == ["b"]


def test_a_client_without_cookies(peers: Peers) -> None:
    with netcore.Client(base_url=peers.httpbin, cookies=False) as client:
        client.get("/cookies/set?a=1")
        assert seen(client) == {} and seen(client, cookies={"own": "1"}) == {"own": "1"}
        uses: List[Callable[[], Any]] = [
            lambda: list(client.cookies),
            lambda: client.cookies["a"],
            lambda: client.cookies.set("a", "1"),
            client.cookies.clear,
            client.cookies.clear_session,
            client.cookies.export_text,
            lambda: client.cookies.import_text(""),
        ]
        for use in uses:
            with pytest.raises(netcore.StateError):
                use()
    with pytest.raises(netcore.StateError, match="closed"):
        list(client.cookies)


def test_the_functions_of_the_module_keep_none(peers: Peers) -> None:
    netcore.get(f"{peers.httpbin}/cookies/set?a=1")
    assert netcore.get(f"{peers.httpbin}/cookies").json()["cookies"] == {}


def test_a_client_begins_with_cookies(peers: Peers) -> None:
    with netcore.Client(base_url=peers.httpbin, cookies={"a": "1"}) as client:
        assert seen(client) == {"a": "1"}
        assert cookie_fields(client, peers.origin.replace(HERE, "localhost") + "/echo") == []
    with pytest.raises(netcore.InvalidRequest, match="base_url"):
        netcore.Client(cookies={"a": "1"})
    for wrong in (None, 1, "a=1", [("a", "1")]):
        with pytest.raises(TypeError):
            netcore.Client(cookies=wrong)  # type: ignore[arg-type]


def test_cookies_as_a_mapping(httpbin: netcore.Client) -> None:
    cookies = httpbin.cookies
    cookies["a"] = "1"
    cookies["a"] = "2"
    cookies.update({"b": "3", "\u20ac": "\xfc \udcff"})
    assert (cookies["a"], cookies.get("b"), cookies.get("c"), cookies.get("c", "d")) == ("2", "3", None, "d")
    assert cookies["\u20ac"] == "\xfc \udcff" and "a" in cookies and "c" not in cookies and len(cookies) == 3
    del cookies["a"], cookies["\u20ac"]
    for use in (lambda: cookies["a"], lambda: cookies.__delitem__("a")):
        with pytest.raises(KeyError):
            use()
    assert seen(httpbin) == {"b": "3"} and cookies is httpbin.cookies
    assert cookies.delete("a") == 0 and cookies.clear() == 1 and not cookies


def test_cookies_of_several_places(httpbin: netcore.Client) -> None:
    cookies = httpbin.cookies
    cookies.set("a", "here")
    cookies.set("a", "below", path="/deep")
    cookies.set("a", "there", domain="example.com")
    end = 4_000_000_000
    cookies.add(netcore.Cookie("all", "1", "example.org", "/", end, secure=True, http_only=True, host_only=False))
    with pytest.raises(netcore.InvalidRequest, match="several"):
        cookies["a"]
    assert cookies.get("a", domain=HERE, path="/deep") == "below"
    assert cookies.get("a", domain=".Example.COM") == "there"
    assert list(cookies)[-1] in cookies and list(cookies)[-1].expires == end
    assert cookies.delete("a", domain=HERE, path="/") == 1
    assert cookies.clear_session() == 2 and cookies.clear(domain="example.com") == 0
    assert [(cookie.host_only, cookie.secure, cookie.http_only) for cookie in cookies] == [(False, True, True)]


def test_what_cookies_last(httpbin: netcore.Client) -> None:
    httpbin.cookies.add(netcore.Cookie("old", "1", HERE, expires=int(time.time()) - 5))
    assert list(httpbin.cookies) == []


@pytest.mark.parametrize("is_bytes", [False, True])
def test_cookies_as_text(httpbin: netcore.Client, is_bytes: bool) -> None:
    httpbin.cookies.update({"a": "1", "b": "\xfc\udcff"})
    text = httpbin.cookies.export_text()
    kept = list(httpbin.cookies)
    assert f"{HERE}\tFALSE\t/\tFALSE\t0\ta\t1\n" in text
    httpbin.cookies.clear()
    assert httpbin.cookies.import_text(text.encode("utf-8", "surrogateescape") if is_bytes else text) == 2
    assert list(httpbin.cookies) == kept and httpbin.cookies.import_text("no cookies\n") == 0


def test_a_file_of_cookies(peers: Peers, tmp_path: Path) -> None:
    file = tmp_path / "cookies.txt"
    for expected in ({}, {"a": "1"}):
        with netcore.Client(base_url=peers.httpbin, cookie_file=file) as client:
            assert seen(client) == expected
            client.get("/cookies/set?a=1")
    assert file.stat().st_mode & 0o777 == 0o600 and "\ta\t1\n" in file.read_text()
    file.write_text("something else\n")
    with pytest.raises(netcore.StorageError):
        netcore.Client(cookie_file=file)
    with pytest.raises(netcore.InvalidRequest, match="cookie_file"):
        netcore.Client(cookies=False, cookie_file=file)


WRONG_COOKIES = [
    ("", "x", netcore.InvalidRequest),
    ("a=b", "x", netcore.InvalidRequest),
    ("a;", "x", netcore.InvalidRequest),
    ("a", "x;y", netcore.InvalidRequest),
    ("a", "x\ny", netcore.InvalidRequest),
    ("a", "x\0", netcore.InvalidRequest),
    ("a", "\ud800", netcore.InvalidRequest),
    ("a", 5, TypeError),
    (b"a", "x", TypeError),
    ("a", None, TypeError),
]


@pytest.mark.parametrize("name, value, error", WRONG_COOKIES)
def test_what_is_no_cookie(httpbin: netcore.Client, name: Any, value: Any, error: Any) -> None:
    with pytest.raises(error):
        httpbin.cookies.set(name, value)
    with pytest.raises(error):
        httpbin.get("/cookies", cookies={name: value})
    assert len(httpbin.cookies) == 0


WRONG_PLACES: List[Dict[str, Any]] = [
    {"domain": ""},
    {"domain": "com", "host_only": False},
    {"domain": "a b"},
    {"path": "x"},
    {"expires": -1},
    {"expires": 1 << 63},
    {"name": "__Host-a"},
    {"value": " x"},
    {"expires": 1.5},
    {"secure": 1},
    {"domain": None},
]


@pytest.mark.parametrize("changes", WRONG_PLACES)
def test_a_cookie_that_no_server_could_set(httpbin: netcore.Client, changes: Dict[str, Any]) -> None:
    with pytest.raises((netcore.InvalidRequest, TypeError)):
        httpbin.cookies.add(netcore.Cookie(**{"name": "a", "value": "1", "domain": "example.com", **changes}))
    with pytest.raises(TypeError, match="Cookie"):
        httpbin.cookies.add({"a": "1"})  # type: ignore[arg-type]


def test_values_of_cookies() -> None:
    cookie = netcore.Cookie("a", "secret", "example.com")
    assert "secret" not in repr(cookie) and pickle.loads(pickle.dumps(cookie)) == cookie and len({cookie, cookie}) == 1


# Cookies of a request


def test_cookies_of_a_request(peers: Peers, httpbin: netcore.Client) -> None:
    httpbin.get("/cookies/set?a=1&b=2")
    assert seen(httpbin, cookies={"b": "own", "c": "3"}) == {"a": "1", "b": "own", "c": "3"}
    assert seen(httpbin, cookies={"b": "own"}, headers={"Cookie": "d=4"}) == {"d": "4"}
    assert seen(httpbin, headers={"Cookie": "d=4"}) == {"d": "4"}
    assert seen(httpbin, use_cookies=False) == {}
    assert seen(httpbin, use_cookies=False, cookies={"c": "3"}) == {"c": "3"}
    assert httpbin.get(f"{peers.httpbin}/cookies", bare=True, cookies={"c": "3"}).json()["cookies"] == {"c": "3"}
    assert seen(httpbin, cookies={}) == {"a": "1", "b": "2"}
    assert seen(httpbin) == {"a": "1", "b": "2"}  # none was kept
    httpbin.get("/cookies/set?e=5", use_cookies=False)
    assert "e" not in httpbin.cookies
    with netcore.Client() as other:
        other.add_service("s", peers.httpbin)
        other.cookies.set("a", "1", domain=HERE)
        assert seen(other, cookies={"c": "3"}) == {"a": "1", "c": "3"}


def test_cookies_of_a_request_stay_with_its_origin(peers: Peers, httpbin: netcore.Client) -> None:
    httpbin.cookies["a"] = "1"
    away = f"/redirect-to?url={quote(peers.origin.replace(HERE, 'localhost') + '/echo')}"
    assert cookie_fields(httpbin, away, cookies={"c": "3"}) == []
    assert httpbin.get("/redirect-to?url=/cookies", cookies={"c": "3"}).json()["cookies"] == {"a": "1", "c": "3"}
    there = httpbin.get("/cookies/set?a=2&b=2", cookies={"b": "own"})  # what an answer sets goes with the next hop
    assert there.json()["cookies"] == {"a": "2", "b": "own"}


def test_cookies_of_a_client_stay_where_they_belong(peers: Peers, httpbin: netcore.Client) -> None:
    httpbin.cookies["a"] = "1"

    def send_elsewhere(request: netcore.FilterRequest) -> None:
        request.url = peers.origin.replace(HERE, "localhost") + "/echo"

    httpbin.add_filter(send_elsewhere)
    assert cookie_fields(httpbin, cookies={"c": "3"}) == ["c=3"]


@pytest.mark.parametrize("cookies", [5, "a=1", ["a"], [("a", "1")]])
def test_what_are_no_cookies(client: netcore.Client, cookies: Any) -> None:
    with pytest.raises(TypeError, match="cookies"):
        client.get("/echo", cookies=cookies)
    with pytest.raises(TypeError, match="use_cookies"):
        client.get("/echo", use_cookies=0)  # type: ignore[arg-type]


# Cookies of a response


def test_cookies_of_a_response(client: netcore.Client) -> None:
    answer = client.get(setting("a=1; Path=/", "b= x=y ;Secure", "a=2", "nothing", "=none", "c=\xc3\xbc; HttpOnly"))
    assert answer.cookies == {"a": "2", "b": "x=y", "c": "\xfc"}
    assert client.get("/echo").cookies == {}


# Threads and asyncio


def test_asyncio(peers: Peers) -> None:
    async def main() -> None:
        async with netcore.AsyncClient(base_url=peers.httpbin, cookies={"z": "0"}) as client:
            await client.get("/cookies/set?a=1")
            assert client.cookies["a"] == "1"
            answer = await client.get("/cookies", cookies={"b": "2"})
            assert answer.json()["cookies"] == {"z": "0", "a": "1", "b": "2"}

    asyncio.run(main())


def test_cookies_change_while_requests_are_under_way(client: netcore.Client) -> None:
    stop = threading.Event()

    def change() -> None:
        while not stop.is_set():
            client.cookies["a"] = "1"
            assert len(client.cookies) <= 1
            client.cookies.clear()

    threads = [threading.Thread(target=change) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        tasks = [client.dispatch("GET", "/echo", cookies={"b": "2"}) for _ in range(200)]
        assert {task.result().status_code for task in tasks} == {200}
    finally:
        stop.set()
        for thread in threads:
            thread.join()
