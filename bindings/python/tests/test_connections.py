"""TLS, HTTP/2, client certificates and proxies."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple, Type

import pytest

import netcore
import programs
from peers import Peers


def test_a_server_is_trusted_by_its_ca(peers: Peers) -> None:
    with netcore.Client(verify=peers.ca) as client:
        response = client.get(f"{peers.origin_tls}/echo")
    assert response.status_code == 200
    assert response.timings.tls is not None


def test_an_unknown_ca_is_not_trusted(peers: Peers) -> None:
    with pytest.raises(netcore.CertificateError) as caught:
        netcore.get(f"{peers.origin_tls}/echo")
    assert caught.value.status == 701 and not caught.value.is_retryable


def test_a_path_object_names_a_ca_too(peers: Peers) -> None:
    with netcore.Client(verify=Path(peers.ca)) as client:
        assert client.get(f"{peers.nginx_tls}/1k").http_version == "HTTP/1.1"


def test_a_folder_of_authorities(peers: Peers) -> None:
    with netcore.Client(verify=peers.ca_folder) as client:
        assert client.get(f"{peers.nginx_tls}/1k").status_code == 200


def test_without_verification_each_connection_is_warned_of(peers: Peers, capfd: pytest.CaptureFixture[str]) -> None:
    with netcore.Client(verify=False) as client:
        for _ in range(2):
            assert client.get(f"{peers.nginx_tls}/1k").status_code == 200
    warnings = [line for line in capfd.readouterr().err.splitlines() if line.startswith("netcore: warning: ")]
    assert len(warnings) == 1 and "certificate" in warnings[0]


def test_a_unix_domain_socket(peers: Peers) -> None:
    with netcore.Client(uds=Path(peers.nginx_unix)) as client:
        assert client.get("http://no.such.host.invalid/").text == "hello"


def test_where_connections_come_from(peers: Peers) -> None:
    with netcore.Client(local_address="127.0.0.3") as client:
        assert client.get(f"{peers.nginx}/peer").text == "127.0.0.3"


@pytest.mark.parametrize("family, error", [("ipv4", None), ("ipv6", netcore.ConnectError)])
def test_the_family_of_addresses(peers: Peers, family: Any, error: Optional[Type[netcore.Error]]) -> None:
    with netcore.Client(address_family=family) as client:
        if error is None:
            assert client.get(peers.nginx).text == "hello"
        else:
            with pytest.raises(error):
                client.get(peers.nginx)


@pytest.mark.parametrize("addresses", ["127.0.0.1", ["127.0.0.1"], ("127.0.0.1", "::1"), ["127.0.0.1", "[::1]"]])
def test_addresses_that_are_not_looked_up(peers: Peers, addresses: Any) -> None:
    port = peers.nginx.rpartition(":")[2]
    with netcore.Client(resolve={f"no.such.host.invalid:{port}": addresses}) as client:
        assert client.get(f"http://no.such.host.invalid:{port}/").text == "hello"
        with pytest.raises(netcore.ResolveError):
            client.get("http://no.such.host.invalid:1/")


OTHER_PIN = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="


@pytest.mark.parametrize("url", ["nginx_tls", "nginx_h2"])
def test_pinned_keys(peers: Peers, url: str) -> None:
    url = f"{getattr(peers, url)}/1k"
    for keys in (peers.server_pin, [peers.server_pin], [OTHER_PIN, peers.server_pin]):
        with netcore.Client(verify=peers.ca, pinned_keys={"localhost": keys}) as client:
            assert client.get(url).status_code == 200
    with netcore.Client(verify=peers.ca, pinned_keys={"localhost": OTHER_PIN}) as client:
        with pytest.raises(netcore.CertificateError):
            client.get(url)
    with netcore.Client(verify=peers.ca, pinned_keys={"example.com": OTHER_PIN, "*.localhost": OTHER_PIN}) as client:
        assert client.get(url).status_code == 200


def test_a_pin_does_not_stand_for_trust(peers: Peers) -> None:
    with netcore.Client(pinned_keys={"localhost": peers.server_pin}) as client, pytest.raises(netcore.CertificateError):
        client.get(f"{peers.nginx_tls}/1k")


@pytest.mark.parametrize("name, sent", [("app/1", ["app/1"]), ("", [])])
def test_the_name_of_the_user_agent(peers: Peers, name: str, sent: List[str]) -> None:
    with netcore.Client(user_agent=name) as client:
        fields = client.get(f"{peers.origin}/echo").json()["headers"]
    assert [value for key, value in fields if key == "User-Agent"] == sent


@pytest.mark.parametrize("codings, sent", [("br;q=0.5, gzip", ["br;q=0.5, gzip"]), ("", [])])
def test_the_accepted_codings(peers: Peers, codings: str, sent: List[str]) -> None:
    with netcore.Client(accept_encoding=codings) as client:
        fields = client.get(f"{peers.origin}/echo").json()["headers"]
    assert [value for key, value in fields if key == "Accept-Encoding"] == sent


def test_a_host_that_asks_for_https_gets_it(peers: Peers, tmp_path: Path) -> None:
    url = peers.nginx_tls.replace("https:", "http:") + "/sts"
    for file in ("", tmp_path / "hsts.txt"):
        with netcore.Client(verify=peers.ca, hsts_file=file) as client:
            client.get(f"{peers.nginx_tls}/sts?sts=max-age=60")
            assert client.get(url).text == "https"
    with netcore.Client(verify=peers.ca, hsts_file=tmp_path / "hsts.txt") as client:
        assert client.get(url).text == "https"


def test_an_alternative_service_is_used(peers: Peers, tmp_path: Path) -> None:
    port = peers.nginx_h2.rsplit(":", 1)[1]
    for file in ("", tmp_path / "alt-svc.txt"):
        with netcore.Client(verify=peers.ca, alt_svc_file=file) as client:
            client.get(f"{peers.nginx_tls}/alt-svc?by=h2&at=:{port}&ma=60")
            assert client.get(f"{peers.nginx_tls}/alt-svc/asked").text == f"{port} localhost:{port}"


@pytest.mark.parametrize("options", [{"verify": "/nowhere/ca.pem"}, {"cert": "/nowhere/cert.pem"}])
def test_files_that_cannot_be_read(options: Any) -> None:
    with pytest.raises(netcore.TLSError) as caught:
        netcore.Client(**options)
    assert caught.value.name == "NETCORE_ERR_TLS_CONFIG"


def test_http2_where_the_server_offers_it(peers: Peers) -> None:
    with netcore.Client(verify=peers.ca) as client:
        assert client.get(f"{peers.nginx_h2}/1k").http_version == "HTTP/2"
    with netcore.Client(verify=peers.ca, http2=False) as client:
        assert client.get(f"{peers.nginx_h2}/1k").http_version == "HTTP/1.1"


def test_a_hundred_at_once_share_an_http2_connection(peers: Peers) -> None:
    async def fetch() -> None:
        async with netcore.AsyncClient(verify=peers.ca) as client:
            await client.get(f"{peers.nginx_h2}/1k")
            answers = await asyncio.gather(*(client.get(f"{peers.nginx_h2}/100k") for _ in range(100)))
            assert {(one.status_code, one.http_version, len(one.content)) for one in answers} == {
                (200, "HTTP/2", 102_400)
            }
            assert all(one.connection_reused for one in answers)

    asyncio.run(fetch())


def test_a_client_certificate(peers: Peers) -> None:
    with netcore.Client(verify=peers.ca, cert=(peers.client_cert, peers.client_key)) as client:
        response = client.get(f"{peers.nginx_mtls}/1k")
    assert response.status_code == 200
    assert "CN=" in response.headers["x-client-subject"]
    with netcore.Client(verify=peers.ca) as client:
        assert client.get(f"{peers.nginx_mtls}/1k").status_code == 400


def test_the_password_of_a_key(peers: Peers) -> None:
    key = Path(peers.client_key_encrypted)
    with netcore.Client(verify=peers.ca, cert=(peers.client_cert, key, "secret")) as client:
        assert client.get(f"{peers.nginx_mtls}/1k").status_code == 200
    without = netcore.Client(verify=peers.ca, cert=(peers.client_cert, key))
    wrong = netcore.Client(verify=peers.ca, cert=(peers.client_cert, key, "wrong"))
    for client in (without, wrong):
        with client, pytest.raises(netcore.TLSError) as caught:
            client.get(f"{peers.nginx_mtls}/1k")
        assert caught.value.name == "NETCORE_ERR_TLS_CONFIG"


def test_tls_versions(peers: Peers) -> None:
    with netcore.Client(verify=peers.ca, tls_min_version="1.3") as client:
        assert client.get(f"{peers.nginx_tls}/1k").status_code == 200
    with pytest.raises(netcore.InvalidRequest, match="tls_min_version"):
        netcore.Client(tls_min_version="1.1")


@pytest.fixture
def proxy(peers: Peers) -> str:
    """A proxy's URL with user name and password."""
    return peers.proxy_auth


