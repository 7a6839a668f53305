"""Memory that C writes to and Python reads from, made once and used again.

What every request needs is read by memory views of 64-bit words: reading an attribute of a ctypes struct takes several
times as long.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import c_uint32, c_uint64, c_void_p
from struct import Struct
from typing import Any, List

from . import _ffi

COMPLETION = Struct("@8xi4x4Q")
"""Of a netcore_completion: status, task, group, response, user_data."""

INFO_START = Struct("@8x2iQN")
"""Of a netcore_response_info: http_status, http_version, body.data, body.size_bytes."""

if COMPLETION.size != ctypes.sizeof(_ffi.Completion):
    raise ImportError("netcore: struct layouts of this platform are not as expected")


def address_of(value: Any) -> c_void_p:
    """The address of a ctypes value, which must be kept alive while it is in use."""
    return c_void_p(ctypes.addressof(value))


def words_of(value: Any) -> memoryview:
    """A ctypes value as 64-bit words; reading one gives an int."""
    return memoryview(value).cast("B").cast("Q")


class Out:
    """Room for the results of C calls, used by one call at a time: see `borrow_out` and `return_out`."""

    __slots__ = (
        "_info",
        "field",
        "field_address",
        "field_words",
        "handle",
        "handle_address",
        "handle_words",
        "info_address",
        "info_bytes",
        "key",
        "key_words",
    )

    def __init__(self) -> None:
        self.handle = c_uint64()
        self.handle_address = address_of(self.handle)
        self.handle_words = words_of(self.handle)
        """handle_words[0] is the handle as an int."""
        self.key = c_void_p()
        self.key_words = words_of(self.key)
        """key_words[0] = n makes `key` the user_data n."""
        self.field = _ffi.Bytes()
        self.field_address = address_of(self.field)
        self.field_words = words_of(self.field)
        """The address of borrowed bytes, and their number."""
        self.info_bytes = bytearray(_ffi.SIZE_OF_RESPONSE_INFO)
        self._info = _ffi.ResponseInfo.from_buffer(self.info_bytes)
        self._info.size = _ffi.SIZE_OF_RESPONSE_INFO
        self.info_address = address_of(self._info)


_outs: List[Out] = []
return_out = _outs.append


def borrow_out() -> Out:
    """Takes an `Out` that nobody else uses; give it back with `return_out`, or drop it."""
    try:
        return _outs.pop()
    except IndexError:
        return Out()


class CompletionArray:
    """Room for `capacity` completions, and their count."""

    __slots__ = ("_buffer", "_count", "address", "bytes", "capacity", "count_address", "count_words")

    def __init__(self, capacity: int) -> None:
        self.capacity = c_uint32(capacity)
        self._buffer = (_ffi.Completion * capacity)()
        self.address = address_of(self._buffer)
        self.bytes = memoryview(self._buffer).cast("B")
        self._count = c_uint32()
        self.count_address = address_of(self._count)
        self.count_words = memoryview(self._count).cast("B").cast("I")
        """count_words[0] is how many completions were taken."""


class ResponseHandle(c_uint64):
    """A netcore_response of ours, released with this object."""

    def __del__(self, _release: Any = _ffi.fast_release) -> None:
        _release(self)


memory: Any = (ctypes.c_char * sys.maxsize).from_address(0)
"""All of memory: ``memory[a : a + n]`` copies n borrowed bytes at address a, in a third of string_at()'s time."""


def copy_bytes(borrowed: _ffi.Bytes) -> bytes:
    """Copies borrowed bytes."""
    address = borrowed.data or 0
    copied: bytes = memory[address : address + borrowed.size_bytes]
    return copied
