"""Responses: what came back, read from the C side when it is asked for."""

from __future__ import annotations

import json as _json
import re
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from typing import Any, NamedTuple, Optional, Tuple

from . import _ffi
from ._buffers import INFO_START, ResponseHandle, borrow_out, copy_bytes, memory, return_out
from ._errors import HTTPStatusError, check
from ._headers import Headers
from ._received import ReceivedHeaders, read_trailers

KEPT_BODY_BYTES = 16_384
"""Up to this size the C response is kept with its body, so that headers nobody asks for are never read."""

_VERSIONS = {10: "HTTP/1.0", 11: "HTTP/1.1", 20: "HTTP/2"}
_CHARSET = re.compile(r"""[;,]\s*charset\s*=\s*["']?([^\s;,"']+)""", re.IGNORECASE)

_get_info = _ffi.fast_get_info
_read_start = INFO_START.unpack_from


class Request(NamedTuple):
    """What was asked for."""

    method: str
    url: str


@dataclass(frozen=True)
class Timings:
    """Durations in seconds; None where a phase was not reached.

    `queue`: from dispatch to the start of the transfer. `dns`, `connect`, `tls` and `first_byte` are phases of the last
    hop; a reused connection has only the last of them. `first_byte`: from the request's going out to the first byte of
    the answer. `total`: from the start of the first hop to the end of the last, without the time in the queue.
    """

    queue: Optional[float]
    dns: Optional[float]
    connect: Optional[float]
    tls: Optional[float]
    first_byte: Optional[float]
    total: Optional[float]