def test_a_proxy_with_a_password(peers: Peers, proxy: str) -> None:
    with netcore.Client(proxy=proxy, verify=peers.ca) as client:
        through = client.get(f"{peers.origin}/echo")
        assert any(name.lower() == "via" for name, _ in through.json()["headers"])
        assert client.get(f"{peers.origin_tls}/echo").status_code == 200


def test_a_proxy_reached_by_tls(peers: Peers) -> None:
    with netcore.Client(proxy=peers.proxy_tls, verify=peers.ca) as client:
        through = client.get(f"{peers.origin}/echo")
        assert any(name.lower() == "via" for name, _ in through.json()["headers"])
        assert client.get(f"{peers.origin_tls}/echo").status_code == 200
    with netcore.Client(proxy=peers.proxy_tls) as client, pytest.raises(netcore.CertificateError):
        client.get(f"{peers.origin}/echo")


def test_a_socks_proxy(peers: Peers) -> None:
    for proxy in (peers.socks, peers.socks_auth, peers.socks_auth.replace("socks5:", "socks5h:")):
        with netcore.Client(proxy=proxy, verify=peers.ca) as client:
            assert client.get(f"{peers.origin}/echo").status_code == 200
            assert client.get(f"{peers.origin_tls}/echo").status_code == 200
    wrong = peers.socks_auth.replace("user:secret", "user:guess")
    with netcore.Client(proxy=wrong) as client, pytest.raises(netcore.ProxyError) as caught:
        client.get(f"{peers.origin}/echo")
    assert "guess" not in str(caught.value)


