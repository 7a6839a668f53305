"""The well-behaved endpoints: each turns a request into a `Response`.

/echo                     what was received, as JSON
/status/N                 that status; a query adds header fields, as for /headers
/bytes/N  /chunked/N      N bytes of the pattern, with a length or chunked with a trailer
/gzip/N  /deflate/N  /rawdeflate/N
/redirect/CODE?to=TARGET  /redirect-chain/N
/delay/MS                 "ok" after a wait
/headers?Name=Value&…     these header fields, in order
/guarded?for=V&Name=Value&…   as /echo, for an Authorization field of V (whole, or its scheme); else 401; always with
                          these header fields, and 307 in place of 200 where Location is one. bytes=N and
                          chunked=N give the 401 a body as those endpoints do. The rest of the path only tells
                          requests apart
/numbered-events/N?per=P&retry=MS&…  an event stream: events with the ids 1 to N, those after the one that Last-Event-ID
                          names, P of them (1) for each request; their data is the method and the size of the body. 204
                          when there are no more. With tail=TEXT that text ends each answer; with lost=1 the connection
                          is lost
/stats                    the counters; POST /stats/reset zeroes them
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import unquote_to_bytes

from stats import Stats
from wire import PIECE, BadRequest, Request

Field = tuple[bytes, bytes]

BYTES_LIMIT = 1 << 30
COMPRESSED_LIMIT = 64 << 20
DELAY_MS = 60_000
CHUNK = 8 * 1024

_PERIOD = bytes((i * 31 + 7) % 256 for i in range(256))
_BLOCK = _PERIOD * (PIECE // 256)


@dataclass
class Response:
    """An answer in good order. `fields` come before the ones that describe the body."""

    status: int = 200
    body: Iterable[bytes] = (b"ok\n",)
    length: int | None = 3
    """Size of the body; None sends it chunked."""
    content_type: bytes = b"text/plain"
    fields: list[Field] = field(default_factory=list)
    trailers: list[Field] = field(default_factory=list)
    is_lost: bool = False
    """Whether the connection ends before the body does."""


def pattern(size: int) -> Iterator[bytes]:
    """`size` bytes in pieces, where byte i is (i * 31 + 7) mod 256."""
    while size > 0:
        yield _BLOCK[:size]
        size -= PIECE


def answer(request: Request, stats: Stats) -> Response:
    """Reads the request's body and makes the answer to it."""
    request.read_body()
    head, _, argument = request.path[1:].partition("/")
    if head == "stats":
        return _stats(request, argument, stats)
    if head == "echo":
        return _echo(request)
    if head == "headers":
        return Response(fields=_fields(request.query))
    if head == "guarded":
        return _guarded(request)
    if head == "numbered-events" and argument.isascii() and argument.isdigit():
        return _numbered_events(request, int(argument))
    endpoint = _NUMBERED.get(head)
    if endpoint is None:
        return _text(404, "no such endpoint")
    if not (argument.isascii() and argument.isdigit()):
        raise BadRequest(f"/{head}/ needs a number")
    return endpoint(request, int(argument))


def _text(status: int, text: str, fields: Iterable[Field] = ()) -> Response:
    body = text.encode() + b"\n"
    return Response(status, (body,), len(body), fields=list(fields))


def _json(value: object) -> Response:
    body = json.dumps(value).encode() + b"\n"
    return Response(200, (body,), len(body), b"application/json")


def _fields(query: str) -> list[Field]:
    """Header fields of a query, percent-decoded to bytes; `+` stands for itself."""
    pairs = (part.partition("=") for part in query.split("&") if part)
    return [(unquote_to_bytes(name), unquote_to_bytes(value)) for name, _, value in pairs]


def _bounded(number: int, limit: int) -> int:
    if number > limit:
        raise BadRequest(f"at most {limit} here")
    return number


def _stats(request: Request, argument: str, stats: Stats) -> Response:
    if argument == "reset" and request.method == "POST":
        stats.reset()
    elif argument:
        return _text(404, "no such endpoint")
    return _json(stats.snapshot())


def _echo(request: Request) -> Response:
    return _json(
        {
            "method": request.method,
            "target": request.target,
            "http_version": request.version,
            "headers": request.headers,
            "trailers": request.trailers,
            "body": None if request.body is None else request.body.decode("latin-1"),
            "body_size": request.body_size,
            "body_sha256": request.body_sha256,
            "connection": request.connection.number,
        }
    )


def _guarded(request: Request) -> Response:
    fields = _fields(request.query)
    wanted = [value.decode("latin-1") for name, value in fields if name == b"for"]
    given = request.values("Authorization")
    is_let_in = not wanted or given == wanted or [value.partition(" ")[0] for value in given] == wanted
    response = _echo(request) if is_let_in else _stranger(dict(fields))
    response.fields = [(name, value) for name, value in fields if name not in (b"for", b"bytes", b"chunked")]
    if is_let_in and any(name == b"Location" for name, _ in fields):
        response.status = 307
    return response


