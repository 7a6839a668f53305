#!/usr/bin/env python3
"""Runs a command with the servers the tests speak to, and stops them when it ends.

    peers.py run --dir DIR [--proxy] [--httpbin] [--servers] -- COMMAND ARGS…

Starts nginx, the scripted origin, a server for uploads, with --proxy squid and microsocks, with --httpbin httpbin, and
with --servers Caddy, Apache, lighttpd and HAProxy; all on free ports of the loopback address, with all their files in
DIR or a temporary folder. Certificates in DIR/tls are kept from run to run. While one run uses DIR, another takes
DIR.2, DIR.3 and so on. The command finds the servers in its environment:

    NETCORE_TEST_ORIGIN, …_ORIGIN_TLS     the scripted origin
    NETCORE_TEST_NGINX, …_NGINX_TLS       nginx, HTTP/1.1
    NETCORE_TEST_NGINX_UNIX               the first one's Unix-domain socket
    NETCORE_TEST_NGINX_H2, …_NGINX_MTLS   nginx, HTTP/2; the second asks for a client certificate
    NETCORE_TEST_CA, …_CLIENT_CERT, …_CLIENT_KEY, …_CLIENT_KEY_ENCRYPTED   PEM files; the last one's password is secret
    NETCORE_TEST_CA_FOLDER, …_SERVER_PIN  the authority in a folder; the pin of the server's key
    NETCORE_TEST_UPLOADS                  aiohttp, which says what was uploaded (uploads.py); nginx passes /upload to it
    NETCORE_TEST_REFUSED                  a port that refuses connections
    NETCORE_TEST_WWW, …_ACCESS_LOG        nginx's document root, and its log of /logged/

With --httpbin:

    NETCORE_TEST_HTTPBIN                  httpbin under gunicorn, with digest_bodies.py

With --httpbin and --servers, for each program that is installed (servers.py):

    NETCORE_TEST_CADDY, …_APACHE, …_LIGHTTPD, …_HAPROXY               by HTTP
    NETCORE_TEST_CADDY_H2, …_APACHE_H2, …_LIGHTTPD_H2, …_HAPROXY_H2   by TLS, with HTTP/2

With --proxy, for each program that is installed:

    NETCORE_TEST_PROXY, …_PROXY_AUTH      squid, without and with user:secret
    NETCORE_TEST_PROXY_TLS                squid by TLS, with user:secret
    NETCORE_TEST_SOCKS, …_SOCKS_AUTH      microsocks, open and with user:secret
    …_SOCKS_LOG, …_SOCKS_AUTH_LOG         what each of the two connected to, and by which name

The exit code is the command's: 128 + N when signal N ended it, 127 when it cannot be run, 125 when a server does not
start. On SIGINT, SIGTERM and SIGHUP the command gets the signal first. Whatever the command leaves behind is ended too.
"""

from __future__ import annotations

import sys

sys.dont_write_bytecode = True

import argparse
import contextlib
import fcntl
import json
import os
import resource
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import certificates
import docroot
from applications import begin_httpbin, begin_uploads
from processes import Peer, adopt_orphans, stop, sweep, tie_to_parent
from proxies import start_microsocks, start_squid
from servers import start_servers
from starting import (
    HERE,
    PASSWORD,
    USER,
    CannotStart,
    Environment,
    answers_http,
    fill,
    find_program,
    free_ports,
    start,
)

ORIGIN = HERE.parent / "origin" / "origin.py"
RUNS_AT_ONCE = 16
WANTED_DESCRIPTORS = 65536
COMMAND_STOP_SECONDS = 10.0


class Interrupted(BaseException):
    """A signal asks for the end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def descriptor_limit() -> int:
    """The most descriptors nginx can get, up to WANTED_DESCRIPTORS: root may go beyond its hard limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY or hard >= WANTED_DESCRIPTORS:
        return WANTED_DESCRIPTORS
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, WANTED_DESCRIPTORS))
    except (OSError, ValueError):
        return hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return WANTED_DESCRIPTORS


