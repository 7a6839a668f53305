"""Child processes that cannot outlive this one (Linux)."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

STOP_SECONDS = 5.0

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_libc = ctypes.CDLL(None, use_errno=True)


def tie_to_parent() -> Callable[[], None]:
    """Makes a preexec function: the child gets SIGTERM when this process dies, however it dies."""
    parent = os.getpid()

    def tie() -> None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return tie


def adopt_orphans() -> None:
    """Makes this process the parent of descendants whose own parent ends, so that `sweep` finds them."""
    _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


class Peer:
    """A server process in a session of its own: a terminal's Ctrl-C does not reach it."""

    def __init__(
        self, name: str, command: Sequence[str], log: Path, stop_signal: int = signal.SIGTERM, **options: Any
    ) -> None:
        self.name = name
        self.stop_signal = stop_signal
        self.log = log
        with open(log, "wb") as output:
            self.process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=tie_to_parent(),
                **options,
            )

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    def wait_until(self, condition: Callable[[], bool], seconds: float = 15.0) -> bool:
        """Waits for `condition`; False when the process ends or the time is over."""
        deadline = time.monotonic() + seconds
        while self.is_running and time.monotonic() < deadline:
            if condition():
                return True
            time.sleep(0.02)
        return False

    def last_words(self) -> str:
        return self.log.read_text(errors="replace")[-2000:]

    def stop(self) -> None:
        stop(self.process, self.stop_signal)


def stop(process: subprocess.Popen[bytes], number: int = signal.SIGTERM, seconds: float = STOP_SECONDS) -> None:
    """Asks a process to end, waits, and kills it when it does not."""
    if process.stdin is not None:
        process.stdin.close()
    if process.poll() is None:
        process.send_signal(number)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def sweep() -> None:
    """Ends every process below this one that is left: SIGTERM, then SIGKILL after a second."""
    kill_at = time.monotonic() + 1.0
    asked: set[int] = set()
    while children := _reap_children():
        kills = time.monotonic() >= kill_at
        for pid in children:
            if kills or pid not in asked:
                asked.add(pid)
                try:
                    os.kill(pid, signal.SIGKILL if kills else signal.SIGTERM)
                except ProcessLookupError:
                    pass
        time.sleep(0.02)


def _reap_children() -> list[int]:
    """Collects ended children, and returns the ones still there."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return []
    return [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if _parent_of(pid) == os.getpid()]


def _parent_of(pid: int) -> int:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    return int(stat.rpartition(")")[2].split()[1])
