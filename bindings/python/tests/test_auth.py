"""Credentials: of requests, of clients, and of .netrc."""

from __future__ import annotations

import asyncio
import base64
import pickle
from pathlib import Path
from typing import Any, List, Tuple, Type
from urllib.parse import quote

import pytest

import netcore
from peers import Peers

RIGHT = netcore.BasicAuth("ann", "secret")


@pytest.fixture
def url(peers: Peers) -> str:
    """Of what Ann alone may have, by Basic."""
    return f"{peers.httpbin}/basic-auth/ann/secret"


def sent(response: netcore.Response) -> List[str]:
    """The Authorization fields that the origin saw."""
    return [value for name, value in response.json()["headers"] if name.lower() == "authorization"]


def basic(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


@pytest.mark.parametrize("auth", [("ann", "secret"), RIGHT])
def test_basic(client: netcore.Client, url: str, auth: Any) -> None:
    for _ in range(2):
        assert client.get(url, auth=auth).json()["user"] == "ann"
    assert client.get(url).status_code == 401
    assert client.dispatch("GET", url, auth=auth).result().status_code == 200


@pytest.mark.parametrize("algorithm", ["MD5", "SHA-256"])
def test_digest(peers: Peers, algorithm: str) -> None:
    with netcore.Client(base_url=peers.httpbin) as client:
        path = f"/digest-auth/auth/ann/secret/{algorithm}"
        assert client.get(path, auth=netcore.DigestAuth("ann", "secret")).status_code == 200
        assert client.get(path, auth=netcore.DigestAuth("ann", "wrong")).status_code == 401


def test_bearer_and_negotiate(peers: Peers) -> None:
    with netcore.Client(base_url=peers.httpbin) as client:
        assert client.get("/bearer", auth=netcore.BearerAuth("t.0-k")).json()["token"] == "t.0-k"
        assert client.get("/bearer", auth=netcore.NegotiateAuth()).status_code == 401  # there is no ticket


def test_the_auth_of_a_client_is_for_requests_without(peers: Peers) -> None:
    other = peers.origin.replace("http://", "http://bob:word@") + "/echo"
    with netcore.Client(base_url=peers.origin, auth=("ann", "secret")) as client:
        assert sent(client.get("/echo")) == [basic("ann", "secret")]
        assert sent(client.get("/echo", auth=("\xfc", "\u20ac"))) == [basic("\xfc", "\u20ac")]
        assert sent(client.get("/echo", auth=None)) == []
        assert sent(client.get("/echo", headers={"Authorization": "own"})) == ["own"]
        assert sent(client.get(other)) == [basic("ann", "secret")]
        assert sent(client.get(other, auth=None)) == [basic("bob", "word")]
        assert sent(client.get(peers.origin + "/echo", bare=True)) == []
        assert sent(client.get(peers.origin + "/echo", bare=True, auth=RIGHT)) == [basic("ann", "secret")]


def test_credentials_stay_with_their_origin(peers: Peers, url: str) -> None:
    with netcore.Client(base_url=peers.httpbin, auth=RIGHT) as client:
        assert client.get(f"/redirect-to?url={quote(url)}").status_code == 200
        away = client.get(f"/redirect-to?url={quote(peers.origin + '/echo')}")
        assert away.redirects == 1 and sent(away) == []


def test_netrc(peers: Peers, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / ".netrc"
    file.write_text("machine 127.0.0.1 login ann password secret\n")
    file.chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    for netrc in (True, file, str(file)):
        with netcore.Client(netrc=netrc) as client:
            assert client.get(url).status_code == 200
            assert client.get(url, auth=("ann", "wrong")).status_code == 401
            assert client.get(url, bare=True).status_code == 401
    with netcore.Client() as client:
        assert client.get(url).status_code == 401
    with pytest.raises(netcore.StorageError):
        netcore.Client(netrc=tmp_path / "none")


def test_asyncio(peers: Peers, url: str) -> None:
    async def main() -> None:
        async with netcore.AsyncClient(auth=RIGHT) as client:
            assert (await client.get(url)).status_code == 200
            assert (await client.get(url, auth=None)).status_code == 401
            digest = netcore.DigestAuth("ann", "secret")
            assert (await client.get(f"{peers.httpbin}/digest-auth/auth/ann/secret", auth=digest)).status_code == 200

    asyncio.run(main())


def test_values_of_credentials() -> None:
    values = [RIGHT, netcore.DigestAuth("ann", "secret"), netcore.BearerAuth("secret"), netcore.NegotiateAuth()]
    assert len(set(values)) == 4 and netcore.BasicAuth("ann", "secret") == RIGHT
    assert [value.scheme for value in values] == ["basic", "digest", "bearer", "negotiate"]
    assert "secret" not in repr(values) and "ann" in repr(values)
    assert pickle.loads(pickle.dumps(values)) == values
    with pytest.raises(AttributeError):
        RIGHT.username = "bob"  # type: ignore[misc]


WRONG: List[Tuple[Any, Tuple[Any, ...], Type[BaseException]]] = [
    (netcore.BasicAuth, ("a:b", "x"), netcore.InvalidRequest),
    (netcore.BasicAuth, ("a\nb", "x"), netcore.InvalidRequest),
    (netcore.BasicAuth, ("a", "x\0"), netcore.InvalidRequest),
    (netcore.DigestAuth, ("a", "\ud800"), netcore.InvalidRequest),
    (netcore.BearerAuth, ("",), netcore.InvalidRequest),
    (netcore.BearerAuth, ("a b",), netcore.InvalidRequest),
    (netcore.BearerAuth, ("\u20ac",), netcore.InvalidRequest),
    (netcore.BasicAuth, ("a", None), TypeError),
    (netcore.BasicAuth, (b"a", "x"), TypeError),
    (netcore.BearerAuth, (5,), TypeError),
]


@pytest.mark.parametrize("kind, arguments, error", WRONG)
def test_credentials_that_cannot_be(kind: Any, arguments: Tuple[Any, ...], error: Type[BaseException]) -> None:
    with pytest.raises(error) as caught:
        kind(*arguments)
    assert "a:b" not in str(caught.value)


@pytest.mark.parametrize("auth", ["text", 5, ["a", "b"], ("a",), ("a", "b", "c"), ("a", 5), netcore.BasicAuth, print])
def test_what_is_no_auth(client: netcore.Client, auth: Any) -> None:
    with pytest.raises(TypeError):
        client.get("/echo", auth=auth)
    with pytest.raises(TypeError):
        netcore.Client(auth=auth)


@pytest.mark.parametrize("netrc", [5, b"\0", "a\0"])
def test_what_is_no_netrc(netrc: Any) -> None:
    with pytest.raises((TypeError, netcore.InvalidRequest)):
        netcore.Client(netrc=netrc)
