"""Failover: a client leaves a service that fails for the next one."""

from __future__ import annotations

import threading
from typing import Any, Dict, List, Tuple

import pytest

import netcore
from netcore import Failover, HealthProbe, Response, Retry
from peers import until

QUICK = Failover(min_tries=4, failure_ratio=0.5)


class Servers:
    """Answers by the host of the URL, with 200 unless set otherwise."""

    def __init__(self, **statuses: int) -> None:
        self.statuses: Dict[str, int] = statuses
        self.urls: List[str] = []

    def __call__(self, request: netcore.Request) -> Response:
        self.urls.append(request.url)
        host = request.url.split("/")[2].split(".")[0]
        return Response(self.statuses.get(host, 200))

    def client(self, **options: Any) -> netcore.Client:
        client = netcore.Client(transport=self, **options)
        client.add_service("one", "http://one.invalid/v1")
        client.add_service("two", "http://two.invalid/v2")
        return client


def test_the_next_service_is_selected_when_one_fails_and_the_listener_called() -> None:
    servers = Servers(one=503)
    switches: List[Tuple[str, str]] = []
    called = threading.Event()

    def on_switch(service: str, environment: str) -> None:
        switches.append((service, environment))
        called.set()

    with servers.client(failover=QUICK) as client:
        client.on_selection_change(on_switch)
        for _ in range(4):
            assert client.service == "one"
            client.get("items")
        assert client.service == "two"
        assert client.get("items").status_code == 200
        assert called.wait(30)
    assert switches == [("two", "release")]
    assert servers.urls == ["http://one.invalid/v1/items"] * 4 + ["http://two.invalid/v2/items"]


def test_a_retry_goes_to_the_service_that_is_selected_by_then() -> None:
    servers = Servers(one=503)
    retry = Retry(attempts=5, throttled_delay=0.001)
    with servers.client(failover=QUICK, retries=retry) as client:
        response = client.get("items", params={"a": "1"})
    assert (response.status_code, response.url) == (200, "http://two.invalid/v2/items?a=1")
    assert [one.server for one in response.tries] == ["http://one.invalid:80"] * 4 + ["http://two.invalid:80"]


def test_filters_and_tokens_of_a_moved_request_are_those_of_its_new_server() -> None:
    servers = Servers(one=503)
    seen: List[Tuple[str, Any]] = []

    def transport(request: netcore.Request) -> Response:
        seen.append((request.url, request.headers.get("Authorization")))
        return servers(request)

    filtered: List[str] = []
    retry = Retry(throttled_delay=0.001)
    with netcore.Client(transport=transport, failover=Failover(min_tries=1), retries=retry) as client:
        client.add_service("one", "http://one.invalid")
        client.add_service("two", "http://two.invalid")
        client.set_token_source("http://one.invalid", lambda refused: "token-of-one")
        client.set_token_source("http://two.invalid", lambda refused: "token-of-two")
        client.add_filter(lambda request: filtered.append(request.url))
        assert client.get("x").status_code == 200
        servers.statuses["two"] = 401
        client.service = "two"
        assert client.get("x").status_code == 401
    assert seen[0][0] == "http://one.invalid/x" and seen[1][0] == "http://two.invalid/x"
    assert "token-of-one" not in str(seen[1:]) and "token-of-two" in str(seen[2:])
    assert filtered[:2] == ["http://one.invalid/x", "http://two.invalid/x"]


def test_a_cache_does_not_answer_a_moved_request_for_the_old_server() -> None:
    servers = Servers(one=200)

    def transport(request: netcore.Request) -> Response:
        response = servers(request)
        fields = {"Cache-Control": "max-age=0, stale-if-error=600"}
        return Response(response.status_code, headers=fields, content=request.url)

    retry = Retry(throttled_delay=0.001)
    with netcore.Cache() as cache:
        with netcore.Client(
            transport=transport, failover=Failover(min_tries=2, failure_ratio=0.5), retries=retry, cache=cache
        ) as client:
            client.add_service("one", "http://one.invalid")
            client.add_service("two", "http://two.invalid")
            assert client.get("x").text == "http://one.invalid/x"
            servers.statuses["one"] = 503
            assert client.get("x").text == "http://two.invalid/x"


def test_nothing_is_counted_without_a_network() -> None:
    servers = Servers(one=503)
    with servers.client(failover=QUICK) as client:
        assert client.reachability == "unknown"
        client.reachability = "unreachable"
        for _ in range(8):
            client.get("items")
        assert (client.service, client.reachability) == ("one", "unreachable")
        client.reachability = "reachable"
        for _ in range(4):
            client.get("items")
        assert client.service == "two"
        with pytest.raises(netcore.InvalidRequest, match="reachability"):
            client.reachability = "perhaps"


def test_what_a_listener_raises_is_raised_by_close() -> None:
    servers = Servers(one=503)
    called = threading.Event()

    def fail(service: str, environment: str) -> None:
        called.set()
        raise KeyError(service)

    client = servers.client(failover=QUICK)
    client.on_selection_change(fail)
    for _ in range(4):
        client.get("items")
    assert called.wait(30)
    with pytest.raises(KeyError, match="two"):
        client.close()


def test_a_service_that_is_well_again_is_come_back_to() -> None:
    servers = Servers(one=503)
    probe = HealthProbe("health", interval=0.1, successes=1)
    with servers.client(failover=Failover(min_tries=2, failure_ratio=0.5, probe=probe)) as client:
        client.add_service("three", "http://three.invalid/", weight=1)
        for _ in range(2):
            client.get("items")
        assert client.service == "three"
        servers.statuses["one"] = 204
        until(lambda: client.service == "one")
    assert servers.urls[-1] == "http://one.invalid/v1/health"
    with pytest.raises(netcore.InvalidRequest, match=r"probe\.interval"):
        netcore.Client(failover=Failover(probe=HealthProbe(interval=0.01)))
    with pytest.raises(TypeError, match="probe"):
        Failover(probe="health")  # type: ignore[arg-type]


def test_it_is_off_by_default() -> None:
    servers = Servers(one=503)
    with servers.client() as client:
        for _ in range(50):
            client.get("items")
        assert client.service == "one"


@pytest.mark.parametrize(
    ("figures", "name"),
    [
        ({"window": 0.05}, "window"),
        ({"buckets": 101}, "buckets"),
        ({"min_tries": 0}, "min_tries"),
        ({"failure_ratio": 2}, "failure_ratio"),
        ({"cool_down": 90_000}, "cool_down"),
    ],
)
def test_figures_out_of_range_are_refused_by_name(figures: Any, name: str) -> None:
    with pytest.raises(netcore.InvalidRequest, match=f"^{name}:"):
        netcore.Client(failover=Failover(**figures))
