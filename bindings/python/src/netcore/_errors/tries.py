"""What came of each try of a task."""

from __future__ import annotations

from ctypes import byref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, List, Optional, Tuple, Type

from .._c import ffi
from .._c.buffers import copy

if TYPE_CHECKING:
    from .errors import Error

REASONS = {value: name for name, value in ffi.RETRY_REASONS.items()}


@dataclass(frozen=True)
class Try:
    """One try of a request: one hop to the network, and what came of it. Times are in seconds."""

    server: str
    """Scheme, host and port."""

    address: Optional[str]
    """What the connection went to, the proxy's where there is one: ``"192.0.2.1"``; None where it is not known."""

    status_code: int
    """Of the answer; 0 without one."""

    error: Optional[Type[Error]]
    """The class of the exception, such as `ConnectError`; None with an answer."""

    delay: float
    """The wait before this try."""

    retry_after: Optional[float]
    """What the answer asks to wait; None if it does not, or without a `Retry`."""

    reason: str
    """Why another attempt followed, or did not: ``"retried"``; ``"outcome"`` for an answer or error that is not tried
    again; ``"attempts"``, ``"budget"``, ``"deadline"``, ``"retry_after"``, ``"not_idempotent"``, ``"body"`` for what
    forbade it; ``"application"`` for the function `Retry.decide`; ``"canceled"``; ``"breaker"`` if
    that of the server is open; ``"redirect"``, ``"challenge"`` and ``"alternative"`` if another hop followed a
    redirect, a 401, or an alternative service (Alt-Svc) that does not answer."""

    attempt: int = 1
    """The attempt that it belongs to, from 1 on: redirects are further tries of the same attempt."""

    resends: int = 0
    """How often it was sent again on another connection without being another try, as if a kept one was dead."""

    start: float = 0.0
    """When it began, by `time.monotonic`."""

    duration: float = 0.0
    """How long it took from then."""


def read_tries(response: int, error_class: Callable[[int], Type[Error]]) -> Tuple[Try, ...]:
    """Those of a netcore_response."""
    tries: List[Try] = []
    found = ffi.Try()
    while ffi.response_get_try(response, len(tries), byref(found)) == ffi.OK:
        tries.append(
            Try(
                server=_text(found.server),
                address=_text(found.address) or None,
                status_code=found.http_status,
                error=error_class(found.status) if found.status else None,
                delay=found.delay_ms / 1000,
                retry_after=None if found.retry_after_ms < 0 else found.retry_after_ms / 1000,
                reason=REASONS.get(found.reason, ""),
                attempt=found.attempt,
                resends=found.resent_count,
                start=found.start_us / 1e6,
                duration=found.duration_us / 1e6,
            )
        )
    return tuple(tries)


def _text(borrowed: ffi.Bytes) -> str:
    return copy(borrowed.data or 0, borrowed.size_bytes).decode("utf-8", "replace")
