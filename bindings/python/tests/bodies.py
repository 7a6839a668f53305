"""Bodies of tests, good and bad ones."""

from __future__ import annotations

import itertools
from typing import Any, Callable, Iterator

import pytest

import netcore

SIZE = 300_000
BYTES = bytes(itertools.islice(itertools.cycle(range(256)), SIZE))


def pattern(size: int) -> bytes:
    """What the scripted origin sends as a body of that size: byte i is (i * 31 + 7) mod 256."""
    return (bytes((i * 31 + 7) % 256 for i in range(256)) * (size // 256 + 1))[:size]


class Duck:
    """What can do no more than read, and does as it likes."""

    def __init__(self, *results: Any) -> None:
        self.results = iter(results)

    def read(self, size: int, /) -> Any:
        return next(self.results, b"")


class Chunks:
    """An iterable that can be watched, and read again."""

    def __init__(self, *chunks: Any, before_end: Callable[[], object] = lambda: None) -> None:
        self.chunks = chunks
        self.before_end = before_end

    def __iter__(self) -> Iterator[Any]:
        yield from self.chunks
        self.before_end()


def broken(*chunks: bytes) -> Iterator[bytes]:
    yield from chunks
    raise LookupError("no more")


def failure(call: Callable[[], Any]) -> netcore.BodyError:
    """How a call fails whose body cannot be read."""
    with pytest.raises(netcore.BodyError) as caught:
        call()
    return caught.value
