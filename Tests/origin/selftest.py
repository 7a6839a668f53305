#!/usr/bin/env python3
"""Smoke check of the origin: starts it, tries every endpoint and step, and fails with a non-zero exit.

The TLS part needs the openssl command and is left out without it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import select
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TIMEOUT = 10.0
REPEAT_LIMIT = 64 << 20

Step = dict[str, Any]


def script(*steps: Step) -> str:
    text = json.dumps(steps).encode()
    return "/script/" + base64.urlsafe_b64encode(text).decode().rstrip("=")


def pattern(size: int) -> bytes:
    return (bytes((i * 31 + 7) % 256 for i in range(256)) * (size // 256 + 1))[:size]


class Peer:
    """A bare client connection to the origin."""

    def __init__(self, port: int, tls: ssl.SSLContext | None = None) -> None:
        self.sock = socket.create_connection(("127.0.0.1", port), TIMEOUT)
        if tls is not None:
            self.sock = tls.wrap_socket(self.sock, server_hostname="localhost", suppress_ragged_eofs=False)

    def ask(self, target: str, method: str = "GET", head: str = "", body: bytes = b"") -> Peer:
        self.sock.sendall(f"{method} {target} HTTP/1.1\r\nHost: localhost\r\n{head}\r\n".encode() + body)
        return self

    def read(self, size: int) -> bytes:
        data = b""
        while len(data) < size and (piece := self.sock.recv(size - len(data))):
            data += piece
        return data

    def read_all(self) -> bytes:
        pieces = []
        while piece := self.sock.recv(1 << 16):
            pieces.append(piece)
        return b"".join(pieces)


class Checks:
    """The checks; each method named check_… is run on its own."""

    def __init__(self, ports: dict[str, int], tls: ssl.SSLContext | None) -> None:
        self.port = ports["http"]
        self.tls_port = ports.get("https", 0)
        self.tls = tls

    def get(self, target: str, method: str = "GET", **options: Any) -> tuple[Any, bytes]:
        client = HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        client.request(method, target, **options)
        response = client.getresponse()
        body = response.read()
        client.close()
        return response, body

    def stats(self) -> dict[str, Any]:
        result: dict[str, Any] = json.loads(self.get("/stats")[1])
        return result

    def peer(self) -> Peer:
        return Peer(self.port)

    def check_echo(self) -> None:
        response, body = self.get("/echo?a=b", "POST", body=b"h\xe9", headers={"X-MiXed": "1"})
        echo = json.loads(body)
        assert response.status == 200 and echo["method"] == "POST" and echo["target"] == "/echo?a=b"
        assert ["X-MiXed", "1"] in echo["headers"] and echo["body"] == "h\xe9"
        assert echo["body_sha256"] == hashlib.sha256(b"h\xe9").hexdigest()

    def check_chunked_request(self) -> None:
        head = "Transfer-Encoding: chunked\r\nConnection: close\r\n"
        chunks = b"3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nX-End: 1\r\n\r\n"
        answer = self.peer().ask("/echo", "PUT", head, chunks).read_all()
        echo = json.loads(answer.partition(b"\r\n\r\n")[2])
        assert echo["body"] == "abcde" and echo["trailers"] == [["X-End", "1"]]

    def check_expect_continue(self) -> None:
        peer = self.peer().ask("/echo", "POST", "Content-Length: 2\r\nExpect: 100-continue\r\n")
        assert peer.read(25) == b"HTTP/1.1 100 Continue\r\n\r\n"
        peer.sock.sendall(b"ok")
        assert peer.read(15) == b"HTTP/1.1 200 OK"

    def check_keep_alive_counts_one_connection(self) -> None:
        client = HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        numbers = set()
        for _ in range(3):
            client.request("GET", "/echo")
            numbers.add(json.loads(client.getresponse().read())["connection"])
        client.close()
        assert len(numbers) == 1

    def check_status(self) -> None:
        assert self.get("/status/404")[0].status == 404
        response, body = self.get("/status/503?Retry-After=1")
        assert response.status == 503 and response.headers["Retry-After"] == "1" and body
        for status in (204, 304):
            response, body = self.get(f"/status/{status}")
            assert response.status == status and body == b"" and "Content-Type" not in response.headers
        answer = self.peer().ask("/status/103", head="Connection: close\r\n").read_all()
        assert answer.startswith(b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n")

    def check_bytes(self) -> None:
        for size in (0, 1, 100_000):
            assert self.get(f"/bytes/{size}")[1] == pattern(size)
            assert self.get(f"/chunked/{size}")[1] == pattern(size)
        response, body = self.get("/bytes/500", "HEAD")
        assert response.headers["Content-Length"] == "500" and body == b""
        answer = self.peer().ask("/chunked/5", head="Connection: close\r\n").read_all()
        assert answer.endswith(b"0\r\nX-Trailer: done\r\n\r\n")

    def check_compression(self) -> None:
        for path, bits in (("gzip", 31), ("deflate", 15), ("rawdeflate", -15)):
            response, body = self.get(f"/{path}/70000")
            assert response.headers["Content-Encoding"] == ("gzip" if path == "gzip" else "deflate")
            assert zlib.decompress(body, bits) == pattern(70_000)

    def check_redirects(self) -> None:
        response, _ = self.get("/redirect/307?to=%2Fa%3Fb%26c%20%C3%A9")
        assert response.status == 307 and response.headers["Location"] == "/a?b&c \xc3\xa9"
        target = "/redirect-chain/3"
        for _ in range(3):
            response, _ = self.get(target)
            assert response.status == 302
            target = response.headers["Location"]
        assert target == "/echo"

    def check_headers(self) -> None:
        answer = self.peer().ask("/headers?b=1&A=%E9&b=2+3", head="Connection: close\r\n").read_all()
        assert answer.startswith(b"HTTP/1.1 200 OK\r\nb: 1\r\nA: \xe9\r\nb: 2+3\r\n")

    def check_guarded(self) -> None:
        target = "/guarded/x?for=Bearer%20a&WWW-Authenticate=Bearer"
        for head, status in (("", 401), ("Authorization: Bearer b\r\n", 401), ("Authorization: Bearer a\r\n", 200)):
            answer = self.peer().ask(target, head=head + "Connection: close\r\n").read_all()
            assert answer.startswith(f"HTTP/1.1 {status} ".encode()) and b"WWW-Authenticate: Bearer\r\n" in answer
        for size in ("bytes=1000", "chunked=1000"):
            response, body = self.get(f"/guarded/x?for=b&{size}")
            assert (response.status, body) == (401, pattern(1000))

    def check_delay_and_aborted(self) -> None:
        started = time.monotonic()
        assert self.get("/delay/150")[1] == b"ok\n" and time.monotonic() - started >= 0.15
        for target in ("/delay/30000", script({"stall": True}), script({"repeat": "x" * 1000, "times": 1 << 20})):
            peer = self.peer().ask(target)
            time.sleep(0.1)
            peer.sock.close()
            deadline = time.monotonic() + TIMEOUT
            while self.stats()["aborted_by_path"].get(target) != 1:
                assert time.monotonic() < deadline, "the origin did not see the peer go"
                time.sleep(0.02)

    def check_script_steps(self) -> None:
        raw = base64.b64encode(b"\x00\xff").decode()
        sends: list[Step] = [{"send": "\xe9"}, {"send_base64": raw}, {"repeat": "ab", "times": 3}]
        target = script(*sends, {"drip": "xyz", "interval_ms": 20}, {"sleep_ms": 50})
        started = time.monotonic()
        assert self.peer().ask(target).read_all() == b"\xe9\x00\xffabababxyz"
        assert time.monotonic() - started >= 0.09

    def check_script_meet(self) -> None:
        target = script({"meet": "two", "count": 2}, {"send": "met"})
        first = self.peer().ask(target)
        assert not select.select([first.sock], [], [], 0.1)[0], "it did not wait for the second"
        assert self.peer().ask(target).read_all() == b"met" and first.read_all() == b"met"

    def check_script_keep(self) -> None:
        target = script({"send": "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"}, {"keep": True})
        peer = self.peer()
        for _ in range(2):
            assert peer.ask(target, "POST", "Content-Length: 1\r\n", b"x").read(38).endswith(b"\r\n\r\n")

    def check_script_early_answer(self) -> None:
        target = script({"before_head": True}, {"send": "early"}, {"keep": True})
        peer = self.peer().ask(target, "POST", "Content-Length: 3\r\n")
        assert peer.read(5) == b"early"
        peer.sock.sendall(b"abc")
        assert peer.ask("/status/200").read(15) == b"HTTP/1.1 200 OK"

    def check_script_reset(self) -> None:
        peer = self.peer().ask(script({"reset": True}))
        try:
            peer.read_all()
        except ConnectionResetError:
            return
        raise AssertionError("no reset")

    def check_script_repeat_is_bounded(self) -> None:
        size = 0
        peer = self.peer().ask(script({"repeat": "x" * 64, "times": 1 << 40}))
        while piece := peer.sock.recv(1 << 20):
            size += len(piece)
        assert size == REPEAT_LIMIT

    def check_bad_input(self) -> None:
        assert self.get("/script/!!")[0].status == 400
        assert self.get(script({"sned": "x"}))[0].status == 400
        assert self.get(script({"send": "\u20ac"}))[0].status == 400
        assert self.get("/nothing")[0].status == 404
        peer = self.peer()
        peer.sock.sendall(b"nonsense\r\n\r\n")
        assert peer.read_all().startswith(b"HTTP/1.1 400 ")

    def check_many_connections(self) -> None:
        peers = [self.peer().ask("/delay/500") for _ in range(300)]
        assert self.stats()["connections_open"] >= 300
        assert all(peer.read(15) == b"HTTP/1.1 200 OK" for peer in peers)
        for peer in peers:
            peer.sock.close()

    def check_tls(self) -> None:
        if self.tls is None:
            return
        answer = Peer(self.tls_port, self.tls).ask("/bytes/200000", head="Connection: close\r\n").read_all()
        assert answer.endswith(pattern(200_000))
        peer = Peer(self.tls_port, self.tls)
        assert isinstance(peer.sock, ssl.SSLSocket) and peer.sock.selected_alpn_protocol() == "http/1.1"
        assert peer.ask(script({"send": "whole"}, {"close": True})).read_all() == b"whole"
        peer = Peer(self.tls_port, self.tls).ask(script({"send": "part"}, {"cut": True}))
        assert peer.read(4) == b"part"
        try:
            peer.read(1)
        except ssl.SSLEOFError:
            return
        raise AssertionError("a cut looks like an orderly end")

    def check_stats_reset(self) -> None:
        self.get("/status/200?mark=1")
        stats = self.stats()
        assert stats["by_path"]["/status/200"] >= 1 and stats["by_target"]["/status/200?mark=1"] == 1
        reset = json.loads(self.get("/stats/reset", "POST")[1])
        assert reset["requests"] == reset["aborted"] == 0 and not reset["by_path"]


def make_certificate(folder: Path) -> list[str]:
    """A self-signed certificate as options for the origin; empty without openssl."""
    if shutil.which("openssl") is None:
        return []
    cert, key = str(folder / "cert.pem"), str(folder / "key.pem")
    make = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    make += ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run([*make, "-keyout", key, "-out", cert], check=True, capture_output=True)
    return ["--cert", cert, "--key", key]


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        options = make_certificate(folder)
        ports_file = folder / "ports.json"
        command = [sys.executable, str(HERE / "origin.py"), "--ports-file", str(ports_file), *options]
        origin = subprocess.Popen(command, stdin=subprocess.PIPE)
        try:
            while not ports_file.exists():
                assert origin.poll() is None, "the origin ended early"
                time.sleep(0.01)
            tls = None
            if options:
                tls = ssl.create_default_context(cafile=options[1])
                tls.set_alpn_protocols(["h2", "http/1.1"])
            failures = run_checks(Checks(json.loads(ports_file.read_text()), tls))
            assert origin.stdin is not None
            origin.stdin.close()
            if origin.wait(TIMEOUT) != 0:
                failures += 1
                print("FAIL the origin did not end with its standard input")
        finally:
            origin.kill()
            origin.wait()
    print(f"{failures} failed" if failures else "all passed", "" if options else "(without TLS)")
    return 1 if failures else 0


def run_checks(checks: Checks) -> int:
    """Runs every check in order of definition, and returns how many failed."""
    failures = 0
    for name in [name for name in vars(Checks) if name.startswith("check_")]:
        started = time.monotonic()
        try:
            getattr(checks, name)()
            word = "ok  "
        except Exception as error:
            failures += 1
            word = f"FAIL {type(error).__name__}: {error} (line {error_line(error)})\n    "
        print(f"{word} {name.removeprefix('check_')} {time.monotonic() - started:.2f} s", flush=True)
    return failures


def error_line(error: BaseException) -> int:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_lineno if trace is not None else 0


if __name__ == "__main__":
    watchdog = threading.Timer(120, lambda: os._exit(1))  # the origin then ends with its standard input
    watchdog.daemon = True
    watchdog.start()
    sys.exit(main())
