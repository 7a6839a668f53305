"""Clocks that a test advances: what waits for the time waits for them."""

from __future__ import annotations

import asyncio
import threading
from datetime import datetime, timedelta, timezone
from typing import Any, List

import pytest

import netcore
from netcore import Retry
from netcore.testing import Answer, Clock, Fault, Stubs
from peers import Peers

URL = "http://app.invalid/"
HOUR = 3600.0


def test_stored_answers_age_with_the_clock() -> None:
    stubs, clock = Stubs(), Clock()
    page = stubs.get("/").answer(headers={"Cache-Control": "max-age=3600"})
    with netcore.Cache(clock=clock) as cache, netcore.Client(transport=stubs, cache=cache, clock=clock) as client:
        for _ in range(2):
            client.get(URL)
        clock.advance(HOUR - 1)
        assert client.get(URL).headers["Age"] == "3599"
        assert page.call_count == 1
        clock.advance(timedelta(seconds=1))
        client.get(URL)
    assert page.call_count == 2 and clock.elapsed == HOUR


def test_a_retry_waits_until_the_clock_is_advanced() -> None:
    stubs, clock = Stubs(), Clock()
    stubs.get("/").answer(503, headers={"Retry-After": "60"}).answer(200)
    with netcore.Client(transport=stubs, clock=clock, retries=Retry(max_retry_after=HOUR)) as client:
        task = client.dispatch("GET", URL)
        for span in (59, HOUR):
            clock.wait_idle()
            assert not task.done() and len(stubs.calls) == 1
            clock.advance(span)
        response = task.result(timeout=50)
    assert response.status_code == 200 and len(stubs.calls) == 2
    assert 60 <= response.tries[1].delay < HOUR


def test_an_automatic_clock_lets_no_call_wait() -> None:
    stubs, clock = Stubs(), Clock(automatic=True)
    page = stubs.get("/")
    for _ in range(5):
        page.answer(503, headers={"Retry-After": "1000"})
    page.answer(Answer(200, delay=HOUR))
    retry = Retry(attempts=6, max_retry_after=HOUR)
    with netcore.Client(transport=stubs, clock=clock, retries=retry, timeout=None) as client:
        assert client.get(URL).status_code == 200
    assert clock.elapsed >= 5000 + HOUR


def test_timeouts_of_stubs_are_by_the_clock() -> None:
    stubs, clock = Stubs(), Clock(automatic=True)
    stubs.get("/").answer(fault=Fault.silence())
    with netcore.Client(transport=stubs, clock=clock) as client:
        with pytest.raises(netcore.FirstByteTimeout):
            client.get(URL, timeout=netcore.Timeout(first_byte=HOUR))
    assert clock.elapsed == HOUR


def test_rates_intervals_and_breakers_are_by_the_clock() -> None:
    clock = Clock()
    answers = [200, 200, 200, 503, 200]
    breaker = netcore.Breaker(min_tries=1, open_time=HOUR, max_open_time=HOUR, jitter=0)
    with netcore.Client(
        transport=lambda request: netcore.Response(answers.pop(0)), clock=clock, breaker=breaker
    ) as client:
        client.set_rate(netcore.Rate(1, per=HOUR, max_wait=0))
        client.get(URL)
        with pytest.raises(netcore.RateLimited):
            client.get(URL)
        clock.advance(HOUR)
        client.set_rate(None)
        client.get(URL, min_interval=HOUR)
        with pytest.raises(netcore.TooSoon):
            client.get(URL, min_interval=HOUR)
        clock.advance(HOUR)
        client.get(URL, min_interval=HOUR)
        assert client.get(URL + "a").status_code == 503
        with pytest.raises(netcore.BreakerOpen):
            client.get(URL)
        assert client.breakers[0].wait == HOUR
        clock.advance(HOUR)
        assert client.get(URL + "b").status_code == 200
    assert answers == []


def test_cookies_end_by_the_clock() -> None:
    stubs, clock = Stubs(), Clock(datetime(2030, 1, 1, tzinfo=timezone.utc))
    stubs.get("/").answer(headers={"Set-Cookie": "a=b; Expires=Tue, 01 Jan 2030 00:01:00 GMT"})
    with netcore.Client(transport=stubs, clock=clock) as client:
        client.get(URL)
        assert [cookie.name for cookie in client.cookies] == ["a"]
        clock.advance(61)
        assert list(client.cookies) == []


