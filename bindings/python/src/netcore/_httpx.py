"""netcore under httpx and httpx2: what the transports for both share."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, AsyncIterator, Dict, Iterator, List, Optional, Tuple, Type

from ._clients.async_client import AsyncClient
from ._clients.client import Client
from ._clients.options import ClientOptions
from ._errors import errors
from ._errors.raising import reject
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


class Transport:
    """A transport that waits. What it says of its package, httpx or httpx2, a subclass sets."""

    _package: Any
    _body: Type[Body]

    def __init__(self, **options: Unpack[ClientOptions]) -> None:
        self._client = Client(**_client_options(options))

    def handle_request(self, request: Any) -> Any:
        """Sends a request, and returns when the head of its response has come."""
        package = self._package
        assert isinstance(request.stream, package.SyncByteStream)
        with _exceptions_of(package, request):
            core = self._client._core
            prepared = core.streamed(request.method, _url(request), _options(package, request), DEFAULT_WINDOW)
            response = core.open_stream(prepared, DEFAULT_WINDOW, _pool_seconds(request))
        trailers: List[Field] = []
        return _response(package, response, self._body(package, response, request, trailers), trailers)

    def close(self) -> None:
        """Cancels what is in flight, and closes the connections."""
        self._client.close()


class AsyncTransport:
    """The same for asyncio."""

    _package: Any
    _body: Type[AsyncBody]

    def __init__(self, **options: Unpack[ClientOptions]) -> None:
        self._client = AsyncClient(**_client_options(options))

    async def handle_async_request(self, request: Any) -> Any:
        """Sends a request, and returns when the head of its response has come."""
        package = self._package
        assert isinstance(request.stream, package.AsyncByteStream)
        with _exceptions_of(package, request):
            core = self._client._core
            prepared = core.streamed(request.method, _url(request), _options(package, request), DEFAULT_WINDOW)
            response = await core.open_stream(prepared, DEFAULT_WINDOW, _pool_seconds(request))
        trailers: List[Field] = []
        return _response(package, response, self._body(package, response, request, trailers), trailers)

    async def aclose(self) -> None:
        """Cancels what is in flight, and closes the connections."""
        await self._client.aclose()


class Body:
    """The body of a response. A second iterator goes on where the one before stopped: SDKs read the rest of a stream by
    one."""

    def __init__(self, package: Any, response: StreamedResponse, request: Any, trailers: List[Field]) -> None:
        self._package = package
        self._response = response
        self._request = request
        self._trailers = trailers
        self._pieces = response.iter_bytes()

    def __iter__(self) -> Iterator[bytes]:
        with _exceptions_of(self._package, self._request):
            for piece in self._pieces:  # noqa: UP028 ("yield from" closes it with the first iterator)
                yield piece
            self._trailers[:] = self._response.trailers.raw

    def close(self) -> None:
        self._response.close()


class AsyncBody:
    """The same for asyncio."""

    def __init__(self, package: Any, response: AsyncStreamedResponse, request: Any, trailers: List[Field]) -> None:
        self._package = package
        self._response = response
        self._request = request
        self._trailers = trailers
        self._pieces = response.aiter_bytes()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _exceptions_of(self._package, self._request):
            async for piece in self._pieces:
                yield piece
            self._trailers[:] = self._response.trailers.raw

    async def aclose(self) -> None:
        await self._response.aclose()


def _client_options(options: ClientOptions) -> ClientOptions:
    for name in _LEFT_TO_HTTPX:
        if name in options:
            reject(f"{name}: httpx does this itself")
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


def _url(request: Any) -> str:
    """Without user name and password, of which httpx has made an Authorization field."""
    return str(request.url.copy_with(username=None, password=None) if request.url.userinfo else request.url)


def _options(package: Any, request: Any) -> RequestOptions:
    options: RequestOptions = {"headers": _fields(request), "follow_redirects": False, "decode_content": False}
    has_body = _set_body(package, options, request)
    options["timeout"] = _timeout(request.extensions.get("timeout", {}), has_body)
    return options


def _fields(request: Any) -> List[Field]:
    return [field for field in request.headers.raw if field[0].lower() not in _FRAMING]


def _set_body(package: Any, options: RequestOptions, request: Any) -> bool:
    stream = request.stream
    length = request.headers.get("content-length")
    if isinstance(stream, package.ByteStream):
        content = b"".join(stream)
        if content or length is not None:
            options["content"] = content
        return bool(content)
    # An iterator, which is read once: httpx's streams cannot begin anew.
    if isinstance(stream, package.SyncByteStream):
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


def _pool_seconds(request: Any) -> Optional[float]:
    return _seconds(request.extensions.get("timeout", {}).get("pool"))


def _seconds(seconds: Optional[float]) -> Optional[float]:
    return None if seconds is None else min(max(seconds, _LEAST_SECONDS), MOST_SECONDS)


# Responses


def _response(package: Any, response: Response, body: Any, trailers: List[Field]) -> Any:
    extensions: Dict[str, Any] = {"http_version": response.http_version.encode("ascii"), "trailers": trailers}
    if response.http_version != "HTTP/2":  # which has none (RFC 9113 section 8.3.1)
        extensions["reason_phrase"] = response.reason_phrase.encode("ascii")
    return package.Response(response.status_code, headers=response.headers.raw, stream=body, extensions=extensions)


# Exceptions


@contextmanager
def _exceptions_of(package: Any, request: Any) -> Iterator[None]:
    """Raises the package's exceptions in the place of netcore's."""
    try:
        yield
    except errors.BodyError as error:
        if isinstance(error.__cause__, Exception):
            raise error.__cause__ from None  # the program's own
        raise package.LocalProtocolError(str(error), request=request) from error
    except errors.StateError as error:
        raise RuntimeError(str(error)) from error
    except errors.Error as error:
        raise getattr(package, _name_for(error))(str(error), request=request) from error


def _name_for(error: errors.Error) -> str:
    """The package's class for an error."""
    is_sending = error.phase == errors.Phase.SEND
    if isinstance(error, errors.ConnectTimeout):
        return "ConnectTimeout"
    if isinstance(error, errors.TimeoutException) and error.phase == errors.Phase.QUEUE:
        return "PoolTimeout"
    if isinstance(error, errors.TimeoutException):
        return "WriteTimeout" if is_sending else "ReadTimeout"
    if isinstance(error, errors.ConnectionLost):
        if is_sending or error.native_code == _SEND_ERROR:
            return "WriteError"
        return "ReadError" if error.native_code == _RECEIVE_ERROR else "RemoteProtocolError"
    for ours, theirs in _CLASSES:
        if isinstance(error, ours):
            return theirs
    return "TransportError"


_CLASSES: List[Tuple[Type[errors.Error], str]] = [
    (errors.ProxyError, "ProxyError"),
    (errors.ConnectError, "ConnectError"),
    (errors.ResolveError, "ConnectError"),
    (errors.BreakerOpen, "ConnectError"),
    (errors.NetworkUnreachable, "ConnectError"),
    (errors.TLSError, "ConnectError"),
    (errors.ProtocolError, "RemoteProtocolError"),
    (errors.InvalidURL, "UnsupportedProtocol"),
    (errors.InvalidRequest, "LocalProtocolError"),
    (errors.LimitError, "RemoteProtocolError"),
    (errors.Canceled, "ReadError"),
]
