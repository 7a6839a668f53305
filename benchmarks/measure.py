"""The measurements. Those of time run all contenders in turn, round after round, so that what slows the machine down
for a while slows all of them down."""

from __future__ import annotations

import json
import re
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import servers
from contenders import BUILD, CONTENDERS, FULL, PLAIN, ROOT, SHARDED, Contender

Figures = dict[str, Any]


class TimeIsUp(Exception):
    """The whole run took too long; what was measured by then stands."""


class Run:
    """One run of the benchmark: its size, its time limit, what failed."""

    def __init__(self, *, is_quick: bool, limit_s: float) -> None:
        self.is_quick = is_quick
        self._limit_s = limit_s
        self._deadline = time.monotonic() + limit_s
        self._missing: dict[tuple[str, str], str] = {}
        self._section = ""
        self._processes: set[subprocess.Popen[str]] = set()
        self._lock = threading.Lock()

    def begin(self, section: str) -> None:
        self._section = section
        elapsed_s = self._limit_s - (self._deadline - time.monotonic())
        print(f"bench: {elapsed_s:4.0f} s: {section}", file=sys.stderr, flush=True)

    @property
    def contenders(self) -> list[Contender]:
        """Those that take part, and have not failed in this section."""
        return [each for each in CONTENDERS if self._takes_part(each)]

    def _takes_part(self, contender: Contender) -> bool:
        return not (self.is_quick and contender.is_rival) and (contender.name, self._section) not in self._missing

    @property
    def missing(self) -> Mapping[tuple[str, str], str]:
        """What went wrong, by name and section."""
        return self._missing

    def drop(self, contender: Contender, reason: str) -> None:
        """Leaves a contender out of the rest of this section."""
        with self._lock:
            if self._missing.setdefault((contender.name, self._section), reason) is reason:
                print(f"bench: {contender.name}: {reason}", file=sys.stderr)

    def call(self, command: Sequence[str], *, limit_s: float = 90, **options: Any) -> subprocess.CompletedProcess[str]:
        """Runs a program to its end, or to a time limit; the programs start none of their own."""
        left_s = self._deadline - time.monotonic()
        if left_s <= 0:
            raise TimeIsUp
        pipes: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with subprocess.Popen(command, text=True, **pipes, **options) as process:
            with self._lock:
                self._processes.add(process)
            try:
                output, errors = process.communicate(timeout=min(limit_s, left_s))
            finally:
                process.kill()
                with self._lock:
                    self._processes.discard(process)
        return subprocess.CompletedProcess(command, process.returncode, output, errors)

    def stop(self) -> None:
        """Ends what runs, and starts nothing more."""
        self._deadline = 0.0
        for process in list(self._processes):
            process.kill()

    def figures(self, contender: Contender, command: Sequence[str], *, limit_s: float = 90) -> Figures | None:
        """Runs a contender and reads its figures. One that fails is dropped."""
        try:
            done = self.call(command, limit_s=limit_s, env=contender.environ())
        except (OSError, subprocess.TimeoutExpired) as error:
            self.drop(contender, str(error))
            return None
        if done.returncode != 0:
            self.drop(contender, _last_line(done.stderr, done.returncode))
            return None
        figures: Figures = json.loads(done.stdout)
        if figures.get("failed", 0) > 0:
            self.drop(contender, f"{figures['failed']} of its requests failed")
            return None
        return figures


def _last_line(text: str, code: int) -> str:
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("==")]
    name = signal.Signals(-code).name if code < 0 else f"exit {code}"
    return lines[-1] if lines else name


def _medians(rounds: Iterable[Figures]) -> Figures:
    values: dict[str, list[float]] = defaultdict(list)
    for figures in rounds:
        for key, value in figures.items():
            if isinstance(value, (int, float)):
                values[key].append(value)
    return {key: statistics.median(each) for key, each in values.items()}


Key = tuple[str, int]


Rounds = dict[int, Figures]


