#!/usr/bin/env python3
"""Whether the ABI of the headers extends that of each release: nothing is gone, moved or renumbered; structs only grow.

    abi_growth.py                 says what a program of a release would miss
    abi_growth.py --freeze 0.1    makes today's ABI that of a release; only before the release is published

What a release promised is frozen in abi-VERSION.txt, in the form of abi.txt.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import generating

HERE = Path(__file__).resolve().parent
TYPE = re.compile(r"type (\w+): (\d+) bytes")


def today() -> list[str]:
    """The ABI of the headers."""
    return generating.describe().splitlines()


def released() -> list[Path]:
    """The snapshots of all releases."""
    return sorted(HERE.glob("abi-*.txt"))


def growing_structs(lines: list[str]) -> set[str]:
    """The structs that may grow: all but netcore_bytes, which callers copy by value."""
    return {line.split()[1].split(".")[0] for line in lines if line.startswith("member ")} - {"netcore_bytes"}


def sizes(lines: list[str]) -> dict[str, int]:
    """The size of each type."""
    found = (TYPE.fullmatch(line) for line in lines)
    return {match[1]: int(match[2]) for match in found if match}


def missed(before: list[str], now: list[str]) -> list[str]:
    """Lines of an earlier ABI that a program built with it would miss."""
    kept, size_now, growing = set(now), sizes(now), growing_structs(before)
    return [line for line in before if line not in kept and not _has_grown(line, size_now, growing)]


def _has_grown(line: str, size_now: dict[str, int], growing: set[str]) -> bool:
    match = TYPE.fullmatch(line)
    return match is not None and match[1] in growing and size_now.get(match[1], 0) > int(match[2])


def freeze(version: str) -> None:
    """Makes today's ABI that of a release."""
    (HERE / f"abi-{version}.txt").write_text(generating.describe())


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--freeze":
        freeze(sys.argv[2])
    else:
        today = generating.describe().splitlines()
        for path in released():
            for line in missed(path.read_text().splitlines(), today):
                print(f"{path.name}: {line}")