def _numbered_events(request: Request, count: int) -> Response:
    options = dict(_fields(request.query))
    last = int("".join(request.values("Last-Event-ID")) or 0)
    if last >= count:
        return Response(204, (), None)
    text = b"retry: %s\n\n" % options[b"retry"] if b"retry" in options else b""
    for number in range(last + 1, min(last + int(options.get(b"per", b"1")), count) + 1):
        text += b"id: %d\ndata: %s %d\n\n" % (number, request.method.encode(), request.body_size)
    text += options.get(b"tail", b"")
    is_lost = b"lost" in options
    return Response(200, (text,), len(text) + is_lost, b"text/event-stream", is_lost=is_lost)


def _stranger(fields: dict[bytes, bytes]) -> Response:
    """The 401, perhaps with a large body."""
    for name, is_chunked in ((b"bytes", False), (b"chunked", True)):
        if name in fields:
            size = _bounded(int(fields[name]), BYTES_LIMIT)
            return Response(401, pattern(size), None if is_chunked else size)
    return _text(401, "who are you?")


def _status(request: Request, status: int) -> Response:
    if not 100 <= status <= 999:
        raise BadRequest("a status is between 100 and 999")
    return _text(status, f"status {status}", _fields(request.query))


def _bytes(request: Request, size: int) -> Response:
    return Response(200, pattern(_bounded(size, BYTES_LIMIT)), size, b"application/octet-stream")


def _chunked(request: Request, size: int) -> Response:
    response = _bytes(request, size)
    response.length = None
    response.fields.append((b"Trailer", b"X-Trailer"))
    response.trailers.append((b"X-Trailer", b"done"))
    return response


def _compressed(coding: bytes, window_bits: int) -> Callable[[Request, int], Response]:
    def endpoint(request: Request, size: int) -> Response:
        compressor = zlib.compressobj(wbits=window_bits)
        pieces = [compressor.compress(piece) for piece in pattern(_bounded(size, COMPRESSED_LIMIT))]
        body = b"".join([*pieces, compressor.flush()])
        fields = [(b"Content-Encoding", coding)]
        return Response(200, (body,), len(body), b"application/octet-stream", fields)

    return endpoint


def _redirect(request: Request, status: int) -> Response:
    if not 300 <= status <= 399:
        raise BadRequest("a redirect's status is between 300 and 399")
    targets = [value for name, value in _fields(request.query) if name == b"to"]
    if not targets:
        raise BadRequest("/redirect/ needs ?to=TARGET")
    return _text(status, "elsewhere", [(b"Location", targets[0])])


def _redirect_chain(request: Request, hops: int) -> Response:
    if hops == 0:
        return _echo(request)
    target = f"/redirect-chain/{hops - 1}" if hops > 1 else "/echo"
    return _text(302, f"{hops} to go", [(b"Location", target.encode())])


def _delay(request: Request, ms: int) -> Response:
    request.connection.wait(_bounded(ms, DELAY_MS) / 1000)
    return _text(200, "ok")


_NUMBERED: dict[str, Callable[[Request, int], Response]] = {
    "status": _status,
    "bytes": _bytes,
    "chunked": _chunked,
    "gzip": _compressed(b"gzip", 31),
    "deflate": _compressed(b"deflate", 15),
    "rawdeflate": _compressed(b"deflate", -15),
    "redirect": _redirect,
    "redirect-chain": _redirect_chain,
    "delay": _delay,
}


def send(request: Request, response: Response, keeps_alive: bool) -> None:
    """Sends a response; a status without a body, and HEAD, get the head alone."""
    connection = request.connection
    status = response.status
    if 100 <= status < 200 and status != 101:
        # An interim answer needs a final one after it.
        connection.send(_head(status, response.fields))
        return send(request, _text(200, f"after status {status}"), keeps_alive)
    has_body = status not in (101, 204, 304)
    fields = list(response.fields)
    given = {name.lower() for name, _ in fields}
    is_chunked = response.length is None and request.version == "HTTP/1.1"
    if has_body:
        if b"content-type" not in given:
            fields.append((b"Content-Type", response.content_type))
        if is_chunked:
            fields.append((b"Transfer-Encoding", b"chunked"))
        elif response.length is not None and not given & {b"content-length", b"transfer-encoding"}:
            fields.append((b"Content-Length", str(response.length).encode()))
    if b"connection" not in given:
        if not keeps_alive:
            fields.append((b"Connection", b"close"))
        elif request.version == "HTTP/1.0":
            fields.append((b"Connection", b"keep-alive"))
    connection.send(_head(status, fields))
    if not has_body or request.method == "HEAD":
        return
    for piece in _chunks(response) if is_chunked else response.body:
        connection.send(piece)


def _head(status: int, fields: Iterable[Field]) -> bytes:
    try:
        reason = HTTPStatus(status).phrase
    except ValueError:
        reason = "Unknown"
    lines = [f"HTTP/1.1 {status} {reason}".encode(), *(name + b": " + value for name, value in fields)]
    return b"\r\n".join(lines) + b"\r\n\r\n"


def _chunks(response: Response) -> Iterator[bytes]:
    for piece in response.body:
        for start in range(0, len(piece), CHUNK):
            part = piece[start : start + CHUNK]
            yield b"%x\r\n%b\r\n" % (len(part), part)
    yield b"0\r\n" + b"".join(name + b": " + value + b"\r\n" for name, value in response.trailers) + b"\r\n"