def load(run: Run, base: str) -> dict[Key, Rounds]:
    """Throughput, latency and CPU of each contender in each round, by its name and concurrency.

    Many short rounds: machines change their pace from one second to the next, which counts most at one at a time."""
    found: dict[Key, Rounds] = defaultdict(dict)
    for number in range(8 if run.is_quick else 21):
        for concurrency in (1, 64):
            for contender in run.contenders:
                if concurrency not in contender.concurrencies:
                    continue
                requests = contender.load(concurrency) // (6 if run.is_quick else 3)
                figures = run.figures(
                    contender, contender.arguments(f"{base}/small", requests, concurrency, max(requests // 10, 64))
                )
                if figures:
                    figures["cpu_us"] = (figures["user_s"] + figures["sys_s"]) * 1e6 / requests
                    found[contender.name, concurrency][number] = figures
    return found


def instructions(run: Run, base: str) -> dict[Key, float]:
    """User instructions per request of each contender, as callgrind counts them: the difference of two runs."""
    if shutil.which("valgrind") is None:
        print("bench: valgrind is missing: no instructions counted", file=sys.stderr)
        return {}
    found: dict[Key, list[float]] = defaultdict(list)
    for turn in range(1 if run.is_quick else 3):
        for is_rival in (False, True):
            jobs = [
                (each, at)
                for each in run.contenders
                for at in each.concurrencies
                if each.is_rival == is_rival and turn < each.counts
            ]
            # One by one where it matters: how soon the server answers decides how often libcurl looks for the answer.
            with ThreadPoolExecutor(2 if is_rival else 1) as pool:
                counts = list(pool.map(lambda job: _instructions(run, base, *job), jobs))
            for (each, at), count in zip(jobs, counts):
                if count is not None:
                    found[each.name, at].append(count)
    return {key: statistics.median(counts) for key, counts in found.items()}


def _instructions(run: Run, base: str, contender: Contender, concurrency: int) -> float | None:
    few, many = (count // (2 if run.is_quick else 1) for count in contender.counted)
    first, second = (_counted(run, base, contender, requests, concurrency) for requests in (few, many))
    if first is None or second is None:
        return None
    return (second - first) / (many - few)


def _counted(run: Run, base: str, contender: Contender, requests: int, concurrency: int) -> int | None:
    tool = ["nice", "-n", "10", "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    try:
        done = run.call(
            [*tool, *contender.arguments(f"{base}/small", requests, concurrency, 64)], env=contender.environ()
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        run.drop(contender, str(error))
        return None
    match = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or match is None:
        run.drop(contender, f"under callgrind: {_last_line(done.stderr, done.returncode)}")
        return None
    return int(match[1])


def http2(run: Run, bases: servers.Bases) -> dict[str, Figures]:
    """Throughput at 64 at once over one connection of HTTP/2, over TLS."""
    found: dict[str, list[Figures]] = defaultdict(list)
    for _ in range(2 if run.is_quick else 7):
        for contender in run.contenders:
            if contender.name not in (PLAIN.name, FULL.name, "netcore, C callback", "netcore, C loop"):
                continue
            command = contender.arguments(f"{bases.tls}/small", contender.load(64), 64, 2000)
            figures = run.figures(contender, [*command[:-1], "--ca-file", bases.ca_file, command[-1]])
            if figures:
                found[contender.name].append(figures)
    return {name: _medians(rounds) for name, rounds in found.items()}


def large(run: Run, base: str) -> dict[str, Figures]:
    """Throughput of 10 MB bodies, one at a time: plain with libcurl's default buffer, netcore's blocking call, plain
    with a large buffer."""
    big = Contender("plain C, large buffer", (*PLAIN.command, "--buffer", str(512 << 10)))
    found: dict[str, list[Figures]] = defaultdict(list)
    for _ in range(3 if run.is_quick else 15):
        for contender in [*run.contenders, big]:
            if contender.name not in (PLAIN.name, "netcore, C perform", "netcore, Python asyncio", big.name):
                continue
            figures = run.figures(contender, contender.arguments(f"{base}/large", 60, 1, 5))
            if figures:
                found[contender.name].append(figures)
    return {name: _medians(rounds) for name, rounds in found.items()}


def in_flight(run: Run, mode: str, count: int, rounds: int) -> dict[str, Figures]:
    """Many requests that the server holds: memory and CPU of each (--flight), or the time to cancel them (--cancel)."""
    found: dict[str, list[Figures]] = defaultdict(list)
    for _ in range(rounds):
        for contender in [*run.contenders, *([SHARDED] if mode == "--flight" else [])]:
            if contender.name not in (PLAIN.name, SHARDED.name, "netcore, C callback"):
                continue
            with servers.holding() as url:
                command = [*contender.command, mode, "--concurrency", str(count), "--requests", "20000", url]
                figures = run.figures(contender, command, limit_s=40)
            if figures:
                found[contender.name].append(figures)
    return {name: _medians(each) for name, each in found.items()}


_LIBRARIES = {"libcurl": "libcurl.so.4", "libnetcore": str(ROOT / "build" / "libnetcore.so")}


def load_time(run: Run) -> dict[str, float]:
    """Milliseconds that a fresh process needs to load libcurl, and libnetcore with libcurl under it."""
    found: dict[str, list[float]] = defaultdict(list)
    for _ in range(11 if run.is_quick else 51):
        for name, library in _LIBRARIES.items():
            done = run.call([str(BUILD / "load_time"), library])
            if done.returncode == 0:
                found[name].append(float(done.stdout) / 1e3)
    return {name: statistics.median(times) for name, times in found.items()}


def first_request(run: Run, base: str) -> dict[str, float]:
    """Milliseconds of a fresh process from before it loads libcurl, or libnetcore, to its first answer."""
    found: dict[str, list[float]] = defaultdict(list)
    for _ in range(11 if run.is_quick else 51):
        for name, library in _LIBRARIES.items():
            done = run.call([str(BUILD / "first_request"), name, library, f"{base}/small"])
            if done.returncode == 0:
                found[name].append(float(done.stdout) / 1e3)
    return {name: statistics.median(times) for name, times in found.items()}


def idle(run: Run, base: str) -> dict[str, Figures]:
    """The threads of a client before its first request, and how often one wakes up when nothing is under way."""
    found: dict[str, Figures] = {}
    for way in ("perform", "callback", "loop"):
        seconds = 5 if run.is_quick else 30
        done = run.call([str(BUILD / "idle"), "--way", way, "--requests", str(seconds), f"{base}/small"])
        if done.returncode == 0:
            found[way] = json.loads(done.stdout)
    return found
