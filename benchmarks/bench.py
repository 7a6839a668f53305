#!/usr/bin/env python3
"""Measures netcore against a plain C program on libcurl and against what users would pick instead. scripts/bench builds
what this needs."""

from __future__ import annotations

import argparse
import signal
import sys
import time

import measure
import report
import servers
from contenders import ROOT

LIMIT_S = 14 * 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="about a minute: fewer rounds, netcore and plain C alone")
    options = parser.parse_args()
    run = measure.Run(is_quick=options.quick, limit_s=LIMIT_S)

    def stop(*_: object) -> None:
        run.stop()
        sys.exit(1)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)  # so that what was started ends too
    rounds = 1 if options.quick else 5
    results = report.Results()
    with servers.nginx() as base:
        _say("throughput and latency")
        results.load = measure.load(run, base)
        _say("10 MB bodies")
        results.large = measure.large(run, base)
        _say("10,000 in flight")
        results.flight = measure.in_flight(run, "--flight", 10000, min(rounds, 3))
        _say("canceling 1,000 in flight")
        results.cancel = measure.in_flight(run, "--cancel", 1000, rounds * 2 + 1)
        _say("loading the library")
        results.load_time = measure.load_time(run)
        _say("instructions")
        results.instructions = measure.instructions(run, base)
    text = report.markdown(results, (each.name for each in run.contenders), run.missing.items())
    (ROOT / "build" / "bench.md").write_text(text)
    print(text)


_began = time.monotonic()


def _say(what: str) -> None:
    print(f"bench: {time.monotonic() - _began:4.0f} s: {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
