"""Breakers: servers that fail are spared for a while."""

from __future__ import annotations

import asyncio
from typing import Any, Union

import pytest

import netcore
from netcore import Breaker, BreakerInfo, Response, Retry

URL = "http://app.invalid/"
ORIGIN = "http://app.invalid:80"
LOST = netcore.ConnectError("gone", status=600)


class Server:
    """Answers with what it is set to."""

    def __init__(self, answer: Union[int, netcore.Error]) -> None:
        self.answer = answer
        self.calls = 0

    def __call__(self, request: netcore.Request) -> Response:
        self.calls += 1
        if isinstance(self.answer, netcore.Error):
            raise self.answer
        return Response(self.answer)


def fail(client: netcore.Client, times: int = 5) -> None:
    for _ in range(times):
        with pytest.raises(netcore.ConnectError):
            client.get(URL)


def test_a_server_without_connections_is_spared() -> None:
    server = Server(LOST)
    with netcore.Client(transport=server, breaker=True) as client:
        fail(client)
        with pytest.raises(netcore.BreakerOpen, match=ORIGIN) as caught:
            client.get(URL)
        assert caught.value.retry_after is not None and 0 < caught.value.retry_after <= 6
        assert isinstance(caught.value, ConnectionError) and caught.value.attempts == 0
        (info,) = client.breakers
    assert server.calls == 5
    assert (info.origin, info.state, info.tries, info.failures) == (ORIGIN, "open", 5, 5)
    assert (info.openings, info.refusals) == (1, 1) and 0 < info.wait <= 6


def test_the_share_of_failures_counts() -> None:
    server = Server(503)
    with netcore.Client(transport=server, breaker=Breaker(min_tries=4, failure_ratio=0.75)) as client:
        assert [client.get(URL).status_code for _ in range(4)] == [503] * 4
        with pytest.raises(netcore.BreakerOpen):
            client.get(URL)


def test_a_probe_that_succeeds_closes_it() -> None:
    server = Server(LOST)
    with netcore.Client(transport=server, breaker=Breaker(open_time=0.001, max_open_time=0.001)) as client:
        fail(client)
        server.answer = 200
        while True:
            try:
                assert client.get(URL).status_code == 200
                break
            except netcore.BreakerOpen:
                continue
        assert [info.state for info in client.breakers] == ["closed"]


def test_a_retry_that_would_be_refused_does_not_take_place() -> None:
    server = Server(LOST)
    retry = Retry(attempts=10, base_delay=0.001)
    with netcore.Client(transport=server, breaker=Breaker(connect_failures=3), retries=retry) as client:
        with pytest.raises(netcore.ConnectError) as caught:
            client.get(URL)
    assert server.calls == 3
    assert [one.reason for one in caught.value.tries] == ["retried", "retried", "breaker"]


def test_it_is_off_by_default() -> None:
    for breaker in (None, False):
        with netcore.Client(transport=Server(LOST), breaker=breaker) as client:
            fail(client, 30)
            assert client.breakers == ()


def test_an_asynchronous_client_has_them() -> None:
    async def run() -> BreakerInfo:
        async with netcore.AsyncClient(transport=Server(503), breaker=Breaker(min_tries=1)) as client:
            assert (await client.get(URL)).status_code == 503
            with pytest.raises(netcore.BreakerOpen):
                await client.get(URL)
            return client.breakers[0]

    assert asyncio.run(run()).state == "open"


@pytest.mark.parametrize(
    ("figures", "name"),
    [
        ({"window": 0.05}, "window"),
        ({"buckets": 101}, "buckets"),
        ({"min_tries": 1_000_001}, "min_tries"),
        ({"failure_ratio": 1.5}, "failure_ratio"),
        ({"failure_ratio": 0}, "failure_ratio"),
        ({"connect_failures": 0}, "connect_failures"),
        ({"open_time": 4000}, "open_time"),
        ({"max_open_time": 1}, "max_open_time"),
        ({"jitter": 0.6}, "jitter"),
    ],
)
def test_figures_out_of_range_are_refused_by_name(figures: Any, name: str) -> None:
    with pytest.raises(netcore.InvalidRequest, match=f"^{name}:"):
        netcore.Client(breaker=Breaker(**figures))


def test_a_window_shorter_than_two_attempts_is_refused() -> None:
    with pytest.raises(netcore.InvalidRequest, match=r"^window:.*attempt timeout"):
        netcore.Client(breaker=Breaker(window=9), retries=Retry(attempt_timeout=5))
    with netcore.Client(breaker=Breaker(window=10), retries=Retry(attempt_timeout=5)):
        pass


def test_what_is_no_breaker_is_refused() -> None:
    wrong: Any = 5
    with pytest.raises(TypeError, match="breaker"):
        netcore.Client(breaker=wrong)
    with pytest.raises(TypeError, match="min_tries"):
        Breaker(min_tries=wrong / 2)
