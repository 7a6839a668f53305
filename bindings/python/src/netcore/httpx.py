"""netcore under httpx: transports for programs that use httpx, such as the SDKs of web services.

    >>> import httpx, netcore.httpx
    >>> client = httpx.Client(transport=netcore.httpx.HTTPTransport())

httpx goes on doing what it does with its own transports: redirects, cookies, auth, decoding. netcore sends each request
as httpx gives it, and hands the body over as it comes. Only this module needs httpx.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, AsyncIterator, Dict, Iterator, List, Optional, Tuple, Type

import httpx

from ._clients.async_client import AsyncClient
from ._clients.client import Client
from ._clients.options import ClientOptions
from ._errors import errors
from ._inputs.limits import MOST_SECONDS, UNLIMITED, Limits, Timeout
from ._requests.options import RequestOptions
from ._responses.async_streamed import AsyncStreamedResponse
from ._responses.response import Response
from ._responses.stream_base import DEFAULT_WINDOW
from ._responses.streamed import StreamedResponse

if TYPE_CHECKING:
    from typing_extensions import Unpack

Field = Tuple[bytes, bytes]

_FRAMING = (b"content-length", b"transfer-encoding")
"""Fields that follow from the body."""
_LEFT_TO_HTTPX = ("base_url", "headers", "params", "auth", "timeout", "follow_redirects", "decode_content")
_LEAST_SECONDS = 0.001

# CURLcodes
_SEND_ERROR = 55
_RECEIVE_ERROR = 56


class HTTPTransport(httpx.BaseTransport):
    """For ``httpx.Client(transport=HTTPTransport())``. Any thread may use it.

    Options are those of `netcore.Client`, such as `verify`, `cert`, `http2`, `proxy`, `uds`, `limits`, `cache` and
    `retries`, except what httpx does itself: base_url, headers, params, auth, timeout, follow_redirects and
    decode_content. Other defaults than there: no proxy, whatever the environment says; no cookies; no limit on bodies.

    - Timeouts come from httpx: `connect`; `read` until the first byte, and between two; `write` between two bytes of a
      request's body that are sent, where it is longer than `read`; `pool` while a request waits for its slot within
      `limits`.
    - Extensions of responses: ``http_version``, ``reason_phrase`` (the usual words, not the server's own), and
      ``trailers``, a list of pairs of bytes, which is filled at the end of the body.
    - Bodies are streamed in both directions, in bounded memory. A `cache` stores them when they were read to their
      end. A generator as a request's body runs in a thread of netcore's.
    - Exceptions are those of httpx, with netcore's as their ``__cause__``. What a generator raises is raised.

    :raises InvalidRequest: an option that is not allowed.
    """

    def __init__(self, **options: Unpack[ClientOptions]) -> None:
        self._client = Client(**_client_options(options))

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Sends a request, and returns when the head of its response has come."""
        assert isinstance(request.stream, httpx.SyncByteStream)
        with _exceptions_of_httpx(request):
            core = self._client._core
            prepared = core.streamed(request.method, _url(request), _options(request), DEFAULT_WINDOW)
            response = core.open_stream(prepared, DEFAULT_WINDOW, _pool_seconds(request))
        trailers: List[Field] = []
        return _response(response, _Body(response, request, trailers), trailers)

    def close(self) -> None:
        """Cancels what is in flight, and closes the connections."""
        self._client.close()


class AsyncHTTPTransport(httpx.AsyncBaseTransport):
    """For ``httpx.AsyncClient(transport=AsyncHTTPTransport())``: as `HTTPTransport`, for asyncio."""

    def __init__(self, **options: Unpack[ClientOptions]) -> None:
        self._client = AsyncClient(**_client_options(options))

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Sends a request, and returns when the head of its response has come."""
        assert isinstance(request.stream, httpx.AsyncByteStream)
        with _exceptions_of_httpx(request):
            core = self._client._core
            prepared = core.streamed(request.method, _url(request), _options(request), DEFAULT_WINDOW)
            response = await core.open_stream(prepared, DEFAULT_WINDOW, _pool_seconds(request))
        trailers: List[Field] = []
        return _response(response, _AsyncBody(response, request, trailers), trailers)

    async def aclose(self) -> None:
        """Cancels what is in flight, and closes the connections."""
        await self._client.aclose()


class _Body(httpx.SyncByteStream):
    """The body of a response."""

    def __init__(self, response: StreamedResponse, request: httpx.Request, trailers: List[Field]) -> None:
        self._response = response
        self._request = request
        self._trailers = trailers

    def __iter__(self) -> Iterator[bytes]:
        with _exceptions_of_httpx(self._request):
            yield from self._response.iter_bytes()
            self._trailers += self._response.trailers.raw

    def close(self) -> None:
        self._response.close()


class _AsyncBody(httpx.AsyncByteStream):
    """The same for asyncio."""

    def __init__(self, response: AsyncStreamedResponse, request: httpx.Request, trailers: List[Field]) -> None:
        self._response = response
        self._request = request
        self._trailers = trailers

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _exceptions_of_httpx(self._request):
            async for piece in self._response.aiter_bytes():
                yield piece
            self._trailers += self._response.trailers.raw

    async def aclose(self) -> None:
        await self._response.aclose()


def _client_options(options: ClientOptions) -> ClientOptions:
    for name in _LEFT_TO_HTTPX:
        if name in options:
            errors.reject(f"{name}: httpx does this itself")
    result: ClientOptions = {
        "cookies": False,
        "user_agent": "",
        "accept_encoding": "",
        "limits": Limits(body_bytes=UNLIMITED, decoded_bytes=UNLIMITED),
        **options,
    }
    if "proxies" not in options:
        result.setdefault("proxy", "")
    return result


# Requests


def _url(request: httpx.Request) -> str:
    """Without user name and password, of which httpx has made an Authorization field."""
    return str(request.url.copy_with(username=None, password=None) if request.url.userinfo else request.url)


def _options(request: httpx.Request) -> RequestOptions:
    options: RequestOptions = {"headers": _fields(request), "follow_redirects": False, "decode_content": False}
    has_body = _set_body(options, request)
    options["timeout"] = _timeout(request.extensions.get("timeout", {}), has_body)
    return options


def _fields(request: httpx.Request) -> List[Field]:
    return [field for field in request.headers.raw if field[0].lower() not in _FRAMING]


def _set_body(options: RequestOptions, request: httpx.Request) -> bool:
    stream = request.stream
    length = request.headers.get("content-length")
    if isinstance(stream, httpx.ByteStream):
        content = b"".join(stream)
        if content or length is not None:
            options["content"] = content
        return bool(content)
    # An iterator, which is read once: httpx's streams cannot begin anew.
    if isinstance(stream, httpx.SyncByteStream):
        options["content"] = iter(stream)
    else:
        options["content"] = stream.__aiter__()
    if length is not None:
        options["content_length"] = int(length)
    return True


def _timeout(given: Dict[str, Optional[float]], has_body: bool) -> Timeout:
    connect, read, write = (_seconds(given.get(name)) for name in ("connect", "read", "write"))
    idle = read
    if has_body:
        idle = None if read is None or write is None else max(read, write)
    return Timeout(connect=connect, first_byte=read, idle=idle)


def _pool_seconds(request: httpx.Request) -> Optional[float]:
    return _seconds(request.extensions.get("timeout", {}).get("pool"))


def _seconds(seconds: Optional[float]) -> Optional[float]:
    return None if seconds is None else min(max(seconds, _LEAST_SECONDS), MOST_SECONDS)


# Responses


def _response(response: Response, body: Any, trailers: List[Field]) -> httpx.Response:
    extensions: Dict[str, Any] = {"http_version": response.http_version.encode("ascii"), "trailers": trailers}
    if response.http_version != "HTTP/2":  # which has none (RFC 9113 section 8.3.1)
        extensions["reason_phrase"] = response.reason_phrase.encode("ascii")
    return httpx.Response(response.status_code, headers=response.headers.raw, stream=body, extensions=extensions)


# Exceptions


@contextmanager
def _exceptions_of_httpx(request: httpx.Request) -> Iterator[None]:
    """Raises httpx's exceptions in the place of netcore's."""
    try:
        yield
    except errors.BodyError as error:
        if isinstance(error.__cause__, Exception):
            raise error.__cause__ from None  # the program's own
        raise httpx.LocalProtocolError(str(error), request=request) from error
    except errors.StateError as error:
        raise RuntimeError(str(error)) from error
    except errors.Error as error:
        raise _class_for(error)(str(error), request=request) from error


def _class_for(error: errors.Error) -> Type[httpx.TransportError]:
    is_sending = error.phase == errors.Phase.SEND
    if isinstance(error, errors.ConnectTimeout):
        return httpx.ConnectTimeout
    if isinstance(error, errors.TimeoutException) and error.phase == errors.Phase.QUEUE:
        return httpx.PoolTimeout
    if isinstance(error, errors.TimeoutException):
        return httpx.WriteTimeout if is_sending else httpx.ReadTimeout
    if isinstance(error, errors.ConnectionLost):
        if is_sending or error.native_code == _SEND_ERROR:
            return httpx.WriteError
        return httpx.ReadError if error.native_code == _RECEIVE_ERROR else httpx.RemoteProtocolError
    for ours, theirs in _CLASSES:
        if isinstance(error, ours):
            return theirs
    return httpx.TransportError


_CLASSES: List[Tuple[Type[errors.Error], Type[httpx.TransportError]]] = [
    (errors.ProxyError, httpx.ProxyError),
    (errors.ConnectError, httpx.ConnectError),
    (errors.ResolveError, httpx.ConnectError),
    (errors.BreakerOpen, httpx.ConnectError),
    (errors.NetworkUnreachable, httpx.ConnectError),
    (errors.TLSError, httpx.ConnectError),
    (errors.ProtocolError, httpx.RemoteProtocolError),
    (errors.InvalidURL, httpx.UnsupportedProtocol),
    (errors.InvalidRequest, httpx.LocalProtocolError),
    (errors.LimitError, httpx.RemoteProtocolError),
    (errors.Canceled, httpx.ReadError),
]
