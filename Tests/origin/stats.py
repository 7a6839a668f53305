"""Counters of what the origin has seen, shared by all connections."""

from __future__ import annotations

import threading
from collections import Counter

KEYS_LIMIT = 10_000
"""Beyond this many different keys a table counts the rest under "other"."""


class Stats:
    """Counts connections and requests. Requests to /stats itself are not counted, their connections are."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last_number = 0
        self._open = 0
        self._reset()

    def _reset(self) -> None:
        self._opened = 0
        self._requests = 0
        self._aborted = 0
        self._by_path: Counter[str] = Counter()
        self._by_target: Counter[str] = Counter()
        self._aborted_by_path: Counter[str] = Counter()

    def reset(self) -> None:
        """Zeroes everything but the connections now open and the numbering of connections."""
        with self._lock:
            self._reset()

    def connection_opened(self) -> int:
        """Counts a connection and gives it its number, which is never used again."""
        with self._lock:
            self._last_number += 1
            self._opened += 1
            self._open += 1
            return self._last_number

    def connection_closed(self) -> None:
        with self._lock:
            self._open -= 1

    def request(self, path: str, target: str) -> None:
        with self._lock:
            self._requests += 1
            _count(self._by_path, path)
            _count(self._by_target, target)

    def aborted(self, path: str) -> None:
        """Counts a request whose peer went before its answer was fully sent."""
        with self._lock:
            self._aborted += 1
            _count(self._aborted_by_path, path)

    def snapshot(self) -> dict[str, object]:
        with self._lock:
            return {
                "connections_opened": self._opened,
                "connections_open": self._open,
                "requests": self._requests,
                "aborted": self._aborted,
                "by_path": dict(self._by_path),
                "by_target": dict(self._by_target),
                "aborted_by_path": dict(self._aborted_by_path),
            }


def _count(table: Counter[str], key: str) -> None:
    table[key if key in table or len(table) < KEYS_LIMIT else "other"] += 1
