"""Servers of other makers than nginx, each by HTTP and by TLS with HTTP/2: Caddy, Apache, lighttpd and HAProxy.

All serve the same paths:

    /early/CODE                            CODE is 307, 401, 403, 404 or 413: answered without reading the body
    /upload                                what uploads.py says
    /digest-bodies/auth/user/secret/MD5    asks for Digest, then says size and SHA-256 of the body
"""

from __future__ import annotations

import hashlib
import os
import pwd
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from processes import Peer
from proxies import squid_account
from starting import PASSWORD, USER, Environment, accepts, answers_http, begin, fill, find_program, free_ports

Command = Callable[[str, Path], list[str]]

# Program, and the arguments that keep it in the foreground with a file of its configuration.
SERVERS: dict[str, Command] = {
    "caddy": lambda program, file: [program, "run", "--adapter", "caddyfile", "--config", str(file)],
    "apache2": lambda program, file: [program, "-D", "FOREGROUND", "-f", str(file)],
    "lighttpd": lambda program, file: [program, "-D", "-f", str(file)],
    "haproxy": lambda program, file: [program, "-db", "-f", str(file)],
}
APACHE_MODULES = ("/usr/lib/apache2/modules", "/usr/lib64/httpd/modules", "/usr/libexec/apache2")


def start_servers(stack: ExitStack, folder: Path, known: Environment) -> Environment:
    """Starts those that are installed, by `known` addresses of httpbin and the server for uploads."""
    backends = {"UPLOADS": known.get("NETCORE_TEST_UPLOADS", ""), "HTTPBIN": known.get("NETCORE_TEST_HTTPBIN", "")}
    if not all(backends.values()):
        return {}
    words: dict[str, object] = {**backends}
    words |= {f"{name}_PORT": url.rpartition(":")[2] for name, url in backends.items()}
    waiting = [begin_server(stack, folder, name, words) for name in SERVERS]
    environment: Environment = {}
    for finish in waiting:
        environment |= finish()
    return environment


def begin_server(stack: ExitStack, folder: Path, name: str, words: dict[str, object]) -> Callable[[], Environment]:
    program = find_program(name)
    modules = next((path for path in APACHE_MODULES if os.path.isdir(path)), "")
    if program is None or (name == "apache2" and not modules):
        print(f"peers: {name} is not installed, and is not tested", file=sys.stderr)
        return lambda: {}
    account = squid_account()  # Apache refuses to be root, too
    home = server_folder(stack, folder, account)
    short = name.rstrip("2")
    options: dict[str, Any] = {"cwd": home, "env": os.environ | {"HOME": str(home), "XDG_CONFIG_HOME": str(home)}}
    if account is not None:
        options |= {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    ports: dict[str, int] = {}

    def attempt() -> tuple[Peer, Callable[[], bool]]:
        ports.update(zip(("PORT_HTTP", "PORT_TLS"), free_ports(2), strict=True))
        fill(f"{short}.conf.in", home / f"{short}.conf", words | ports | {"HOME": home, "MODULES": modules})
        peer = Peer(name, SERVERS[name](program, home / f"{short}.conf"), folder / f"{short}.log", **options)
        return peer, lambda: answers_http(ports["PORT_HTTP"]) and accepts(ports["PORT_TLS"])

    wait = begin(stack, attempt)

    def finish() -> Environment:
        wait()
        variable = f"NETCORE_TEST_{short.upper()}"
        return {
            variable: f"http://127.0.0.1:{ports['PORT_HTTP']}",
            f"{variable}_H2": f"https://localhost:{ports['PORT_TLS']}",
        }

    return finish


def server_folder(stack: ExitStack, folder: Path, account: pwd.struct_passwd | None) -> Path:
    """A folder of the server's own, which its account can read and write, with the keys and users that it needs."""
    home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="netcore-server-")))
    for file in ("server.pem", "server.key"):
        shutil.copy(folder / "tls" / file, home / file)
    (home / "both.pem").write_bytes((home / "server.pem").read_bytes() + (home / "server.key").read_bytes())
    digest = hashlib.md5(f"{USER}:netcore:{PASSWORD}".encode()).hexdigest()
    (home / "users").write_text(f"{USER}:netcore:{digest}\n")
    if account is not None:
        for path in (home, *home.iterdir()):
            os.chown(path, account.pw_uid, account.pw_gid)
    return home
