"""Each way to fail is an exception of its own."""

from __future__ import annotations

import builtins
import pickle
import time
from typing import Any, Dict, List, Tuple, Type

import pytest

import netcore
from peers import OK_HEAD, Peers, script

Steps = Tuple[Dict[str, Any], ...]

HALF = {"send": OK_HEAD + "he"}
STALL = {"stall": True}

FAULTS: List[Tuple[str, Steps, Type[netcore.Error], str]] = [
    ("closed before an answer", ({"close": True},), netcore.ConnectionLost, "CONNECTION_LOST"),
    ("reset before an answer", ({"reset": True},), netcore.ConnectionLost, "CONNECTION_LOST"),
    ("cut within the body", (HALF, {"close": True}), netcore.TruncatedError, "TRUNCATED"),
    ("no HTTP at all", ({"send": "nonsense\r\n\r\n"}, {"close": True}), netcore.ProtocolError, "PROTOCOL"),
    (
        "two lengths",
        ({"send": "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"},),
        netcore.ProtocolError,
        "PROTOCOL",
    ),
    (
        "a damaged gzip body",
        ({"send": "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nabcde"},),
        netcore.ProtocolError,
        "CONTENT_CODING",
    ),
    (
        "headers without end",
        ({"send": "HTTP/1.1 200 OK\r\n"}, {"repeat": "X-A: " + "a" * 1000 + "\r\n", "times": 1000}),
        netcore.LimitError,
        "LIMIT_HEADER_BYTES",
    ),
]


@pytest.mark.parametrize("steps, error, name", [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS])
def test_faults_of_the_server(client: netcore.Client, steps: Steps, error: Type[netcore.Error], name: str) -> None:
    with pytest.raises(error) as caught:
        client.get(script(*steps))
    assert caught.value.name == f"NETCORE_ERR_{name}"
    assert caught.value.attempts >= 1
    assert caught.value.request is not None and caught.value.request.method == "GET"
    assert str(caught.value) == caught.value.message != ""


def test_a_connection_that_is_refused(peers: Peers) -> None:
    with pytest.raises(builtins.ConnectionError) as caught:
        netcore.get(f"{peers.refused}/secret-path?token=secret")
    error = caught.value
    assert isinstance(error, netcore.ConnectError)
    assert (error.status, error.phase, error.is_retryable) == (600, netcore.Phase.CONNECT, True)
    assert error.native_code != 0
    assert "127.0.0.1" in str(error) and "secret" not in str(error)


def test_a_name_without_address() -> None:
    with pytest.raises(netcore.ResolveError) as caught:
        netcore.get("http://nowhere.invalid/")
    assert isinstance(caught.value, builtins.ConnectionError)
    assert "nowhere.invalid" in str(caught.value)


TIMEOUTS: List[Tuple[Any, Steps, Type[netcore.Error]]] = [
    (netcore.Timeout(first_byte=0.15), (STALL,), netcore.FirstByteTimeout),
    ((10, 0.15), (STALL,), netcore.FirstByteTimeout),
    (netcore.Timeout(idle=0.15), (HALF, STALL), netcore.IdleTimeout),
    (netcore.Timeout(total=0.15), (HALF, STALL), netcore.TotalTimeout),
    (netcore.Timeout(total=0.15), ({"drip": "HTTP/1.1 200 OK\r\n" * 10, "interval_ms": 50},), netcore.TotalTimeout),
]


@pytest.mark.parametrize("timeout, steps, error", TIMEOUTS)
def test_timeouts(client: netcore.Client, timeout: Any, steps: Steps, error: Type[netcore.Error]) -> None:
    began = time.monotonic()
    with pytest.raises(error) as caught:
        client.get(script(*steps), timeout=timeout)
    assert isinstance(caught.value, builtins.TimeoutError) and isinstance(caught.value, netcore.TimeoutException)
    assert caught.value.is_retryable
    assert 0.1 < time.monotonic() - began < 5


def test_timeouts_and_limits_name_the_url_without_its_query(peers: Peers) -> None:
    with netcore.Client(limits=netcore.Limits(body_bytes=10), max_redirects=2) as client:
        for path, options, error in (
            ("/delay/2000", {"timeout": 0.15}, netcore.FirstByteTimeout),
            ("/delay/2000", {"timeout": netcore.Timeout(total=0.15)}, netcore.TotalTimeout),
            ("/bytes/100", {}, netcore.LimitError),
            ("/gzip/100", {}, netcore.LimitError),
            ("/redirect/302", {}, netcore.LimitError),
        ):
            query = "?to=/redirect/302" if path == "/redirect/302" else "?token=secret"
            with pytest.raises(error) as caught:
                client.get(f"{peers.origin}{path}{query}", **options)
            assert f"{peers.origin}{path}" in caught.value.message
            assert "?" not in caught.value.message and "secret" not in caught.value.message


