"""The files that scripts/generate writes, and what each holds."""

from __future__ import annotations

import difflib
from pathlib import Path

import c_tests
import headers
import python
import snapshot
import swift

SNAPSHOT = headers.ROOT / "Tests/Packaging/abi.txt"
WRITERS = {
    SNAPSHOT: snapshot.text,
    headers.ROOT / "Sources/NetcoreHTTP/NetcoreError+Codes.swift": swift.text,
    headers.ROOT / "Tests/ABI/support/lists.h": c_tests.lists,
    headers.ROOT / "Tests/ABI/support/never.h": c_tests.never,
    headers.ROOT / "Tests/ABI/support/probes.h": c_tests.probes,
    headers.ROOT / "bindings/python/src/netcore/_c/abi.py": python.text,
}


def write() -> list[Path]:
    """Writes what differs, and says which files those are."""
    abi = headers.read()
    changed = []
    for path, writer in WRITERS.items():
        text = writer(abi)
        if _read(path) != text:
            path.write_text(text)
            changed.append(path)
    return changed


def differences() -> str:
    """How the files differ from what would be written, as a unified diff; empty when they do not."""
    abi = headers.read()
    parts = []
    for path, writer in WRITERS.items():
        name = str(path.relative_to(headers.ROOT))
        old, new = _read(path).splitlines(keepends=True), writer(abi).splitlines(keepends=True)
        parts += difflib.unified_diff(old, new, f"{name} (committed)", f"{name} (from the headers)")
    return "".join(parts)


def _read(path: Path) -> str:
    return path.read_text() if path.exists() else ""
