"""Asks a server for one URL many times through one client; prints the figures as one line of JSON."""

from __future__ import annotations

import argparse
import json
import resource
import time

import clients


class Window:
    """The measured part of a run: what comes after the warm-up. Small and without locks, since it is measured too:
    under the interpreter's lock a list and a counter need none."""

    def __init__(self, url: str, requests: int, warmup: int, concurrency: int) -> None:
        self.url = url
        self.concurrency = concurrency
        self._warmup = warmup
        self._leaves = iter(range(requests + warmup))
        self._latencies_ns: list[int] = []
        self._failed = 0
        self._body_bytes = 0
        self._marks = {warmup, requests + warmup}
        self._marked: list[tuple[int, resource.struct_rusage]] = []
        if warmup == 0:
            self._mark()

    def _mark(self) -> None:
        self._marked.append((time.monotonic_ns(), resource.getrusage(resource.RUSAGE_SELF)))

    def start(self) -> int:
        """Takes leave to send one request: the time now, or 0 when enough were sent."""
        return time.monotonic_ns() if next(self._leaves, None) is not None else 0

    def count(self, started_ns: int, status: int, content_type: str | None, body: bytes) -> None:
        """Counts one answer."""
        latencies_ns = self._latencies_ns
        latencies_ns.append(time.monotonic_ns() - started_ns)
        self._body_bytes += len(body)
        if status != 200 or not content_type or not body:
            self._failed += 1
        if len(latencies_ns) in self._marks:
            self._mark()

    def figures(self, client: str) -> dict[str, object]:
        (began_ns, cpu), (ended_ns, ended_cpu) = self._marked
        seconds = (ended_ns - began_ns) / 1e9
        latencies_us = sorted(latency / 1e3 for latency in self._latencies_ns[self._warmup :])
        count = len(latencies_us)
        return {
            "client": client,
            "concurrency": self.concurrency,
            "requests": count,
            "failed": self._failed,
            "body_bytes": self._body_bytes,
            "seconds": seconds,
            "throughput": count / seconds,
            "p50_us": latencies_us[count // 2],
            "p99_us": latencies_us[count * 99 // 100],
            "user_s": ended_cpu.ru_utime - cpu.ru_utime,
            "sys_s": ended_cpu.ru_stime - cpu.ru_stime,
            "max_rss_kb": ended_cpu.ru_maxrss,
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--client", choices=sorted(clients.CLIENTS), required=True)
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--warmup", type=int, default=0)
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("url")
    options = parser.parse_args()
    window = Window(options.url, options.requests, options.warmup, options.concurrency)
    clients.CLIENTS[options.client](window)
    print(json.dumps(window.figures(options.client)))


if __name__ == "__main__":
    main()
