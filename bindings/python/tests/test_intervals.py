"""The shortest time between equal requests."""

from __future__ import annotations

import time
from typing import Any

import pytest

import netcore
from netcore import MinInterval, Request, Response

URL = "http://app.invalid/"


def answer(request: Request) -> Response:
    return Response(200, content=request.url)


@pytest.mark.parametrize("value", [True, 30, 30.5, MinInterval(), MinInterval(30)])
def test_a_request_that_comes_too_soon_is_refused(value: Any) -> None:
    with netcore.Client(transport=answer) as client:
        assert client.get(URL, params={"a": 1}, min_interval=value).is_success
        with pytest.raises(netcore.TooSoon) as caught:
            client.get(URL, params={"a": 1}, min_interval=value)
        assert caught.value.retry_after is not None and 0 < caught.value.retry_after <= 30.6
        assert not caught.value.sent
        assert client.get(URL, params={"a": 2}, min_interval=value).is_success


def test_a_request_waits_until_it_is_due() -> None:
    with netcore.Client(transport=answer, min_interval=MinInterval(0.05, wait=True)) as client:
        start = time.monotonic()
        for _ in range(3):
            assert client.get(URL).is_success
        assert time.monotonic() - start >= 0.099


def test_a_request_may_be_without_the_interval_of_its_client() -> None:
    with netcore.Client(transport=answer, min_interval=MinInterval(30, key="all")) as client:
        assert client.get(URL).is_success
        with pytest.raises(netcore.TooSoon):
            client.get(URL + "b")
        assert client.get(URL, min_interval=None).is_success


@pytest.mark.parametrize("value", [0, -1, 86401, MinInterval(0)])
def test_an_interval_out_of_range_is_refused(value: Any) -> None:
    with netcore.Client() as client, pytest.raises(netcore.InvalidRequest):
        client.get(URL, min_interval=value)
