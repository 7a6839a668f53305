"""Retries: when a request goes out again, and what is told of it."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from typing import Any, Callable, Iterator, List, Optional, Union

import pytest

import netcore
from netcore import MockTransport, Request, Response, Retry, RetryBudget, RetryOutcome
from peers import Peers

QUICK = Retry(base_delay=0.001, throttled_delay=0.001)
URL = "http://app.invalid/"

Answer = Union[int, Response, netcore.Error]


class Server:
    """Answers with one status after the other, the last one for ever."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = answers
        self.requests: List[Request] = []

    def __call__(self, request: Request) -> Response:
        answer = self.answers[min(len(self.requests), len(self.answers) - 1)]
        self.requests.append(request)
        if isinstance(answer, netcore.Error):
            raise answer
        return Response(answer, content=str(len(self.requests))) if isinstance(answer, int) else answer

    def client(self, retries: Any = QUICK, **options: Any) -> netcore.Client:
        return netcore.Client(transport=MockTransport(self), retries=retries, **options)


LOST = netcore.ConnectionLost("gone", status=602)


def test_a_client_without_retries_tries_once() -> None:
    server = Server(503, 200)
    with netcore.Client(transport=server) as client:
        response = client.get(URL)
    assert (response.status_code, len(server.requests)) == (503, 1)
    assert [(one.status_code, one.reason, one.attempt) for one in response.tries] == [(503, "outcome", 1)]


def test_a_request_is_tried_again_until_there_is_an_answer() -> None:
    server = Server(503, LOST, 200)
    with server.client() as client:
        response = client.get(URL)
    assert (response.text, response.attempts) == ("3", 3)
    assert [one.status_code for one in response.tries] == [503, 0, 200]
    assert [one.error for one in response.tries] == [None, netcore.ConnectionLost, None]
    assert [one.reason for one in response.tries] == ["retried", "retried", "outcome"]
    assert [one.server for one in response.tries] == ["http://app.invalid:80"] * 3
    assert response.tries[0].delay == 0 and 0 <= response.tries[1].delay <= 0.001


def test_the_last_error_has_the_tries() -> None:
    with Server(LOST).client() as client, pytest.raises(netcore.ConnectionLost) as caught:
        client.get(URL)
    assert [one.reason for one in caught.value.tries] == ["retried", "retried", "attempts"]
    assert caught.value.attempts == 3


def test_async_clients_and_tasks_are_retried_too() -> None:
    server = Server(503, 200)

    async def main() -> Response:
        async with netcore.AsyncClient(transport=server, retries=QUICK) as client:
            return await client.get(URL)

    assert len(asyncio.run(main()).tries) == 2
    with Server(503, 200).client() as client:
        assert client.dispatch("GET", URL).result().tries[-1].status_code == 200


@pytest.mark.parametrize(
    "retries, attempts", [(None, 1), (False, 1), (0, 1), (1, 2), (4, 5), (QUICK, 3), (Retry(attempts=2), 2)]
)
def test_forms(retries: Any, attempts: int) -> None:
    for of_client in (True, False):
        server = Server(500)
        with server.client(retries if of_client else 9) as client:
            response = client.get(URL) if of_client else client.get(URL, retries=retries)
        assert (response.status_code, len(server.requests)) == (500, attempts)


def test_true_is_the_standard() -> None:
    with Server(500, 200).client(True) as client:
        assert client.get(URL).status_code == 200


@pytest.mark.parametrize(
    "figures, message",
    [
        ({"attempts": 0}, "attempts: 0 is not"),
        ({"attempts": 101}, "attempts: must be 1 to 100"),
        ({"base_delay": 21}, "base_delay: must be at most max_delay_ms"),
        ({"throttled_delay": 21}, "throttled_delay: must be at most"),
        ({"max_delay": 3601}, "max_delay: must be"),
        ({"max_retry_after": 90_000}, "max_retry_after: must be"),
        ({"statuses": [200]}, "statuses: each must be 400 to 599"),
        ({"statuses": []}, "statuses: at least one"),
        ({"methods": ["get"]}, "methods: each must be"),
        ({"errors": ["tls"]}, "errors:"),
        ({"budget": RetryBudget(tokens=2_000_000)}, r"budget\.tokens: must be"),
        ({"budget": RetryBudget(per_success=1.5)}, r"budget\.per_success: 1\.5 is not"),
        ({"budget": RetryBudget(per_second=1001)}, r"budget\.per_second: must be"),
    ],
)
def test_figures_that_are_refused(figures: Any, message: str) -> None:
    with pytest.raises(netcore.InvalidRequest, match=f"^{message}"):
        netcore.Client(retries=Retry(**figures))
    with netcore.Client() as client, pytest.raises(netcore.InvalidRequest, match=f"^{message}"):
        client.get(URL, retries=Retry(**figures))


