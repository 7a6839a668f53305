"""Responses whose body comes piece by piece."""

from __future__ import annotations

import asyncio
import ctypes
from ctypes import byref, c_size_t, c_uint64
from typing import Any, AsyncIterator, Callable, Iterator, List, NoReturn, Optional, Type, TypeVar

from .._c import ffi
from .._c.buffers import Out, address_of
from .._errors.errors import Error, HTTPStatusError, StateError, check
from .events import LARGEST_EVENT, EventRoom, ServerSentEvent
from .pieces import Cutter, LineDecoder, TextDecoder, check_chunk_size
from .request import Request
from .response import Response, take_response

DEFAULT_WINDOW = 1 << 20
"""How many bytes of a body may wait to be read."""

ROOM_BYTES = 65_536
"""How much is asked of C at once."""

TAKEN_IN_A_ROW = 16
"""How many pieces a coroutine takes before the event loop goes on."""

_NO_EVENT_STREAM = (ffi.ERR_HTTP_STATUS, ffi.ERR_PROTOCOL)

Explain = Callable[[int, int], Error]
"""Makes the error of a netcore_response, a handle or 0, that ended with a status."""

Streamed = TypeVar("Streamed", bound="StreamedBase")


class StreamedBase(Response):
    """What streamed responses of both clients share."""

    __slots__ = (
        "__weakref__",
        "_address",
        "_explain",
        "_handle",
        "_is_closed",
        "_is_consumed",
        "_is_whole",
        "_progress",
        "_room",
        "_size",
        "_size_address",
        "_view",
    )

    _handle: c_uint64
    _explain: Explain

    @classmethod
    def _opened(cls: Type[Streamed], out: Out, request: Request, explain: Explain) -> Streamed:
        """Takes over the netcore_response of a head, which `out` has."""
        handle = c_uint64(out.handle_words[0])
        check(ffi.response_retain(handle))  # what follows releases it
        try:
            check(ffi.fast_get_info(handle, out.info_address))
            self = cls._received(out, request)
        except BaseException:
            ffi.fast_release(handle)
            raise
        self._begin(handle, explain)
        return self

    def _begin(self, handle: c_uint64, explain: Explain) -> None:
        self._handle = handle
        self._explain = explain
        self._is_closed = self._is_consumed = self._is_whole = False
        self._progress = 0
        self._room = (ctypes.c_ubyte * ROOM_BYTES)()
        self._address = address_of(self._room)
        self._view = memoryview(self._room).cast("B").toreadonly()
        self._size = c_size_t()
        self._size_address = address_of(self._size)

    def __del__(self, _release: Any = ffi.fast_release) -> None:
        handle = getattr(self, "_handle", None)
        if handle:
            _release(handle)

    def __getstate__(self) -> NoReturn:
        raise TypeError("a streamed response cannot be copied or pickled")

    # What is known of the body

    @property
    def is_stream_consumed(self) -> bool:
        """Whether reading of the body has begun."""
        return self._is_consumed

    @property
    def is_closed(self) -> bool:
        """Whether the body has come to its end, or was closed before."""
        return self._is_closed

    @property
    def num_bytes_downloaded(self) -> int:
        """Bytes of the body received so far, as transferred, before decoding; some of them may wait to be read. 0 for
        an answer from a cache."""
        if not self._handle:
            return self._progress
        info = ffi.TaskInfo()
        if ffi.response_get_progress(self._handle, byref(info)) == 0:
            self._progress = info.received_bytes
        return self._progress

    @property
    def content(self) -> bytes:
        """The body, after `read` or `aread`.

        :raises StateError: it was not read.
        """
        self._check_whole()
        return super().content

    def body_view(self) -> memoryview:
        """The body without a copy, as `content`."""
        self._check_whole()
        return super().body_view()

    def _check_whole(self) -> None:
        if not self._is_whole:
            raise StateError("the body was not read: call read() or aread() first", status=ffi.ERR_INVALID_STATE)

    # Reading

    def _consume(self) -> None:
        """Begins to read."""
        self._check_unread()
        self._is_consumed = True

    def _taken(self, status: int) -> int:
        """How many bytes a read has put into the room; 0 at the end.

        :raises Error: what the body ended with.
        """
        if status:
            self._fail(status)
        size = self._size.value
        if size == 0:
            self._end()
        return size

    def _taken_event(self, status: int, room: EventRoom) -> Optional[ServerSentEvent]:
        """The event that a read has put into the room; None at the end.

        :raises Error: what the body ended with, or why the response is no event stream: then its body can be read.
        """
        if status in _NO_EVENT_STREAM and not self._is_consumed:
            self._refuse(status)
        self._is_consumed = True
        if status == ffi.ERR_LIMIT_BODY_BYTES:  # the event's, of which the task knows nothing
            self._release()
            self._refuse(status)
        if status:
            self._fail(status)
        event = room.taken()
        if event is None:
            self._end()
        return event

    def _refuse(self, status: int) -> None:
        """Raises what the last call said of the response."""
        try:
            check(status)
        except HTTPStatusError as error:
            error.response = self
            raise

    def _check_unread(self) -> None:
        if self._is_consumed:
            raise StateError("the body can be read only once", status=ffi.ERR_INVALID_STATE)
        if self._is_closed:
            raise StateError("the response is closed", status=ffi.ERR_INVALID_STATE)

    def _end(self) -> None:
        """The body is at its end: takes over what is known only now."""
        ending = c_uint64()
        check(ffi.response_get_ending(self._handle, byref(ending)))
        ended = take_response(ending.value, self.request)
        self._info, self._trailer_section, self._tries = ended._info, ended._trailer_section, ended._tries
        self._trailers = None
        self._release()

    def _fail(self, status: int) -> NoReturn:
        """The body ended with an error, or could not be read."""
        if not self._handle:
            raise StateError("the response is closed", status=ffi.ERR_INVALID_STATE)
        ending = c_uint64()
        ffi.response_get_ending(self._handle, byref(ending))
        try:
            raise self._explain(ending.value, status)
        finally:
            if ending:
                ffi.fast_release(ending)
            self._release()

    def _release(self) -> None:
        """Ends the transfer, if it goes on."""
        _ = self.num_bytes_downloaded
        self._is_closed = True
        handle, self._handle = self._handle, c_uint64()
        if handle:
            ffi.response_cancel(handle)
            ffi.fast_release(handle)

    def _keep(self, pieces: List[bytes]) -> bytes:
        """The body is whole."""
        self._body = b"".join(pieces)
        self._is_whole = True
        return self._body


