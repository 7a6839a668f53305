#!/usr/bin/env python3
"""Measures streams: a large body through netcore's Python package beside other clients for Python, the same through its
C API beside the plain C program, and events beside httpx-sse. scripts/bench --streams builds what this needs.

What is shown are medians, and ratios of medians; clients run one after the other, round after round."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import servers
from contenders import BUILD, PYTHON, ROOT

ROUNDS = 7
SIZE = 256 << 20
EVENTS = 200_000
EVENT = b'event: delta\ndata: {"choices":[{"index":0,"delta":{"content":" word"}}]}\n\n'
EVENT_DATA = len(EVENT.partition(b"data: ")[2].rstrip())

Figures = dict[str, float]


def run(command: list[str], environment: dict[str, str] | None = None) -> Figures:
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    if done.returncode != 0:
        raise SystemExit(f"bench: {' '.join(command)}: {done.stderr.strip()[-500:]}")
    figures: dict[str, Any] = json.loads(done.stdout)
    if figures.get("failed"):
        raise SystemExit(f"bench: {' '.join(command)}: another number of bytes came")
    return figures


def python(client: str, base: str, path: str, size: int) -> Callable[[], Figures]:
    script = ROOT / "benchmarks" / "python" / "streaming.py"
    command = [str(PYTHON), str(script), "--client", client, "--size", str(size)]
    warm = f"{base}/{path}-small"
    environment = {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": str(ROOT / "bindings" / "python" / "src"),
        "NETCORE_LIBRARY": str(ROOT / "build" / "libnetcore.so"),
    }
    return lambda: run([*command, "--warm", warm, f"{base}/{path}"], environment)


def medians(contenders: dict[str, Callable[[], Figures]]) -> dict[str, Figures]:
    found: dict[str, list[Figures]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, measure in contenders.items():
            found[name].append(measure())
    return {
        name: {key: statistics.median(each[key] for each in rounds) for key in ("mib_s", "cpu_s", "seconds")}
        for name, rounds in found.items()
    }


def table(title: str, found: dict[str, Figures], of: str, speed: Callable[[Figures], str]) -> None:
    print(f"\n| {title} | | CPU seconds | speed of {of} | CPU of {of} |\n|---|---|---|---|---|")
    least = found[of]
    for name, each in found.items():
        faster, cpu = least["seconds"] / each["seconds"], each["cpu_s"] / least["cpu_s"]
        print(f"| {name} | {speed(each)} | {each['cpu_s']:.2f} | {faster:.2f} | {cpu:.2f} |")


def verdict(what: str, found: float, limit: float, is_least: bool) -> bool:
    is_met = found >= limit if is_least else found <= limit
    print(f"| {what} | {found:.2f} | {'≥' if is_least else '≤'} {limit} | {'met' if is_met else 'MISSED'} |")
    return is_met


def main() -> None:
    with servers.nginx() as bases:
        www = BUILD / "nginx" / "www"
        (www / "stream").write_bytes(b"z" * SIZE)
        (www / "stream-small").write_bytes(b"z")
        (www / "events").write_bytes(EVENT * EVENTS)
        (www / "events-small").write_bytes(EVENT)
        clients = (
            "netcore-bytes",
            "netcore-views",
            "netcore-asyncio",
            "aiohttp",
            "httpx-sync",
            "httpx-asyncio",
            "wreq-sync",
        )
        bodies = medians({name: python(name, bases.plain, "stream", SIZE) for name in clients})
        streams, limit, url = str(BUILD / "streams"), str(BUILD / "plain_stream"), f"{bases.plain}/stream"
        c = medians(
            {
                "plain C": lambda: run([limit, "read", url]),
                "netcore, C, read": lambda: run([streams, "read", url]),
                "plain C, to a file": lambda: run([limit, "download", url, str(BUILD / "file")]),
                "netcore, C, download": lambda: run([streams, "download", url, str(BUILD / "file")]),
            }
        )
        size = EVENTS * EVENT_DATA
        events = medians({name: python(name, bases.plain, "events", size) for name in ("netcore-events", "httpx-sse")})
    table("256 MiB, Python", bodies, "httpx-sync", lambda each: f"{each['mib_s']:.0f} MiB/s")
    table("256 MiB, C", c, "plain C", lambda each: f"{each['mib_s']:.0f} MiB/s")
    table("200,000 events", events, "httpx-sse", lambda each: f"{EVENTS / each['seconds']:,.0f}/s")
    print("\n| target | found | limit | |\n|---|---|---|---|")
    speed = {name: 1 / each["seconds"] for found in (bodies, c, events) for name, each in found.items()}
    results = [
        verdict("iter_bytes, to httpx", speed["netcore-bytes"] / speed["httpx-sync"], 3, True),
        verdict("iter_bytes, to wreq", speed["netcore-bytes"] / speed["wreq-sync"], 1, True),
        verdict("aiter_bytes, to aiohttp", speed["netcore-asyncio"] / speed["aiohttp"], 1, True),
        verdict("events, to httpx-sse", speed["netcore-events"] / speed["httpx-sse"], 5, True),
        verdict("C read, to plain C", speed["netcore, C, read"] / speed["plain C"], 0.95, True),
        verdict("C read, CPU to plain C", c["netcore, C, read"]["cpu_s"] / c["plain C"]["cpu_s"], 1.1, False),
        verdict("download, to plain C", speed["netcore, C, download"] / speed["plain C, to a file"], 0.95, True),
    ]
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
