"""What users get wrong is an exception, and nothing is sent."""

from __future__ import annotations

import asyncio
from typing import Any, Dict, List, Tuple, Type

import pytest

import netcore
from peers import Peers

CONTROLS = ["\r", "\n", "\0", "\r\nX-Injected: 1", "\n\n", "\x01", "\x7f"]

METHODS: List[Tuple[Any, Type[BaseException]]] = [
    *((f"GET{control}", netcore.InvalidRequest) for control in CONTROLS),
    ("", netcore.InvalidRequest),
    (" ", netcore.InvalidRequest),
    ("GET /", netcore.InvalidRequest),
    ("CONNECT", netcore.InvalidRequest),
    ("GÉT", netcore.InvalidRequest),
    ("GET\ud800", netcore.InvalidRequest),
    (None, TypeError),
    (b"GET", TypeError),
    (5, TypeError),
    ([], TypeError),
]

URLS: List[Tuple[Any, Type[BaseException]]] = [
    *(("{origin}/a" + control, netcore.InvalidURL) for control in ("\r", "\n", "\0", "\r\nX: 1")),
    ("", netcore.InvalidURL),
    (" ", netcore.InvalidURL),
    ("/relative", netcore.InvalidURL),
    ("127.0.0.1/", netcore.InvalidURL),
    ("http://", netcore.InvalidURL),
    ("http://[::1", netcore.InvalidURL),
    ("http://host:99999/", netcore.InvalidURL),
    ("http://a\uff0fb/", netcore.InvalidURL),  # "a/b" by IDNA
    ("http://\u00e9\uffff/", netcore.InvalidURL),  # no character of a name
    ("ftp://127.0.0.1/", netcore.InvalidURL),
    ("file:///etc/passwd", netcore.InvalidURL),
    ("javascript:alert(1)", netcore.InvalidURL),
    ("{origin}/\ud800", netcore.InvalidURL),
    (None, TypeError),
    (b"http://127.0.0.1/", TypeError),
    (5, TypeError),
    ({}, TypeError),
]

OPTIONS: List[Tuple[Dict[str, Any], Type[BaseException]]] = [
    *(({"headers": {"X-A": f"a{control}b"}}, netcore.InvalidRequest) for control in CONTROLS),
    *(({"headers": {f"X{control}A": "b"}}, netcore.InvalidRequest) for control in CONTROLS),
    ({"headers": {"": "b"}}, netcore.InvalidRequest),
    ({"headers": {"X A": "b"}}, netcore.InvalidRequest),
    ({"headers": {"X-Ü": "b"}}, netcore.InvalidRequest),
    ({"headers": {"X-A": "\u20ac"}}, netcore.InvalidRequest),
    ({"headers": {b"X-A": b"\0"}}, netcore.InvalidRequest),
    ({"headers": {"Content-Length": "5"}}, netcore.InvalidRequest),
    ({"headers": {"Transfer-Encoding": "chunked"}}, netcore.InvalidRequest),
    ({"headers": {"X-A": 5}}, TypeError),
    ({"headers": {5: "x"}}, TypeError),
    ({"headers": "X-A: b"}, TypeError),
    ({"headers": [("X-A",)]}, TypeError),
    ({"headers": 5}, TypeError),
    ({"params": {"a": object()}}, TypeError),
    ({"params": {"a": {"b": 1}}}, TypeError),
    ({"params": [1]}, TypeError),
    ({"params": 5}, TypeError),
    ({"params": {"a": "\ud800"}}, netcore.InvalidRequest),
    ({"params": "a\r\nb"}, netcore.InvalidURL),
    ({"content": 5}, TypeError),
    ({"content": "\ud800"}, netcore.InvalidRequest),
    ({"content": {"a": 1}}, TypeError),
    ({"data": 5}, TypeError),
    ({"json": object()}, TypeError),
    ({"json": float("nan")}, netcore.InvalidRequest),
    ({"json": {1}, "content": b""}, netcore.InvalidRequest),
    ({"data": {}, "content": b""}, netcore.InvalidRequest),
    ({"timeout": "5"}, TypeError),
    ({"timeout": True}, TypeError),
    ({"timeout": (1, 2, 3)}, TypeError),
    ({"timeout": (1, 0)}, netcore.InvalidRequest),
    ({"tag": "a\0b"}, netcore.InvalidRequest),
    ({"tag": 5}, TypeError),
    ({"nonsense": 1}, TypeError),
]


def expect(peers: Peers, error: Type[BaseException], method: Any, url: Any, options: Dict[str, Any]) -> None:
    """Each door refuses the same with the same exception, and a request after it is fine."""

    async def asynchronous(client: netcore.AsyncClient) -> None:
        with pytest.raises(error):
            await client.request(method, url, **options)
        with pytest.raises(error):
            client.dispatch(method, url, **options)
        await client.aclose()

    with netcore.Client() as client:
        for call in (client.request, client.dispatch, client.group().add, netcore.request):
            with pytest.raises(error) as caught:
                call(method, url, **options)
            if isinstance(caught.value, netcore.InvalidRequest):
                assert isinstance(caught.value, ValueError)
                assert caught.value.name.startswith("NETCORE_ERR_INVALID_") and str(caught.value)
        assert client.get(f"{peers.origin}/echo").status_code == 200
    asyncio.run(asynchronous(netcore.AsyncClient()))


