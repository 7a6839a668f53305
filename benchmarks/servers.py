"""The servers of the benchmark, on loopback; each ends with its block."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from contenders import BUILD, ROOT

SMALL_BYTES = 128
MEDIUM_BYTES = 10 << 10
LARGE_BYTES = 10 << 20


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def _ending(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class Bases(NamedTuple):
    """Where nginx answers, and who signed its certificate."""

    plain: str
    tls: str
    ca_file: str


def _make_certificate(directory: Path) -> None:
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-keyout", str(directory / "key.pem"), "-out", str(directory / "cert.pem"), "-days", "2"]
    command += ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(command, check=True, capture_output=True)


@contextlib.contextmanager
def nginx() -> Iterator[Bases]:
    """nginx with one worker; yields its URLs, that of HTTP/1.1 and that of HTTP/2 over TLS.

    /small has 128 bytes, /medium 10 KiB that do not compress, /large 10 MB.
    Under /cached/ they may be stored for a day."""
    program = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if program is None:
        raise SystemExit("bench: nginx is missing; scripts/setup installs it")
    directory = BUILD / "nginx"
    (directory / "www").mkdir(parents=True, exist_ok=True)
    (directory / "www" / "small").write_bytes(b"x" * SMALL_BYTES)
    (directory / "www" / "medium").write_bytes(random.Random(1).randbytes(MEDIUM_BYTES))
    (directory / "www" / "large").write_bytes(b"y" * LARGE_BYTES)
    _make_certificate(directory)
    port, tls_port = _free_port(), _free_port()
    text = (ROOT / "benchmarks" / "nginx.conf.in").read_text()
    for name, value in (("@DIR@", directory), ("@PORT@", port), ("@TLS_PORT@", tls_port)):
        text = text.replace(name, str(value))
    (directory / "nginx.conf").write_text(text)
    errors = directory / "nginx-error.log"
    command = [program, "-e", str(errors), "-p", str(directory), "-c", str(directory / "nginx.conf")]
    with _ending(subprocess.Popen(command, stdin=subprocess.DEVNULL, text=True)) as process:
        _wait_for(port, process, errors)
        yield Bases(f"http://127.0.0.1:{port}", f"https://127.0.0.1:{tls_port}", str(directory / "cert.pem"))


def _wait_for(port: int, process: subprocess.Popen[str], errors: Path) -> None:
    for _ in range(100):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        if process.poll() is not None:
            break
        time.sleep(0.05)
    raise SystemExit(f"bench: nginx does not start: {errors.read_text() if errors.exists() else ''}")


@contextlib.contextmanager
def holding() -> Iterator[str]:
    """A server that holds requests: yields the URL to ask. A new one, on a new port, for each run, so that connections
    of the last one that linger take no ports away."""
    command = [str(BUILD / "hold_server")]
    with _ending(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)) as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}/hold"
