"""Downloads to files: what both clients do of them."""

from __future__ import annotations

from ctypes import c_uint64
from typing import TYPE_CHECKING, NamedTuple, NoReturn, Optional, Union

from .._c import ffi
from .._errors.errors import HTTPStatusError
from .._errors.raising import reject
from .._inputs import encode
from .._responses.download import Download, PathInput, ProgressFunction, ProgressLook, path_bytes, read_download
from .._responses.response import take_response
from .core import Core

if TYPE_CHECKING:
    from .._requests.factory import Prepared
    from .._requests.options import RequestOptions

PROGRESS_SECONDS = 0.1
"""Between two calls of a progress function."""

DEFAULT_RESUMES = 5


class Wanted(NamedTuple):
    """What a download is to bring, as `Client.download` takes it."""

    sha256: Union[str, bool, None]
    size: Optional[int]
    overwrite: bool
    key: Optional[str]
    resumes: int
    segments: int
    segment_size: Optional[int]
    sync: bool

    def options(self) -> ffi.DownloadOptions:
        """The same for C.

        :raises InvalidRequest: a value that is not allowed.
        :raises TypeError: a value of a wrong type.
        """
        digest = self.sha256
        return ffi.DownloadOptions(
            overwrite=_flag(self.overwrite, "overwrite"),
            expected_bytes=_number(self.size, "size"),
            sha256=encode.c_text(digest, "sha256") if isinstance(digest, str) else None,
            key=None if self.key is None else encode.c_text(self.key, "key"),
            resumes=min(_number(self.resumes, "resumes"), _NEVER - 1) or _NEVER,
            compute_sha256=0 if isinstance(digest, str) or digest is None else _flag(digest, "sha256"),
            segments=min(_positive(self.segments, "segments"), _NEVER),
            segment_bytes=0 if self.segment_size is None else _positive(self.segment_size, "segment_size"),
            skip_sync=1 - _flag(self.sync, "sync"),
        )


_NEVER = (1 << 32) - 1


class Job:
    """A download, ready to begin."""

    def __init__(
        self,
        core: Core,
        url: str,
        path: PathInput,
        options: RequestOptions,
        wanted: Wanted,
        progress: Optional[ProgressFunction],
    ) -> None:
        self.core = core
        self.prepared: Prepared = core.requests.get("GET", url, options)
        if self.prepared.watch is not None:
            reject("on_progress: a download has `progress`")
        self.path = path_bytes(path)
        self.look = ProgressLook(progress)
        self.options = wanted.options()

    def result(self, response: int) -> Download:
        """What a netcore_response says, which is taken over."""
        kept = c_uint64(response)
        ffi.response_retain(kept)
        try:
            return read_download(response, take_response(response, self.prepared.request))
        finally:
            ffi.response_release(kept)

    def fail(self, response: int, status: int) -> NoReturn:
        """Raises why there is no file. Takes a netcore_response over."""
        error = self.core.task_error(response, status, self.prepared.request, None)
        if isinstance(error, HTTPStatusError):
            error.response = take_response(response, self.prepared.request)
        else:
            ffi.response_release(response)
        raise error


def _flag(value: bool, name: str) -> int:
    if not isinstance(value, bool):
        raise TypeError(f"{name}: a bool expected, not {type(value).__name__}")
    return int(value)


def _number(value: Optional[int], name: str) -> int:
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name}: an int expected, not {type(value).__name__}")
    if not 0 <= value < 1 << 63:
        reject(f"{name}: must not be negative")
    return value


def _positive(value: int, name: str) -> int:
    if _number(value, name) == 0:
        reject(f"{name}: must be positive")
    return value
