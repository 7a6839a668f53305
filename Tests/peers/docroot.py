"""The files nginx serves: the same bytes and the same modification time in every run."""

from __future__ import annotations

import os
from pathlib import Path

MODIFIED = 1_704_067_200  # 2024-01-01 00:00:00 UTC


def pattern(size: int) -> bytes:
    """`size` bytes, where byte i is (i * 31 + 7) mod 256: those of the origin's /bytes/N."""
    period = bytes((i * 31 + 7) % 256 for i in range(256))
    return (period * (size // 256 + 1))[:size]


def _big_text() -> bytes:
    lines = (f"line {number:06d}: the quick brown fox jumps over the lazy dog\n" for number in range(4000))
    return "".join(lines).encode()[:200_000]


def write(folder: Path) -> None:
    """Writes all files anew."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        "small.txt": b"0123456789abcde\n" * 8,
        "1k": pattern(1024),
        "100k": pattern(100 * 1024),
        "10m": pattern(10 * 1024 * 1024),
        "hello.json": b'{"hello":"world"}',
        "latin1.txt": "Grüße, señor: déjà vu\n".encode("latin-1"),
        "big.txt": _big_text(),
    }
    for name, content in files.items():
        path = folder / name
        path.write_bytes(content)
        os.utime(path, (MODIFIED, MODIFIED))
