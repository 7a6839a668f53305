"""A program built with a release runs with every later one of the same major version."""

from __future__ import annotations

import re
from pathlib import Path

import abi_growth
import generating
import pytest

from conftest import ROOT

BEFORE = [
    "function netcore_status netcore_a(netcore_client client)",
    "constant NETCORE_A = 1",
    "type netcore_status: 4 bytes",
    "type netcore_bytes: 16 bytes",
    "member netcore_bytes.data: 8 bytes at 0",
    "type netcore_a_info: 8 bytes",
    "member netcore_a_info.size: 4 bytes at 0",
    "member netcore_a_info.count: 4 bytes at 4",
]


@pytest.mark.parametrize("path", abi_growth.released(), ids=lambda path: path.stem)
def test_the_headers_extend_what_a_release_promised(path: Path) -> None:
    missed = abi_growth.missed(path.read_text().splitlines(), generating.describe().splitlines())
    assert missed == [], f"programs built with {path.stem} miss these (Tests/Packaging/abi_growth.py)"


def test_the_first_release_is_frozen() -> None:
    assert "abi-0.1.txt" in [path.name for path in abi_growth.released()]


def changed(line: str, to: str | None) -> list[str]:
    return [to if old == line else old for old in BEFORE if to is not None or old != line]  # type: ignore[misc]


@pytest.mark.parametrize(
    ("line", "to"),
    [
        (BEFORE[0], None),
        (BEFORE[0], "function netcore_status netcore_a(netcore_client client, int32_t flag)"),
        (BEFORE[1], None),
        (BEFORE[1], "constant NETCORE_A = 2"),
        (BEFORE[2], "type netcore_status: 8 bytes"),
        (BEFORE[3], "type netcore_bytes: 24 bytes"),
        (BEFORE[5], "type netcore_a_info: 4 bytes"),
        (BEFORE[7], None),
        (BEFORE[7], "member netcore_a_info.count: 4 bytes at 8"),
        (BEFORE[7], "member netcore_a_info.count: 8 bytes at 4"),
    ],
)
def test_what_breaks_programs_is_found(line: str, to: str | None) -> None:
    assert abi_growth.missed(BEFORE, changed(line, to)) == [line]


def test_growth_is_no_break() -> None:
    later = changed(BEFORE[5], "type netcore_a_info: 16 bytes")
    later += ["member netcore_a_info.more: 8 bytes at 8", "constant NETCORE_B = 2", "function void netcore_b(void)"]
    assert abi_growth.missed(BEFORE, later) == []


def rows() -> dict[str, list[set[int]]]:
    """The earlier sizes in each row of Tests/ABI/structs.c; a struct that is read and filled in has two rows."""
    found: dict[str, list[set[int]]] = {}
    for name, sizes in re.findall(r"X\((\w+), ([\d, ]+)\)", (ROOT / "Tests/ABI/structs.c").read_text()):
        found.setdefault(f"netcore_{name}", []).append({int(size) for size in sizes.split(",")})
    return found


def test_each_struct_whose_size_the_application_sets_is_tried() -> None:
    """Those are the structs with an initializer; the size of others is netcore's, or that of an array's elements."""
    headers = "".join(path.read_text() for path in sorted((ROOT / "include").rglob("*.h")))
    sized = set(re.findall(r"\bNETCORE_INIT\((netcore_\w+)\)", headers))
    assert len(sized) > 0
    assert sized - rows().keys() == set(), "Tests/ABI/structs.c has no row for these"


@pytest.mark.parametrize("path", abi_growth.released(), ids=lambda path: path.stem)
def test_each_released_size_of_a_struct_is_tried(path: Path) -> None:
    """Tests/ABI/structs.c tries every struct at the sizes that it had in earlier versions."""
    lines, now = path.read_text().splitlines(), abi_growth.sizes(generating.describe().splitlines())
    tried = rows()
    for struct in abi_growth.growing_structs(lines):
        size = abi_growth.sizes(lines)[struct]
        if size != now[struct]:
            assert all(size in sizes for sizes in tried.get(struct, [])), f"{struct}: {size} bytes in {path.stem}"