def test_a_number_bounds_each_step_and_not_the_whole(client: netcore.Client) -> None:
    steady = ({"drip": "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "interval_ms": 20}, {"keep": True})
    assert client.get(script(*steady), timeout=0.4).text == "ok"
    with pytest.raises(netcore.ReadTimeout):
        client.get(script(STALL), timeout=0.15)


def test_timeouts_of_the_client_hold_unless_the_request_has_its_own(peers: Peers) -> None:
    with netcore.Client(base_url=peers.origin, timeout=0.15) as client:
        with pytest.raises(netcore.FirstByteTimeout):
            client.get("/delay/2000")
        assert client.get("/delay/300", timeout=None).status_code == 200
        assert client.get("/delay/300", timeout=5).status_code == 200


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf"), 3_000_000, 1e300])
def test_timeouts_that_are_none(client: netcore.Client, value: float) -> None:
    with pytest.raises(netcore.InvalidRequest, match="connect"):
        client.get("/echo", timeout=value)
    with pytest.raises(ValueError):
        netcore.Timeout(total=value)


def test_limits_of_the_client(peers: Peers) -> None:
    with netcore.Client(base_url=peers.origin, limits=netcore.Limits(body_bytes=1000)) as client:
        assert len(client.get("/bytes/1000").content) == 1000
        with pytest.raises(netcore.LimitError) as caught:
            client.get("/bytes/1001")
        assert caught.value.name == "NETCORE_ERR_LIMIT_BODY_BYTES"
    with netcore.Client(base_url=peers.origin, limits=netcore.Limits(decoded_bytes=1000)) as client:
        with pytest.raises(netcore.LimitError):
            client.get("/gzip/2000")
    with netcore.Client(base_url=peers.origin, limits=netcore.Limits(body_bytes=netcore.UNLIMITED)) as client:
        assert len(client.get("/bytes/1001").content) == 1001


def test_a_full_queue(peers: Peers, stalled: str) -> None:
    limits = netcore.Limits(transfers=1, queue_length=2)
    with netcore.Client(base_url=peers.origin, limits=limits) as client:
        with pytest.raises(netcore.LimitError) as caught:
            for _ in range(10):
                client.dispatch("GET", stalled)
        assert caught.value.name == "NETCORE_ERR_LIMIT_QUEUE_LENGTH"


def test_too_many_redirects(peers: Peers) -> None:
    with netcore.Client(base_url=peers.origin, max_redirects=2) as client:
        assert client.get("/redirect-chain/2").status_code == 200
        with pytest.raises(netcore.LimitError):
            client.get("/redirect-chain/3")


def test_a_redirect_from_https_to_http(peers: Peers) -> None:
    url = f"{peers.origin_tls}/redirect/302?to={peers.origin}/echo"
    with netcore.Client(verify=peers.ca) as client, pytest.raises(netcore.ProtocolError) as caught:
        client.get(url)
    assert caught.value.name == "NETCORE_ERR_REDIRECT_INSECURE"
    with netcore.Client(verify=peers.ca, allow_insecure_redirects=True) as client:
        assert client.get(url).json()["target"] == "/echo"


def test_every_status_has_its_class() -> None:
    from netcore._errors.raising import error_class

    expected = {
        100: netcore.InvalidRequest,
        101: netcore.InvalidRequest,
        103: netcore.InvalidURL,
        104: netcore.InvalidURL,
        202: netcore.StateError,
        300: netcore.Canceled,
        400: netcore.ConnectTimeout,
        401: netcore.FirstByteTimeout,
        402: netcore.IdleTimeout,
        403: netcore.TotalTimeout,
        405: netcore.AttemptTimeout,
        501: netcore.ResolveError,
        601: netcore.ProxyError,
        602: netcore.ConnectionLost,
        700: netcore.TLSError,
        701: netcore.CertificateError,
        801: netcore.TruncatedError,
        905: netcore.LimitError,
        1000: netcore.StorageError,
        1101: netcore.InternalError,
        1200: netcore.BodyError,
        1201: netcore.BodyRewindError,
        1202: netcore.BodyError,
        1300: netcore.Refused,
        1999: netcore.Error,
        2000: netcore.Refused,
        2999: netcore.Refused,
        3000: netcore.Error,
        4242: netcore.Error,
    }
    for status, error in expected.items():
        assert error_class(status) is error


def test_errors_can_be_pickled(peers: Peers) -> None:
    with pytest.raises(netcore.ConnectError) as caught:
        netcore.get(peers.refused)
    copied = pickle.loads(pickle.dumps(caught.value))
    assert type(copied) is netcore.ConnectError
    assert str(copied) == str(caught.value)
    assert (copied.status, copied.request) == (caught.value.status, caught.value.request)
