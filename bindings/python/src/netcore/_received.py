"""Header fields of a response, read from C when they are asked for."""

from __future__ import annotations

from ctypes import byref, c_uint32
from typing import Callable, Dict, List, Optional, Tuple

from . import _ffi
from ._buffers import ResponseHandle, borrow_out, copy_bytes, memory, return_out
from ._errors import check
from ._headers import Field, Headers

_FIRST = c_uint32(0)
_SECOND = c_uint32(1)
_KEYS_KEPT = 256

_get_header = _ffi.fast_get_header
_keys: Dict[str, bytes] = {}


class ReceivedHeaders(Headers):
    """Looks a single name up in C; reads all fields, once, for anything else."""

    __slots__ = ("_handle",)

    def __init__(self, handle: Optional[ResponseHandle]) -> None:
        self._handle = handle  # None once all fields have been read

    def _read_all(self) -> None:
        handle = self._handle
        if handle is not None:
            info = _ffi.ResponseInfo(size=_ffi.SIZE_OF_RESPONSE_INFO)
            check(_ffi.response_get_info(handle, info))
            self._fill(_read(_ffi.response_get_header_at, handle, info.header_count))
            self._handle = None

    def _fields(self) -> Tuple[Field, ...]:
        self._read_all()
        return self._all_fields

    def _index(self) -> Dict[str, List[str]]:
        self._read_all()
        return self._values

    def __getitem__(self, name: str) -> str:
        handle = self._handle
        if handle is None:
            return super().__getitem__(name)
        key = _keys.get(name)
        if key is None:
            key = _lookup_key(name)
        out = borrow_out()
        status = _get_header(handle, key, _FIRST, out.field_address)
        if status:
            return_out(out)
            if status == _ffi.NOT_FOUND:
                raise KeyError(name)
            check(status)
        start, size = out.field_words
        value: str = memory[start : start + size].decode("latin-1")
        is_repeated = not _get_header(handle, key, _SECOND, out.field_address)
        return_out(out)
        return super().__getitem__(name) if is_repeated else value

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        try:
            self[name]
        except KeyError:
            return False
        return True


def read_trailers(handle: Optional[ResponseHandle], count: int) -> Headers:
    """The trailer fields of a response."""
    return Headers(_read(_ffi.response_get_trailer_at, handle, count))


def _read(get_at: Callable[..., int], handle: Optional[ResponseHandle], count: int) -> List[Field]:
    name, value = _ffi.Bytes(), _ffi.Bytes()
    name_out, value_out = byref(name), byref(value)
    fields: List[Field] = []
    for index in range(count):
        check(get_at(handle, index, name_out, value_out))
        fields.append((copy_bytes(name).decode("latin-1"), copy_bytes(value).decode("latin-1")))
    return fields


def _lookup_key(name: str) -> bytes:
    """The name as C takes it.

    :raises KeyError: no field can have this name.
    """
    if "\0" not in name:
        try:
            key = name.encode("latin-1")
        except UnicodeEncodeError:
            raise KeyError(name) from None
        if len(_keys) < _KEYS_KEPT:
            _keys[name] = key
        return key
    raise KeyError(name)