@pytest.mark.parametrize("method, error", METHODS)
def test_methods(peers: Peers, method: Any, error: Type[BaseException]) -> None:
    expect(peers, error, method, f"{peers.origin}/bad-input", {})


@pytest.mark.parametrize("url, error", URLS)
def test_urls(peers: Peers, url: Any, error: Type[BaseException]) -> None:
    expect(peers, error, "GET", url.replace("{origin}", peers.origin) if isinstance(url, str) else url, {})


@pytest.mark.parametrize("options, error", OPTIONS)
def test_options(peers: Peers, options: Dict[str, Any], error: Type[BaseException]) -> None:
    expect(peers, error, "POST", f"{peers.origin}/bad-input", options)


def test_none_of_it_was_sent(peers: Peers) -> None:
    """Runs after the tables above, whose requests would all have gone to one path."""
    seen = netcore.get(f"{peers.origin}/stats").json()["by_path"]
    assert not [path for path in seen if "bad-input" in path]


CLIENT_OPTIONS: List[Tuple[Dict[str, Any], Type[BaseException]]] = [
    ({"base_url": "/relative"}, netcore.InvalidURL),
    ({"base_url": "http://h/?a=1"}, netcore.InvalidURL),
    ({"base_url": "http://h/#f"}, netcore.InvalidURL),
    ({"base_url": 5}, TypeError),
    ({"headers": {"X-A": "\0"}}, netcore.InvalidRequest),
    ({"headers": 5}, TypeError),
    ({"params": 5}, TypeError),
    ({"timeout": 0}, netcore.InvalidRequest),
    ({"timeout": "x"}, TypeError),
    ({"uds": 5}, TypeError),
    ({"uds": "a\0b"}, netcore.InvalidRequest),
    ({"uds": ""}, netcore.InvalidRequest),
    ({"local_address": 5}, TypeError),
    ({"local_address": ""}, netcore.InvalidRequest),
    ({"verify": 5}, TypeError),
    ({"verify": "a\0b"}, netcore.InvalidRequest),
    ({"cert": 5}, TypeError),
    ({"cert": ("a", "b", "c", "d")}, TypeError),
    ({"proxy": "no proxy"}, netcore.InvalidRequest),
    ({"proxy": "http://\0"}, netcore.InvalidRequest),
    ({"proxy": 5}, TypeError),
    ({"no_proxy": 5}, TypeError),
    ({"tls_min_version": 1.2}, netcore.InvalidRequest),
    ({"limits": {"transfers": 5}}, TypeError),
    ({"limits": netcore.Limits(transfers=0)}, netcore.InvalidRequest),
    ({"limits": netcore.Limits(body_bytes=-1)}, netcore.InvalidRequest),
    ({"limits": netcore.Limits(body_bytes=2**64)}, netcore.InvalidRequest),
    ({"limits": netcore.Limits(body_bytes=1.5)}, TypeError),  # type: ignore[arg-type]
    ({"max_redirects": -1}, netcore.InvalidRequest),
    ({"max_redirects": "5"}, TypeError),
    ({"nonsense": 1}, TypeError),
]


@pytest.mark.parametrize("options, error", CLIENT_OPTIONS)
def test_client_options(options: Dict[str, Any], error: Type[BaseException]) -> None:
    for kind in (netcore.Client, netcore.AsyncClient):
        with pytest.raises(error):
            kind(**options)


@pytest.mark.parametrize(
    "options, name",
    [
        ({"limits": netcore.Limits(transfers=0)}, "limits: transfers"),
        ({"limits": netcore.Limits(body_bytes=-1)}, "limits: body_bytes"),
        ({"max_redirects": -1}, "max_redirects"),
        ({"headers": {"a b": "c"}}, "headers"),
        ({"local_address": ""}, "local_address"),
        ({"uds": ""}, "uds"),
        ({"cert": "/nowhere/cert.pem"}, "cert"),
        ({"cookie_file": "/nowhere/at/all"}, "cookie_file"),
    ],
)
def test_a_refused_option_is_named_as_it_was_given(options: Dict[str, Any], name: str) -> None:
    with pytest.raises(netcore.Error, match=f"^{name}: "):
        netcore.Client(**options)


PIN = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

