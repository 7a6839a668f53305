"""How each server is started: on free ports, from a template, and tried again when somebody else was faster."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from processes import Peer

HERE = Path(__file__).resolve().parent
ATTEMPTS = 5
SBIN = "/usr/local/sbin:/usr/sbin:/sbin"
USER, PASSWORD = "user", "secret"

Environment = dict[str, str]


class CannotStart(Exception):
    """A server does not start; the message says which and what it said."""


def free_ports(count: int) -> list[int]:
    """Ports of the loopback address that are free now; somebody may still take one first."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for sock in sockets:
            sock.bind(("127.0.0.1", 0))
        return [sock.getsockname()[1] for sock in sockets]


def answers_http(port: int) -> bool:
    """Whether a server on this port answers a request with HTTP."""
    try:
        with socket.create_connection(("127.0.0.1", port), 1) as sock:
            sock.sendall(b"GET http://127.0.0.1/small.txt HTTP/1.0\r\n\r\n")
            return sock.recv(5) == b"HTTP/"
    except OSError:
        return False


def accepts(port: int) -> bool:
    """Whether a server listens on this port."""
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def fill(template: str, target: Path, words: dict[str, object]) -> None:
    """Writes a template of this folder to `target` with @WORD@ replaced."""
    text = (HERE / template).read_text()
    for word, value in words.items():
        text = text.replace(f"@{word}@", str(value))
    target.write_text(text)


def find_program(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path=SBIN)


Attempt = Callable[[], tuple[Peer, Callable[[], bool]]]


def begin(stack: ExitStack, attempt: Attempt) -> Callable[[], Peer]:
    """Starts a server. What it returns waits until the server answers, and tries other ports if it does not."""
    peer, is_ready = attempt()
    stack.callback(peer.stop)

    def finish() -> Peer:
        nonlocal peer, is_ready
        for left in reversed(range(ATTEMPTS)):
            if peer.wait_until(is_ready):
                return peer
            peer.stop()
            if left == 0 or "ddress already in use" not in peer.last_words():
                break
            peer, is_ready = attempt()
            stack.callback(peer.stop)
        raise CannotStart(f"{peer.name} does not start:\n{peer.last_words()}")

    return finish


def start(stack: ExitStack, attempt: Attempt) -> Peer:
    """Starts a server and waits until it answers."""
    return begin(stack, attempt)()
