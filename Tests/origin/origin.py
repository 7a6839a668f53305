#!/usr/bin/env python3
"""A scripted HTTP/1.1 origin that can misbehave at the byte level.

Listens on 127.0.0.1 with a plain port and, given a certificate, a TLS port; writes both to the ports file as JSON
{"http": N, "https": N} once it listens. Ends on SIGTERM, at the end of its standard input (so give it a pipe), and
after three hours in any case. endpoints.py lists the endpoints, script.py the steps of /script/<base64url JSON>.
"""

from __future__ import annotations

import sys

sys.dont_write_bytecode = True

import argparse
import json
import os
import resource
import select
import signal
import socket
import ssl
import threading
import time
import traceback

import endpoints
import script
from stats import Stats
from wire import BadRequest, Connection, PeerClosed, Request, read_request

LIFETIME_SECONDS = 3 * 60 * 60
HANDSHAKE_SECONDS = 60
BACKLOG = 1024


class Origin:
    """Accepts connections and gives each a thread of its own."""

    def __init__(self) -> None:
        self.stats = Stats()

    def listen(self, tls: ssl.SSLContext | None = None) -> int:
        """Starts to listen on a free port of the loopback address, and returns it."""
        listener = socket.create_server(("127.0.0.1", 0), backlog=BACKLOG)
        threading.Thread(target=self._accept, args=(listener, tls), daemon=True).start()
        port: int = listener.getsockname()[1]
        return port

    def _accept(self, listener: socket.socket, tls: ssl.SSLContext | None) -> None:
        while True:
            try:
                sock, _ = listener.accept()
                threading.Thread(target=self._run, args=(sock, tls), daemon=True).start()
            except (OSError, RuntimeError):  # out of descriptors or threads: let some end
                time.sleep(0.05)

    def _run(self, sock: socket.socket, tls: ssl.SSLContext | None) -> None:
        number = self.stats.connection_opened()
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if tls is not None:
                sock.settimeout(HANDSHAKE_SECONDS)
                sock = tls.wrap_socket(sock, server_side=True)
            self._serve(Connection(sock, number))
        except OSError:  # a failed handshake, or a peer gone before the first byte
            pass
        except Exception:
            traceback.print_exc()
        finally:
            sock.close()
            self.stats.connection_closed()

    def _serve(self, connection: Connection) -> None:
        """Answers one request after another until one of them, or the peer, ends the connection."""
        ending = "keep"
        while ending == "keep":
            try:
                request = read_request(connection)
            except PeerClosed:
                request = None
            except BadRequest as error:
                self._refuse(Request(connection, "GET", "*", "HTTP/1.1", []), error)
                break
            if request is None:
                break
            if not request.path.startswith("/stats"):
                self.stats.request(request.path, request.target)
            try:
                ending = self._answer(request)
            except BadRequest as error:
                self._refuse(request, error)
                break
            except PeerClosed:
                self.stats.aborted(request.path)
                connection.reset()
                return
        {"cut": connection.cut, "reset": connection.reset}.get(ending, connection.close)()

    def _answer(self, request: Request) -> str:
        """Answers one request, and returns how the connection goes on: keep, close, cut or reset."""
        if request.path.startswith("/script/"):
            return self._play(request)
        response = endpoints.answer(request, self.stats)
        keeps_alive = request.keeps_alive and response.status != 101 and not response.is_lost
        endpoints.send(request, response, keeps_alive)
        return "keep" if keeps_alive else "close"

    def _play(self, request: Request) -> str:
        try:
            steps = script.parse(request.path.removeprefix("/script/"))
        except script.BadScript as error:
            raise BadRequest(f"bad script: {error}") from None
        if not steps.is_early:
            request.read_body()
        ending = steps.play(request.connection)
        if ending == "keep":
            try:
                request.read_body()
            except PeerClosed:  # it had its answer and need not send the rest
                return "close"
        return ending

    @staticmethod
    def _refuse(request: Request, error: BadRequest) -> None:
        """Says what is wrong with a request whose connection cannot go on."""
        text = f"{error}\n".encode()
        try:
            endpoints.send(request, endpoints.Response(error.status, (text,), len(text)), keeps_alive=False)
        except PeerClosed:
            pass


def tls_context(certificate: str, key: str) -> ssl.SSLContext:
    """A server context that offers HTTP/1.1 alone."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["http/1.1"])
    return context


def write_ports(path: str, ports: dict[str, int]) -> None:
    """Writes the file so that a reader sees all of it or none."""
    partial = f"{path}.{os.getpid()}"
    with open(partial, "w") as file:
        json.dump(ports, file)
    os.replace(partial, path)


def wait_for_end() -> None:
    """Returns at the end of standard input, or when the lifetime is over."""
    deadline = time.monotonic() + LIFETIME_SECONDS
    while (left := deadline - time.monotonic()) > 0:
        readable, _, _ = select.select([0], [], [], left)
        if readable and not os.read(0, 4096):
            return


def main() -> None:
    parser = argparse.ArgumentParser(description="A scripted HTTP/1.1 origin.")
    parser.add_argument("--ports-file", required=True)
    parser.add_argument("--cert", help="PEM certificate; adds the TLS port")
    parser.add_argument("--key", help="PEM key of the certificate")
    options = parser.parse_args()
    if bool(options.cert) != bool(options.key):
        parser.error("--cert and --key come together")

    # Threads may be anywhere; the process has nothing to save.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    threading.stack_size(512 * 1024)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard != resource.RLIM_INFINITY else 65536, hard))

    origin = Origin()
    ports = {"http": origin.listen()}
    if options.cert:
        ports["https"] = origin.listen(tls_context(options.cert, options.key))
    write_ports(options.ports_file, ports)
    wait_for_end()
    os._exit(0)


if __name__ == "__main__":
    main()
