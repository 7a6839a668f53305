"""What a download brought, how far it has come, and what it left behind."""

from __future__ import annotations

import os
from ctypes import byref, c_void_p, cast
from dataclasses import dataclass
from typing import Any, Callable, List, Optional, Union

from .._c import ffi
from .._c.buffers import copy
from .._errors.raising import call_error, check
from .._inputs import encode
from .response import Response

_UNKNOWN = (1 << 64) - 1

PathInput = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


@dataclass(frozen=True)
class Download:
    """A file that was downloaded, and is in its place."""

    path: str
    """Of the file, as it was given."""

    size: int
    """Its length in bytes."""

    resumed_from: int
    """Bytes that an earlier download had left and that were used."""

    fetched: int
    """Bytes of bodies that came."""

    fetched_again: int
    """Those among them that had come before or come again: the file had changed, the server sent more than was asked
    for, or another segment took over what was on its way."""

    requests: int
    """Requests that it took."""

    sha256: Optional[str]
    """The SHA-256 digest in hexadecimal; None if neither the caller nor the server asked for it."""

    response: Response
    """The last answer. It has no body."""


@dataclass(frozen=True)
class DownloadProgress:
    """How far a download has come."""

    size: int
    """Bytes of the file that are there, those of an earlier download included."""

    total: Optional[int]
    """Bytes of the whole file; None if that is not known."""

    resumed_from: int
    """Bytes that an earlier download had left."""

    rate: float
    """Bytes for each second, over the last few seconds; 0 at the beginning."""

    time_left: Optional[float]
    """Seconds that are left at that rate; None if that is not known."""


@dataclass(frozen=True)
class DownloadPart:
    """The part of a file that a download left behind, or is writing."""

    path: str
    """The file that it is a part of."""

    size: int
    """Bytes that are there."""

    total: Optional[int]
    """Bytes of the whole file; None if that is not known."""

    modified: int
    """When it was last written, in seconds since 1970."""

    is_busy: bool
    """Whether a download writes to it now."""


def _known(count: int) -> Optional[int]:
    return None if count == _UNKNOWN else count


def path_bytes(path: PathInput, name: str = "path") -> bytes:
    """A path as C takes it."""
    try:
        text = os.fsdecode(path)
    except TypeError:
        raise TypeError(f"{name}: a path expected, not {type(path).__name__}") from None
    return encode.c_text(text, name)


def read_download(handle: int, response: Response) -> Download:
    """What the netcore_response of a download says, which is still the caller's."""
    info = ffi.DownloadInfo()
    check(ffi.response_get_download(handle, byref(info)))
    return Download(
        path=_text(info.path),
        size=info.size_bytes,
        resumed_from=info.resumed_from,
        fetched=info.fetched_bytes,
        fetched_again=info.fetched_again_bytes,
        requests=info.requests,
        sha256=_text(info.sha256) or None,
        response=response,
    )


def read_progress(task: int) -> Optional[DownloadProgress]:
    """How far a task has come; None once it has ended."""
    progress = ffi.DownloadProgress()
    if ffi.download_get_progress(task, byref(progress)):
        return None
    left = _known(progress.time_left_ms)
    return DownloadProgress(
        size=progress.done_bytes,
        total=_known(progress.total_bytes),
        resumed_from=progress.resumed_from,
        rate=float(progress.bytes_per_second),
        time_left=None if left is None else left / 1000,
    )


ProgressFunction = Callable[[DownloadProgress], object]


class ProgressLook:
    """Tells a function how far a download has come, if it has come further."""

    def __init__(self, function: Optional[ProgressFunction]) -> None:
        if function is not None and not callable(function):
            raise TypeError(f"progress: a function expected, not {type(function).__name__}")
        self.function = function
        self._last = -1

    def at(self, task: int) -> None:
        """Looks at a task."""
        progress = read_progress(task) if self.function is not None else None
        if progress is not None and self.function is not None and progress.size not in (0, self._last):
            self._last = progress.size
            self.function(progress)

    def tell_end(self, download: Download) -> None:
        """Tells that all is there, unless the last report said so."""
        if self.function is not None and self._last != download.size:
            self.function(DownloadProgress(download.size, download.size, download.resumed_from, 0.0, 0.0))


def download_parts(folder: PathInput) -> List[DownloadPart]:
    """The parts that downloads left in a folder, or are writing there, by their names.

    :raises StorageError: the folder cannot be read.
    """
    parts: List[DownloadPart] = []

    def add(pointer: Any, _data: Optional[int]) -> int:
        part = pointer.contents
        parts.append(
            DownloadPart(
                path=part.path.decode("utf-8", "replace"),
                size=part.size_bytes,
                total=_known(part.total_bytes),
                modified=part.modified,
                is_busy=bool(part.busy),
            )
        )
        return 1

    function = ffi.DownloadPartFn(add)
    status = ffi.download_list_parts(path_bytes(folder, "folder"), cast(function, c_void_p), None)
    if status:
        raise call_error(status)
    return parts


def remove_download_part(path: PathInput) -> bool:
    """Removes the part of a file, so that another download of it starts over. False if there is none.

    :param path: of the file, not of the part.
    :raises DownloadBusy: a download writes to it.
    :raises StorageError: it cannot be removed.
    """
    status = ffi.download_remove_part(path_bytes(path))
    if status and status != ffi.ERR_NOT_FOUND:
        raise call_error(status)
    return bool(status == 0)


def _text(borrowed: ffi.Bytes) -> str:
    return copy(borrowed.data or 0, borrowed.size_bytes).decode("utf-8", "replace")
