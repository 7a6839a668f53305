"""Responses whose body comes piece by piece, for coroutines."""

from __future__ import annotations

import asyncio
from typing import Any, AsyncIterator, Optional, TypeVar

from .._c import ffi
from .._c.buffers import new_bytes
from .._errors.errors import LimitError
from .events import LARGEST_EVENT, EventBlock, ServerSentEvent
from .pieces import LARGEST_LINE, Converter
from .stream_base import CAPACITY, EVENTS_IN_A_ROW, LARGEST_PIECE, NOW, TAKEN_IN_A_ROW, StreamedBase

Result = TypeVar("Result")


class AsyncStreamedResponse(StreamedBase):
    """A response of `AsyncClient.stream`: as `StreamedResponse`, to be read by the tasks of the event loop, which goes
    on while a body is waited for."""

    __slots__ = ()

    async def _arriving(self) -> AsyncIterator[bytes]:
        """The body as it comes."""
        self._consume()
        address = self._size_address
        in_a_row = 0
        piece = new_bytes(LARGEST_PIECE)
        while True:
            status = ffi.fast_read_now(self._handle, piece, CAPACITY, NOW, address)
            if status == ffi.ERR_IN_PROGRESS:
                await self._wait()
                in_a_row = 0
                continue
            size = self._taken(status)
            if size == 0:
                return
            if size == LARGEST_PIECE:
                yield piece
                piece = new_bytes(LARGEST_PIECE)
            else:
                yield piece[:size]
            in_a_row += 1
            if in_a_row % TAKEN_IN_A_ROW == 0:  # others have their turn, too
                await asyncio.sleep(0)

    async def _pieces(self) -> AsyncIterator[bytes]:
        if self._is_whole:
            yield self.content
            return
        async for piece in self._arriving():
            yield piece

    async def _cut(self, converter: Converter[Result]) -> AsyncIterator[Result]:
        try:
            async for piece in self._pieces():
                for part in converter.feed(piece):
                    yield part
            for part in converter.finish():
                yield part
        except LimitError:  # the converter's, or what ended the transfer
            self._release()
            raise

    async def aiter_views(self) -> AsyncIterator[memoryview]:
        """As `StreamedResponse.iter_views`."""
        async for piece in self._arriving():
            yield memoryview(piece)

    def aiter_bytes(self, chunk_size: Optional[int] = None) -> AsyncIterator[bytes]:
        """As `StreamedResponse.iter_bytes`."""
        converter = self._byte_cutter(chunk_size)
        return self._cut(converter) if chunk_size is not None or self._is_whole else self._arriving()

    def aiter_text(self, chunk_size: Optional[int] = None) -> AsyncIterator[str]:
        """As `StreamedResponse.iter_text`."""
        return self._cut(self._text_cutter(chunk_size))

    def aiter_lines(self, largest_line: int = LARGEST_LINE) -> AsyncIterator[str]:
        """As `StreamedResponse.iter_lines`."""
        return self._cut(self._text_lines(largest_line))

    def aiter_json_lines(self, largest_line: int = LARGEST_LINE) -> AsyncIterator[Any]:
        """As `StreamedResponse.iter_json_lines`."""
        return self._cut(self._json_lines(largest_line))

    async def events(self, largest_event: int = LARGEST_EVENT) -> AsyncIterator[ServerSentEvent]:
        """As `StreamedResponse.events`."""
        self._check_unread()
        block = EventBlock(largest_event)
        in_a_row = 0
        while True:
            status = ffi.fast_read_events_now(self._handle, block.largest, NOW, block.address)
            if status == ffi.ERR_IN_PROGRESS:
                await self._wait()
                in_a_row = 0
                continue
            count, events = self._taken_events(status, block)
            if count == 0:
                return
            for event in events:
                yield event
            in_a_row += count
            if in_a_row >= EVENTS_IN_A_ROW:  # others have their turn, too
                await asyncio.sleep(0)
                in_a_row = 0

    async def aread(self) -> bytes:
        """As `StreamedResponse.read`."""
        if self._is_whole:
            return self.content
        return self._keep([piece async for piece in self._arriving()])

    async def aclose(self) -> None:
        """As `StreamedResponse.close`."""
        self._release()

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self.aiter_bytes()

    async def __aenter__(self) -> AsyncStreamedResponse:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
