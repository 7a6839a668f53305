#!/usr/bin/env python3
"""Measures what it costs that netcore puts requests together: user instructions, as callgrind counts them, beside a
caller who puts the same bytes together by hand. scripts/bench --building builds what this needs."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys

import servers
from contenders import BUILD

ROUNDS = 3
FEW, MANY = 200, 1200
LIMIT = 1.05


def counted(way: str, requests: int, url: str) -> int:
    tool = ["nice", "-n", "10", "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    command = [*tool, str(BUILD / "building"), way, str(requests), url]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or found is None:
        raise SystemExit(f"bench: {way}: {done.stderr.strip()[-500:]}")
    return int(found[1])


def main() -> None:
    counts: dict[str, list[float]] = {"parts": [], "hand": []}
    with servers.nginx() as bases:
        for _ in range(ROUNDS):
            for way, found in counts.items():
                few, many = (counted(way, requests, f"{bases.plain}/small") for requests in (FEW, MANY))
                found.append((many - few) / (MANY - FEW))
    parts, hand = (statistics.median(found) for found in counts.values())
    ratio = parts / hand
    print("| instructions of a request | put together by netcore | by hand | ratio | target | |")
    print("|---|---|---|---|---|---|")
    verdict = "met" if ratio <= LIMIT else "MISSED"
    print(f"| 10 fields, 5 parameters, a filter | {parts:,.0f} | {hand:,.0f} | {ratio:.3f} | ≤ {LIMIT} | {verdict} |")
    sys.exit(ratio > LIMIT)


if __name__ == "__main__":
    main()
