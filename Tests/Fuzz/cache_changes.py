"""What cache_rows.py does to the database of a folder: to columns, to heads, to bodies and to where they are."""

from __future__ import annotations

import contextlib
import random
import re
import sqlite3
import zlib
from pathlib import Path

from cache_values import COLUMNS, FIELDS, NUMBERS, OTHERS, Change, seal, seal_totals


def some_rows(database: sqlite3.Connection, draw: random.Random, condition: str = "1") -> list[int]:
    """All rows, or one; in the same order in each run."""
    rows = [row for (row,) in database.execute(f"SELECT rowid FROM entry WHERE {condition} ORDER BY url")]
    return rows if draw.random() < 0.25 else rows and [draw.choice(rows)]


def change_column(database: sqlite3.Connection, draw: random.Random, change: Change) -> None:
    """Sets a column of a table to a number, or to something else."""
    table = draw.choice(("entry",) * 8 + ("totals", "totals", "body"))
    column = draw.choice(COLUMNS[table])
    value = draw.choice(NUMBERS if draw.random() < 0.7 else OTHERS)
    is_sealed = draw.random() < 0.8
    rows = some_rows(database, draw)
    if table != "entry":
        rows = [row for (row,) in database.execute(f"SELECT rowid FROM {table}")]
    change.note("columns", table, column, value, is_sealed, len(rows))
    for row in rows:
        target = row
        with contextlib.suppress(sqlite3.IntegrityError):  # of an id that is taken, or no number
            database.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (value, row))
            if column == "id":
                target = value if isinstance(value, int) else row
        if is_sealed and table == "entry" and column != "sum":
            seal(database, target)
    if is_sealed and table == "totals" and column != "sum":
        seal_totals(database)


def with_number(head: bytes, place: int, value: int) -> bytes:
    """A head with another number in its first line."""
    line, _, rest = head.partition(b"\n")
    words = line.split(b" ")
    if len(words) > 2:
        words[2 + place % (len(words) - 2)] = str(value).encode()
    return b" ".join(words) + b"\n" + rest


def with_field(head: bytes, name: bytes, value: bytes) -> bytes:
    """A head with one field of a name, at its end."""
    if name:
        head = re.sub(rb"(?i)" + re.escape(name) + rb"\0[^\0]*\0", b"", head)
    return head + name + b"\0" + value + b"\0"


def change_head(database: sqlite3.Connection, draw: random.Random, change: Change) -> None:
    """Changes a number of the first line, or a field, or any byte."""
    kind = draw.choice(("number", "number", "number", "field", "bytes"))
    place, number = draw.randrange(22), draw.choice((*NUMBERS, 10**19, -(10**30)))
    name, value = draw.choice([(name, value) for name, values in FIELDS.items() for value in values])
    rows = some_rows(database, draw, draw.choice(("1", "url LIKE '%/part/%'")))
    is_sealed = draw.random() < 0.9
    what: tuple[object, object] = (place, number) if kind == "number" else (name, value)
    change.note("heads", kind, what, is_sealed, len(rows))
    if kind == "bytes" or (kind == "number" and place >= 14):
        # Which parts there are, and so which byte of the whole a stored one is.
        change.looseness = max(change.looseness, 1)
    for row in rows:
        head = database.execute("SELECT CAST(head AS BLOB) FROM entry WHERE rowid = ?", (row,)).fetchone()[0] or b""
        spot = draw.randrange(len(head) + 1)
        if kind == "number":
            head = with_number(head, place, number)
        elif kind == "field":
            head = with_field(head, name, value)
        else:
            flipped = head[:spot] + bytes([draw.randrange(256)]) + head[spot + 1 :]
            head = draw.choice((head[:spot], flipped, head + head))
        database.execute("UPDATE entry SET head = ? WHERE rowid = ?", (head, row))
        if is_sealed:
            seal(database, row)


def describe_file(database: sqlite3.Connection, row: int, body: bytes) -> None:
    """Says of an entry's body what is true of other bytes."""
    values = (zlib.crc32(body), len(body), len(body), row)
    database.execute("UPDATE entry SET body_sum=?, body_size=?, stored_size=?, coding=0 WHERE rowid=?", values)
    seal(database, row)


def point_elsewhere(database: sqlite3.Connection, outside: Path, draw: random.Random, change: Change) -> None:
    """Rows whose body is a file outside of the folder, described as it is."""
    name = draw.choice(("secret.txt", "bodies/0123456789abcdef-0123456789abcdef"))
    path = draw.choice(("../../outside/", f"{outside}/", "../bodies/../../outside/")) + name
    rows = some_rows(database, draw)
    change.note("paths", path, len(rows))
    for row in rows:
        database.execute("UPDATE entry SET file=? WHERE rowid=?", (path, row))
        describe_file(database, row, (outside / name).read_bytes())


def change_body(database: sqlite3.Connection, draw: random.Random, change: Change) -> None:
    """Other bytes in place of a stored body, with its checksum made right, and sizes right or not."""
    bomb, cut = zlib.compress(bytes(3_000_000)), zlib.compress(b"x" * 100)[:-3]
    data = draw.choice((b"", b"short", bytes(5000), bomb, cut))
    size, coding = draw.choice((len(data), -1, 2**31, 2**47, 3_000_000)), draw.choice((0, 1))
    rows = some_rows(database, draw)
    change.looseness = 2
    change.note("bodies", len(data), size, coding, len(rows))
    for row in rows:
        values = (zlib.crc32(data), size, len(data), coding, data, row)
        columns = "body_sum=?, body_size=?, stored_size=?, coding=?, data=?"
        database.execute(f"UPDATE entry SET file=NULL, {columns} WHERE rowid=?", values)
        database.execute("INSERT OR REPLACE INTO body (id, data) VALUES (?, ?)", (row, data))
        seal(database, row)
