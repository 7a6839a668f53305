"""What streamed responses of both clients share. Without waiting."""

from __future__ import annotations

from ctypes import byref, c_size_t, c_uint64
from typing import Any, Callable, Iterator, List, NoReturn, Optional, Tuple, Type, TypeVar

from .._c import ffi
from .._c.buffers import Out, address_of
from .._errors.errors import Error, HTTPStatusError, StateError
from .._errors.raising import check
from .events import EventBlock, ServerSentEvent
from .pieces import Converter, Cutter, JSONLines, TextCutter, TextLines, check_chunk_size, check_size
from .request import Request
from .response import Response, take_response

DEFAULT_WINDOW = 1 << 20
"""How many bytes of a body may wait to be read."""

LARGEST_PIECE = 65_536
"""How much is taken at once."""

CAPACITY = c_size_t(LARGEST_PIECE)

TAKEN_IN_A_ROW = 16
"""How many pieces a coroutine takes before the event loop goes on."""

EVENTS_IN_A_ROW = 256
"""The same for events, where a block of them may have more."""

_NO_EVENT_STREAM = (ffi.ERR_HTTP_STATUS, ffi.ERR_PROTOCOL)

Explain = Callable[[int, int], Error]
"""Makes the error of a netcore_response, a handle or 0, that ended with a status."""

NOW = c_uint64(0)

Streamed = TypeVar("Streamed", bound="StreamedBase")


class StreamedBase(Response):
    """What streamed responses of both clients share."""

    __slots__ = (
        "__weakref__",
        "_explain",
        "_handle",
        "_is_closed",
        "_is_consumed",
        "_is_whole",
        "_progress",
        "_size",
        "_size_address",
        "_wait",
    )

    _handle: c_uint64
    _explain: Explain
    _wait: Callable[[], Any]
    """Of the blocking client: for how long C may wait at once. Of the other: what is awaited until more has come."""

    @classmethod
    def _opened(cls: Type[Streamed], out: Out, request: Request, explain: Explain, wait: Callable[[], Any]) -> Streamed:
        """Takes over the netcore_response of a head, which `out` has."""
        handle = c_uint64(out.handle_words[0])
        check(ffi.response_retain(handle))  # what follows releases it
        try:
            check(ffi.fast_get_info(handle, out.info_address))
            self = cls._received(out, request)
        except BaseException:
            ffi.fast_release(handle)
            raise
        self._begin(handle, explain, wait)
        return self

    def _begin(self, handle: c_uint64, explain: Explain, wait: Callable[[], Any]) -> None:
        self._handle = handle
        self._explain = explain
        self._wait = wait
        self._is_closed = self._is_consumed = self._is_whole = False
        self._progress = 0
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

    @staticmethod
    def _byte_cutter(chunk_size: Optional[int]) -> Converter[bytes]:
        check_chunk_size(chunk_size)
        return Cutter(chunk_size, b"")

    def _text_cutter(self, chunk_size: Optional[int]) -> Converter[str]:
        check_chunk_size(chunk_size)
        return TextCutter(self.encoding, chunk_size)

    def _text_lines(self, largest_line: int) -> Converter[str]:
        check_size(largest_line, "largest_line")
        return TextLines(self.encoding, largest_line)

    @staticmethod
    def _json_lines(largest_line: int) -> Converter[Any]:
        check_size(largest_line, "largest_line")
        return JSONLines(largest_line)

    def _taken(self, status: int) -> int:
        """How many bytes a call has read, or found; 0 at the end.

        :raises Error: what the body ended with.
        """
        if status:
            self._fail(status)
        size = self._size.value
        if size == 0:
            self._end()
        return size

    def _taken_events(self, status: int, block: EventBlock) -> Tuple[int, Iterator[ServerSentEvent]]:
        """How many events a read has put into the block, none at the end, and the events.

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
        taken = block.taken()
        if taken[0] == 0:
            self._end()
        return taken

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
        self._digest = ended._digest
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
