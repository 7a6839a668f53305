"""Servers that others wrote, of build/venv: aiohttp, reading uploads, and httpbin under gunicorn, with a route more.

Each takes a while to load, and so is begun before the other servers, and waited for after them.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from processes import Peer
from starting import HERE, Environment, answers_http, begin, free_ports

PYTHON = HERE.parents[1] / "build" / "venv" / "bin" / "python"
UPLOADS = HERE / "uploads.py"

Waiting = Callable[[], Environment]


def nothing() -> Environment:
    return {}


def has_venv() -> bool:
    if PYTHON.exists():
        return True
    print("peers: there is no build/venv, and so no server for uploads and no httpbin", file=sys.stderr)
    return False


def begin_uploads(stack: ExitStack, folder: Path) -> Waiting:
    if not has_venv():
        return nothing
    port_file, socket_path = folder / "uploads-port", folder / "uploads.sock"
    command = [str(PYTHON), str(UPLOADS), "--ports-file", str(port_file), "--socket", str(socket_path)]

    def attempt() -> tuple[Peer, Callable[[], bool]]:
        port_file.unlink(missing_ok=True)
        socket_path.unlink(missing_ok=True)
        return Peer("uploads", command, folder / "uploads.log"), port_file.exists

    wait = begin(stack, attempt)

    def finish() -> Environment:
        wait()
        return {"NETCORE_TEST_UPLOADS": f"http://127.0.0.1:{port_file.read_text()}"}

    return finish


def begin_httpbin(stack: ExitStack, folder: Path) -> Waiting:
    if not PYTHON.exists():
        return nothing
    ports: list[int] = []

    def attempt() -> tuple[Peer, Callable[[], bool]]:
        ports[:] = free_ports(1)
        command = [str(PYTHON), "-m", "gunicorn", "--worker-class", "gthread", "--threads", "8"]
        command += ["--bind", f"127.0.0.1:{ports[0]}", "--worker-tmp-dir", str(folder), "--graceful-timeout", "1"]
        command += ["--pythonpath", str(HERE), "--no-control-socket", "digest_bodies:app"]
        peer = Peer("httpbin", command, folder / "httpbin.log", stop_signal=signal.SIGQUIT, cwd=folder)
        return peer, lambda: answers_http(ports[0])

    wait = begin(stack, attempt)

    def finish() -> Environment:
        wait()
        return {"NETCORE_TEST_HTTPBIN": f"http://127.0.0.1:{ports[0]}"}

    return finish
