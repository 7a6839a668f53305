"""Responses that C moved to Python's memory in one piece, which are read when something of them is asked for."""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Any, Optional, Tuple, Type, TypeVar, Union

from .._c.buffers import INFO_NUMBERS, INFO_TEXTS, NUMBERS_OFFSET, OUTLINE, Out, memory
from .._cache.values import StoredAnswer
from .._errors.tries import CopiedTries, Try
from .held import HeldBody

if TYPE_CHECKING:
    from .._inputs.headers import Headers
    from .request import Request
    from .response import Response

M = TypeVar("M", bound="Moved")

_READ_LATER = frozenset(
    (
        "_cache_result",
        "_digest",
        "_history",
        "_info",
        "_is_provisional",
        "_section",
        "_stored",
        "_tries",
        "_trailer_section",
        "_trailers",
        "_url",
        "_version",
    )
)
"""What `_read` sets."""

_new = object.__new__
_texts_of = INFO_TEXTS.unpack_from
_outline_of = OUTLINE.unpack_from
_size_of = Struct("=I").unpack_from
"""A netcore_response_info begins with its size."""
_NUMBERS = slice(NUMBERS_OFFSET, NUMBERS_OFFSET + INFO_NUMBERS.size)


class Moved:
    """What a response consists of, and how it is read from such a piece."""

    __slots__ = (
        "_body",
        "_cache_result",
        "_digest",
        "_headers",
        "_headers_at",
        "_history",
        "_info",
        "_is_provisional",
        "_piece",
        "_section",
        "_start",
        "_stored",
        "_trailer_section",
        "_trailers",
        "_tries",
        "_url",
        "_version",
        "request",
        "status_code",
    )

    request: Request
    status_code: int
    _body: Union[bytes, HeldBody]
    _headers: Optional[Headers]
    _piece: Optional[bytes]
    """The piece without the body; None for a response that was not moved."""
    _headers_at: int
    """Where in it the header section is, which ends it and comes after a NUL byte."""
    _start: int
    """Where it was when C made its pointers."""

    _cache_result: int
    _digest: bytes
    _history: Tuple[Response, ...]
    _info: Union[bytes, bytearray]
    _is_provisional: bool
    _section: bytes
    _stored: Optional[StoredAnswer]
    _tries: Union[CopiedTries, Tuple[Try, ...]]
    _trailer_section: bytes
    _trailers: Optional[Headers]
    _url: bytes
    _version: int

    @classmethod
    def _moved(cls: Type[M], out: Out, request: Request) -> M:
        """Copies what C has moved to the room of `out`."""
        status, body, size, headers, _ = _outline_of(out.room)
        self = _new(cls)
        self.request = request
        self.status_code = status
        self._headers = None
        self._start = start = out.room_start
        self._piece = memory[start:body]
        self._headers_at = headers - start
        self._body = memory[body : body + size]
        return self

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name not in _READ_LATER:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            self._read()
            return getattr(self, name)

    def _read(self) -> None:
        """Reads all that is read later."""
        piece: Any = self._piece
        start = self._start
        (
            _, self._version, _, _, url, url_size, _, self._cache_result,
            section, section_size, trailer, trailer_size, tries, digest, digest_size,
        ) = _texts_of(piece)  # fmt: skip
        url, section, trailer, digest = url - start, section - start, trailer - start, digest - start
        self._url = piece[url : url + url_size]
        self._section = piece[section : section + section_size]
        self._trailer_section = piece[trailer : trailer + trailer_size]
        self._digest = piece[digest : digest + digest_size]
        self._info = piece[_NUMBERS]
        self._tries = CopiedTries.moved(piece, start, _size_of(piece)[0], tries) if tries else ()
        self._history = ()
        self._trailers = self._stored = None
        self._is_provisional = False