class StreamedResponse(StreamedBase):
    """A response of `Client.stream`: status, headers and `url` are there, and the body is read piece by piece, in
    bounded memory, as fast as you take it. For one thread at a time.

    The body is decoded as Content-Encoding says, and can be read once: by one of the iterators, or by `read`, after
    which `content`, `text` and `json` have it. `trailers`, `timings` and counts of bytes are complete after its end.

    Iterators and `read` raise a `TruncatedError`, `TimeoutException` or other `Error` at the place where the body broke
    off, and a `StateError` when it was read before, or closed.
    """

    __slots__ = ("_wait",)

    _wait: Callable[[], c_uint64]
    """For how long C may wait at once."""

    def iter_views(self) -> Iterator[memoryview]:
        """The body without a further copy: each view is valid only until the next is asked for."""
        self._consume()
        wait, room, capacity = self._wait, self._address, c_size_t(ROOM_BYTES)
        while True:
            status = ffi.fast_read(self._handle, room, capacity, wait(), self._size_address)
            if status == ffi.ERR_IN_PROGRESS:
                continue
            size = self._taken(status)
            if size == 0:
                return
            yield self._view[:size]

    def iter_bytes(self, chunk_size: Optional[int] = None) -> Iterator[bytes]:
        """The body, in pieces of `chunk_size` bytes; None, the default, takes them as they come, of any size.

        After `read` it gives what was read.
        """
        check_chunk_size(chunk_size)
        if chunk_size is None and not self._is_whole:
            return map(bytes, self.iter_views())
        return _cut(self._pieces(), Cutter(chunk_size, b""))

    def _pieces(self) -> Iterator[bytes]:
        return iter((self.content,)) if self._is_whole else map(bytes, self.iter_views())

    def iter_text(self, chunk_size: Optional[int] = None) -> Iterator[str]:
        """The body as text in `encoding`, in pieces of `chunk_size` characters, or as they come."""
        check_chunk_size(chunk_size)
        return _cut(self._texts(), Cutter(chunk_size, ""))

    def _texts(self) -> Iterator[str]:
        decoder = TextDecoder(self.encoding)
        for piece in self._pieces():
            yield decoder.feed(piece)
        yield decoder.finish()

    def iter_lines(self) -> Iterator[str]:
        """The body as lines of text, without their ends: LF, CR or CRLF."""
        decoder = LineDecoder()
        for text in self._texts():
            yield from decoder.feed(text)
        yield from decoder.finish()

    def events(self, largest_event: int = LARGEST_EVENT) -> Iterator[ServerSentEvent]:
        """The events of an event stream, as language models answer. What stands after the last blank line is none.

        :param largest_event: bytes of an event, as it comes. A larger one is a `LimitError`, and the end of all.
        :raises HTTPStatusError: the status code is not 200.
        :raises ProtocolError: the media type is not text/event-stream. The body can then be read in another way.
        """
        self._check_unread()
        room, wait = EventRoom(largest_event), self._wait
        while True:
            status = ffi.fast_read_event(self._handle, room.largest, wait(), room.address)
            if status == ffi.ERR_IN_PROGRESS:
                continue
            event = self._taken_event(status, room)
            if event is None:
                return
            yield event

    def read(self) -> bytes:
        """Reads all of the body, which `content`, `text` and `json` then have, and returns it."""
        return self.content if self._is_whole else self._keep(list(map(bytes, self.iter_views())))

    def close(self) -> None:
        """Ends the transfer, if it goes on: what was not read is lost. A second call does nothing."""
        self._release()

    def __iter__(self) -> Iterator[bytes]:
        return self.iter_bytes()

    def __enter__(self) -> StreamedResponse:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _cut(pieces: Iterator[Any], cutter: Cutter[Any]) -> Iterator[Any]:
    for piece in pieces:
        yield from cutter.feed(piece)
    yield from cutter.finish()