def test_hosts_reached_without_the_proxy(peers: Peers, proxy: str) -> None:
    with netcore.Client(proxy=proxy, no_proxy="127.0.0.1,localhost") as client:
        assert not any(name.lower() == "via" for name, _ in client.get(f"{peers.origin}/echo").json()["headers"])


def test_a_proxy_that_refuses_connections(peers: Peers) -> None:
    with netcore.Client(proxy=peers.refused) as client, pytest.raises(netcore.ConnectError):
        client.get(f"{peers.origin}/echo")


PROXY_FROM_ENVIRONMENT = """
import netcore, sys
client = netcore.Client(trust_env=sys.argv[2] == "True")
print(any(name.lower() == "via" for name, _ in client.get(sys.argv[1] + "/echo").json()["headers"]))
"""


@pytest.mark.parametrize("trust_env", [True, False])
def test_the_environment_names_a_proxy_unless_it_is_not_trusted(peers: Peers, proxy: str, trust_env: bool) -> None:
    command = [sys.executable, "-c", PROXY_FROM_ENVIRONMENT, peers.origin, str(trust_env)]
    environment = {**programs.environment(), "http_proxy": proxy}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=30)
    assert (done.stdout.strip(), done.returncode) == (str(trust_env), 0), done.stderr


AUTHORITY_FROM_ENVIRONMENT = """
import sys, netcore
try:
    print(netcore.Client(trust_env=sys.argv[2] == "True").get(sys.argv[1]).status_code)
except netcore.CertificateError:
    print("not trusted")
"""


@pytest.mark.parametrize("trust_env", [True, False])
@pytest.mark.parametrize("variable", ["REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"])
def test_the_environment_names_authorities_unless_it_is_not_trusted(
    peers: Peers, variable: str, trust_env: bool
) -> None:
    command = [sys.executable, "-c", AUTHORITY_FROM_ENVIRONMENT, f"{peers.nginx_tls}/small.txt", str(trust_env)]
    known = {"REQUESTS_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"}
    environment = {name: value for name, value in programs.environment().items() if name not in known}
    environment[variable] = peers.ca
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.returncode) == ("200" if trust_env else "not trusted", 0), done.stderr


def test_proxies_by_scheme(peers: Peers) -> None:
    def names(client: netcore.Client) -> List[str]:
        return [name.lower() for name, _ in client.get(f"{peers.origin}/echo").json()["headers"]]

    for scheme in ("http", "http://", "all", "all://"):
        with netcore.Client(proxies={scheme: peers.proxy_auth}) as client:
            assert "via" in names(client)
    options: List[Dict[str, Any]] = [
        {"proxies": {"https": peers.proxy_auth}},
        {"proxies": {"http": None}, "proxy": peers.proxy_auth},
        {"proxies": {}},
    ]
    for given in options:
        with netcore.Client(**given) as client:
            assert "via" not in names(client)


WRONG_PROXIES: List[Tuple[Dict[str, Any], Type[BaseException], str]] = [
    ({"proxies": "http://h"}, TypeError, "^proxies: a mapping expected, not str"),
    (
        {"proxies": {"ftp": "http://h"}},
        netcore.InvalidRequest,
        "^proxies: 'http', 'https' or 'all' expected",
    ),
    ({"proxies": {"http": 5}}, TypeError, "^proxies: 'http'"),
    ({"proxies": {"all": "http://h"}, "proxy": "http://h"}, netcore.InvalidRequest, "^proxy, proxies"),
]


@pytest.mark.parametrize("options, error, message", WRONG_PROXIES)
def test_what_is_wrong_with_proxies(options: Dict[str, Any], error: Type[BaseException], message: str) -> None:
    with pytest.raises(error, match=message):
        netcore.Client(**options)
