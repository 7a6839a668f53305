#!/usr/bin/env python3
"""Measures netcore's cache beside requests-cache, hishel and CacheControl. Needs what scripts/bench --cache builds."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

import servers
from contenders import BUILD, PYTHON, ROOT

ROUNDS = 5
MANY = 1_000_000
FEW = 1_000
PROGRAM = str(BUILD / "cache")
#: Name, client, whether on disk, hits of a round.
PYTHON_CLIENTS = [
    ("netcore, memory", "netcore", False, 20_000),
    ("requests-cache, memory", "requests-cache", False, 400),
    ("hishel, SQLite in memory", "hishel", False, 1000),
    ("CacheControl, dict", "cachecontrol", False, 600),
    ("netcore, disk", "netcore", True, 2000),
    ("requests-cache, SQLite", "requests-cache", True, 400),
    ("hishel, SQLite", "hishel", True, 1000),
    ("CacheControl, files", "cachecontrol", True, 600),
]


def run(command: Sequence[str], *, limit_s: float = 120, **options: object) -> dict[str, float]:
    """Runs a program to its end; what it prints is its figures."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=limit_s, **options)  # type: ignore[call-overload]
    if done.returncode != 0:
        raise SystemExit(f"bench: {' '.join(command)}: {done.stderr.strip()[-500:]}")
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


@contextlib.contextmanager
def new_folder() -> Iterator[Path]:
    (BUILD / "folders").mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=BUILD / "folders"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def begin(section: str) -> None:
    print(f"bench: {section}", file=sys.stderr, flush=True)


def hits(base: str) -> dict[str, float]:
    """Microseconds of one hit of 10 KiB: by each client in turn, round after round."""
    begin("hits")
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "bindings" / "python" / "src"),
        "NETCORE_LIBRARY": str(ROOT / "build" / "libnetcore.so"),
    }
    script = str(ROOT / "benchmarks" / "python" / "cache_hits.py")
    url = f"{base}/cached/medium"
    found: dict[str, list[float]] = defaultdict(list)
    for _ in range(ROUNDS):
        found["C, memory"].append(run([PROGRAM, "hits", "200000", url])["hit_ns"] / 1000)
        with new_folder() as folder:
            found["C, disk"].append(run([PROGRAM, "disk", "4000", url, str(folder)])["hit_ns"] / 1000)
        for name, client, is_on_disk, count in PYTHON_CLIENTS:
            with new_folder() as folder:
                where = ["--folder", str(folder)] if is_on_disk else []
                command = [str(PYTHON), script, "--client", client, "--hits", str(count), *where, url]
                found[name].append(run(command, env=environment)["hit_us"])
    return {name: statistics.median(values) for name, values in found.items()}


def stores(base: str) -> dict[int, dict[str, float]]:
    """What a folder costs that holds few or many entries: opening it, a hit, memory."""
    url = f"{base}/cached/small"
    found: dict[int, dict[str, float]] = {}
    with new_folder() as few, new_folder() as many:
        for count, folder in ((FEW, few), (MANY, many)):
            begin(f"storing {count:,} answers")
            run([PROGRAM, "fill", str(count), url, str(folder)], limit_s=900)
        begin("opening folders")
        rounds: dict[int, list[dict[str, float]]] = defaultdict(list)
        for _ in range(ROUNDS):
            for count, folder in ((FEW, few), (MANY, many)):
                rounds[count].append(run([PROGRAM, "open", str(count), url, str(folder)]))
        for count, figures in rounds.items():
            found[count] = {key: statistics.median(each[key] for each in figures) for key in figures[0]}
    return found


def instructions(base: str) -> dict[str, float]:
    """User instructions of a request that nothing stored answers, with a cache and without one."""
    begin("instructions of a miss")

    def counted(mode: str, requests: int) -> int:
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", PROGRAM, mode, str(requests)]
        done = subprocess.run([*command, f"{base}/cached/small"], capture_output=True, text=True, timeout=120)
        match = re.search(r"Collected : (\d+)", done.stderr)
        if done.returncode != 0 or match is None:
            raise SystemExit(f"bench: under callgrind: {done.stderr.strip()[-500:]}")
        return int(match[1])

    found: dict[str, list[float]] = defaultdict(list)
    for _ in range(3):
        for mode in ("uncached", "misses"):
            found[mode].append((counted(mode, 2500) - counted(mode, 500)) / 2000)
    return {mode: statistics.median(values) for mode, values in found.items()}


def markdown(times: dict[str, float], folders: dict[int, dict[str, float]], counts: dict[str, float]) -> str:
    few, many = folders[FEW], folders[MANY]
    memory = (many["memory_kb"] - few["memory_kb"]) * 1024 / (MANY - FEW)
    targets: list[tuple[str, float, float, str]] = [
        ("memory hit from C", times["C, memory"], 1, "{:.2f} µs"),
        ("memory hit from Python", times["netcore, memory"], 12, "{:.1f} µs"),
        ("disk hit of 10 KiB from C", times["C, disk"], 60, "{:.1f} µs"),
        ("opening 1,000,000 entries", many["open_ms"], 100, "{:.1f} ms"),
        ("hit among 1,000,000, to one among 1,000", many["hit_ns"] / few["hit_ns"], 2, "{:.2f}"),
        ("memory of an entry on disk", memory, 200, "{:.1f} bytes"),
        ("instructions of a miss, to no cache", counts["misses"] / counts["uncached"], 1.03, "{:.2f}"),
    ]
    lines = ["## Targets", "", "|  | found | target |  |", "|---|---|---|---|"]
    for what, found, limit, form in targets:
        verdict = "met" if found <= limit else "MISSED"
        lines.append(f"| {what} | {form.format(found)} | ≤ {form.format(limit)} | {verdict} |")
    lines += ["", "## A hit of 10 KiB from Python", "", "|  | µs | to netcore |", "|---|---|---|"]
    for name, _, is_on_disk, _ in PYTHON_CLIENTS:
        own = times["netcore, disk" if is_on_disk else "netcore, memory"]
        lines.append(f"| {name} | {times[name]:.1f} | {times[name] / own:.1f} |")
    return "\n".join(lines) + "\n"


def stop(*_: object) -> NoReturn:
    raise SystemExit(1)


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)  # so that what was started ends too
    with servers.nginx() as bases:
        text = markdown(hits(bases.plain), stores(bases.plain), instructions(bases.plain))
    (ROOT / "build" / "bench-cache.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
