#!/usr/bin/env python3
"""A disk that is full, and one that is read-only: requests go on, storing stops with one event and resumes by itself.

    full.py

Needs a small tmpfs of its own; status 77 where neither this user nor one of a new namespace may mount it.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable

import proof

PATIENCE = 60
"""Seconds for storing to resume: it is tried again after 30."""


class Watcher:
    """A visitor that fetches all pages anew whenever it is told to."""

    def __init__(self, run: proof.Proof) -> None:
        self.process = run.start("watch")
        self.rounds = 0

    def turn(self) -> dict[str, int]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        self.rounds += 1
        report = proof.parse(self.process.stdout.readline())
        if report["wrong"] or report["served"] != report["requests"]:
            raise proof.Failed(f"a request failed: {report}")
        return report

    def end(self) -> None:
        self.process.communicate(timeout=60)
        if self.process.returncode != 0:
            raise proof.Failed(f"the visitor ended with status {self.process.returncode}")


def expect(report: dict[str, int], **wanted: int) -> None:
    for name, value in wanted.items():
        if report[name] != value:
            raise proof.Failed(f"{name} is {report[name]}, not {value}: {report}")


def stops_and_resumes(run: proof.Proof, name: str, cure: Callable[[], None]) -> None:
    began = time.monotonic()
    watcher = Watcher(run)
    for _ in range(5):
        report = watcher.turn()
        expect(report, stopped=1, resumed=0, set_aside=0, damaged=0)
    stored = report["disk"]
    cure()
    cured = time.monotonic()
    while report["resumed"] == 0:
        if time.monotonic() - cured > PATIENCE:
            raise proof.Failed(f"storing did not resume: {report}")
        time.sleep(1)
        report = watcher.turn()
    resumed = time.monotonic() - cured
    for _ in range(2):
        report = watcher.turn()
    expect(report, stopped=1, resumed=1, set_aside=0, damaged=0)
    if report["disk"] < run.pages * 2 // 3:
        raise proof.Failed(f"storing resumed, but little is stored: {report}")
    watcher.end()
    if (answer := proof.integrity(run.folder / "cache.db")) != "ok":
        raise proof.Failed(f"the integrity check says: {answer}")
    checked = run.check()
    print(
        f"{name}: {report['requests']} requests in {watcher.rounds} rounds, 1 event that storing stopped with {stored} "
        f"answers on disk, 1 that it resumed, {resumed:.0f} s after the cure; "
        f"{checked['stored']} stored answers checked, {time.monotonic() - began:.0f} s"
    )


def main() -> None:
    if (reason := proof.why_no_mounts()) is not None:
        print(f"skipped: {reason}")
        sys.exit(proof.SKIPPED)
    with proof.prepared(pages=60, disk_bytes=100_000_000) as run, proof.mounted("24m") as folder:
        run.folder = folder / "cache"
        filler = folder / "filler"
        filler.write_bytes(bytes(23_500_000))
        stops_and_resumes(run, "a full disk", filler.unlink)
    with proof.prepared(pages=60, disk_bytes=100_000_000) as run, proof.mounted("24m") as folder:
        run.folder = folder / "cache"
        run.check()

        def remount(how: str) -> None:
            subprocess.run(["mount", "-o", f"remount,{how}", str(folder)], check=True)

        remount("ro")
        stops_and_resumes(run, "a read-only disk", lambda: remount("rw"))


proof.run(main)
