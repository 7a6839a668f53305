"""Pieces of a body, cut anew: to a size, into text, into lines. Without I/O."""

from __future__ import annotations

import codecs
import json
from typing import Any, Generic, Iterator, List, Optional, Protocol, TypeVar

from .._c import ffi
from .._errors.errors import LimitError
from .._errors.raising import reject

Piece = TypeVar("Piece", bytes, str)
Result = TypeVar("Result", covariant=True)

LARGEST_LINE = 16 << 20
"""Bytes or characters of a line."""


class Converter(Protocol[Result]):
    """Makes something else of the bytes of a body."""

    def feed(self, piece: bytes, /) -> Iterator[Result]:
        """What is whole with a further piece."""

    def finish(self) -> Iterator[Result]:
        """What is left at the end."""


def check_chunk_size(size: Optional[int]) -> None:
    """Refuses what is no size of a piece.

    :raises InvalidRequest: it is below 1.
    """
    if size is not None:
        check_size(size, "chunk_size", " or None")


def check_size(size: int, name: str, or_else: str = "") -> None:
    """The same for a size that has to be given."""
    if isinstance(size, bool) or not isinstance(size, int):
        raise TypeError(f"{name}: an integer{or_else} expected, not {type(size).__name__}")
    if size < 1:
        reject(f"{name}: {size} is not at least 1")


class Cutter(Generic[Piece]):
    """Cuts pieces of any size into pieces of one size; the last one may be shorter."""

    def __init__(self, size: Optional[int], empty: Piece) -> None:
        """
        :param size: None leaves pieces as they are.
        """
        self._size = size
        self._empty: Piece = empty
        self._kept: List[Piece] = []
        self._count = 0

    def feed(self, piece: Piece) -> Iterator[Piece]:
        """What is whole with a further piece."""
        size = self._size
        if size is None:
            if piece:
                yield piece
            return
        self._kept.append(piece)
        self._count += len(piece)
        if self._count < size:
            return
        whole = self._empty.join(self._kept)
        end = len(whole) - len(whole) % size
        self._kept = [whole[end:]]
        self._count = len(whole) - end
        for start in range(0, end, size):
            yield whole[start : start + size]

    def finish(self) -> Iterator[Piece]:
        """What is left at the end."""
        rest = self._empty.join(self._kept)
        if rest:
            yield rest


class TextDecoder:
    """Decodes text whose characters may be split between pieces. What does not decode becomes U+FFFD."""

    def __init__(self, encoding: str) -> None:
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")

    def feed(self, piece: bytes) -> str:
        """The text that is whole with a further piece."""
        return self._decoder.decode(piece)

    def finish(self) -> str:
        """What is left at the end."""
        return self._decoder.decode(b"", True)


class LineDecoder:
    """Splits text into lines, which end with LF, CR or CRLF, also one that is split between pieces. Other characters,
    such as U+2028, end no line."""

    def __init__(self) -> None:
        self._kept: List[str] = []
        self.kept_count = 0
        """Characters of the line that has not ended."""
        self._ends_with_cr = False

    def feed(self, text: str) -> List[str]:
        """The lines that are whole with a further piece, without their ends."""
        if not text:
            return []
        if self._ends_with_cr:
            text = "\r" + text
        self._ends_with_cr = text.endswith("\r")  # perhaps followed by an LF
        if self._ends_with_cr:
            text = text[:-1]
        lines = (text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text).split("\n")
        self._kept.append(lines[0])
        if len(lines) == 1:
            self.kept_count += len(lines[0])
            return []
        lines[0] = "".join(self._kept)
        self._kept = [lines.pop()]
        self.kept_count = len(self._kept[0])
        return lines

    def finish(self) -> List[str]:
        """The last line, if it has no end."""
        rest = "".join(self._kept)
        return [rest] if rest or self._ends_with_cr else []


class TextCutter:
    """Makes text of bytes, in pieces of `chunk_size` characters, or as they come."""

    def __init__(self, encoding: str, chunk_size: Optional[int]) -> None:
        self._decoder = TextDecoder(encoding)
        self._cutter = Cutter(chunk_size, "")

    def feed(self, piece: bytes) -> Iterator[str]:
        return self._cutter.feed(self._decoder.feed(piece))

    def finish(self) -> Iterator[str]:
        yield from self._cutter.feed(self._decoder.finish())
        yield from self._cutter.finish()


class TextLines:
    """Makes lines of text of bytes."""

    def __init__(self, encoding: str, largest_line: int) -> None:
        self._decoder = TextDecoder(encoding)
        self._lines = LineDecoder()
        self._largest = largest_line

    def feed(self, piece: bytes) -> Iterator[str]:
        return self._checked(self._lines.feed(self._decoder.feed(piece)))

    def finish(self) -> Iterator[str]:
        yield from self._checked(self._lines.feed(self._decoder.finish()))
        yield from self._lines.finish()

    def _checked(self, lines: List[str]) -> Iterator[str]:
        for line in lines:
            if len(line) > self._largest:
                raise _too_large(self._largest, "characters")
            yield line
        if self._lines.kept_count > self._largest:
            raise _too_large(self._largest, "characters")


class JSONLines:
    """Makes values of bytes that have one JSON value a line. Lines end with LF, since CR is white space of JSON; empty
    ones are left out."""

    def __init__(self, largest_line: int) -> None:
        self._kept: List[bytes] = []
        self._count = 0
        self._largest = largest_line

    def feed(self, piece: bytes) -> Iterator[Any]:
        first, end, rest = piece.partition(b"\n")
        self._kept.append(first)
        self._check(len(first))
        if not end:
            return
        lines = [b"".join(self._kept), *rest.split(b"\n")]
        self._kept, self._count = [], 0
        last = lines.pop()
        for line in lines:
            if len(line) > self._largest:
                raise _too_large(self._largest, "bytes")
            if line.strip(b" \t\r"):
                yield _value(line)
        self._kept.append(last)
        self._check(len(last))

    def finish(self) -> Iterator[Any]:
        line = b"".join(self._kept)
        if line.strip(b" \t\r"):
            yield _value(line)

    def _check(self, size: int) -> None:
        self._count += size
        if self._count > self._largest:
            raise _too_large(self._largest, "bytes")


_DECODER = json.JSONDecoder()


def _value(line: bytes) -> Any:
    """The JSON value of a line. Most are UTF-8 with nothing around the value, which is read with fewer calls."""
    try:
        text = line.decode()
        value, end = _DECODER.raw_decode(text)
        if end == len(text):
            return value
    except ValueError:
        pass
    return json.loads(line)


def _too_large(largest: int, unit: str) -> LimitError:
    return LimitError(f"a line is larger than {largest} {unit}", status=ffi.ERR_LIMIT_BODY_BYTES)
