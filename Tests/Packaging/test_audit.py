"""docs/reliability.md: what its tables say was audited is there, by that name."""

from __future__ import annotations

import re
from collections import defaultdict

from conftest import ROOT

PAGE = (ROOT / "docs/reliability.md").read_text()
SOURCES = [path.read_text() for path in sorted((ROOT / "Sources").rglob("*.swift"))]
TYPE = re.compile(r"\b(?:struct|class|enum|extension|protocol)\s+(?:\w+\.)*(\w+)")
MEMBER = re.compile(r"\b(?:func|var|let|case|struct|class|enum|typealias)\s+`?(\w+)|\b(init)\b")


def declared() -> dict[str, set[str]]:
    """The members of each type, taken from all files that declare or extend it."""
    members: dict[str, set[str]] = defaultdict(set)
    for text in SOURCES:
        found = {first or second for first, second in MEMBER.findall(text)}
        for name in TYPE.findall(text):
            members[name] |= found
    return members


def audited() -> list[str]:
    """The names in the first column of the tables; those of functions alone follow the type before them."""
    tables = PAGE[PAGE.index("## What was audited") : PAGE.index("#### Work that a peer can cause")]
    tables += PAGE[PAGE.index("### Numbers from outside: the cache") : PAGE.index("## The fuzzers")]
    names = []
    for row in re.findall(r"^\| ([^|]+) \|", tables, re.MULTILINE):
        last = ""
        for quoted in re.findall(r"`([^`]+)`", row):
            name = re.sub(r"\(.*", "", quoted)
            if name[0].islower() and "." not in name and last:
                name = f"{last}.{name}"
            last = name.split(".")[0]
            names.append(name)
    return names


def test_audited_names() -> None:
    members = declared()
    unknown = []
    for name in audited():
        owner, _, member = name.rpartition(".")
        owner = owner.split(".")[-1]
        anywhere = name in members or any(name in found for found in members.values())
        if not (member in members.get(owner, set()) if owner else anywhere):
            unknown.append(name)
    assert len(audited()) > 100
    assert not unknown, f"docs/reliability.md names what is not in Sources: {unknown}"
