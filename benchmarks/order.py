#!/usr/bin/env python3
"""Writes cmake/netcore.order: the functions that common work takes, for the linker to put side by side. Strewn over
7 MB of code they take a page each, and the processor misses them. scripts/bench builds what this needs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import servers
from contenders import BUILD, ROOT

REQUESTS = 300
#: With its symbols, which the library that is shipped has not.
LIBRARY = ROOT / "build/swift-release/release/libnetcore.so"
ORDER = ROOT / "cmake/netcore.order"


def workloads(bases: servers.Bases) -> Iterator[list[str]]:
    """What applications do most, as commands that do it so many times."""
    client = [str(BUILD / "netcore_c"), "--requests", str(REQUESTS), "--warmup", "0"]
    for way in ("perform", "callback", "pump", "queue", "loop"):
        for concurrency in ("1",) if way == "perform" else ("1", "16"):
            common = [*client, "--way", way, "--concurrency", concurrency]
            yield [*common, f"{bases.plain}/small"]
            yield [*common, f"{bases.plain}/medium"]
            yield [*common, "--ca-file", bases.ca_file, f"{bases.tls}/small"]
    for use in ("hits", "misses"):
        yield [str(BUILD / "cache"), use, str(REQUESTS), f"{bases.plain}/cached/small"]


def main() -> None:
    if shutil.which("valgrind") is None:
        raise SystemExit("bench: valgrind is missing")
    calls: Counter[str] = Counter()
    with servers.nginx() as bases, tempfile.TemporaryDirectory() as directory:
        for command in workloads(bases):
            print(f"bench: {' '.join(command[1:])}", file=sys.stderr, flush=True)
            for name, count in counted(command, Path(directory) / "profile").items():
                calls[name] = max(calls[name], count)
    known = symbols()
    names = sorted((name for name in calls if name in known), key=lambda name: (-rank(calls[name]), name))
    ORDER.write_text("".join(f"{name}\n" for name in names))
    print(f"{len(names)} functions in {ORDER.relative_to(ROOT)}")


def rank(calls: int) -> int:
    """Those of every request come first, then those of most, then what a process needs once."""
    return next((3 - index for index, least in enumerate((REQUESTS, REQUESTS // 4, 2)) if calls >= least), 0)


def counted(command: list[str], profile: Path) -> Counter[str]:
    """How often each function of the library was called."""
    tool = ["valgrind", "--quiet", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={profile}"]
    environ = {**os.environ, "LD_LIBRARY_PATH": str(LIBRARY.parent)}
    subprocess.run([*tool, *command], env=environ, check=True, stdout=subprocess.DEVNULL)
    return read(profile.read_text(errors="replace"))


def read(profile: str) -> Counter[str]:
    """The calls in callgrind's profile, which names an object and a function once, and by a number from then on."""
    objects: dict[str, str] = {}
    functions: dict[str, tuple[str, str]] = {}
    calls: Counter[str] = Counter()
    own = callee_object = ""
    callee = ("", "")
    for line in profile.splitlines():
        if found := re.match(r"(c?)(ob|fn)=\((\d+)\)(?: (.*))?$", line):
            is_callee, kind, number, name = found.groups()
            if kind == "ob":
                objects.setdefault(number, name or "")
                if is_callee:
                    callee_object = objects[number]
                else:
                    own = objects[number]
                continue
            if name:
                functions.setdefault(number, (name.split("'")[0], (callee_object or own) if is_callee else own))
            if is_callee:
                callee = functions[number]
            callee_object = ""
        elif found := re.match(r"calls=(\d+)", line):
            name, library = callee
            if library.endswith(LIBRARY.name):
                calls[name] += int(found[1])
    return calls


def symbols() -> set[str]:
    """The functions that the library has."""
    listed = subprocess.run(["nm", str(LIBRARY)], check=True, stdout=subprocess.PIPE, text=True).stdout
    return {parts[2] for parts in map(str.split, listed.splitlines()) if len(parts) == 3 and parts[1] in "tTwW"}


if __name__ == "__main__":
    main()
