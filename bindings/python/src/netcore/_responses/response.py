"""Responses: what came back, copied from the C side, and read when it is asked for."""

from __future__ import annotations

import json as _json
import re
from ctypes import byref, c_uint64
from typing import Any, Callable, Dict, List, Optional, Tuple, Type, TypeVar, Union

from .._c import ffi
from .._c.buffers import INFO_NUMBERS, INFO_TEXTS, NUMBERS_OFFSET, ROOM_SIZE, Out, borrow_out, memory, return_out
from .._cache.types import CacheResult
from .._cache.values import MISSING, Kept, StoredAnswer
from .._credentials.cookie import received_cookies
from .._errors.errors import Error, HTTPStatusError
from .._errors.raising import check, error_class, reject
from .._errors.tries import CopiedTries, Try
from .._inputs import encode
from .._inputs.encode import header_fields
from .._inputs.headers import Headers, received
from .._inputs.kinds import HeadersInput
from .charsets import decode, encoding_of
from .decoding import Decoding, Model
from .held import LEAST_HELD, HeldBody
from .links import links_of
from .moved import Moved
from .request import Request
from .statistics import NO_NUMBERS, Statistics
from .status import Status

R = TypeVar("R", bound="Response")
T = TypeVar("T")

VERSIONS = {10: "HTTP/1.0", 11: "HTTP/1.1", 20: "HTTP/2"}
_VERSION_NUMBERS = {name: number for number, name in VERSIONS.items()}
_CHARSET = re.compile(r"""[;,]\s*charset\s*=\s*["']?([^\s;,"']+)""", re.IGNORECASE)

_texts_of = INFO_TEXTS.unpack
_NUMBERS = slice(NUMBERS_OFFSET, NUMBERS_OFFSET + INFO_NUMBERS.size)


