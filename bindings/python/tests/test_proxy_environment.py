"""Proxies named by the environment: each case is a process of its own that sends real requests, forked from one that
has imported netcore."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Callable, Dict, Iterator, List
from urllib.parse import urlsplit

import pytest

import programs
from peers import Peers

FETCH = """
import json, netcore, os, sys, traceback


def fetch(ca, urls):
    with netcore.Client(verify=ca) as client:
        for url in urls:
            try:
                response = client.get(url)
                if response.status_code != 200:
                    yield str(response.status_code)
                    continue
                headers = response.json()["headers"]
                names = [name.lower() for name, _ in headers]
                assert "proxy-authorization" not in names and "secret" not in str(headers)
                yield "via" if "via" in names else "direct"
            except netcore.Error as error:
                assert "secret" not in str(error)
                yield error.name


for line in sys.stdin:
    variables, ca, urls = json.loads(line)
    if os.fork() == 0:
        os.environ.update(variables)
        try:
            ended = list(fetch(ca, urls))
        except BaseException:
            ended = [traceback.format_exc()]
        print(json.dumps(ended), flush=True)
        os._exit(0)
    os.wait()
"""
VIA, DIRECT, FAILED = "via", "direct", "NETCORE_ERR_CONNECT_PROXY"
"""How a request ended: by squid, which adds a field unless it is a tunnel; without a trace; at the proxy."""


Fetch = Callable[..., List[str]]


@pytest.fixture(scope="module")
def fetch(peers: Peers) -> Iterator[Fetch]:
    """How requests end in a process with these variables; {name} stands for a server, in them and in the URLs."""
    words = {**vars(peers), "port": urlsplit(peers.origin).port, "port_tls": urlsplit(peers.origin_tls).port}
    command = [sys.executable, "-c", FETCH]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=programs.environment(), stdin=pipe, stdout=pipe, text=True) as parent:
        assert parent.stdin is not None and parent.stdout is not None
        put, take = parent.stdin, parent.stdout

        def ask(variables: Dict[str, str], *urls: str) -> List[str]:
            given = {name: value.format(**words) for name, value in variables.items()}
            put.write(json.dumps([given, peers.ca, [url.format(**words) for url in urls]]) + "\n")
            put.flush()
            ended: List[str] = json.loads(take.readline())
            return ended

        yield ask
    assert parent.returncode == 0


@pytest.mark.parametrize(
    ("variables", "http", "https"),
    [
        ({}, DIRECT, DIRECT),
        ({"http_proxy": "{proxy_auth}"}, VIA, DIRECT),
        ({"HTTP_PROXY": "{refused}"}, DIRECT, DIRECT),
        ({"https_proxy": "{refused}"}, DIRECT, FAILED),
        ({"HTTPS_PROXY": "{refused}"}, DIRECT, FAILED),
        ({"https_proxy": "{proxy_auth}", "HTTPS_PROXY": "{refused}"}, DIRECT, DIRECT),
        ({"all_proxy": "{refused}"}, FAILED, FAILED),
        ({"ALL_PROXY": "{refused}"}, FAILED, FAILED),
        ({"all_proxy": "{refused}", "http_proxy": "{proxy_auth}"}, VIA, FAILED),
        ({"all_proxy": "{refused}", "http_proxy": ""}, FAILED, FAILED),
        ({"all_proxy": "{proxy_auth}"}, VIA, DIRECT),
        ({"all_proxy": "{proxy}"}, "407", FAILED),
        ({"all_proxy": "{proxy_tls}"}, VIA, DIRECT),
        ({"all_proxy": "{socks_auth}"}, DIRECT, DIRECT),
    ],
    ids=str,
)
def test_the_proxy_of_a_scheme(fetch: Fetch, variables: Dict[str, str], http: str, https: str) -> None:
    assert fetch(variables, "{origin}/echo", "{origin_tls}/echo") == [http, https]


@pytest.mark.parametrize("name", ["http_proxy", "all_proxy", "ALL_PROXY"])
def test_a_proxy_without_scheme_is_one_for_http(peers: Peers, fetch: Fetch, name: str) -> None:
    place = peers.proxy_auth.replace("http://", "")
    assert fetch({name: place}, "{origin}/echo") == [VIA]


URLS = ("http://127.0.0.1:{port}/echo", "https://localhost:{port_tls}/echo", "http://a.localhost:{port}/echo")


@pytest.mark.parametrize(
    ("exceptions", "ended"),
    [
        ({"no_proxy": ""}, [FAILED, FAILED, FAILED]),
        ({"no_proxy": "*"}, [DIRECT, DIRECT, DIRECT]),
        ({"NO_PROXY": "*"}, [DIRECT, DIRECT, DIRECT]),
        ({"no_proxy": "127.0.0.1"}, [DIRECT, FAILED, FAILED]),
        ({"no_proxy": "127.0.0.0/8"}, [DIRECT, FAILED, FAILED]),
        ({"no_proxy": "127.0.0.1:{port}"}, [DIRECT, FAILED, FAILED]),
        ({"no_proxy": "127.0.0.1:{port_tls}"}, [FAILED, FAILED, FAILED]),
        ({"no_proxy": "localhost"}, [FAILED, DIRECT, DIRECT]),
        ({"no_proxy": ".localhost"}, [FAILED, DIRECT, DIRECT]),
        ({"no_proxy": "localhost:{port_tls}"}, [FAILED, DIRECT, FAILED]),
        ({"no_proxy": "a.localhost"}, [FAILED, FAILED, DIRECT]),
        ({"no_proxy": "host"}, [FAILED, FAILED, FAILED]),
        ({"no_proxy": "example.com, 127.0.0.1 ,a.LOCALHOST"}, [DIRECT, FAILED, DIRECT]),
        ({"no_proxy": "127.0.0.1", "NO_PROXY": "*"}, [DIRECT, FAILED, FAILED]),
    ],
    ids=str,
)
def test_exceptions(fetch: Fetch, exceptions: Dict[str, str], ended: List[str]) -> None:
    assert fetch({"all_proxy": "{refused}", **exceptions}, *URLS) == ended


@pytest.mark.parametrize("place", ["127.0.0.1:99999", "", "[::1", "a b:1"])
@pytest.mark.parametrize("scheme", ["", "http://", "socks5h://", "ftp://"])
def test_what_is_no_proxy_is_not_quoted(fetch: Fetch, place: str, scheme: str) -> None:
    (ended,) = fetch({"http_proxy": f"{scheme}user:secret@{place}"}, "{origin}/echo")
    assert ended.startswith("NETCORE_ERR_")