def test_several_clients_wait_for_the_slowest() -> None:
    clock = Clock(automatic=True)
    done: List[int] = []

    def work() -> None:
        stubs = Stubs()
        stubs.get("/").answer(503, headers={"Retry-After": "10"}).answer(Answer(200, delay=10))
        with netcore.Client(transport=stubs, clock=clock, retries=Retry(attempts=3)) as client:
            for number in range(20):
                stubs.get(f"/{number}").answer(Answer(200, delay=number))
                done.append(client.get(f"{URL}{number}").status_code)
            done.append(client.get(URL).status_code)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(50)
    assert done == [200] * 84
    assert clock.elapsed >= sum(range(20)) + 20


def test_what_is_under_way_is_not_overtaken() -> None:
    clock = Clock(automatic=True)
    may_answer, began = threading.Event(), threading.Event()

    def slow(request: netcore.Request) -> netcore.Response:
        began.set()
        may_answer.wait(50)
        return netcore.Response(200)

    with netcore.Client(transport=slow, clock=clock) as client:
        task = client.dispatch("GET", URL)
        began.wait(50)
        with pytest.raises(TimeoutError):
            clock.wait_idle(timeout=0.01)
        assert clock.elapsed == 0
        may_answer.set()
        assert task.result(timeout=50).status_code == 200
    assert clock.elapsed == 0


def test_coroutines_wait_for_the_clock() -> None:
    async def run() -> None:
        stubs, clock = Stubs(), Clock()
        stubs.get("/").answer(Answer(200, delay=HOUR))
        async with netcore.AsyncClient(transport=stubs, clock=clock, timeout=None) as client:
            task = asyncio.ensure_future(client.get(URL))
            await asyncio.sleep(0)
            await clock.idle()
            assert not task.done()
            clock.advance(HOUR)
            assert (await asyncio.wait_for(task, 50)).status_code == 200
        automatic = Clock(automatic=True)
        async with netcore.AsyncClient(transport=stubs, clock=automatic, timeout=None) as client:
            assert (await asyncio.wait_for(client.get(URL), 50)).status_code == 200
            assert automatic.elapsed == HOUR

    asyncio.run(run())


def test_the_network_takes_its_own_time(peers: Peers) -> None:
    clock = Clock(automatic=True)
    with netcore.Client(clock=clock, timeout=5) as client:
        clock.advance(10 * HOUR)
        assert client.get(f"{peers.origin}/status/200").status_code == 200
        with pytest.raises(netcore.TimeoutException):
            client.get(f"{peers.origin}/delay/20000", timeout=0.05)
    assert clock.elapsed == 10 * HOUR


def test_events_have_the_time_of_the_clock() -> None:
    stubs, clock = Stubs(), Clock(automatic=True)
    stubs.get("/").answer(Answer(200, delay=HOUR))
    with netcore.Client(transport=stubs, clock=clock, timeout=None) as client, client.events() as events:
        response = client.get(URL)
        seen = events.read()
    assert seen[-1].time - seen[0].time == HOUR * 1e9 and seen[-1].value == HOUR * 1e9
    assert response.elapsed == timedelta(seconds=HOUR)


def test_a_cache_with_another_clock_is_refused() -> None:
    clock = Clock()
    for cache_clock, client_clock in [(None, clock), (clock, None), (clock, Clock())]:
        with netcore.Cache(clock=cache_clock) as cache, pytest.raises(netcore.InvalidRequest, match=r"^clock:"):
            netcore.Client(cache=cache, clock=client_clock)


def test_what_is_no_time_is_refused() -> None:
    clock, wrong = Clock(), "1"
    for span in (-1, 1e10, 4e9):
        with pytest.raises(netcore.InvalidRequest):
            clock.advance(span)
    odd: Any = wrong
    with pytest.raises(TypeError, match="seconds"):
        clock.advance(odd)
    with pytest.raises(TypeError, match="start"):
        Clock(datetime(2030, 1, 1))
    with pytest.raises(TypeError, match="clock"):
        netcore.Client(clock=odd)
    assert clock.elapsed == 0