class AsyncStreamedResponse(StreamedBase):
    """A response of `AsyncClient.stream`: as `StreamedResponse`, to be read by the tasks of the event loop, which goes
    on while a body is waited for."""

    __slots__ = ("_readable",)

    _readable: Callable[[], Any]
    """Returns what is awaited until more has come."""

    async def aiter_views(self) -> AsyncIterator[memoryview]:
        """The body without a further copy: each view is valid only until the next is asked for."""
        self._consume()
        room, capacity, now = self._address, c_size_t(ROOM_BYTES), c_uint64(0)
        in_a_row = 0
        while True:
            status = ffi.fast_read_now(self._handle, room, capacity, now, self._size_address)
            if status == ffi.ERR_IN_PROGRESS:
                await self._readable()
                in_a_row = 0
                continue
            size = self._taken(status)
            if size == 0:
                return
            yield self._view[:size]
            in_a_row += 1
            if in_a_row % TAKEN_IN_A_ROW == 0:  # others have their turn, too
                await asyncio.sleep(0)

    async def aiter_bytes(self, chunk_size: Optional[int] = None) -> AsyncIterator[bytes]:
        """As `StreamedResponse.iter_bytes`."""
        check_chunk_size(chunk_size)
        cutter = Cutter(chunk_size, b"")
        async for piece in self._pieces():
            for part in cutter.feed(piece):
                yield part
        for part in cutter.finish():
            yield part

    async def _pieces(self) -> AsyncIterator[bytes]:
        if self._is_whole:
            yield self.content
            return
        async for view in self.aiter_views():
            yield bytes(view)

    async def aiter_text(self, chunk_size: Optional[int] = None) -> AsyncIterator[str]:
        """As `StreamedResponse.iter_text`."""
        check_chunk_size(chunk_size)
        cutter = Cutter(chunk_size, "")
        async for text in self._texts():
            for part in cutter.feed(text):
                yield part
        for part in cutter.finish():
            yield part

    async def _texts(self) -> AsyncIterator[str]:
        decoder = TextDecoder(self.encoding)
        async for piece in self._pieces():
            yield decoder.feed(piece)
        yield decoder.finish()

    async def aiter_lines(self) -> AsyncIterator[str]:
        """As `StreamedResponse.iter_lines`."""
        decoder = LineDecoder()
        async for text in self._texts():
            for line in decoder.feed(text):
                yield line
        for line in decoder.finish():
            yield line

    async def events(self, largest_event: int = LARGEST_EVENT) -> AsyncIterator[ServerSentEvent]:
        """As `StreamedResponse.events`."""
        self._check_unread()
        room, now = EventRoom(largest_event), c_uint64(0)
        in_a_row = 0
        while True:
            status = ffi.fast_read_event_now(self._handle, room.largest, now, room.address)
            if status == ffi.ERR_IN_PROGRESS:
                await self._readable()
                in_a_row = 0
                continue
            event = self._taken_event(status, room)
            if event is None:
                return
            yield event
            in_a_row += 1
            if in_a_row % TAKEN_IN_A_ROW == 0:  # others have their turn, too
                await asyncio.sleep(0)

    async def aread(self) -> bytes:
        """As `StreamedResponse.read`."""
        if self._is_whole:
            return self.content
        return self._keep([bytes(view) async for view in self.aiter_views()])

    async def aclose(self) -> None:
        """As `StreamedResponse.close`."""
        self._release()

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self.aiter_bytes()

    async def __aenter__(self) -> AsyncStreamedResponse:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
