#!/usr/bin/env python3
"""Bit flips and truncations in a cache's files: found, or without effect; never served, never an error of a request.

    flips.py --flips 500

Each round damages one place in a copy of a folder that a killed writer left: database, log, or the file of a body.
"""

from __future__ import annotations

import argparse
import random
import shutil
import time
from collections import Counter
from pathlib import Path

import proof


def damage(folder: Path) -> str:
    """Changes one place of one file. Returns the kind of file."""
    bodies = [path for path in sorted((folder / "bodies").iterdir()) if not path.suffix]
    bodies = [path for path in bodies if path.stat().st_size > 0]
    kind = random.choice(("database", "log", "body"))
    file = {"database": folder / "cache.db", "log": folder / "cache.db-wal"}.get(kind) or random.choice(bodies)
    bytes_ = bytearray(file.read_bytes())
    place = random.randrange(len(bytes_))
    if random.randrange(4) == 0:
        del bytes_[place:]
    else:
        # A quarter of the flips hits the first page, where formats keep what everything depends on.
        place = place % 4096 if random.randrange(4) == 0 else place
        bytes_[min(place, len(bytes_) - 1)] ^= 1 << random.randrange(8)
    file.write_bytes(bytes_)
    return kind


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--flips", type=int, default=500)
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.randrange(1 << 32)
    random.seed(seed)
    print(f"seed {seed}")
    kinds: Counter[str] = Counter()
    sums: Counter[str] = Counter()
    with proof.prepared(pages=80, disk_bytes=8_000_000) as run:
        for _ in range(2):  # the second's log is not yet in the database
            writer = run.start("write", 20)
            time.sleep(1)
            writer.kill()
            writer.communicate()
        copy = run.folder.with_name("copy")
        for number in range(options.flips):
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(run.folder, copy)
            kind = damage(copy)
            kinds[kind] += 1
            try:
                report = run.check(copy)
            except proof.Failed as failure:
                raise proof.Failed(f"flip {number}, of a {kind}: {failure}") from None
            sums.update(report)
            sums["found"] += 1 if report["set_aside"] or report["damaged"] else 0
    if options.flips >= 50 and sums["found"] == 0:
        raise proof.Failed("no damage was ever found")
    print(
        f"{options.flips} flips and truncations ({', '.join(f'{kinds[kind]} {kind}' for kind in sorted(kinds))}): "
        f"{sums['set_aside']} databases set aside, {sums['damaged']} answers found damaged, "
        f"{sums['stored'] + sums['only']} stored answers checked, {sums['cut']} streams ended by a damaged block, "
        f"{sums['requests']} requests, {run.seconds} s"
    )


proof.run(main)
