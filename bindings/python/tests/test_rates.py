"""Rates: how many requests may be sent."""

from __future__ import annotations

import time
from typing import Any, Dict

import pytest

import netcore
from netcore import Rate, Request, Response

URL = "http://app.invalid/"
ONCE = Rate(1, per=3600, max_wait=0)


def answer(request: Request) -> Response:
    return Response(200, headers={"RateLimit": "limit=1, remaining=0, reset=3600"})


@pytest.mark.parametrize(
    "scope, options",
    [
        ({}, {}),
        ({"host": "http://app.invalid"}, {}),
        ({"each": "host"}, {}),
        ({"tag": "t"}, {"tag": ["s", "t"]}),
        ({"key": "k"}, {"rate_key": "k"}),
        ({"each": "key"}, {"rate_key": "k"}),
    ],
)
@pytest.mark.parametrize("rate", [ONCE, Rate(server_hints=True, max_wait=0)])
def test_a_request_beyond_the_rate_is_refused(rate: Rate, scope: Dict[str, Any], options: Dict[str, Any]) -> None:
    with netcore.Client(transport=answer) as client:
        client.set_rate(rate, **scope)
        assert client.get(URL, **options).is_success
        with pytest.raises(netcore.RateLimited) as caught:
            client.get(URL, **options)
        assert caught.value.retry_after is not None and 3000 < caught.value.retry_after <= 3600
        assert not caught.value.sent
        client.set_rate(None, **scope)
        assert client.get(URL, **options).is_success


def test_a_request_waits_in_the_queue() -> None:
    with netcore.Client(transport=answer) as client:
        client.set_rate(Rate(20))
        start = time.monotonic()
        queued = [client.get(URL).timings.queue or 0 for _ in range(3)]
        assert time.monotonic() - start >= 0.099
        assert sum(queued) > 0


@pytest.mark.parametrize(
    "rate, scope",
    [
        (Rate(), {}),
        (Rate(burst=2, transfers=1), {}),
        (Rate(0), {}),
        (Rate(1, per=86401), {}),
        (Rate(1, max_wait=86401), {}),
        (Rate(1), {"host": "a b"}),
        (Rate(1), {"host": "http://a", "tag": "t"}),
        (Rate(1), {"each": "tag"}),
    ],
)
def test_a_rate_that_cannot_be_is_refused(rate: Rate, scope: Dict[str, Any]) -> None:
    with netcore.Client() as client, pytest.raises(netcore.InvalidRequest):
        client.set_rate(rate, **scope)