class Response:
    """An HTTP response, whatever its status code. Immutable; any thread may read it.

    Headers, URL and timings are read from netcore when they are first asked for. A response of the parent process has
    only `status_code`, `content` and `request` in a forked child, unless the parent had asked for the rest.
    """

    __slots__ = ("_handle", "_headers", "_info", "_trailers", "_url", "_version", "content", "request", "status_code")

    status_code: int
    """The HTTP status code: 200, 404."""

    content: bytes
    """The body, decoded as Content-Encoding says."""

    request: Request
    """The request as it was made, before redirects."""

    _handle: Optional[ResponseHandle]
    _headers: Optional[Headers]
    _info: Optional[_ffi.ResponseInfo]
    _trailers: Optional[Headers]
    _url: Optional[str]
    _version: int

    def __init__(self, handle: int, request: Request) -> None:
        """Takes over a netcore_response. Not for users."""
        self._handle = owner = ResponseHandle(handle)
        self.request = request
        self._headers = self._info = self._trailers = self._url = None
        out = borrow_out()
        status = _get_info(owner, out.info_address)
        if status:
            check(status)
        self.status_code, self._version, body, size = _read_start(out.info_bytes)
        return_out(out)
        self.content = memory[body : body + size]
        if size > KEPT_BODY_BYTES:
            self._read_rest()
            self._handle = None

    def _read_rest(self) -> None:
        """Reads and keeps all that is read when it is asked for."""
        self.headers.multi_items()
        self.trailers.multi_items()
        self._all, self.url  # noqa: B018

    def __getstate__(self) -> Tuple[None, Any]:
        self._read_rest()
        state = {name: getattr(self, name) for name in self.__slots__ if name not in ("_handle", "_info")}
        return None, {**state, "_info": bytes(self._all)}

    def __setstate__(self, state: Tuple[None, Any]) -> None:
        self._handle = None
        for name, value in state[1].items():
            setattr(self, name, value)
        self._info = _ffi.ResponseInfo.from_buffer_copy(state[1]["_info"])

    @property
    def _all(self) -> _ffi.ResponseInfo:
        """What C says of this response; what it points to may be gone."""
        info = self._info
        if info is None:
            info = _ffi.ResponseInfo(size=_ffi.SIZE_OF_RESPONSE_INFO)
            check(_ffi.response_get_info(self._handle, info))
            self._info = info
        return info

    @property
    def headers(self) -> Headers:
        """The header fields of the last hop."""
        headers = self._headers
        if headers is None:
            self._headers = headers = ReceivedHeaders(self._handle)
        return headers

    @property
    def trailers(self) -> Headers:
        """The trailer fields, which may follow a body (RFC 9110 section 6.5)."""
        trailers = self._trailers
        if trailers is None:
            self._trailers = trailers = read_trailers(self._handle, self._all.trailer_count)
        return trailers

    @property
    def url(self) -> str:
        """The URL of the last hop, without user name and password."""
        url = self._url
        if url is None:
            self._url = url = copy_bytes(self._all.url).decode("utf-8", "replace")
        return url

    @property
    def http_version(self) -> str:
        """``"HTTP/1.1"`` or ``"HTTP/2"``."""
        return _VERSIONS.get(self._version, "")

    @property
    def reason_phrase(self) -> str:
        """The usual words for the status code, ``"Not Found"``; "" for one without. The server's own are not kept."""
        try:
            return HTTPStatus(self.status_code).phrase
        except ValueError:
            return ""

    @property
    def encoding(self) -> str:
        """The charset of Content-Type, ``"utf-8"`` when it names none, or one that Python does not know."""
        found = _CHARSET.search(self.headers.get("content-type", ""))
        if found:
            charset = found.group(1).lower()
            try:
                b"x".decode(charset, "replace")
            except (LookupError, ValueError):  # unknown, or no charset, such as "zlib"
                return "utf-8"
            return charset
        return "utf-8"

    @property
    def text(self) -> str:
        """The body as text in `encoding`; bytes that do not decode become U+FFFD."""
        return self.content.decode(self.encoding, "replace")

    def json(self, **options: Any) -> Any:
        """The body as JSON, in UTF-8, UTF-16 or UTF-32. Options are those of json.loads.

        :raises json.JSONDecodeError: the body is not JSON.
        """
        return _json.loads(self.content, **options)

    @property
    def timings(self) -> Timings:
        """Where the time went."""
        info = self._all
        names = ("queue_us", "dns_us", "connect_us", "tls_us", "first_byte_us", "total_us")
        return Timings(*(_seconds(getattr(info, name)) for name in names))

    @property
    def elapsed(self) -> timedelta:
        """From the start of the first hop to the end of the last, without the time in the queue."""
        return timedelta(microseconds=max(0, self._all.total_us))

    @property
    def attempts(self) -> int:
        """How often the request was put on the wire, redirects not counted."""
        return int(self._all.attempts)

    @property
    def redirects(self) -> int:
        """Redirects followed."""
        return int(self._all.redirects)

    @property
    def connection_reused(self) -> bool:
        """Whether the last hop used a connection that was already open."""
        return bool(self._all.connection_reused)

    @property
    def bytes_sent(self) -> int:
        """Bytes of all hops on the wire inside TLS: header sections and bodies as transferred."""
        return int(self._all.bytes_sent)

    @property
    def bytes_received(self) -> int:
        """As `bytes_sent`, in the other direction."""
        return int(self._all.bytes_received)

    @property
    def is_success(self) -> bool:
        """Whether the status code is 2xx."""
        return 200 <= self.status_code < 300

    @property
    def is_redirect(self) -> bool:
        """Whether this is a redirect that was not followed: 3xx with a Location."""
        return 300 <= self.status_code < 400 and "location" in self.headers

    @property
    def is_client_error(self) -> bool:
        """Whether the status code is 4xx."""
        return 400 <= self.status_code < 500

    @property
    def is_server_error(self) -> bool:
        """Whether the status code is 5xx."""
        return 500 <= self.status_code < 600

    @property
    def is_error(self) -> bool:
        """Whether the status code is 4xx or 5xx."""
        return 400 <= self.status_code < 600

    @property
    def ok(self) -> bool:
        """Whether the status code is below 400."""
        return self.status_code < 400

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


def _seconds(microseconds: int) -> Optional[float]:
    return None if microseconds < 0 else microseconds / 1e6