class Response(Moved, Decoding, Statistics, Status):
    """An HTTP response, whatever its status code. Immutable; any thread may read it."""

    __slots__ = ("_kept",)

    request: Request
    """The request as it was made, before redirects."""

    def __init__(
        self,
        status_code: int = 200,
        *,
        headers: Optional[HeadersInput] = None,
        content: Union[bytes, str, None] = None,
        json: Any = None,
        request: Optional[Request] = None,
        http_version: str = "HTTP/1.1",
    ) -> None:
        """Makes a response of your own, for tests, in the words of httpx.

        :param headers: in any of the shapes of a request's `headers`.
        :param content: the body; text goes into it in UTF-8.
        :param json: in place of that any value, with ``application/json`` as Content-Type if none is given.
        :param request: what it answers. Default: a GET of "".
        :raises InvalidRequest: a status code that is not from 100 to 599, an unknown HTTP version, both bodies.
        """
        if isinstance(status_code, bool) or not isinstance(status_code, int):
            raise TypeError(f"status_code: an integer expected, not {type(status_code).__name__}")
        if not 100 <= status_code < 600:
            reject(f"status_code: {status_code} is not between 100 and 599")
        body, content_type = encode.body(content, None, json)
        if not isinstance(body, (bytes, type(None))):
            raise TypeError(f"content: bytes or str expected, not {type(content).__name__}")
        fields = header_fields(headers)
        if content_type is not None and not any(name.lower() == b"content-type" for name, _ in fields):
            fields = [*fields, (b"Content-Type", content_type)]
        self.request = Request("GET", "") if request is None else request
        self._trailers = self._stored = self._piece = None
        self._tries = ()
        self._headers = Headers((name.decode("latin-1"), value.decode("latin-1")) for name, value in fields)
        self._is_provisional = False
        self._history = ()
        self.status_code = status_code
        self._version = encode.choice(http_version, _VERSION_NUMBERS, "http_version")
        self._cache_result = 0
        self._body = b"" if body is None else body
        self._url = encode.utf8(self.request.url, "request")
        self._section = self._trailer_section = b""
        self._info = INFO_NUMBERS.pack(*NO_NUMBERS)
        self._digest = b""

    @classmethod
    def _received(cls: Type[R], out: Out, request: Request) -> R:
        """Copies what a netcore_response_info says and points to, and takes over the netcore_response."""
        info = out.info_bytes
        self = cls.__new__(cls)
        self.request = request
        self._headers = self._trailers = self._stored = self._piece = None
        self._is_provisional = False
        (
            status, version, body, size, url, url_size, redirects, result,
            section, section_size, trailer, trailer_size, tries, digest, digest_size,
        ) = _texts_of(info)  # fmt: skip
        self.status_code = status
        self._version = version
        self._cache_result = result
        self._url = memory[url : url + url_size]
        self._section = memory[section : section + section_size]
        self._trailer_section = memory[trailer : trailer + trailer_size] if trailer_size else b""
        self._info = info[_NUMBERS]
        self._digest = memory[digest : digest + digest_size] if digest_size else b""
        self._history = _history_of(out, redirects, request) if redirects else ()
        self._tries = CopiedTries(out, tries) if tries else ()
        if not result and size < LEAST_HELD:
            self._body = memory[body : body + size]
            ffi.fast_release(out.handle)
            return self
        answer = StoredAnswer(out.handle_words[0])
        out.handle_words[0] = 0
        self._body = memory[body : body + size] if size < LEAST_HELD else HeldBody(answer, body, size)
        if result:
            self._stored = answer
        return self

    @property
    def tries(self) -> Tuple[Try, ...]:
        """What came of each hop to the network, redirects too; empty if the cache answered."""
        tries = self._tries
        if isinstance(tries, CopiedTries):
            self._tries = tries = tries.make(error_class)
        return tries

    @property
    def content(self) -> bytes:
        """The body, decoded as Content-Encoding says. One of 64 KiB or more is copied when this is first read: see
        `body_view`."""
        body = self._body
        if not isinstance(body, bytes):
            self._body = body = body.copy()
        return body

    def body_view(self) -> memoryview:
        """The body without a copy, to be read: ``file.write(response.body_view())``.

        It is valid for as long as it is referenced, also after the response is gone and the client was closed, and
        keeps the memory of the body for that time. Once `content` was read it is a view of that.
        """
        body = self._body
        return memoryview(body) if isinstance(body, bytes) else body.view()

    @property
    def headers(self) -> Headers:
        """The header fields of the last hop."""
        headers = self._headers
        if headers is None:
            piece = self._piece
            section = b"\0" + self._section if piece is None else piece[self._headers_at - 1 :]
            self._headers = headers = received(section)
        return headers

    @property
    def cookies(self) -> Dict[str, str]:
        """The cookies that the last hop set, by name, whether or not the client keeps them."""
        return received_cookies(self.headers.get_list("set-cookie"))

    @property
    def links(self) -> Dict[str, Dict[str, str]]:
        """The links of the Link fields (RFC 8288), by relation: ``response.links["next"]["url"]``. As in requests; the
        URLs are as they stand there, perhaps relative."""
        return links_of(self.headers.get("link", ""))

    @property
    def history(self) -> List[Response]:
        """The answers that redirected, the first one first: without bodies. Empty if there was no redirect."""
        return list(self._history)

    @property
    def trailers(self) -> Headers:
        """The trailer fields, which may follow a body (RFC 9110 section 6.5)."""
        trailers = self._trailers
        if trailers is None:
            self._trailers = trailers = received(b"\0" + self._trailer_section)
        return trailers

    @property
    def url(self) -> str:
        """The URL of the last hop, without user name and password."""
        return self._url.decode("utf-8", "replace")

    @property
    def http_version(self) -> str:
        """``"HTTP/1.1"`` or ``"HTTP/2"``."""
        return VERSIONS.get(self._version, "")

    @property
    def encoding(self) -> str:
        """The encoding that the charset of Content-Type stands for, as browsers read it: ``"cp1252"`` for ISO-8859-1.
        ``"utf-8"`` when it names none, or one that is not known."""
        found = _CHARSET.search(self.headers.get("content-type", ""))
        return encoding_of(found.group(1)) if found else "utf-8"

    @property
    def text(self) -> str:
        """The body as text: by its byte order mark, else in `encoding`. Bytes that do not decode become U+FFFD."""
        return decode(self.body_view(), self.encoding)

    def json(self, **options: Any) -> Any:
        """The body as JSON, in UTF-8, UTF-16 or UTF-32. Options are those of json.loads.

        :raises json.JSONDecodeError: the body is not JSON.
        """
        return _json.loads(self.content, **options)

    @property
    def cache_result(self) -> CacheResult:
        """What the cache of the client did for this response, or why it asked the origin."""
        return CacheResult.of(self._cache_result)

    @property
    def from_cache(self) -> bool:
        """Whether this comes out of the cache: fresh, stale, confirmed by a 304, or its own 504."""
        return CacheResult.HIT <= self._cache_result <= CacheResult.UNSATISFIABLE

    @property
    def is_provisional(self) -> bool:
        """Whether the answer of the network is still to come: with `CacheMode.CACHE_THEN_NETWORK`, in `on_early`."""
        return self._is_provisional

    @property
    def cached_value(self) -> Any:
        """The object that is attached to the stored answer that this response came from; None if there is none."""
        value = MISSING if self._stored is None else self._stored.get()
        if isinstance(value, Model):
            return value.value
        return None if value is MISSING else value

    def set_cached_value(self, value: Any, *, size: Optional[int] = None) -> bool:
        """Attaches an object that was decoded from the body to the stored answer that this response came from, in place
        of the one that is there, so that the next hit need not decode it again.

        The cache releases it with the answer. The object should not refer to this response, nor be changed: all
        responses from that answer share it.

        :param size: the bytes of memory that it takes, about: counts against the cache's limit. Default: as the body.
        :return: False when the response was neither stored nor served from a cache.
        """
        if size is None:
            size = len(self._body)
        if isinstance(size, bool) or not isinstance(size, int):
            raise TypeError(f"size: an integer expected, not {type(size).__name__}")
        if not 0 <= size < 1 << 63:
            reject(f"size: {size} is not between 0 and 2**63 - 1")
        return self._stored is not None and self._stored.set(value, size)

    def decoded(self, function: Callable[[Response], T], *, size: Optional[int] = None) -> T:
        """The object that is attached to the stored answer; without one ``function(response)``, which is attached.

        ``response.decoded(parse)`` parses each stored answer once. Decode an answer in one way only: what one function
        made is returned to all. A response without a stored answer keeps the object for itself.

        :param size: as in `set_cached_value`.
        """
        found = self._decoded(function, size)
        result: T = found.value if isinstance(found, Model) else found
        return result

    def _decoded(self, function: Callable[[Response], Any], size: Optional[int] = None) -> Any:
        found = MISSING if self._stored is None else self._stored.get()
        if found is MISSING:
            kept = getattr(self, "_kept", None)
            found = function(self) if kept is None else kept.value
            if kept is None and not self.set_cached_value(found, size=size):
                self._kept = Kept(found)
        return found

    def raise_for_status(self) -> Response:
        """Returns this response, so that calls can be chained.

        :raises HTTPStatusError: the status code is 4xx or 5xx.
        """
        if not self.is_error:
            return self
        where = self.url.partition("?")[0].partition("#")[0]
        words = f"{self.status_code} {self.reason_phrase}".rstrip()
        error = HTTPStatusError(f"{words} for {self.request.method} {where}", request=self.request)
        error.response = self
        raise error

    def __repr__(self) -> str:
        return f"<Response [{self.status_code} {self.reason_phrase}]>".replace(" ]", "]")


def _history_of(out: Out, redirects: int, request: Request) -> Tuple[Response, ...]:
    """The answers that led to a netcore_response."""
    found: List[Response] = []
    for index in range(redirects):
        handle = c_uint64()
        if ffi.response_get_history_at(out.handle, index, byref(handle)):
            break
        found.append(take_response(handle.value, request))
    return tuple(found)


def take_response(handle: int, request: Request) -> Response:
    """Makes the response of a netcore_response, and takes that over."""
    out = borrow_out()
    out.handle_words[0] = handle
    response = take_out(out, request)
    return_out(out)
    return response


def take_out(out: Out, request: Request) -> Response:
    """The same of the netcore_response in the handle of `out`."""
    ffi.fast_move(out.handle, out.room_address, ROOM_SIZE, out.size_address)
    if out.size_words[0]:
        return Response._moved(out, request)
    try:
        check(ffi.fast_get_info(out.handle, out.info_address))
    except Error:
        ffi.fast_release(out.handle)
        raise
    return Response._received(out, request)
