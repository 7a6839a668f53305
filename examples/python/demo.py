#!/usr/bin/env python3
"""netcore from Python.

demo.py --tour BASE          one request, 100 at once, a cancel by id, a group; of BASE/small.txt and BASE/slow
demo.py [--ca FILE] URL...   fetches the URLs at once with live progress, and prints a table
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import List, Optional

import netcore

URL_WIDTH = 60
"""Longer URLs are cut."""


def milliseconds(since: float) -> str:
    return f"{(time.monotonic() - since) * 1e3:.1f} ms"


# The tour


def show_one(base: str) -> None:
    """One request, by a call that waits."""
    response = netcore.get(f"{base}/small.txt")
    kind = response.headers["content-type"]
    took = response.elapsed.total_seconds() * 1e3
    print(
        f"one request     {response.status_code}, {response.http_version}, {len(response.content)} bytes of {kind} "
        f"in {took:.1f} ms"
    )


def show_hundred(client: netcore.Client, base: str) -> None:
    """A hundred requests at once, and then their results."""
    start = time.monotonic()
    tasks = [client.dispatch("GET", f"{base}/small.txt") for _ in range(100)]
    succeeded = sum(task.result().status_code == 200 for task in tasks)
    print(f"100 at once     {succeeded} answered 200, in {milliseconds(start)} together")


def show_cancel(client: netcore.Client, base: str) -> None:
    """A download that would take minutes, canceled by its id."""
    task = client.dispatch("GET", f"{base}/slow")
    time.sleep(0.1)
    start = time.monotonic()
    client.cancel(task.id)
    try:
        task.result()
    except netcore.Canceled as error:
        print(f"a cancel        task {task.id} ended with {error.name}, {milliseconds(start)} after the call")


def show_group(client: netcore.Client, base: str) -> None:
    """Five requests, with one notification when all have ended."""

    def notify(group: netcore.Group) -> None:
        total, succeeded = group.progress.total, group.progress.succeeded
        print(f"a group         notified once all {total} members had ended, {succeeded} of them well")

    group = client.group()
    for _ in range(5):
        group.add("GET", f"{base}/small.txt")
    group.dispatch(notify)
    group.wait()


def tour(base: str) -> None:
    show_one(base)
    with netcore.Client() as client:
        show_hundred(client, base)
        show_cancel(client, base)
        show_group(client, base)


# Fetching, with progress and a table


def print_progress(tasks: List[netcore.Task], is_first: bool) -> None:
    """Prints a line for each URL; over the lines of the last time. Only on a terminal."""
    if not sys.stdout.isatty():
        return
    if not is_first:
        print(f"\033[{len(tasks)}A", end="")
    print("\033[?7l", end="")  # a narrow terminal cuts lines, and does not wrap them
    for task in tasks:
        progress = task.progress()
        percent = f" {100 * progress.received // progress.expected:3} %" if progress.expected else ""
        state = "done" if task.done() else task.state.name.lower()
        print(f"{state:<10} {progress.received:12} bytes{percent}  {task.request.url[:URL_WIDTH]}\033[K")
    print("\033[?7h", end="", flush=True)


def phase(seconds: Optional[float]) -> str:
    return f"{'-':>10}" if seconds is None else f"{seconds * 1e3:10.1f}"


def row(task: netcore.Task) -> str:
    """The line of the table for a task that has ended."""
    try:
        response = task.result()
    except netcore.Error as error:
        return f"failed  {error.name}: {error}"
    times = response.timings
    phases = (times.total, times.queue, times.dns, times.connect, times.tls, times.first_byte)
    return (
        f"{response.status_code:>6} {response.http_version:<8} {len(response.content):10} "
        f"{' '.join(map(phase, phases))}  {task.request.url[:URL_WIDTH]}"
    )


def fetch(urls: List[str], ca_file: Optional[str]) -> int:
    """Fetches all URLs at once. Returns how many failed."""
    with netcore.Client(verify=ca_file or True) as client:
        tasks = [client.dispatch("GET", url) for url in urls]
        print_progress(tasks, is_first=True)
        while not all(task.done() for task in tasks):
            time.sleep(0.05)
            print_progress(tasks, is_first=False)
        titles = ("total ms", "queue", "dns", "connect", "tls", "first byte")
        print(f"{'status':>6} {'protocol':<8} {'bytes':>10} {' '.join(f'{title:>10}' for title in titles)}  url")
        rows = [row(task) for task in tasks]
        print("\n".join(rows))
        return sum(line.startswith("failed") for line in rows)


def main() -> int:
    parser = argparse.ArgumentParser(description="Shows netcore at work.")
    parser.add_argument("--tour", metavar="BASE", help="show the main features, against the server at BASE")
    parser.add_argument("--ca", metavar="FILE", help="trust the certificate authorities in FILE")
    parser.add_argument("urls", metavar="URL", nargs="*")
    options = parser.parse_args()
    if options.tour:
        tour(options.tour)
        return 0
    if not options.urls:
        parser.error("give --tour BASE, or URLs")
    return min(fetch(options.urls, options.ca), 1)


if __name__ == "__main__":
    sys.exit(main())
