"""What a client counts."""

from __future__ import annotations

import netcore
from netcore import BudgetInfo, ClientStatistics, Response, Retry, RetryBudget

NOTHING = ClientStatistics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)


def test_a_new_client_has_counted_nothing() -> None:
    with netcore.Client() as client:
        assert client.statistics == NOTHING
        assert client.retry_budgets == ()


def test_ends_attempts_and_bytes() -> None:
    def serve(request: netcore.Request) -> Response:
        if request.url.endswith("/lost"):
            raise netcore.ConnectError("gone", status=600)
        return Response(200, content=b"1234567")

    with netcore.Client(transport=serve) as client:
        client.post("http://app.invalid/", content=b"12345")
        client.get("http://app.invalid/")
        try:
            client.get("http://app.invalid/lost")
        except netcore.ConnectError:
            pass
        found = client.statistics
    assert (found.tasks, found.queued, found.succeeded, found.failed, found.canceled) == (0, 0, 2, 1, 0)
    assert (found.attempts, found.retries, found.bytes_sent, found.bytes_received) == (3, 0, 5, 14)


def test_retries_and_what_refused_them() -> None:
    retry = Retry(throttled_delay=0.001, budget=RetryBudget(tokens=3, per_second=0))
    with netcore.Client(transport=lambda request: Response(503), retries=retry) as client:
        for _ in range(2):
            client.get("http://app.invalid/")
        found = client.statistics
        assert (found.attempts, found.retries, found.budget_refusals) == (5, 3, 1)
        assert client.retry_budgets == (BudgetInfo("http://app.invalid:80", 0, 3),)
