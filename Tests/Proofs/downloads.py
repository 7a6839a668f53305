#!/usr/bin/env python3
"""Downloads from a server with faults, and downloads that are killed: the server's file comes, or none.

    downloads.py --faults 1000 --kills 200 --pairs 100 --segments 1,4

A round of faults is one download from a server that loses the connection at a random byte, and then answers wrongly in
up to three random ways. It ends with the file, byte by byte as the server had it, or with an error and no file.
What an error left is then downloaded from an honest server to its end.

A round of kills starts a process that downloads, kills it after a random number of bytes, or a while after its start,
and lets another one download to the end: byte by byte the server's. What was sent twice is what was on its way to the
dead process, and counted.

A round of pairs starts two processes for one file: one works, the other gets its own status, and the file is whole.
Each second round has no locks of files (no_locks.c), where a file says who works.

On a small disk of its own, where one can be mounted, a download ends with a status, and is resumed with more room.

All of it is done with each number of segments that is given. With several, a download that was killed or failed is
continued by as many, by one, or by more.
"""

from __future__ import annotations

import argparse
import collections
import hashlib
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bindings/python/src"), str(ROOT / "bindings/python/tests")]

import proof

import netcore
from range_origin import Answer, Fault, Origin, cut, random_faults, serving

PROGRAM = """
import sys, netcore
with netcore.Client() as client:
    try:
        download = client.download(
            sys.argv[1], sys.argv[2], segments=int(sys.argv[3]), segment_size=int(sys.argv[4]),
            overwrite=len(sys.argv) > 5,
        )
        print("done", download.resumed_from, download.fetched, download.fetched_again)
    except netcore.DownloadBusy:
        print("busy 0 0 0")
    except netcore.DownloadExists:
        print("exists 0 0 0")
"""


def segment_size(size: int, rng: random.Random) -> int:
    """One with which a file of so many bytes comes by some segments."""
    return rng.randrange(1, size // 3 + 2) if size < 100_000 else rng.randrange(20_000, size // 3)


def faults(rounds: int, rng: random.Random, folder: Path, segments: int) -> None:
    outcomes: collections.Counter[str] = collections.Counter()
    hasty, patient = netcore.Client(timeout=netcore.Timeout(idle=0.2)), netcore.Client()
    with hasty, patient, serving(Origin(b"")) as origin:
        for number in range(rounds):
            target = folder / f"faults-{number}"
            size = rng.choice((1, 1000, 70_000, 300_000, 2_000_000))
            origin.data, origin.etag, origin.earlier = rng.randbytes(size), f'"{number}"', []
            origin.faults = list(random_faults(rng, size))
            # Where a tag cannot tell, the digest does.
            is_verified = rng.random() < 0.3
            options = {"segments": segments, "segment_size": segment_size(size, rng)}
            outcome = attempt(hasty, origin, target, is_verified, **options)
            outcomes[outcome] += 1
            if outcome != "whole":
                if target.exists():
                    raise proof.Failed(f"round {number}: {outcome}, and a file")
                origin.settle()
                options["segments"] = rng.choice((1, segments, 16)) if segments > 1 else 1
                if (again := attempt(patient, origin, target, is_verified, **options)) != "whole":
                    raise proof.Failed(f"round {number}: {outcome}, then from an honest server {again}")
            # An answer that was late may have changed the file after another one had brought the whole of it.
            origin.settle()
            if target.read_bytes() not in [origin.data, *origin.earlier]:
                raise proof.Failed(f"round {number}: another file than the server's")
            target.unlink()
    if outcomes["whole"] < rounds // 3:
        raise proof.Failed(f"hardly any was whole: {outcomes}")
    print(f"{rounds} downloads with faults, {segments} segments: {dict(outcomes)}, none wrong")


def attempt(client: netcore.Client, origin: Origin, target: Path, is_verified: bool, **options: int) -> str:
    """ "whole", or the class of the error."""
    digest = hashlib.sha256(origin.data).hexdigest() if is_verified else None
    try:
        client.download(origin.url, target, sha256=digest, resumes=4, sync=False, **options)
    except netcore.Error as error:
        return type(error).__name__
    return "whole"


def bytes_in(target: Path) -> int:
    """Bytes of the part that another download would use."""
    return sum(part.size for part in netcore.download_parts(target.parent) if part.path == str(target))


def start(origin: Origin, target: Path, *more: object, has_locks: bool = True) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "bindings/python/src")}
    if not has_locks:
        environment["LD_PRELOAD"] = str(proof.PROGRAMS / "no_locks.so")
    command = [sys.executable, "-c", PROGRAM, origin.url, str(target), *map(str, more)]
    return subprocess.Popen(command, text=True, stdout=subprocess.PIPE, env=environment)


