"""What came of each try of a task."""

from __future__ import annotations

from ctypes import c_uint32
from dataclasses import dataclass
from struct import Struct
from typing import TYPE_CHECKING, Callable, List, Optional, Tuple, Type

from .._c import ffi
from .._c.buffers import TRY, TRY_TEXTS, Out, memory

if TYPE_CHECKING:
    from .errors import Error

_texts_of = TRY_TEXTS.unpack
_size_of = Struct("=I").unpack_from
"""A netcore_try begins with its size."""
_FIRST = c_uint32(0)

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
    redirect, a 401, or an alternative service (Alt-Svc) that does not answer; ``"hedged"`` if the attempt ended with
    another try that was under way beside this one: its hedge, or the one that it is the hedge of."""

    attempt: int = 1
    """The attempt that it belongs to, from 1 on: redirects are further tries of the same attempt."""

    resends: int = 0
    """How often it was sent again on another connection without being another try, as if a kept one was dead."""

    start: float = 0.0
    """When it began, by `time.monotonic`."""

    duration: float = 0.0
    """How long it took from then."""

    is_hedge: bool = False
    """It was sent beside another try of its attempt (`Hedge`)."""


class CopiedTries:
    """What a netcore_response says of its tries: copied for each response, and made into `Try` only when asked for."""

    __slots__ = ("_copied",)

    _copied: List[Tuple[bytes, bytes, bytes]]

    def __init__(self, out: Out, count: int) -> None:
        """:param out: the netcore_response, in its handle."""
        copied: List[Tuple[bytes, bytes, bytes]] = []
        self._copied = copied
        for index in range(count):
            ffi.fast_get_try(out.handle, _FIRST if index == 0 else c_uint32(index), out.try_address)
            server, server_size, address, address_size = _texts_of(out.try_bytes)
            copied.append(
                (bytes(out.try_bytes), memory[server : server + server_size], memory[address : address + address_size])
            )

    @classmethod
    def moved(cls, piece: bytes, start: int, at: int, count: int) -> CopiedTries:
        """Those of a response that was moved in one piece.

        :param start: where the piece was when its pointers were made.
        :param at: where in it the first try is.
        """
        self = cls.__new__(cls)
        self._copied = []
        for _ in range(count):
            copied = piece[at : at + TRY.size]
            server, server_size, address, address_size = _texts_of(copied)
            server, address = server - start, address - start
            self._copied.append((copied, piece[server : server + server_size], piece[address : address + address_size]))
            at += _size_of(copied)[0]
        return self

    def make(self, error_class: Callable[[int], Type[Error]]) -> Tuple[Try, ...]:
        """
        :param error_class: the class of the exception for a status.
        """
        return tuple(self._try(error_class, *copied) for copied in self._copied)

    @staticmethod
    def _try(error_class: Callable[[int], Type[Error]], copied: bytes, server: bytes, address: bytes) -> Try:
        numbers = TRY.unpack(copied)
        reason, status, http_status, delay_ms, retry_after_ms = numbers[:5]
        attempt, resent_count, start_us, duration_us, is_hedge = numbers[9:]
        return Try(
            server=server.decode("utf-8", "replace"),
            address=address.decode("utf-8", "replace") or None,
            status_code=http_status,
            error=error_class(status) if status else None,
            delay=delay_ms / 1000,
            retry_after=None if retry_after_ms < 0 else retry_after_ms / 1000,
            reason=REASONS.get(reason, ""),
            attempt=attempt,
            resends=resent_count,
            start=start_us / 1e6,
            duration=duration_us / 1e6,
            is_hedge=bool(is_hedge),
        )
