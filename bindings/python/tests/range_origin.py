"""A server of one file for downloads: honest about ranges and validators, except where a fault says otherwise."""

from __future__ import annotations

import random
import socket
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Callable, Dict, Iterator, List, Optional, Tuple

Fields = Dict[str, str]
Fault = Callable[["Answer", "Origin"], None]
"""Changes an honest answer, or the origin for the answers after it."""


@dataclass
class Answer:
    """What is sent for one request."""

    status: int
    fields: Fields
    body: bytes
    start: int
    """Where the body begins in the file."""

    asked: Fields
    """The fields of the request, by their names in lower case."""

    whole: bytes
    """The file as it was when the request came."""

    sends: Optional[int] = None
    """Bytes of the body after which the connection is lost; None for all of them."""

    ending: str = "close"
    """"close", "reset" or "stall", once that many were sent."""

    is_chunked: bool = False
    pause: float = 0.0
    """Seconds between pieces."""


@dataclass
class Origin:
    """The file as it is now, and the faults of the next answers: one for each."""

    data: bytes
    etag: Optional[str] = '"1"'
    faults: List[Fault] = field(default_factory=list)
    requests: List[Fields] = field(default_factory=list)
    sent: int = 0
    piece: int = 1 << 16
    pause: float = 0.0
    url: str = ""
    earlier: List[bytes] = field(default_factory=list)
    """What the file was before."""
    extra: Fields = field(default_factory=dict)
    """Fields of each answer 200 and 206."""
    hold: Optional[threading.Event] = None
    """Answers wait after their first piece until it is set."""
    lock: threading.Condition = field(default_factory=threading.Condition)
    answering: int = 0
    """Answers whose faults are not all done."""

    def settle(self) -> None:
        """Ends all faults: those to come, and those of answers that nobody waits for any more."""
        with self.lock:
            self.faults = []
            self.lock.wait_for(lambda: self.answering == 0)

    def change(self, rng: random.Random) -> None:
        """The file becomes another one, mostly of another length."""
        with self.lock:
            self.earlier.append(self.data)
            self.data = rng.randbytes(max(1, len(self.data) + rng.randrange(-3, 4) * 1000))
            if self.etag is not None:
                self.etag = f'"{len(self.requests) + 1}-{rng.randrange(1 << 30)}"'

    def answer(self, asked: Fields) -> Answer:
        """An honest answer, with the fault that is due. Faults may wait for other answers."""
        with self.lock:
            self.requests.append(asked)
            fault = self.faults.pop(0) if self.faults else None
            result = self._honest(asked)
            self.answering += 1
        try:
            if fault is not None:
                fault(result, self)
        finally:
            with self.lock:
                self.answering -= 1
                self.lock.notify_all()
        return result

    def _honest(self, asked: Fields) -> Answer:
        fields = {"ETag": self.etag} if self.etag is not None else {}
        fields.update(self.extra)
        start, end = asked_range(asked, len(self.data))
        is_range = "range" in asked
        if asked.get("if-range", self.etag) != self.etag:
            start, end, is_range = 0, len(self.data), False
        if asked.get("if-match", self.etag) != self.etag:
            result = Answer(412, fields, b"", 0, asked, self.data)
        elif is_range and start >= len(self.data):
            result = Answer(416, {**fields, "Content-Range": f"bytes */{len(self.data)}"}, b"", 0, asked, self.data)
        elif is_range:
            span = f"bytes {start}-{end - 1}/{len(self.data)}"
            result = Answer(206, {**fields, "Content-Range": span}, self.data[start:end], start, asked, self.data)
        else:
            result = Answer(200, fields, self.data, 0, asked, self.data)
        result.pause = self.pause
        return result


def asked_range(asked: Fields, size: int) -> Tuple[int, int]:
    """Where the range that is asked for begins and ends."""
    first, last = asked.get("range", "bytes=0-")[6:].split("-")
    return int(first), min(int(last) + 1, size) if last else size


# Faults. Each makes one answer wrong in one way.


def cut(count: int, ending: str = "close") -> Fault:
    """The connection is lost after so many bytes of the body."""

    def apply(answer: Answer, _origin: Origin) -> None:
        answer.sends, answer.ending = min(count, len(answer.body)), ending

    return apply


def cut_and_change(count: int, rng: random.Random) -> Fault:
    """The same before the last byte, and then the file is another one."""

    def apply(answer: Answer, origin: Origin) -> None:
        if answer.body:
            cut(min(count, len(answer.body) - 1))(answer, origin)
            origin.change(rng)

    return apply


def forced_range(change: Callable[[int, int], Tuple[int, int]], **fields: str) -> Fault:
    """A 206 with another range than was asked for, to requests of a range."""

    def apply(answer: Answer, origin: Origin) -> None:
        if answer.status != 206:
            return
        start, end = change(answer.start, answer.start + len(answer.body))
        answer.body = answer.whole[start:end]
        answer.fields["Content-Range"] = f"bytes {start}-{end - 1}/{len(answer.whole)}"
        answer.fields.update(fields)

    return apply


def starts_early(answer: Answer, origin: Origin) -> None:
    forced_range(lambda start, size: (max(0, start - 1000), size))(answer, origin)


def starts_late(answer: Answer, origin: Origin) -> None:
    forced_range(lambda start, size: (min(start + 10, size - 1), size))(answer, origin)


