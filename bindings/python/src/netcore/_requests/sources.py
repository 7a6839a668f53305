"""Bodies that C reads while it sends them: files and iterables of Python's. C calls on a thread of the body's own.

What C holds lives as long as the process: one function of each kind, which finds the source by the number in user_data.
"""

from __future__ import annotations

import asyncio
import ctypes
import io
import itertools
import os
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Callable, Dict, List, Optional, Tuple

from .._c import ffi
from .._errors.raising import reject

CHUNK_BYTES = 65_536
"""How much is asked of a file at once."""

READ_FAILED = (1 << 8 * ctypes.sizeof(ctypes.c_size_t)) - 1
CANNOT_REWIND = 1

Begin = Callable[[], "Iterator[Any]"]

_next_number = itertools.count(1).__next__
_sources: Dict[int, "Source"] = {}
"""Those that C may read; it says when it is done with one."""


class Source:
    """What is read for one body, or one part of it."""

    def __init__(self, begin: Begin, can_rewind: bool, raised: List[BaseException]) -> None:
        """
        :param begin: reads from the first byte on.
        :param raised: takes what goes wrong, for the task.
        """
        self.raised = raised
        self._begin = begin
        self.can_rewind = can_rewind
        self._chunks: Optional[Iterator[Any]] = None
        self._rest = memoryview(b"")

    def read(self, capacity: int) -> bytes:
        """The next bytes, at most `capacity`; none at the end."""
        if self._chunks is None:
            self._chunks = self._begin()
        while not self._rest:
            try:
                chunk = next(self._chunks)
            except StopIteration:
                return b""
            if not isinstance(chunk, (bytes, bytearray, memoryview)):
                raise TypeError(f"bytes expected to be read, not {type(chunk).__name__}")
            self._rest = memoryview(bytes(chunk))
        part = bytes(self._rest[:capacity])
        self._rest = self._rest[capacity:]
        return part

    def rewind(self) -> bool:
        """Goes back to the first byte; False where it cannot."""
        if self.can_rewind:
            self._chunks = None
            self._rest = memoryview(b"")
        return self.can_rewind


def source_of(
    content: Any, length: Optional[int], what: str, raised: List[BaseException], is_async: bool
) -> Tuple[Source, int]:
    """A source for a file or an iterable, and its length as C takes it.

    :param length: None where it is not known; a file's is found out.
    :param is_async: whether the running event loop may be asked for more.
    :raises TypeError: neither.
    :raises InvalidRequest: a closed file.
    """
    if isinstance(content, AsyncIterable):
        if not is_async:
            raise TypeError(f"{what}: an asynchronous iterable needs an AsyncClient; give an iterable, a file or bytes")
        begin: Begin = partial(_awaited_chunks, content, asyncio.get_running_loop())
        source = Source(begin, not isinstance(content, AsyncIterator), raised)
    elif hasattr(content, "read"):
        if isinstance(content, io.TextIOBase):
            raise TypeError(f"{what}: the file is open for text; open it in binary mode")
        start, found = _extent(content, what)
        source = Source(partial(_chunks, content, start), start is not None, raised)
        length = found if length is None else length
    elif isinstance(content, Iterable) and not isinstance(content, Mapping):
        source = Source(partial(iter, content), not isinstance(content, Iterator), raised)
    else:
        raise TypeError(f"{what}: bytes, str, a Path, a file or an iterable expected, not {type(content).__name__}")
    return source, ffi.LENGTH_UNKNOWN if length is None else length


def _extent(file: Any, what: str) -> Tuple[Optional[int], Optional[int]]:
    """Where a file stands, and how many bytes follow; None for both where it cannot go back."""
    try:
        start: int = file.tell()
        file.seek(0, os.SEEK_END)
        end: int = file.tell()
        file.seek(start)
    except (AttributeError, OSError):
        return None, None
    except ValueError as error:
        reject(f"{what}: {error}")
    return start, max(end - start, 0)


def _chunks(file: Any, start: Optional[int]) -> Iterator[Any]:
    """Reads a file."""
    if start is not None:
        file.seek(start)
    while True:
        chunk = file.read(CHUNK_BYTES)
        if chunk is None:
            raise BlockingIOError("the file has no bytes yet, and does not wait for them")
        if not chunk:
            return
        yield chunk


def _awaited_chunks(content: AsyncIterable[Any], loop: asyncio.AbstractEventLoop) -> Iterator[Any]:
    """Has an event loop, in another thread, iterate. At the loop's end what is awaited is canceled, and raised here."""
    iterator = content.__aiter__()

    async def following() -> Any:
        return await iterator.__anext__()

    while True:
        step = following()
        try:
            yield asyncio.run_coroutine_threadsafe(step, loop).result()
        except StopAsyncIteration:
            return
        finally:
            if loop.is_closed():
                step.close()  # perhaps it was not begun, and now it never will be


# What C calls


def lend(source: Source, give: Callable[[ffi.Reader], int]) -> int:
    """Gives C a reader of a source, which is kept until C releases it. Returns the status of `give`."""
    number = _next_number()
    _sources[number] = source
    rewind = _call_rewind if source.can_rewind else ffi.ReaderRewind()
    status = give(ffi.Reader(read=_call_read, rewind=rewind, user_data=number, release=_call_release))
    if status:
        del _sources[number]
    return status


def _read(room: int, capacity: int, number: int) -> int:
    """netcore_reader.read"""
    source = _sources[number]
    try:
        part = source.read(capacity)
    except BaseException as error:
        source.raised.append(error)
        return READ_FAILED
    ctypes.memmove(room, part, len(part))
    return len(part)


def _rewind(number: int) -> int:
    """netcore_reader.rewind"""
    return 0 if _sources[number].rewind() else CANNOT_REWIND


def _release(number: int) -> None:
    """netcore_reader.release"""
    _sources.pop(number, None)


_call_read = ffi.for_ever(ffi.ReaderRead(_read))
_call_rewind = ffi.for_ever(ffi.ReaderRewind(_rewind))
_call_release = ffi.for_ever(ffi.ReleaseFn(_release))
