"""The shapes in which users give URLs' queries, header fields, bodies and files."""

from __future__ import annotations

from os import PathLike
from typing import Any, AsyncIterable, Callable, Iterable, Mapping, Optional, Protocol, Sequence, Tuple, Union

ParamsInput = Union[Mapping[str, Any], Iterable[Tuple[str, Any]], str]
"""A query: a mapping or pairs of str, int, float, bool and None, lists and tuples of which repeat their name; or a
string that is used as it is."""

HeadersInput = Union[Mapping[str, Union[str, bytes, None]], Iterable[Tuple[Union[str, bytes], Union[str, bytes, None]]]]
"""Header fields. Text is sent in latin-1, bytes as they are; None drops the client's default of that name."""

HeaderValue = Union[str, bytes, Callable[[], Union[str, bytes, None]], None]
"""The value of a client's field; a function gives it at the time of sending."""

BytesInput = Union[bytes, bytearray, memoryview]


class BinaryFile(Protocol):
    """What is read as a file: an open one, or any object that can do this."""

    def read(self, size: int, /) -> Optional[bytes]:
        """Up to `size` bytes; none at the end."""


ContentInput = Union[str, BytesInput, "PathLike[str]", BinaryFile, Iterable[BytesInput], AsyncIterable[BytesInput]]
"""A body. A Path is that of a file; text goes out in UTF-8."""

FormInput = Union[Mapping[str, Any], Iterable[Tuple[str, Any]], str, BytesInput, "PathLike[str]", BinaryFile]

FileInput = Union[
    ContentInput,
    Tuple[Optional[str], ContentInput],
    Tuple[Optional[str], ContentInput, Optional[str]],
    Tuple[Optional[str], ContentInput, Optional[str], Mapping[str, str]],
]
"""A part of `files`: its content, or a tuple of file name, content, and optionally content type and header fields."""

FilesInput = Union[Mapping[str, FileInput], Iterable[Tuple[str, FileInput]]]
PathInput = Union[str, "PathLike[str]"]
TextsInput = Union[str, Sequence[str]]
"""One text, or several in a list or tuple."""

CertInput = Union[PathInput, Tuple[PathInput, PathInput], Tuple[PathInput, PathInput, str]]