@pytest.mark.parametrize("retries", ["3", 1.5, [], object()])
def test_types_that_are_refused(retries: Any) -> None:
    with pytest.raises(TypeError, match=r"^retries: "):
        netcore.Client(retries=retries)
    with pytest.raises(TypeError, match=r"^statuses: "):
        Retry(statuses="503")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^decide: "):
        Retry(decide=3)  # type: ignore[arg-type]


def test_an_attempt_may_not_take_longer_than_the_whole() -> None:
    with Server(200).client(Retry(attempt_timeout=2)) as client:
        with pytest.raises(netcore.InvalidRequest, match=r"^attempt_timeout"):
            client.get(URL, timeout=netcore.Timeout(total=1))
        assert client.get(URL, timeout=netcore.Timeout(total=2)).status_code == 200


def test_an_attempt_that_takes_too_long(peers: Peers) -> None:
    retry = Retry(attempts=2, base_delay=0.001, attempt_timeout=0.05)
    with netcore.Client(base_url=peers.origin, retries=retry) as client, pytest.raises(netcore.AttemptTimeout) as error:
        client.get("/delay/2000")
    assert [one.error for one in error.value.tries] == [netcore.AttemptTimeout] * 2


def test_what_is_not_idempotent_is_tried_once() -> None:
    def count(**options: Any) -> int:
        server = Server(503)
        with server.client() as client:
            tries = client.post(URL, content=b"x", **options).tries
        assert all(request.content == b"x" for request in server.requests)
        assert tries[-1].reason == ("attempts" if len(tries) == 3 else "not_idempotent")
        return len(tries)

    assert count() == 1
    assert count(idempotent=True) == 3
    assert count(headers={"Idempotency-Key": "7"}) == 3


def test_keys_are_made_once_for_each_request() -> None:
    server = Server(503)
    with server.client(Retry(attempts=2, throttled_delay=0.001, idempotency_keys=True)) as client:
        client.post(URL)
        client.post(URL)
        client.get(URL)
    keys = [request.headers.get("idempotency-key") for request in server.requests]
    assert keys[0] == keys[1] != keys[2] == keys[3] and keys[4:] == [None, None]
    assert all(key is not None and len(key) == 38 for key in keys[:4])


def test_a_key_goes_with_each_try_of_a_validation() -> None:
    head = {"ETag": '"a"', "Cache-Control": "max-age=0"}
    server = Server(Response(200, headers=head, content=b"x"), 503)
    retries = Retry(attempts=3, base_delay=0.001, throttled_delay=0.001, idempotency_keys=True)
    with netcore.Cache() as cache, server.client(retries, cache=cache) as client:
        client.post(URL, content=b"b", cache_ttl=60)
        client.post(URL, content=b"b", cache_ttl=60, cache_mode=netcore.CacheMode.NETWORK_ELSE_CACHE)
    keys = [request.headers.get("idempotency-key") for request in server.requests]
    assert [request.headers.get("if-none-match") for request in server.requests] == [None] + ['"a"'] * 3
    assert None not in keys and keys[0] != keys[1] == keys[2] == keys[3]


def test_a_generator_is_not_sent_twice_and_a_list_is() -> None:
    def chunks() -> Iterator[bytes]:
        yield b"a"

    with Server(503).client() as client:
        assert [one.reason for one in client.put(URL, content=chunks()).tries] == ["body"]
        assert len(client.put(URL, content=[b"a"]).tries) == 3


