#!/usr/bin/env python3
"""Measures what each policy of delivery costs a request that needs none of them: user instructions, as callgrind counts
them. scripts/bench --policies builds what this needs."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys

import servers
from contenders import BUILD

ROUNDS = 3
FEW, MANY = 300, 1300
LIMIT = 1.05
POLICIES = ("none", "retries", "breaker", "failover", "hedging", "rate", "join", "interval", "all")


def counted(policies: str, requests: int, url: str) -> int:
    tool = ["nice", "-n", "10", "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    command = [*tool, str(BUILD / "policies"), policies, str(requests), url]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or found is None:
        raise SystemExit(f"bench: {policies}: {done.stderr.strip()[-500:]}")
    return int(found[1])


def main() -> None:
    chosen = tuple(sys.argv[1:]) or POLICIES
    counts: dict[str, list[float]] = {policies: [] for policies in chosen}
    with servers.nginx() as base:
        for _ in range(ROUNDS):
            for policies, found in counts.items():
                few, many = (counted(policies, requests, f"{base}/small") for requests in (FEW, MANY))
                found.append((many - few) / (MANY - FEW))
    none = statistics.median(counts["none"])
    print("| policies | instructions of a GET | ratio | target | |")
    print("|---|---|---|---|---|")
    for policies, found in counts.items():
        ratio = statistics.median(found) / none
        verdict = "met" if ratio <= LIMIT else "MISSED"
        print(f"| {policies} | {statistics.median(found):,.0f} | {ratio:.3f} | ≤ {LIMIT} | {verdict} |", flush=True)


if __name__ == "__main__":
    main()
