"""What a request carries, on its way to C: bytes, forms, JSON, files and iterables; multipart is in `_parts`."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any, Optional

from .._c import ffi
from .._errors.raising import check, reject
from .._inputs import encode
from .._inputs.kinds import ContentInput, FilesInput, FormInput
from .parts import add_parts
from .sources import lend, source_of

if TYPE_CHECKING:
    from .factory import Prepared

MOST_BYTES = 1 << 62
"""The longest body."""


def set_body(
    prepared: Prepared,
    content: Optional[ContentInput],
    data: Optional[FormInput],
    json: Any,
    files: Optional[FilesInput],
    content_length: Optional[int],
) -> Optional[bytes]:
    """Sets the body of a request, and returns the Content-Type that goes with it, where it is not C that says it.

    :raises InvalidRequest: what does not go together, or is not allowed.
    :raises TypeError: a value of a wrong type.
    """
    prepared.body_size = None
    if files:
        if content is not None or json is not None or content_length is not None:
            reject("files: only data can go with it")
        add_parts(prepared, data, files)
        return None
    body, content_type = encode.body(content, data, json)
    if isinstance(body, bytes):
        check(ffi.request_set_body(prepared.handle, body, len(body)))
        prepared.body_size = len(body)
    elif isinstance(body, PathLike):
        check(ffi.request_set_body_file(prepared.handle, encode.c_path(body, "content")))
    elif body is not None:
        set_source(prepared, body, _length(content_length))
        return content_type
    if content_length is not None:
        reject("content_length: it is for open files and iterables")
    return content_type


def set_source(prepared: Prepared, content: Any, length: Optional[int]) -> None:
    """Sets what is read while it is sent."""
    source, size = source_of(content, length, "content", prepared.keep_raised(), prepared.is_async)
    check(lend(source, lambda reader: ffi.request_set_body_reader(prepared.handle, reader, size)))


def _length(length: Optional[int]) -> Optional[int]:
    if length is None:
        return None
    if isinstance(length, bool) or not isinstance(length, int):
        raise TypeError(f"content_length: an integer expected, not {type(length).__name__}")
    if not 0 <= length <= MOST_BYTES:
        reject(f"content_length: {length} is not between 0 and 2**62")
    return length
