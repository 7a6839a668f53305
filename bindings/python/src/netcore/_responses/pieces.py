"""Pieces of a body, cut anew: to a size, into text, into lines. Without I/O."""

from __future__ import annotations

import codecs
from typing import Generic, Iterator, List, Optional, TypeVar

from .._errors.errors import reject

Piece = TypeVar("Piece", bytes, str)


def check_chunk_size(size: Optional[int]) -> None:
    """Refuses what is no size of a piece.

    :raises InvalidRequest: it is below 1.
    """
    if size is None:
        return
    if isinstance(size, bool) or not isinstance(size, int):
        raise TypeError(f"chunk_size: an integer or None expected, not {type(size).__name__}")
    if size < 1:
        reject(f"chunk_size: {size} is not at least 1")


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
            return []
        lines[0] = "".join(self._kept)
        self._kept = [lines.pop()]
        return lines

    def finish(self) -> List[str]:
        """The last line, if it has no end."""
        rest = "".join(self._kept)
        return [rest] if rest or self._ends_with_cr else []