CONNECTION_OPTIONS: List[Tuple[Dict[str, Any], Type[BaseException]]] = [
    ({"address_family": "ipv5"}, netcore.InvalidRequest),
    ({"address_family": 4}, netcore.InvalidRequest),
    ({"resolve": "host:80:127.0.0.1"}, TypeError),
    ({"resolve": {"host:80": 5}}, TypeError),
    ({"resolve": {"host:80": [5]}}, TypeError),
    ({"resolve": {5: "127.0.0.1"}}, TypeError),
    ({"resolve": {"host": "127.0.0.1"}}, netcore.InvalidRequest),
    ({"resolve": {"host:0": "127.0.0.1"}}, netcore.InvalidRequest),
    ({"resolve": {"host:80": []}}, netcore.InvalidRequest),
    ({"resolve": {"host:80": "127.0.0.1\r\n"}}, netcore.InvalidRequest),
    ({"pinned_keys": [("host", PIN)]}, TypeError),
    ({"pinned_keys": {"host": None}}, TypeError),
    ({"pinned_keys": {"": PIN}}, netcore.InvalidRequest),
    ({"pinned_keys": {"https://host": PIN}}, netcore.InvalidRequest),
    ({"pinned_keys": {"host": []}}, netcore.InvalidRequest),
    ({"pinned_keys": {"host": ["sha256//AAAA"]}}, netcore.InvalidRequest),
    ({"pinned_keys": {"host": [PIN, ""]}}, netcore.InvalidRequest),
    ({"pinned_keys": {"host": PIN + "\0"}}, netcore.InvalidRequest),
    ({"user_agent": 5}, TypeError),
    ({"user_agent": "a\nb"}, netcore.InvalidRequest),
    ({"accept_encoding": 5}, TypeError),
    ({"accept_encoding": "compress"}, netcore.InvalidRequest),
    ({"hsts_file": 5}, TypeError),
    ({"hsts_file": "/nowhere/hsts.txt"}, netcore.Error),
    ({"alt_svc_file": "/"}, netcore.Error),
    ({"verify": "/nowhere"}, netcore.TLSError),
    ({"cert": "/nowhere"}, netcore.TLSError),
    ({"cert": (__file__, "/nowhere")}, netcore.TLSError),
    ({"uds": ""}, netcore.InvalidRequest),
    ({"local_address": ""}, netcore.InvalidRequest),
    ({"netrc": "/nowhere"}, netcore.StorageError),
    ({"proxies": {"http": "no proxy"}}, netcore.InvalidRequest),
    ({"proxies": {"https": "no proxy"}}, netcore.InvalidRequest),
]


@pytest.mark.parametrize("options, error", CONNECTION_OPTIONS)
def test_connection_options_are_named(options: Dict[str, Any], error: Type[BaseException]) -> None:
    for kind in (netcore.Client, netcore.AsyncClient):
        with pytest.raises(error, match=f"^{next(iter(options))}: "):
            kind(**options)


def test_a_bundle_that_cannot_be_read_is_named_by_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nowhere")
    with pytest.raises(netcore.TLSError, match=r"^REQUESTS_CA_BUNDLE: "):
        netcore.Client()
    with pytest.raises(netcore.TLSError, match=r"^verify: "):
        netcore.Client(verify="/nowhere/else")


@pytest.mark.parametrize("id", ["1", 1.5, None, True])
def test_ids_of_a_wrong_type(client: netcore.Client, id: Any) -> None:
    with pytest.raises(TypeError):
        client.cancel(id)


def test_other_arguments_of_a_wrong_type(client: netcore.Client) -> None:
    wrong: Any = 5
    with pytest.raises(TypeError):
        client.cancel_tag(wrong)
    with pytest.raises(TypeError):
        client.dispatch("GET", "/echo", on_done=wrong)
    with pytest.raises(netcore.InvalidRequest):
        client.cancel_tag("a\0b")


def test_the_message_says_what_was_wrong() -> None:
    with pytest.raises(netcore.InvalidURL, match="scheme"):
        netcore.get("ftp://user:secret@host/?token=secret")
    with pytest.raises(netcore.InvalidURL) as caught:
        netcore.get("http://user:secret@host:99999/?token=secret")
    assert "secret" not in str(caught.value)


NAMED: List[Tuple[Dict[str, Any], str]] = [
    ({"headers": 5}, r"^headers: a mapping or \(name, value\) pairs expected, not int$"),
    ({"json": object()}, r"^json: Object of type object is not JSON serializable$"),
    ({"timeout": "x"}, r"^timeout: seconds as a number, a pair, a Timeout or None expected, not str$"),
    ({"timeout": (3, 27, 30, 5)}, r"^timeout: a tuple is \(connect, read\); write Timeout\(connect="),
]


@pytest.mark.parametrize("options, message", NAMED)
def test_the_message_names_the_option(client: netcore.Client, options: Dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, netcore.InvalidRequest), match=message):
        client.post("/echo", **options)


def test_a_url_without_a_scheme_says_how_to_begin_it() -> None:
    with pytest.raises(netcore.InvalidURL, match=r"^url: must begin with http:// or https://"):
        netcore.get("example.com")
