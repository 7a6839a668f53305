#!/usr/bin/env python3
"""kill -9 at random moments while a cache is written: afterwards nothing wrong is served, and the database is whole.

    kills.py --kills 300 --processes 1

Each round starts writers of four threads each on one folder, kills one at a random moment (also while the folder is
being opened) and the others at once or a little later. It then asks SQLite whether the database is whole, and lets a
checker ask for each page: what is stored, without sending; what mode "cache only" serves; what an ordinary request
gets. All of it must be byte-identical to what the origin sent for the version that the answer's head names, and no
request may fail.
"""

from __future__ import annotations

import argparse
import random
import time

import proof


def one_round(run: proof.Proof, processes: int, longest: float) -> None:
    writers = [run.start("write", 20) for _ in range(processes)]
    time.sleep(random.uniform(0, longest))
    for writer in writers:
        writer.kill()
        time.sleep(random.choice((0, random.uniform(0, 0.1))))
    for writer in writers:
        writer.communicate()
        if writer.returncode != -9:
            raise proof.Failed(f"a writer ended by itself with status {writer.returncode}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.randrange(1 << 32)
    random.seed(seed)
    print(f"seed {seed}")
    # A third of all pages fits: there is always something to evict.
    sums = dict.fromkeys(("requests", "stored", "only", "served", "taken", "evicted", "confirmed", "disk"), 0)
    with proof.prepared(pages=120, disk_bytes=1_500_000) as run:
        for kills in range(1, options.kills + 1):
            one_round(run, options.processes, 0.4)
            answer = proof.integrity(run.folder / "cache.db")
            if answer != "ok":
                raise proof.Failed(f"after {kills} kills the integrity check says: {answer}")
            report = run.check()
            if report["set_aside"] or report["damaged"]:
                raise proof.Failed(f"after {kills} kills something was damaged: {report}")
            for name in sums:
                sums[name] += report[name]
        aside = list(run.folder.glob("*.damaged*"))
        if aside:
            raise proof.Failed(f"set aside: {aside}")
        if sums["stored"] < options.kills:
            raise proof.Failed(f"hardly anything was stored: {sums}")
        bodies = sum(1 for path in (run.folder / "bodies").iterdir())
        print(
            f"{options.kills} kills, of {options.processes} at a time: "
            f"{sums['stored'] + sums['only']} stored answers checked, "
            f"{sums['requests']} requests, {bodies} files of bodies at the end, {run.seconds} s"
        )


proof.run(main)