def ends_early(answer: Answer, origin: Origin) -> None:
    forced_range(lambda start, size: (start, max(start + 1, size // 2 + start // 2)))(answer, origin)


def lies_in_overlap(answer: Answer, origin: Origin) -> None:
    """Starts early, with other bytes than came before."""
    if answer.status != 206 or answer.start == 0:
        return
    starts_early(answer, origin)
    answer.body = bytes([answer.body[0] ^ 1]) + answer.body[1:]


def is_coded(answer: Answer, origin: Origin) -> None:
    if answer.status == 206:
        answer.fields["Content-Encoding"] = "gzip"


def has_other_length(answer: Answer, origin: Origin) -> None:
    if answer.status == 206:
        answer.fields["Content-Range"] = answer.fields["Content-Range"].split("/")[0] + f"/{len(answer.whole) + 1}"


def lacks_content_range(answer: Answer, origin: Origin) -> None:
    if answer.status == 206:
        del answer.fields["Content-Range"]


def is_multipart(answer: Answer, origin: Origin) -> None:
    if answer.status == 206:
        del answer.fields["Content-Range"]
        answer.fields["Content-Type"] = "multipart/byteranges; boundary=x"


def goes_beyond(answer: Answer, origin: Origin) -> None:
    """Chunked, with more bytes than its range."""
    if answer.status == 206:
        answer.is_chunked = True
        answer.body += b"beyond"


def ignores_if_range(answer: Answer, origin: Origin) -> None:
    """The file has changed, and the rest of it comes all the same, with its own tag."""
    if "if-range" in answer.asked and answer.status == 200:
        start, end = asked_range(answer.asked, len(answer.whole))
        if start < len(answer.whole):
            answer.status, answer.start, answer.body = 206, start, answer.whole[start:end]
            answer.fields["Content-Range"] = f"bytes {start}-{end - 1}/{len(answer.whole)}"


def drops_range(answer: Answer, origin: Origin) -> None:
    """The whole, although the condition holds, as some caches do when they see If-Range."""
    if "if-range" in answer.asked and answer.status == 206:
        answer.status, answer.start, answer.body = 200, 0, answer.whole
        del answer.fields["Content-Range"]


def is_busy(answer: Answer, origin: Origin) -> None:
    answer.status, answer.body = 503, b"busy"
    answer.fields = {"Retry-After": "0"}


def refuses_range(answer: Answer, origin: Origin) -> None:
    """As if the file ended where the range begins."""
    if answer.status == 206:
        answer.status, answer.body = 416, b""
        answer.fields["Content-Range"] = f"bytes */{answer.start}"


NAMED: List[Fault] = [
    starts_early,
    starts_late,
    ends_early,
    lies_in_overlap,
    is_coded,
    has_other_length,
    lacks_content_range,
    is_multipart,
    goes_beyond,
    ignores_if_range,
    drops_range,
    is_busy,
    refuses_range,
]


def random_faults(rng: random.Random, size: int) -> List[Fault]:
    """A cut at a random byte, then up to three faults of any kind, each followed by another cut or not."""
    faults: List[Fault] = [cut(rng.randrange(size + 1), rng.choice(("close", "reset")))]
    for _ in range(rng.randrange(4)):
        way = rng.random()
        if way < 0.2:
            faults.append(cut_and_change(rng.randrange(size + 1), rng))
        elif way < 0.25:
            faults.append(cut(rng.randrange(size + 1), "stall"))
        elif way < 0.4:
            faults.append(cut(rng.randrange(size + 1)))
        else:
            faults.append(rng.choice(NAMED))
    if rng.random() < 0.3:
        faults[0] = cut_and_change(rng.randrange(size + 1), rng)
    return faults


# The server.


@contextmanager
def serving(origin: Origin) -> Iterator[Origin]:
    """Serves the origin on a port of its own."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    origin.url = f"http://127.0.0.1:{listener.getsockname()[1]}/file"
    thread = threading.Thread(target=_accept, args=(listener, origin), daemon=True)
    thread.start()
    try:
        yield origin
    finally:
        # Before its number belongs to another listener, whose connections the thread would take.
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()
        listener.close()


def _accept(listener: socket.socket, origin: Origin) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=_serve, args=(connection, origin), daemon=True).start()


def _serve(connection: socket.socket, origin: Origin) -> None:
    with connection:
        buffer = b""
        try:
            while True:
                while b"\r\n\r\n" not in buffer:
                    more = connection.recv(65536)
                    if not more:
                        return
                    buffer += more
                head, buffer = buffer.split(b"\r\n\r\n", 1)
                lines = head.decode("latin-1").split("\r\n")[1:]
                asked = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines)}
                if not _send(connection, origin.answer(asked), origin):
                    return
        except OSError:
            return


def _send(connection: socket.socket, answer: Answer, origin: Origin) -> bool:
    """False once the connection is at its end."""
    length = "Transfer-Encoding: chunked" if answer.is_chunked else f"Content-Length: {len(answer.body)}"
    fields = "".join(f"{name}: {value}\r\n" for name, value in answer.fields.items())
    connection.sendall(f"HTTP/1.1 {answer.status} X\r\n{fields}{length}\r\n\r\n".encode("latin-1"))
    wanted = len(answer.body) if answer.sends is None else answer.sends
    for at in range(0, wanted, origin.piece):
        piece = answer.body[at : min(at + origin.piece, wanted)]
        connection.sendall(b"%x\r\n%s\r\n" % (len(piece), piece) if answer.is_chunked else piece)
        with origin.lock:
            origin.sent += len(piece)
        if answer.pause:
            time.sleep(answer.pause)
        if origin.hold is not None:
            origin.hold.wait(30)
    if answer.sends is None:
        if answer.is_chunked:
            connection.sendall(b"0\r\n\r\n")
        return True
    if answer.ending == "stall":
        connection.settimeout(30)
        connection.recv(1)
    elif answer.ending == "reset":
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    else:
        connection.shutdown(socket.SHUT_RDWR)
    return False
