"""The proxies of the tests: squid for HTTP, over TLS too, and microsocks for SOCKS 5."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from processes import Peer
from starting import (
    PASSWORD,
    USER,
    CannotStart,
    Environment,
    accepts,
    answers_http,
    fill,
    find_program,
    free_ports,
    start,
)

SQUID_HELPERS = ("/usr/lib/squid", "/usr/lib64/squid", "/usr/libexec/squid", "/usr/local/libexec/squid")


def start_squid(stack: ExitStack, folder: Path) -> Environment:
    """Starts the proxy; without squid it says so and adds nothing."""
    program = find_program("squid")
    helpers = [path for path in (f"{place}/basic_ncsa_auth" for place in SQUID_HELPERS) if os.path.exists(path)]
    if program is None or not helpers:
        print("peers: squid is not installed, there is no proxy", file=sys.stderr)
        return {}
    service = f"netcore{os.getpid()}"
    stack.callback(remove_shared_memory, service)
    account = squid_account()
    home = squid_folder(stack, folder, account)
    digest = subprocess.run(["openssl", "passwd", "-apr1", PASSWORD], check=True, capture_output=True, text=True)
    (home / "users").write_text(f"{USER}:{digest.stdout}")
    for name in ("server.pem", "server.key"):
        shutil.copy(folder / "tls" / name, home / name)
        (home / name).chmod(0o644)
    ports: list[int] = []

    def attempt() -> tuple[Peer, Callable[[], bool]]:
        ports[:] = free_ports(2)
        words: dict[str, object] = {"HOME": home, "PORT": ports[0], "PORT_TLS": ports[1], "HELPER": helpers[0]}
        fill("squid.conf.in", home / "squid.conf", words)
        command = [program, "-N", "-d", "1", "-n", service, "-f", str(home / "squid.conf")]
        options: dict[str, Any] = {"cwd": home}
        if account is not None:
            options |= {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        # It has nothing to save, and its orderly end takes two seconds.
        peer = Peer("squid", command, folder / "squid.log", stop_signal=signal.SIGKILL, **options)
        return peer, lambda: answers_http(ports[0]) and accepts(ports[1])

    start(stack, attempt)
    return {
        "NETCORE_TEST_PROXY": f"http://127.0.0.1:{ports[0]}",
        "NETCORE_TEST_PROXY_AUTH": f"http://{USER}:{PASSWORD}@127.0.0.1:{ports[0]}",
        "NETCORE_TEST_PROXY_TLS": f"https://{USER}:{PASSWORD}@localhost:{ports[1]}",
    }


def remove_shared_memory(service: str) -> None:
    """Removes the segments a killed squid leaves: they would hinder the next one of the same service name."""
    for segment in Path("/dev/shm").glob(f"{service}-*.shm"):
        segment.unlink(missing_ok=True)


def squid_account() -> pwd.struct_passwd | None:
    """The account squid runs as: it refuses to be root. None is this process's own.

    It is changed before squid starts, since a later change would undo its tie to this process.
    """
    if os.geteuid() != 0:
        return None
    for name in ("proxy", "squid", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise CannotStart("there is no account for squid to run as")


def squid_folder(stack: ExitStack, folder: Path, account: pwd.struct_passwd | None) -> Path:
    """A folder squid can reach: in DIR, or a temporary one when DIR is private or has a space in its path."""
    home = folder / "squid"
    is_private = account is not None and any(not path.stat().st_mode & 0o001 for path in home.parents)
    if is_private or len(str(home).split()) > 1:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="netcore-squid-")))
    home.mkdir(exist_ok=True)
    home.chmod(0o755)
    return home


def start_microsocks(stack: ExitStack, folder: Path) -> Environment:
    """Starts two SOCKS proxies, an open one and one that asks for a password; without microsocks adds nothing."""
    program = find_program("microsocks")
    if program is None:
        print("peers: microsocks is not installed, there is no SOCKS proxy", file=sys.stderr)
        return {}
    logs = {"SOCKS": folder / "microsocks.log", "SOCKS_AUTH": folder / "microsocks-auth.log"}
    open_port = start_one_microsocks(stack, program, logs["SOCKS"])
    port = start_one_microsocks(stack, program, logs["SOCKS_AUTH"], "-u", USER, "-P", PASSWORD)
    return {
        "NETCORE_TEST_SOCKS": f"socks5://127.0.0.1:{open_port}",
        "NETCORE_TEST_SOCKS_AUTH": f"socks5://{USER}:{PASSWORD}@127.0.0.1:{port}",
        **{f"NETCORE_TEST_{name}_LOG": str(log) for name, log in logs.items()},
    }


def start_one_microsocks(stack: ExitStack, program: str, log: Path, *options: str) -> int:
    """Answers the port. The log has a line for a connection before the client hears of it: readers need not wait."""
    ports: list[int] = []

    def attempt() -> tuple[Peer, Callable[[], bool]]:
        ports[:] = free_ports(1)
        command = [program, "-i", "127.0.0.1", "-p", str(ports[0]), *options]
        return Peer("microsocks", command, log), lambda: accepts(ports[0])

    start(stack, attempt)
    return ports[0]