def stop_at(last: int) -> Fault:
    """What follows this byte of the file does not come."""

    def apply(answer: Answer, origin: Origin) -> None:
        if answer.start + len(answer.body) > last:
            cut(max(0, last - answer.start), "stall")(answer, origin)

    return apply


def kills(rounds: int, rng: random.Random, folder: Path, segments: int) -> None:
    size, resumed, sent, kept = 3_000_000, 0, 0, 0
    with serving(Origin(rng.randbytes(size), pause=0.004)) as origin:
        for number in range(rounds):
            target = folder / f"kills-{number}"
            last = rng.randrange(1, size)
            # Every other one is killed after its first bytes, so that there is something to resume.
            moment = 0 if number % 2 else rng.randrange(last)
            # It stands still in the end, so that it is alive when it is killed, however busy the machine is.
            origin.sent, origin.faults = 0, [stop_at(last)] * 1000
            killed = start(origin, target, segments, size // 12)
            if moment == 0:
                time.sleep(rng.uniform(0, 0.3))
            while moment > bytes_in(target):
                time.sleep(0.0005)
            killed.kill()
            killed.communicate()
            had, before, origin.faults = bytes_in(target), origin.sent, []
            again = rng.choice((1, segments, 16)) if segments > 1 else 1
            output, _ = start(origin, target, again, size // 12, "overwrite").communicate(timeout=60)
            word, begun, fetched, _again = output.split()
            if word != "done" or target.read_bytes() != origin.data:
                raise proof.Failed(f"round {number}: {output}, and not the server's file")
            if int(begun) != had:
                raise proof.Failed(f"round {number}: {had} bytes were there, {begun} were used")
            resumed += int(begun) > 0
            kept += int(begun)
            sent += before + int(fetched)
            target.unlink()
    if resumed < rounds // 3:
        raise proof.Failed(f"hardly any was resumed: {resumed} of {rounds}")
    print(
        f"{rounds} processes killed, {segments} segments: {resumed} resumed, {kept} bytes of theirs used, none wrong; "
        f"sent for each byte: {sent / (rounds * size):.3f}"
    )


def pairs(rounds: int, rng: random.Random, folder: Path, segments: int) -> None:
    words: collections.Counter[str] = collections.Counter()
    with serving(Origin(rng.randbytes(500_000), pause=0.01)) as origin:
        for number in range(rounds):
            target = folder / f"pairs-{number}"
            both = [start(origin, target, segments, 50_000, has_locks=number % 2 == 0) for _ in range(2)]
            told = sorted(process.communicate(timeout=60)[0].split()[0] for process in both)
            if told[0] not in ("busy", "done") or told.count("done") != 1:
                raise proof.Failed(f"round {number}: {told}")
            if target.read_bytes() != origin.data:
                raise proof.Failed(f"round {number}: another file than the server's")
            words[" and ".join(told)] += 1
            target.unlink()
    print(f"{rounds} pairs of processes for one file, {segments} segments: {dict(words)}")


def full(rounds: int, rng: random.Random, _folder: Path, segments: int) -> None:
    with serving(Origin(rng.randbytes(3_000_000))) as origin, netcore.Client() as client:
        for number in range(rounds):
            with proof.mounted("1m") as folder:
                target = folder / "file"
                try:
                    client.download(origin.url, target, sync=number % 2 == 0, segments=segments, segment_size=200_000)
                    raise proof.Failed(f"round {number}: 3 MB on a disk of 1 MiB")
                except netcore.StorageError:
                    pass
                if target.exists():
                    raise proof.Failed(f"round {number}: a full disk, and a file")
                subprocess.run(["mount", "-o", "remount,size=8m", str(folder)], check=True)
                resumed = client.download(origin.url, target).resumed_from
                if target.read_bytes() != origin.data or resumed < 900_000:
                    raise proof.Failed(f"round {number}: resumed from {resumed}, or another file than the server's")
    print(f"{rounds} downloads to a full disk, {segments} segments: a status each, and resumed with more room")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--faults", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--full", type=int, default=2)
    parser.add_argument("--segments", default="1,4")
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args()
    no_mounts = proof.why_no_mounts() if options.full else None
    seed = options.seed if options.seed is not None else random.randrange(1 << 32)
    print(f"seed {seed}", flush=True)
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="netcore-proof-") as name:
        folder = Path(name)
        for run, rounds, segments in (
            (run, rounds, int(segments))
            for segments in options.segments.split(",")
            for run, rounds in (
                (faults, options.faults),
                (kills, options.kills),
                (pairs, options.pairs),
                (full, 0 if no_mounts else options.full),
            )
        ):
            began = time.monotonic()
            if rounds:
                run(rounds, rng, folder, segments)
                print(f"{time.monotonic() - began:.0f} s", flush=True)
        if no_mounts:
            print(f"a full disk: skipped, {no_mounts}")
        if left := sorted(path.name for path in folder.iterdir()):
            raise proof.Failed(f"left behind: {left}")


proof.run(main)