def test_retry_after_holds(peers: Peers) -> None:
    with netcore.Client(base_url=peers.origin, retries=Retry(attempts=2, throttled_delay=0.001)) as client:
        start = time.monotonic()
        response = client.get("/status/503?Retry-After=1")
        assert time.monotonic() - start >= 1 and 1 <= response.tries[1].delay <= 1.1
        assert response.tries[0].address == "127.0.0.1"
        response = client.get("/status/503?Retry-After=61")
        assert [(one.reason, one.retry_after) for one in response.tries] == [("retry_after", 61)]
        assert response.text == "status 503\n"


def test_an_empty_budget() -> None:
    budget = RetryBudget(tokens=1, per_success=0, per_second=0)
    with Server(500).client(Retry(base_delay=0.001, budget=budget)) as client:
        assert [one.reason for one in client.get(URL).tries] == ["retried", "budget"]
        assert [one.reason for one in client.get(URL).tries] == ["budget"]
        assert len(client.get(URL, retries=Retry(base_delay=0.001, budget=None)).tries) == 3


# A function that decides


def decided(decide: Callable[[RetryOutcome], Any], *answers: Answer) -> Any:
    server = Server(*answers)
    with server.client(Retry(base_delay=0.001, throttled_delay=0.001, decide=decide)) as client:
        try:
            return client.get(URL)
        except netcore.Error as error:
            return error


def test_a_function_may_try_again_and_stop() -> None:
    seen: List[RetryOutcome] = []

    def busy(outcome: RetryOutcome) -> Optional[bool]:
        seen.append(outcome)
        return True if outcome.response.text == "1" else None

    assert decided(busy, 200).text == "2"
    assert [one.attempt for one in seen] == [1, 2] and seen[0].error is None and seen[0].delay is None
    assert decided(lambda outcome: False, 503).tries[0].reason == "application"
    assert [one.reason for one in decided(lambda outcome: None, 503).tries] == ["retried", "retried", "attempts"]
    slow = decided(lambda outcome: 0.02, 404)
    assert [one.delay for one in slow.tries] == [0, 0.02, 0.02]
    lost = decided(lambda outcome: not isinstance(outcome.error, netcore.ConnectionLost), LOST)
    assert [one.reason for one in lost.tries] == ["application"]


def test_what_a_function_raises_is_shown_and_is_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: List[Any] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: shown.append(error))

    def wrong(outcome: RetryOutcome) -> bool:
        raise ValueError("wrong")

    assert decided(wrong, 503).status_code == 503
    assert [str(error) for error in shown] == ["wrong"]


def test_functions_are_let_go_of() -> None:
    from netcore._requests import retry

    before = len(retry._functions)
    server = Server(200)
    with server.client(Retry(decide=lambda outcome: None)) as client:
        for _ in range(5):
            client.post(URL, content=b"x", retries=Retry(decide=lambda outcome: None))
    del client
    deadline = time.monotonic() + 30
    while len(retry._functions) > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(retry._functions) == before


# Ends


def test_a_cancel_in_a_wait_ends_at_once() -> None:
    asked = threading.Event()

    def busy(request: Request) -> Response:
        asked.set()
        return Response(503, headers={"Retry-After": "30"})

    with netcore.Client(transport=busy, retries=True) as client:
        task = client.dispatch("GET", URL)
        assert asked.wait(30)
        start = time.monotonic()
        task.cancel()
        with pytest.raises(netcore.Canceled):
            task.result()
        assert time.monotonic() - start < 10


def test_closing_a_client_ends_what_waits() -> None:
    ends: List[Any] = []
    asked = threading.Semaphore(0)

    def busy(request: Request) -> Response:
        asked.release()
        return Response(503, headers={"Retry-After": "30"})

    client = netcore.Client(transport=busy, retries=True)
    for _ in range(10):
        client.dispatch("GET", URL, on_done=ends.append)
    for _ in range(10):
        assert asked.acquire(timeout=30)
    client.close()
    assert len(ends) == 10 and len(set(map(id, ends))) == 10


def test_answers_that_are_tried_again_are_not_stored() -> None:
    kept = {"Cache-Control": "max-age=60"}
    server = Server(Response(503, headers=kept), Response(200, headers=kept, content="good"))
    with server.client(cache=netcore.Cache()) as client:
        assert client.get(URL).text == "good"
        again = client.get(URL)
    assert again.from_cache and again.tries == () and len(server.requests) == 2
