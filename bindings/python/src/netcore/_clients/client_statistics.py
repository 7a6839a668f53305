"""What a client has done since it was made, and what it is doing."""

from __future__ import annotations

from ctypes import byref, c_uint64
from dataclasses import dataclass
from typing import Any, List, Tuple

from .._c import ffi
from .._c.buffers import copy
from .._errors.raising import check


@dataclass(frozen=True)
class ClientStatistics:
    """The numbers of a client. Each is right by itself; they are not read at one moment."""

    tasks: int
    """Requests that have not ended."""

    queued: int
    """Those of them that wait for their first transfer."""

    succeeded: int
    """Requests that ended with a response, whatever its status code. One that a fresh answer in memory ended at once is
    neither here nor in the next two: `Cache.statistics` has it."""

    failed: int
    """Requests that ended with an error."""

    canceled: int
    """Requests that were canceled."""

    attempts: int
    """Attempts on the network."""

    retries: int
    """Those of them that a `Retry` began."""

    budget_refusals: int
    """Retries that did not take place, since the budget of the server had no token."""

    breaker_refusals: int
    """Requests that a `Breaker` refused."""

    failovers: int
    """Switches from one service to another by `Failover`."""

    hedges: int
    """Hedges that were sent (`Hedge`). They are no attempts."""

    hedge_wins: int
    """Those of them whose answer was taken."""

    bytes_sent: int
    """Of bodies, as transferred."""

    bytes_received: int
    """As well."""


@dataclass(frozen=True)
class BudgetInfo:
    """The budget of retries of a server."""

    origin: str
    """Scheme, host and port."""

    tokens: int
    """Retries that it has left, in whole ones."""

    capacity: int
    """Tokens at most."""


def read_statistics(client: c_uint64) -> ClientStatistics:
    """Those of a netcore_client."""
    found = ffi.ClientStatistics()
    check(ffi.client_get_statistics(client, byref(found)))
    return ClientStatistics(
        tasks=found.task_count,
        queued=found.queued_count,
        succeeded=found.succeeded_count,
        failed=found.failed_count,
        canceled=found.canceled_count,
        attempts=found.attempt_count,
        retries=found.retry_count,
        budget_refusals=found.budget_refusal_count,
        breaker_refusals=found.breaker_refusal_count,
        failovers=found.failover_count,
        hedges=found.hedge_count,
        hedge_wins=found.hedge_win_count,
        bytes_sent=found.bytes_sent,
        bytes_received=found.bytes_received,
    )


def read_budgets(client: c_uint64) -> Tuple[BudgetInfo, ...]:
    """Those of a netcore_client that are not full."""
    found: List[BudgetInfo] = []

    def take(given: Any, _: object) -> int:
        info = given.contents
        origin = copy(info.origin.data or 0, info.origin.size_bytes).decode("utf-8", "replace")
        found.append(BudgetInfo(origin, info.tokens, info.capacity))
        return 1

    check(ffi.client_list_budgets(client, ffi.BudgetFn(take), None))
    return tuple(found)