@contextlib.contextmanager
def claimed(folder: Path) -> Iterator[Path]:
    """Claims `folder`, or the first free one of folder.2, folder.3, …, for this run alone."""
    for number in range(1, RUNS_AT_ONCE + 1):
        candidate = folder if number == 1 else folder.with_name(f"{folder.name}.{number}")
        candidate.mkdir(parents=True, exist_ok=True)
        with open(candidate / "lock", "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            yield candidate
            return
    raise CannotStart(f"{RUNS_AT_ONCE} runs use {folder} already")


def start_origin(stack: ExitStack, folder: Path) -> Environment:
    ports_file = folder / "origin-ports.json"
    tls = folder / "tls"
    command = [sys.executable, str(ORIGIN), "--ports-file", str(ports_file)]
    command += ["--cert", str(tls / "server.pem"), "--key", str(tls / "server.key")]

    def attempt() -> tuple[Peer, Callable[[], bool]]:
        ports_file.unlink(missing_ok=True)
        return Peer("origin", command, folder / "origin.log"), ports_file.exists

    start(stack, attempt)
    ports = json.loads(ports_file.read_text())
    return {
        "NETCORE_TEST_ORIGIN": f"http://127.0.0.1:{ports['http']}",
        "NETCORE_TEST_ORIGIN_TLS": f"https://localhost:{ports['https']}",
    }


def start_nginx(stack: ExitStack, folder: Path) -> Environment:
    program = find_program("nginx")
    if program is None:
        raise CannotStart("nginx is not installed")
    (folder / "temp").mkdir(exist_ok=True)
    (folder / "nginx-users").write_text(f"{USER}:{{PLAIN}}{PASSWORD}\n")
    access_log = folder / "access.log"
    access_log.write_bytes(b"")
    error_log = folder / "nginx-error.log"
    error_log.unlink(missing_ok=True)
    (folder / "nginx.sock").unlink(missing_ok=True)
    words: dict[str, object] = {
        "RUN": folder,
        "TLS": folder / "tls",
        "WWW": folder / "www",
        "ACCESS_LOG": access_log,
        "USER_LINE": "user root root;" if os.geteuid() == 0 else "",
        "NOFILE": descriptor_limit(),
    }
    fill("locations.conf.in", folder / "locations.conf", words)
    names = ("HTTP", "TLS", "H2", "MTLS")
    ports: dict[str, int] = {}

    def attempt() -> tuple[Peer, Callable[[], bool]]:
        ports.update(zip(names, free_ports(len(names)), strict=True))
        fill("nginx.conf.in", folder / "nginx.conf", words | {f"PORT_{name}": ports[name] for name in names})
        command = [program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(error_log)]
        return Peer("nginx", command, folder / "nginx.log"), lambda: answers_http(ports["HTTP"])

    start(stack, attempt)
    return {
        "NETCORE_TEST_NGINX": f"http://127.0.0.1:{ports['HTTP']}",
        "NETCORE_TEST_NGINX_TLS": f"https://localhost:{ports['TLS']}",
        "NETCORE_TEST_NGINX_H2": f"https://localhost:{ports['H2']}",
        "NETCORE_TEST_NGINX_MTLS": f"https://localhost:{ports['MTLS']}",
        "NETCORE_TEST_NGINX_UNIX": str(folder / "nginx.sock"),
        "NETCORE_TEST_CA": str(folder / "tls" / "ca.pem"),
        "NETCORE_TEST_CA_FOLDER": str(certificates.hashed_folder(folder / "tls")),
        "NETCORE_TEST_SERVER_PIN": certificates.pin(folder / "tls" / "server.pem"),
        "NETCORE_TEST_CLIENT_CERT": str(folder / "tls" / "client.pem"),
        "NETCORE_TEST_CLIENT_KEY": str(folder / "tls" / "client.key"),
        "NETCORE_TEST_CLIENT_KEY_ENCRYPTED": str(folder / "tls" / "client-encrypted.key"),
        "NETCORE_TEST_WWW": str(folder / "www"),
        "NETCORE_TEST_ACCESS_LOG": str(access_log),
    }


def refuse_port(stack: ExitStack) -> Environment:
    """Holds a port without listening on it."""
    sock = stack.enter_context(socket.socket())
    sock.bind(("127.0.0.1", 0))
    return {"NETCORE_TEST_REFUSED": f"http://127.0.0.1:{sock.getsockname()[1]}"}


# The run


def run_command(command: list[str], environment: Environment) -> int:
    """Runs the command to its end, or passes on the signal that asks for an earlier one."""
    try:
        process = subprocess.Popen(command, env=os.environ | environment, preexec_fn=tie_to_parent())
    except (OSError, ValueError) as error:
        print(f"peers: {command[0]}: {error}", file=sys.stderr)
        return 127
    try:
        code = process.wait()
    except Interrupted as interrupted:
        ignore_signals()
        stop(process, interrupted.number, COMMAND_STOP_SECONDS)
        return 128 + interrupted.number
    return code if code >= 0 else 128 - code


def run(options: argparse.Namespace, command: list[str]) -> int:
    with claimed(options.dir.resolve()) as claim, ExitStack() as stack:
        try:
            begun = [begin_uploads(stack, claim)]
            if options.httpbin:
                begun.append(begin_httpbin(stack, claim))
            certificates.ensure(claim / "tls")
            docroot.write(claim / "www")
            environment = start_origin(stack, claim) | start_nginx(stack, claim) | refuse_port(stack)
            if options.proxy:
                environment |= start_squid(stack, claim) | start_microsocks(stack, claim)
            for finish in begun:
                environment |= finish()
            if options.servers:
                environment |= start_servers(stack, claim, environment)
            return run_command(command, environment)
        finally:
            ignore_signals()  # a second one must not cut the stopping short


def ignore_signals() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def interrupt(number: int, _frame: object) -> None:
    raise Interrupted(number)


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs a command with the servers the tests speak to.")
    parser.add_argument("mode", choices=["run"])
    parser.add_argument("--dir", required=True, type=Path, help="folder for all files of the servers")
    parser.add_argument("--proxy", action="store_true", help="start squid and microsocks too, where they are installed")
    parser.add_argument("--httpbin", action="store_true", help="start httpbin too")
    parser.add_argument("--servers", action="store_true", help="start other servers too, where they are installed")
    parser.usage = "peers.py run --dir DIR [--proxy] [--httpbin] [--servers] -- COMMAND ARGS…"
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:end])
    command = sys.argv[end + 1 :]
    if not command:
        parser.error("there is no command after --")

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    adopt_orphans()
    try:
        return run(options, command)
    except CannotStart as error:
        print(f"peers: {error}", file=sys.stderr)
        return 125
    except subprocess.CalledProcessError as error:
        print(f"peers: {error}\n{error.stderr}", file=sys.stderr)
        return 125
    except Interrupted as interrupted:
        return 128 + interrupted.number
    finally:
        ignore_signals()
        sweep()


if __name__ == "__main__":
    sys.exit(main())
