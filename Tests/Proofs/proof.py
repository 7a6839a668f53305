"""What the proofs of the disk level share: the origin, visitors, and a folder that is gone afterwards.

The programs are built by CMake; NETCORE_PROOFS says where they are. A proof ends only processes that it started.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

PROGRAMS = Path(os.environ.get("NETCORE_PROOFS", Path(__file__).parents[2] / "build/cmake/proofs"))
SKIPPED = 77


class Failed(Exception):
    """Something was not as promised."""


@dataclass
class Proof:
    """A run of one proof: its origin, its folder, and what it counted."""

    origin: str
    folder: Path
    pages: int
    disk_bytes: int
    began: float = field(default_factory=time.monotonic)

    def command(self, what: str, *more: object, folder: Path | None = None) -> list[str]:
        arguments = [what, self.origin, folder or self.folder, self.disk_bytes, self.pages, *more]
        return [str(PROGRAMS / "visitor"), *map(str, arguments)]

    def start(self, what: str, *more: object) -> subprocess.Popen[str]:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        return subprocess.Popen(self.command(what, *more), text=True, **pipes)

    def check(self, folder: Path | None = None) -> dict[str, int]:
        """Asks for each page; every body must be one that the origin sent, and no request may fail."""
        done = subprocess.run(self.command("check", folder=folder), text=True, capture_output=True, timeout=120)
        if done.returncode != 0:
            raise Failed(f"status {done.returncode}\n{done.stdout}{done.stderr[-4000:]}")
        return parse(done.stdout)

    @property
    def seconds(self) -> int:
        return round(time.monotonic() - self.began)


def parse(line: str) -> dict[str, int]:
    """The last report among lines of a visitor's."""
    return {name: int(value) for name, value in (pair.split("=") for pair in line.strip().splitlines()[-1].split())}


def integrity(database: Path) -> str:
    """What SQLite says of a copy of the database with its log: the original stays as it is."""
    with tempfile.TemporaryDirectory(prefix="netcore-copy-") as folder:
        for ending in ("", "-wal"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copy(f"{database}{ending}", f"{folder}/cache.db{ending}")
        if not Path(folder, "cache.db").exists():
            return "ok"
        with contextlib.closing(sqlite3.connect(f"{folder}/cache.db")) as connection:
            return str(connection.execute("PRAGMA integrity_check").fetchone()[0])


@contextlib.contextmanager
def prepared(pages: int, disk_bytes: int) -> Iterator[Proof]:
    """A proof with an origin of its own."""
    origin = subprocess.Popen([PROGRAMS / "origin"], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    folder = tempfile.mkdtemp(prefix="netcore-proof-")
    try:
        assert origin.stdin is not None and origin.stdout is not None
        yield Proof(origin.stdout.readline().strip(), Path(folder, "cache"), pages, disk_bytes)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        origin.stdin.close()
        origin.wait(10)


@contextlib.contextmanager
def mounted(size: str) -> Iterator[Path]:
    """A tmpfs of its own."""
    with tempfile.TemporaryDirectory(prefix="netcore-tmpfs-") as folder:
        command = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "tmpfs", folder]
        subprocess.run(command, check=True, capture_output=True, text=True)
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


def why_no_mounts() -> str | None:
    """None if this process may mount. Where it may not, it goes on as root of a user namespace, if there can be one."""
    try:
        with mounted("64k"):
            return None
    except (OSError, subprocess.CalledProcessError) as error:
        reason = f"a tmpfs cannot be mounted here: {getattr(error, 'stderr', None) or error}".strip()
    unshare = ["unshare", "--user", "--map-root-user", "--mount"]
    if "NETCORE_UNSHARED" in os.environ or shutil.which("unshare") is None:
        return reason
    if subprocess.run([*unshare, "true"], capture_output=True).returncode != 0:
        return f"{reason}; nor are there user namespaces"
    os.environ["NETCORE_UNSHARED"] = "1"
    sys.stdout.flush()
    os.execvp(unshare[0], [*unshare, sys.executable, *sys.argv])


def run(main: object) -> None:
    """Runs a proof and ends the process with its outcome."""
    try:
        main()  # type: ignore[operator]
    except Failed as failure:
        print(f"failed: {failure}", file=sys.stderr)
        sys.exit(1)
