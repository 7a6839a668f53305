"""Responses whose body comes piece by piece, for callers that wait."""

from __future__ import annotations

from itertools import chain
from typing import Any, Iterator, Optional, TypeVar

from .._c import ffi
from .._c.buffers import new_bytes
from .._errors.errors import LimitError
from .events import LARGEST_EVENT, EventBlock, ServerSentEvent
from .pieces import LARGEST_LINE, Converter
from .stream_base import CAPACITY, LARGEST_PIECE, StreamedBase

Result = TypeVar("Result")


class StreamedResponse(StreamedBase):
    """A response of `Client.stream`: status, headers and `url` are there, and the body is read piece by piece, in
    bounded memory, as fast as you take it. For one thread at a time.

    The body is decoded as Content-Encoding says, and can be read once: by one of the iterators, or by `read`, after
    which `content`, `text` and `json` have it. `trailers`, `timings` and counts of bytes are complete after its end.

    Iterators and `read` raise a `TruncatedError`, `TimeoutException` or other `Error` at the place where the body broke
    off, and a `StateError` when it was read before, or closed.
    """

    __slots__ = ()

    def _arriving(self) -> Iterator[bytes]:
        """The body as it comes."""
        self._consume()
        wait, address = self._wait, self._size_address
        piece = new_bytes(LARGEST_PIECE)
        while True:
            status = ffi.fast_read(self._handle, piece, CAPACITY, wait(), address)
            if status == ffi.ERR_IN_PROGRESS:
                continue
            size = self._taken(status)
            if size == 0:
                return
            if size == LARGEST_PIECE:
                yield piece
                piece = new_bytes(LARGEST_PIECE)
            else:
                yield piece[:size]

    def _pieces(self) -> Iterator[bytes]:
        return iter((self.content,)) if self._is_whole else self._arriving()

    def _cut(self, converter: Converter[Result]) -> Iterator[Result]:
        try:
            for piece in self._pieces():
                yield from converter.feed(piece)
            yield from converter.finish()
        except LimitError:  # the converter's, or what ended the transfer
            self._release()
            raise

    def iter_views(self) -> Iterator[memoryview]:
        """The body as views of bytes, to be cut without a copy."""
        return map(memoryview, self._arriving())

    def iter_bytes(self, chunk_size: Optional[int] = None) -> Iterator[bytes]:
        """The body, in pieces of `chunk_size` bytes; None, the default, takes them as they come, of any size.

        After `read` it gives what was read.
        """
        converter = self._byte_cutter(chunk_size)
        return self._cut(converter) if chunk_size is not None or self._is_whole else self._arriving()

    def iter_text(self, chunk_size: Optional[int] = None) -> Iterator[str]:
        """The body as text in `encoding`, in pieces of `chunk_size` characters, or as they come."""
        return self._cut(self._text_cutter(chunk_size))

    def iter_lines(self, largest_line: int = LARGEST_LINE) -> Iterator[str]:
        """The body as lines of text in `encoding`, without their ends: LF, CR or CRLF.

        :param largest_line: characters of a line. A larger one is a `LimitError`, and the end of all.
        """
        return self._cut(self._text_lines(largest_line))

    def iter_json_lines(self, largest_line: int = LARGEST_LINE) -> Iterator[Any]:
        """The values of a body that has one JSON value a line (JSON Lines, NDJSON). Empty lines are left out.

        :param largest_line: bytes of a line. A larger one is a `LimitError`, and the end of all.
        :raises json.JSONDecodeError: a line is not JSON; the iterator ends there.
        """
        return self._cut(self._json_lines(largest_line))

    def events(self, largest_event: int = LARGEST_EVENT) -> Iterator[ServerSentEvent]:
        """The events of an event stream, as language models answer. What stands after the last blank line is none.

        :param largest_event: bytes of an event, as it comes. A larger one is a `LimitError`, and the end of all.
        :raises HTTPStatusError: the status code is not 200.
        :raises ProtocolError: the media type is not text/event-stream. The body can then be read in another way.
        """
        return chain.from_iterable(self._event_blocks(largest_event))  # a generator would be resumed for each event

    def _event_blocks(self, largest_event: int) -> Iterator[Iterator[ServerSentEvent]]:
        self._check_unread()
        block, wait = EventBlock(largest_event), self._wait
        while True:
            status = ffi.fast_read_events(self._handle, block.largest, wait(), block.address)
            if status == ffi.ERR_IN_PROGRESS:
                continue
            count, events = self._taken_events(status, block)
            if count == 0:
                return
            yield events

    def read(self) -> bytes:
        """Reads all of the body, which `content`, `text` and `json` then have, and returns it."""
        return self.content if self._is_whole else self._keep(list(self._arriving()))

    def close(self) -> None:
        """Ends the transfer, if it goes on: what was not read is lost. A second call does nothing."""
        self._release()

    def __iter__(self) -> Iterator[bytes]:
        return self.iter_bytes()

    def __enter__(self) -> StreamedResponse:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
