#!/usr/bin/env python3
"""Measures what each policy of delivery costs a request that needs none of them: user instructions, as callgrind counts
them. scripts/bench --policies builds what this needs."""

from __future__ import annotations

import re
import statistics
import subprocess

import servers
from contenders import BUILD

ROUNDS = 3
FEW, MANY = 300, 1300
LIMIT = 1.05
POLICIES = {
    "new": ("none", "retries", "breaker", "failover", "hedging", "rate", "join", "interval", "all"),
    "kept": ("none", "retries", "breaker", "failover", "hedging", "rate", "join"),
}


def counted(requests: str, policies: str, count: int, url: str) -> int:
    tool = ["nice", "-n", "10", "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    command = [*tool, str(BUILD / "policies"), requests, policies, str(count), url]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or found is None:
        raise SystemExit(f"bench: {policies}: {done.stderr.strip()[-500:]}")
    return int(found[1])


def measured(requests: str, policies: str, url: str) -> float:
    rounds = []
    for _ in range(ROUNDS):
        few, many = (counted(requests, policies, count, url) for count in (FEW, MANY))
        rounds.append((many - few) / (MANY - FEW))
    return statistics.median(rounds)


def main() -> None:
    print("| request | policies | instructions of a GET | ratio | target | |")
    print("|---|---|---|---|---|---|")
    with servers.nginx() as base:
        for requests, all_policies in POLICIES.items():
            none = 0.0
            for policies in all_policies:
                found = measured(requests, policies, f"{base.plain}/small")
                none = none or found
                verdict = "met" if found / none <= LIMIT else "MISSED"
                print(
                    f"| {requests} | {policies} | {found:,.0f} | {found / none:.3f} | ≤ {LIMIT} | {verdict} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
