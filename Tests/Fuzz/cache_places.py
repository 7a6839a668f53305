"""What cache_rows.py does to the files of a folder, and all that it does in one round."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sqlite3
import struct
from collections.abc import Callable
from pathlib import Path

from cache_changes import change_body, change_column, change_head, describe_file, point_elsewhere
from cache_values import SECRET, Change, seal

PLACES = ("bodies", "bodies", "cache.db", "cache.db-wal", "cache.db-shm", "cache.db-journal", "lock", "owner")


def change_file(cache: Path, outside: Path, database: sqlite3.Connection, draw: random.Random, change: Change) -> None:
    """Another thing in place of the file of a body."""
    named = f"SELECT rowid, file FROM entry WHERE file GLOB '{'?' * 16}-{'?' * 16}' ORDER BY url"
    files = [(row, cache / "bodies" / name) for row, name in database.execute(named)]
    files = [(row, path) for row, path in files if path.is_file()]
    if not files:
        return
    row, path = draw.choice(files)
    kind = draw.choice(("truncate", "extend", "grow", "pipe", "link", "folder", "gone", "other"))
    change.note("files", kind)
    if kind == "truncate":
        os.truncate(path, draw.randrange(path.stat().st_size + 1))
    elif kind in ("extend", "grow"):
        size = 2**20 if kind == "extend" else 2**33
        os.truncate(path, size)
        database.execute("UPDATE entry SET stored_size=?, body_size=?, coding=0 WHERE rowid=?", (size, size, row))
        seal(database, row)
    elif kind == "other":
        path.write_bytes(draw.choice(files)[1].read_bytes())
    else:
        path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "link":
        path.symlink_to(outside / "secret.txt")
        describe_file(database, row, (outside / "secret.txt").read_bytes())


def change_place(cache: Path, outside: Path, draw: random.Random, change: Change) -> None:
    """Another thing in place of one of the folder's files."""
    name, kind = draw.choice(PLACES), draw.choice(("link", "pipe", "folder", "file"))
    change.note("places", name, kind)
    path = cache / name if name != "owner" else cache / "bodies/0123456789abcdef.owner"
    if name == "owner":
        # A body of an owner that is gone, unless its lock says otherwise.
        (cache / "bodies/0123456789abcdef-fedcba9876543210").write_bytes(SECRET)
    if path.is_dir():
        shutil.rmtree(path)
        change.moves_bodies = True
    elif path.exists():
        path.unlink()
    if kind == "link":
        path.symlink_to(outside / ("bodies" if name == "bodies" else "important.db"))
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.write_bytes(SECRET * draw.randrange(300))


def write_journal(cache: Path, outside: Path, change: Change) -> None:
    """A journal that names a file outside of the folder, which SQLite would remove after rolling back."""
    name = str(outside / "important.db").encode()
    magic = bytes((0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7))
    pages = (cache / "cache.db").stat().st_size // 8192
    header = (magic + struct.pack(">IIIII", 0, 0, pages, 512, 8192)).ljust(512, b"\0")
    tail = struct.pack(">I", 0x40000000 // 8192 + 1) + name + struct.pack(">II", len(name), sum(name)) + magic
    (cache / "cache.db-journal").write_bytes(header + tail)
    change.note("journals", name)


def change_folder(cache: Path, outside: Path, draw: random.Random) -> Change:
    """Does one to five things to a folder."""
    change = Change()
    with contextlib.closing(sqlite3.connect(cache / "cache.db")) as database:
        in_rows: list[Callable[[], None]] = [
            lambda: change_column(database, draw, change),
            lambda: change_head(database, draw, change),
            lambda: point_elsewhere(database, outside, draw, change),
            lambda: change_body(database, draw, change),
            lambda: change_file(cache, outside, database, draw, change),
        ]
        for _ in range(draw.choice((1, 2, 3, 4))):
            draw.choices(in_rows, (10, 8, 2, 2, 3))[0]()
        database.commit()
    if draw.random() < 0.1:
        change_place(cache, outside, draw, change)
    elif draw.random() < 0.03:
        write_journal(cache, outside, change)
    return change
