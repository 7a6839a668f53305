#!/usr/bin/env python3
"""Measures netcore against a plain C program on libcurl and against what users would pick instead. scripts/bench builds
what this needs."""

from __future__ import annotations

import argparse
import signal
import sys

import measure
import report
import servers
from contenders import CONTENDERS, ROOT

LIMIT_S = 25 * 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="about 7 minutes: fewer rounds, netcore and plain C alone")
    options = parser.parse_args()
    run = measure.Run(is_quick=options.quick, limit_s=LIMIT_S)

    def stop(*_: object) -> None:
        run.stop()
        sys.exit(1)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)  # so that what was started ends too
    results = report.Results()
    try:
        with servers.nginx() as bases:
            measure_all(run, bases, results)
    except measure.TimeIsUp:
        print("bench: the time for the whole run is over", file=sys.stderr)
    names = [each.name for each in CONTENDERS if not (options.quick and each.is_rival)]
    text = report.markdown(results, names, run.missing)
    (ROOT / "build" / "bench.md").write_text(text)
    print(text)


def measure_all(run: measure.Run, bases: servers.Bases, results: report.Results) -> None:
    base = bases.plain
    rounds = 1 if run.is_quick else 5
    run.begin("throughput and latency")
    results.load = measure.load(run, base)
    run.begin("HTTP/2")
    results.http2 = measure.http2(run, bases)
    run.begin("10 MB bodies")
    results.large = measure.large(run, base)
    run.begin("10,000 in flight")
    results.flight = measure.in_flight(run, "--flight", 10000, min(rounds, 3))
    run.begin("canceling 1,000 in flight")
    results.cancel = measure.in_flight(run, "--cancel", 1000, rounds * 2 + 1)
    run.begin("loading the library")
    results.load_time = measure.load_time(run)
    run.begin("first requests")
    results.first_request = measure.first_request(run, base)
    run.begin("idle clients")
    results.idle = measure.idle(run, base)
    run.begin("instructions")
    results.instructions = measure.instructions(run, base)


if __name__ == "__main__":
    main()
