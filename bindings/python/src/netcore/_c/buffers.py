"""Memory that C writes to and Python reads from, made once and used again.

What every request needs is read by memory views of 64-bit words: reading an attribute of a ctypes struct takes several
times as long.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import c_size_t, c_uint32, c_uint64, c_void_p
from struct import Struct
from typing import Any, Callable, List

from . import ffi


def _layout(struct: Any, *names: str, first: int = 0) -> Struct:
    """Reads some members of a C struct, in the order of their places; of a netcore_bytes its address and size."""
    text, at = "=", first
    for name in names:
        member = getattr(struct, name)
        codes = "QQ" if member.size == ctypes.sizeof(ffi.Bytes) else _CODES[dict(struct._fields_)[name]]
        text += f"{member.offset - at}x{codes}"
        at = member.offset + member.size
    return Struct(text if first else f"{text}{ctypes.sizeof(struct) - at}x")


_CODES = {ctypes.c_int32: "i", ctypes.c_uint32: "I", ctypes.c_int64: "q", ctypes.c_uint64: "Q", ctypes.c_void_p: "Q"}

COMPLETION = _layout(ffi.Completion, "kind", "status", "task", "group", "response", "user_data")
"""Of a netcore_completion: kind, status, task, group, response, user_data."""

INFO_TEXTS = _layout(
    ffi.ResponseInfo,
    "http_status",
    "http_version",
    "body",
    "url",
    "redirects",
    "cache_result",
    "headers",
    "trailers",
    "try_count",
    "body_sha256",
)
"""Of a netcore_response_info, with an address and a size for each text."""

OUTLINE = _layout(ffi.ResponseInfo, "http_status", "body", "headers")
"""Of the same: status, address and size of the body, and those of the header section."""

TRY_COUNT = -3
"""Where `try_count` is among these."""

TRY = _layout(
    ffi.Try,
    "reason",
    "status",
    "http_status",
    "delay_ms",
    "retry_after_ms",
    "server",
    "address",
    "attempt",
    "resent_count",
    "start_us",
    "duration_us",
    "is_hedge",
)
"""Of a netcore_try, with an address and a size for each text."""

TRY_TEXTS = _layout(ffi.Try, "server", "address")
"""Of the same, the addresses and sizes of its texts."""

SIZE_OF_COMPLETION = c_size_t.from_param(COMPLETION.size)

NUMBERS_OFFSET = ffi.ResponseInfo.header_count.offset

INFO_NUMBERS = _layout(
    ffi.ResponseInfo,
    "header_count",
    "trailer_count",
    "attempts",
    "redirects",
    "connection_reused",
    "cache_result",
    "queue_us",
    "dns_us",
    "connect_us",
    "tls_us",
    "first_byte_us",
    "total_us",
    "bytes_sent",
    "bytes_received",
    "joined",
    first=NUMBERS_OFFSET,
)
"""Of the same, its numbers, from NUMBERS_OFFSET on."""


def address_of(value: Any) -> Any:
    """The address of a ctypes value, which it keeps alive, as an argument that is passed on as it is."""
    return ctypes.byref(value)


argument_of: Callable[[Any], Any] = c_uint64.from_param
"""A handle or another uint64_t as an argument, which is passed on as it is: twice as fast as a ctypes value."""
pointer_argument: Callable[[Any], Any] = c_void_p.from_param
"""The same of a void * that is a number."""

ROOM_BYTES = 16_384
"""The largest response that is moved in one piece, its body included."""
ROOM_SIZE = c_size_t.from_param(ROOM_BYTES)


def words_of(value: Any) -> memoryview:
    """A ctypes value as 64-bit words; reading one gives an int."""
    return memoryview(value).cast("B").cast("Q")


class Out:
    """Room for the results of C calls, used by one call at a time: see `borrow_out` and `return_out`."""

    __slots__ = (
        "_info",
        "handle",
        "handle_address",
        "handle_words",
        "info_address",
        "info_bytes",
        "room",
        "room_address",
        "room_start",
        "size_address",
        "size_words",
        "task",
        "task_address",
        "task_words",
        "_try",
        "try_address",
        "try_bytes",
    )

    def __init__(self) -> None:
        self.handle = c_uint64()
        self.handle_address = address_of(self.handle)
        self.handle_words = words_of(self.handle)
        """handle_words[0] is the handle as an int."""
        self.room = bytearray(ROOM_BYTES)
        """Where a response is moved to."""
        room = (ctypes.c_char * ROOM_BYTES).from_buffer(self.room)
        self.room_address = address_of(room)
        self.room_start = ctypes.addressof(room)
        size = c_size_t()
        self.size_address = address_of(size)
        self.size_words = words_of(size)
        """size_words[0] is how many bytes of it are in use."""
        self.task = c_uint64()
        self.task_address = address_of(self.task)
        self.task_words = words_of(self.task)
        self.info_bytes = bytearray(ctypes.sizeof(ffi.ResponseInfo))
        self._info = ffi.ResponseInfo.from_buffer(self.info_bytes)
        self._info.size = ctypes.sizeof(ffi.ResponseInfo)
        self.info_address = address_of(self._info)
        self.try_bytes = bytearray(ctypes.sizeof(ffi.Try))
        self._try = ffi.Try.from_buffer(self.try_bytes)
        self._try.size = ctypes.sizeof(ffi.Try)
        self.try_address = address_of(self._try)


_outs: List[Out] = []
return_out = _outs.append


def borrow_out() -> Out:
    """Takes an `Out` that is not in use; give it back with `return_out`, or drop it."""
    try:
        return _outs.pop()
    except IndexError:
        return Out()


class CompletionArray:
    """Room for `capacity` completions, and their count."""

    __slots__ = ("_buffer", "_count", "address", "bytes", "capacity", "count_address", "count_words")

    def __init__(self, capacity: int) -> None:
        self.capacity = c_uint32.from_param(capacity)
        self._buffer = (ffi.Completion * capacity)()
        self.address = address_of(self._buffer)
        self.bytes = memoryview(self._buffer).cast("B")
        self._count = c_uint32()
        self.count_address = address_of(self._count)
        self.count_words = memoryview(self._count).cast("B").cast("I")
        """count_words[0] is how many completions were taken."""


_make_bytes = ctypes.pythonapi["PyBytes_FromStringAndSize"]  # not as an attribute, which others share
_make_bytes.argtypes = (ctypes.c_char_p, ctypes.c_ssize_t)
_make_bytes.restype = ctypes.py_object


def new_bytes(size: int) -> bytes:
    """Bytes that C fills in, before anything else sees them; at least one."""
    made: bytes = _make_bytes(None, size)
    return made


memory: Any = (ctypes.c_char * sys.maxsize).from_address(0)
"""All of memory: ``memory[a : a + n]`` copies n borrowed bytes at address a, in a third of string_at()'s time."""


def copy(address: int, size: int) -> bytes:
    """Copies borrowed bytes."""
    copied: bytes = memory[address : address + size]
    return copied
