"""Multipart bodies (RFC 7578): the parts of `files`, and of `data` before them."""

from __future__ import annotations

import mimetypes
import os
from collections.abc import Mapping
from ctypes import sizeof
from os import PathLike
from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Tuple

from .._c import ffi
from .._errors.raising import call_error, reject
from .._inputs import encode
from .._inputs.kinds import FilesInput, FormInput
from .sources import lend, source_of

if TYPE_CHECKING:
    from .factory import Prepared

NAMELESS = "upload"
"""The file name of content without one, as httpx calls it."""


class Part(NamedTuple):
    """One of `files`, in full."""

    content: Any
    file_name: Optional[str]
    content_type: Optional[str] = None
    headers: Any = None


def add_parts(prepared: Prepared, data: Optional[FormInput], files: FilesInput) -> None:
    """Adds fields, then files, to the body of a request.

    :raises InvalidRequest: a name, file name, type or field that is not allowed.
    :raises TypeError: a value of a wrong type.
    """
    if isinstance(data, (str, bytes, bytearray, memoryview)):
        reject("data: with files it must be fields, a mapping or pairs")
    for name, value in encode.items_of(data, "data"):
        for one in value if isinstance(value, (list, tuple)) else (value,):
            content = bytes(one) if isinstance(one, (bytes, bytearray, memoryview)) else encode.text_of(one, "data")
            _add(prepared, name, Part(content, None), "data")
    for name, value in encode.items_of(files, "files"):
        _add(prepared, name, _part_of(value), "files")


def _part_of(value: Any) -> Part:
    """Any of the forms that users give."""
    if not isinstance(value, tuple):
        return Part(value, _file_name(value))
    if not 2 <= len(value) <= 4:
        raise TypeError("files: (filename, content), optionally with content type and headers, expected")
    file_name, content, *rest = value
    part = Part(content, file_name, *rest)
    return part._replace(file_name=os.fspath(file_name)) if isinstance(file_name, PathLike) else part


def _file_name(content: Any) -> str:
    """The file name of content that was given without one."""
    name = content if isinstance(content, PathLike) else getattr(content, "name", None)
    if isinstance(name, (str, PathLike)):
        return os.path.basename(os.fspath(name)) or NAMELESS
    return NAMELESS  # bytes, or a file that was opened by its descriptor


def _add(prepared: Prepared, name: str, part: Part, what: str) -> None:
    """Adds one part."""
    text = encode.c_text(name, what)
    options = _options(part, what)
    handle, content = prepared.handle, part.content
    if isinstance(content, str):
        content = encode.utf8(content, what)
    if isinstance(content, (bytes, bytearray, memoryview)):
        content = bytes(content)
        status = ffi.request_add_part(handle, text, content, len(content), options)
    elif isinstance(content, PathLike):
        status = ffi.request_add_file_part(handle, text, encode.c_path(content, what), options)
    else:
        source, size = source_of(content, None, f"{what}: {name!r}", prepared.keep_raised(), prepared.is_async)
        status = lend(source, lambda reader: ffi.request_add_reader_part(handle, text, reader, size, options))
    if status:
        error = call_error(status, prepared.request)
        error.message = f"{what}: {name!r}: {error.message}"
        raise error


def _options(part: Part, what: str) -> ffi.PartOptions:
    """The options of a part for C."""
    options = ffi.PartOptions()
    content_type, headers = part.content_type, _headers(part.headers, what)
    given = [value for name, value in headers if name.lower() == b"content-type"]
    headers = [(name, value) for name, value in headers if name.lower() != b"content-type"]
    if content_type is not None:
        options.content_type = encode.c_text(content_type, what)
    elif given:
        options.content_type = given[-1]
    if part.file_name is not None:
        options.file_name = encode.c_text(part.file_name, what)
        if options.content_type is None:
            guessed = mimetypes.guess_type(part.file_name)[0]
            options.content_type = None if guessed is None else guessed.encode()
    options.headers = (ffi.PartHeader * len(headers))(*(ffi.PartHeader(*header) for header in headers))
    options.header_count = len(headers)
    options.header_size = sizeof(ffi.PartHeader)
    return options


def _headers(headers: Any, what: str) -> List[Tuple[bytes, bytes]]:
    """Fields of a part, in UTF-8."""
    if headers is None:
        return []
    if not isinstance(headers, Mapping):
        raise TypeError(f"{what}: headers of a part must be a mapping, not {type(headers).__name__}")
    return [(encode.c_text(name, what), encode.c_text(value, what)) for name, value in headers.items()]
