"""What the fuzzer of cache folders puts in place of what a store wrote, and the checksums of rows and totals.

The checksums are those of EntryRow.swift and Totals.swift, so that a changed row can be sealed again.
"""

from __future__ import annotations

import sqlite3
import struct
import zlib
from dataclasses import dataclass, field

SECRET = b"netcore-fuzz-secret\n"

# fmt: off
NUMBERS = (
    0, -1, 1, 2, 99, 2**15, 2**31 - 1, 2**31, -(2**31), 2**32, 2**40, 2**48, 2**48 + 1, 2**53, 2**53 + 1, -(2**53),
    2**56, 2**62, -(2**62), 2**62 + 1, 2**63 - 1, 2**63 - 2, -(2**63), -(2**63) + 1, 9223372036854775, -62135596800000,
    253402300800000,
)
OTHERS = (
    None, "", "x", "x" * 3_000_000, b"", b"\0", b"\xff" * 3_000_000, b"\x80\xfe", 1e300, -1e300, float("inf"),
    "99999999999999999999", "../../outside/secret.txt", "../outside/secret.txt", "/etc/passwd", ".", "..",
    "../cache.db", "a/b", "a\0b", "%s%n", "\r\nX: y", "0123456789abcdef-0123456789abcdef",
    "0123456789abcdef-0123456789abcdef.part",
    "0123456789abcdef.owner",
)
FIRST, LAST = b"Sat, 01 Jan 0000 00:00:00 GMT", b"Fri, 31 Dec 9999 23:59:59 GMT"
FIELDS = {
    b"Age": (b"2147483648", b"9223372036854775807", b"99999999999999999999", b"-1", b"", b"x"),
    b"Date": (FIRST, LAST, b"Sunday, 06-Nov-94 08:49:37 GMT", b"x"),
    b"Expires": (FIRST, LAST, b"0"),
    b"Last-Modified": (FIRST, LAST),
    b"Cache-Control": (
        b"max-age=9223372036854775807", b"stale-while-revalidate=99999999999, max-age=0", b'"' * 20_000, b"no-cache",
    ),
    b"Content-Length": (b"9223372036854775807", b"-1", b"x"),
    b"Content-Range": (b"bytes 0-9223372036854775806/9223372036854775807", b"bytes 5-4/3", b"x"),
    b"Content-Encoding": (b"gzip", b"br, gzip"),
    b"ETag": (b'"a\r\nX-Injected: y"', b"", b'"', b"W/"),
    b"Vary": (b"*", b"x" * 20_000, b"a," * 5_000),
    b"X\r\nY": (b"z",),
    b"": (b"",),
}
# fmt: on

# Columns of `entry` that the row's checksum covers, in its order.
TEXTS = ("key", "variant", "url", "tag", "scope", "file")
SEALED = ("identity", "sent", "wall", "uptime", "boot", "fresh", "body_sum", "body_size", "stored_size", "coding")
COLUMNS = {
    "entry": ("id", "sum", "size", "used", "hits", "url_hash", "head", "data", *TEXTS, *SEALED),
    "body": ("id", "data"),
    "totals": ("id", "count", "bytes", "clock", "sum"),
}


@dataclass
class Change:
    """What was done to a folder."""

    done: list[tuple[str, object]] = field(default_factory=list)
    # What can still be said of bodies: 0 all bytes, 1 how many there are at most, 2 only what they are not.
    looseness: int = 0
    # What is named `bodies` is another thing now.
    moves_bodies: bool = False

    def note(self, kind: str, *what: object) -> None:
        self.done.append((kind, tuple(repr(part)[:60] for part in what)))


class Sum:
    """The CRC-32 of NetcoreStorage/Checksum.swift."""

    def __init__(self) -> None:
        self.value = 0

    def number(self, value: int) -> None:
        self.value = zlib.crc32(struct.pack("<Q", value & (2**64 - 1)), self.value)

    def bytes(self, value: bytes) -> None:
        self.number(len(value))
        self.value = zlib.crc32(value, self.value)


def seal(database: sqlite3.Connection, row: int) -> None:
    """Makes the checksum of an entry right."""
    columns = [f"CAST({name} AS BLOB)" for name in (*TEXTS, "head")] + [f"CAST({name} AS INTEGER)" for name in SEALED]
    select = f"SELECT {', '.join(columns)}, file IS NULL FROM entry WHERE rowid = ?"
    found = database.execute(select, (row,)).fetchone()
    if found is None:
        return
    total = Sum()
    for text in found[:6]:
        total.bytes((text or b"").decode(errors="replace").encode())
    for number in found[7:17]:
        total.number(number or 0)
    total.number(0 if found[17] else 1)
    total.bytes(found[6] or b"")
    database.execute("UPDATE entry SET sum = ? WHERE rowid = ?", (total.value, row))


def seal_totals(database: sqlite3.Connection) -> None:
    """Makes the checksum of the totals right."""
    columns = ", ".join(f"CAST({name} AS INTEGER)" for name in ("count", "bytes", "clock"))
    total = Sum()
    for number in database.execute(f"SELECT {columns} FROM totals").fetchone() or ():
        total.number(number or 0)
    database.execute("UPDATE totals SET sum = ?", (total.value,))
