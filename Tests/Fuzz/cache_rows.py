#!/usr/bin/env python3
"""Crafted cache folders: whatever is written into one, no request fails, and no file outside is read or changed.

    cache_rows.py --seconds 10 --seed 1 [--only N]

Each round takes a copy of a folder that a client filled, changes rows, heads, body files or the folder itself, with
the rows' checksums made right or not, and lets a client use it (cache_visitor.c). A round depends only on the seed and
its number: --only N does one again. The folder of a round that failed is kept as it was before, and its path printed.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from cache_places import change_folder
from cache_values import SECRET, Change

BUILT = Path(os.environ.get("NETCORE_BUILD", Path(__file__).parents[2] / "build/cmake"))
PAGES = 24
LONGEST = 30  # seconds of one visit, by fair_seconds()
# In the folder of bodies, but not netcore's.
FOREIGN = (
    "my-holiday-photos-of-1999.jpg",
    "0123456789abcdef-0123456789abcdeX",
    "0123456789ABCDEF-0123456789ABCDEF",
    "notes",
)


def fair_seconds() -> float:
    """A clock that goes at a tenth of the speed while something on this machine waits for a processor; see fuzz.h."""
    try:
        some = Path("/proc/pressure/cpu").read_text().splitlines()[0]
    except OSError:
        return time.monotonic()
    return time.monotonic() - 0.9e-6 * int(some.rpartition("total=")[2])


class Failed(Exception):
    """Something was not as promised."""


class Base:
    """What all rounds share: the origin, a folder that a client filled, and files that nobody may touch."""

    def __init__(self, folder: Path, origin: str) -> None:
        self.folder = folder
        self.origin = origin
        self.cache = folder / "filled"
        done = self.run("fill", self.cache)
        if done.returncode != 0:
            raise Failed(f"filling a folder: status {done.returncode}\n{done.stdout}{done.stderr}")
        with contextlib.closing(sqlite3.connect(self.cache / "cache.db")) as database:
            # Without NOT NULL: who crafts a folder can put NULL anywhere.
            database.execute("PRAGMA writable_schema=ON")
            database.execute("UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table'")
            database.commit()

    def run(self, what: str, folder: Path, *more: object) -> subprocess.CompletedProcess[str]:
        program = next(path for path in (BUILT / "fuzz", BUILT / "proofs") if (path / "cache_visitor").exists())
        command = list(map(str, (program / "cache_visitor", what, self.origin, folder, PAGES, *more)))
        last = fair_seconds() + LONGEST
        with subprocess.Popen(
            command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, errors="replace"
        ) as process:
            while True:
                try:
                    out, err = process.communicate(timeout=1)
                    return subprocess.CompletedProcess(command, process.returncode, out, err)
                except subprocess.TimeoutExpired:
                    if fair_seconds() > last:
                        process.kill()
                        raise


def snapshot(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """All files below a folder, with their modes and bytes."""
    found = {}
    for path in sorted(folder.rglob("*")):
        state = path.lstat()
        found[str(path)] = (state.st_mode, state.st_size, path.read_bytes() if path.is_file() else b"")
    return found


def prepare(base: Base, room: Path, draw: random.Random) -> Change:
    """Makes the folder of a round, beside it what nobody may touch, and changes it."""
    shutil.rmtree(room, ignore_errors=True)
    outside = room / "outside"
    outside.mkdir(parents=True)
    (outside / "secret.txt").write_bytes(SECRET * 20)
    (outside / "bodies").mkdir()
    for name in ("bodies/letters-to-my-grandmother.txt", "bodies/0123456789abcdef-0123456789abcdef", "important.db"):
        (outside / name).write_bytes(SECRET)
    cache = room / "cache"
    shutil.copytree(base.cache, cache)
    for name in FOREIGN:
        (cache / "bodies" / name).write_bytes(SECRET)
    return change_folder(cache, outside, draw)


def one_round(base: Base, room: Path, draw: random.Random, counts: Counter[str]) -> None:
    change = prepare(base, room, draw)
    counts.update(kind for kind, _ in change.done)
    before = snapshot(room / "outside")
    memory = draw.choice((1, 300_000, 0))
    try:
        done = base.run("visit", room / "cache", memory, change.looseness)
    except subprocess.TimeoutExpired:
        raise Failed(f"{change.done}: no end after {LONGEST} s") from None
    if done.returncode != 0:
        raise Failed(f"{change.done}, memory {memory}: status {done.returncode}\n{done.stdout}{done.stderr[-2000:]}")
    if snapshot(room / "outside") != before:
        raise Failed(f"{change.done}: a file outside of the folder was changed")
    for name in FOREIGN if not change.moves_bodies else ():
        path = room / "cache/bodies" / name
        if not path.is_file() or path.read_bytes() != SECRET:
            raise Failed(f"{change.done}: {name} is not netcore's, and was changed or removed")
    for pair in done.stdout.split():
        name, value = pair.split("=")
        counts[name] += int(value)


def rounds(options: argparse.Namespace, base: Base, counts: Counter[str]) -> None:
    number = options.only if options.only is not None else 0
    end = time.monotonic() + options.seconds
    while True:
        room = base.folder / "round"
        try:
            one_round(base, room, random.Random(f"{options.seed}:{number}"), counts)
        except Failed as failure:
            kept = Path(tempfile.mkdtemp(prefix="netcore-crafted-"))
            prepare(base, kept, random.Random(f"{options.seed}:{number}"))
            again = f"--seed {options.seed} --only {number}"
            raise Failed(f"round {number} ({again}), folder {kept}/cache: {failure}") from None
        counts["rounds"] += 1
        number += 1
        if options.only is not None or time.monotonic() >= end:
            return


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--only", type=int, default=None, help="the number of one round")
    options = parser.parse_args()
    if options.seed is None:
        options.seed = random.randrange(1 << 32)
    print(f"seed {options.seed}", flush=True)
    counts: Counter[str] = Counter()
    program = next(path for path in (BUILT / "proofs", BUILT / "fuzz") if (path / "origin").exists()) / "origin"
    origin = subprocess.Popen([program], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert origin.stdin is not None and origin.stdout is not None
    folder = Path(tempfile.mkdtemp(prefix="netcore-rows-"))
    failure = ""
    try:
        rounds(options, Base(folder, origin.stdout.readline().strip()), counts)
    except Failed as failed:
        failure = str(failed)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        origin.stdin.close()
        origin.wait(10)
    print("cache_rows: " + ", ".join(f"{counts[name]} {name}" for name in sorted(counts)))
    if failure:
        sys.exit(f"failed: {failure}")


main()
