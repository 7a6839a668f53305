"""One connection at the byte level: reading requests, sending bytes, and the ways to end.

Nothing here knows about endpoints or scripts. Sockets block with a timeout; each connection has its own thread.
"""

from __future__ import annotations

import hashlib
import select
import socket
import ssl
import struct
import time
from dataclasses import dataclass, field

IDLE_SECONDS = 300.0
"""How long a kept connection may wait for its next request."""

SEND_SECONDS = 60.0
"""How long one write may wait for a peer that does not read."""

LINGER_SECONDS = 5.0
"""How long an orderly end waits for the peer's own end, so that unread input does not turn it into a reset."""

HEAD_LIMIT = 1 << 20
BODY_LIMIT = 1 << 30
BODY_KEPT = 16 << 20
"""A request body beyond this size is hashed and counted, and not kept."""

PIECE = 64 * 1024


class PeerClosed(Exception):
    """The peer closed, reset, or stopped reading before this side was done."""


class BadRequest(Exception):
    """The request cannot be understood; it is answered with `status` and the connection ends."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


class Connection:
    """An accepted TCP connection, with or without TLS, numbered from 1 in order of arrival."""

    def __init__(self, sock: socket.socket, number: int) -> None:
        self.sock = sock
        self.number = number
        self._buffer = bytearray()
        self.sock.settimeout(IDLE_SECONDS)

    # Reading

    def _fill(self) -> bool:
        """Reads once into the buffer; False when the peer has ended its side or the connection failed."""
        try:
            piece = self.sock.recv(PIECE)
        except (OSError, ValueError):
            return False
        self._buffer += piece
        return bool(piece)

    @property
    def has_input(self) -> bool:
        """Whether bytes have been read that no request has used yet."""
        return bool(self._buffer)

    def read_until(self, end: bytes, limit: int) -> bytes:
        """Reads up to and including `end`; returns b"" when the peer closes before the first byte."""
        searched = 0
        while (at := self._buffer.find(end, searched)) < 0:
            if len(self._buffer) > limit:
                raise BadRequest("the request head is too large", 431)
            searched = max(0, len(self._buffer) - len(end) + 1)
            if not self._fill():
                if self._buffer:
                    raise PeerClosed
                return b""
        return self._take(at + len(end))

    def read_some(self, size: int) -> bytes:
        """Reads between 1 and `size` bytes."""
        if not self._buffer and not self._fill():
            raise PeerClosed
        return self._take(min(size, len(self._buffer)))

    def _take(self, size: int) -> bytes:
        taken = bytes(self._buffer[:size])
        del self._buffer[:size]
        return taken

    # Sending and waiting

    def send(self, data: bytes) -> None:
        """Sends all of `data`; raises PeerClosed when the peer is gone or does not read for a minute."""
        view = memoryview(data)
        self.sock.settimeout(SEND_SECONDS)
        try:
            for start in range(0, len(view), PIECE):
                self.sock.sendall(view[start : start + PIECE])
        except (OSError, ValueError):
            raise PeerClosed from None
        finally:
            if self.sock.fileno() >= 0:
                self.sock.settimeout(IDLE_SECONDS)

    def wait(self, seconds: float) -> None:
        """Sends nothing for `seconds`; raises PeerClosed as soon as the peer closes, half-closes or resets."""
        poll = select.poll()
        poll.register(self.sock, select.POLLRDHUP)
        if poll.poll(max(0.0, seconds) * 1000):
            raise PeerClosed

    # Ending

    def close(self) -> None:
        """Ends in good order: under TLS a close_notify, then FIN."""
        if isinstance(self.sock, ssl.SSLSocket):
            self._send_close_notify(self.sock)
        self._finish()

    def cut(self) -> None:
        """Ends with FIN alone: under TLS the peer sees a truncated stream."""
        self._finish()

    def reset(self) -> None:
        """Ends with RST. Bytes the peer has not received yet are lost."""
        try:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        except OSError:
            pass
        self.sock.close()

    @staticmethod
    def _send_close_notify(sock: ssl.SSLSocket) -> None:
        sock.settimeout(0)
        poll = select.poll()
        poll.register(sock, select.POLLOUT)
        deadline = time.monotonic() + LINGER_SECONDS
        while time.monotonic() < deadline:
            try:
                sock.unwrap()
            except ssl.SSLWantWriteError:
                poll.poll(100)
                continue
            except (OSError, ValueError):
                pass  # SSLWantReadError among them: ours is sent, the peer's has not come
            return

    def _finish(self) -> None:
        """Sends FIN, reads and drops what still comes in, and releases the socket."""
        deadline = time.monotonic() + LINGER_SECONDS
        try:
            self.sock.shutdown(socket.SHUT_WR)  # an SSLSocket forgets its TLS here: what follows is raw
            while (left := deadline - time.monotonic()) > 0:
                self.sock.settimeout(left)
                if not self.sock.recv(PIECE):
                    break
        except (OSError, ValueError):
            pass
        self.sock.close()


@dataclass
class Request:
    """A parsed request head, and its body once `read_body` has run."""

    connection: Connection
    method: str
    target: str
    version: str
    headers: list[tuple[str, str]]
    body: bytes | None = b""
    body_size: int = 0
    body_sha256: str = hashlib.sha256(b"").hexdigest()
    trailers: list[tuple[str, str]] = field(default_factory=list)
    _body_read: bool = False

    def values(self, name: str) -> list[str]:
        """All values of a header field, in order."""
        return [value for key, value in self.headers if key.lower() == name.lower()]

    def _tokens(self, name: str) -> list[str]:
        return [token.strip().lower() for token in ",".join(self.values(name)).split(",")]

    @property
    def path(self) -> str:
        """The path of the target, still percent-encoded; an absolute-form target is understood too."""
        return self._split_target()[0]

    @property
    def query(self) -> str:
        return self._split_target()[1]

    def _split_target(self) -> tuple[str, str]:
        target = self.target
        scheme, separator, rest = target.partition("://")
        if separator and scheme.isalpha():
            _, slash, tail = rest.partition("/")
            target = slash + tail or "/"
        path, _, query = target.partition("?")
        return path, query

    @property
    def keeps_alive(self) -> bool:
        """Whether the connection may carry another request after this one."""
        tokens = self._tokens("Connection")
        if self.version == "HTTP/1.0":
            return "keep-alive" in tokens
        return "close" not in tokens

    def read_body(self) -> None:
        """Reads the body once, answering `Expect: 100-continue` first; later calls do nothing."""
        if self._body_read:
            return
        self._body_read = True
        chunked = "chunked" in self._tokens("Transfer-Encoding")
        length = 0 if chunked else self._content_length()
        if not chunked and not length:
            return
        if "100-continue" in self._tokens("Expect") and not self.connection.has_input:
            self.connection.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        collector = _Collector()
        if chunked:
            self._read_chunks(collector)
        else:
            self._read_exactly(length, collector)
        self.body, self.body_size = collector.data, collector.size
        self.body_sha256 = collector.hash.hexdigest()

    def _content_length(self) -> int:
        values = set(self.values("Content-Length"))
        if not values:
            return 0
        value = values.pop()
        if values or not (value.isascii() and value.isdigit()):
            raise BadRequest("Content-Length is not one number")
        return int(value)

    def _read_exactly(self, size: int, collector: _Collector) -> None:
        if collector.size + size > BODY_LIMIT:
            raise BadRequest("the request body is too large", 413)
        while size:
            piece = self.connection.read_some(min(size, PIECE))
            collector.add(piece)
            size -= len(piece)

    def _read_chunks(self, collector: _Collector) -> None:
        while True:
            line = self._read_line().partition(b";")[0].strip()
            try:
                size = int(line, 16)
            except ValueError:
                raise BadRequest("a chunk size is not a hexadecimal number") from None
            if size == 0:
                break
            self._read_exactly(size, collector)
            if self._read_line():
                raise BadRequest("a chunk is longer than its size")
        while line := self._read_line():
            self.trailers.append(parse_field(line))

    def _read_line(self) -> bytes:
        line = self.connection.read_until(b"\r\n", HEAD_LIMIT)
        if not line:
            raise PeerClosed
        return line[:-2]


class _Collector:
    """Hashes and counts a body, and keeps it while it is small."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        self.size = 0
        self._pieces: list[bytes] | None = []

    def add(self, piece: bytes) -> None:
        self.hash.update(piece)
        self.size += len(piece)
        if self.size > BODY_KEPT:
            self._pieces = None
        if self._pieces is not None:
            self._pieces.append(piece)

    @property
    def data(self) -> bytes | None:
        return None if self._pieces is None else b"".join(self._pieces)


def parse_field(line: bytes) -> tuple[str, str]:
    """Splits one header line into name and value, as latin-1 text in the case it came in."""
    name, colon, value = line.decode("latin-1").partition(":")
    if not colon or not name or name != name.strip():
        raise BadRequest("a header line is malformed")
    return name, value.strip(" \t")


def read_request(connection: Connection) -> Request | None:
    """Reads the next request head; None when the peer has closed in between two requests."""
    head = connection.read_until(b"\r\n\r\n", HEAD_LIMIT)
    if not head:
        return None
    first, *lines = head[:-4].lstrip(b"\r\n").split(b"\r\n")
    words = first.decode("latin-1").split(" ")
    if len(words) != 3 or words[2] not in ("HTTP/1.1", "HTTP/1.0"):
        raise BadRequest("the request line is malformed")
    method, target, version = words
    return Request(connection, method, target, version, [parse_field(line) for line in lines])
