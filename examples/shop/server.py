#!/usr/bin/env python3
"""The server of the shop: server.py DATABASE [--port N] [--token-seconds N] [--busy N].

An HTTP API over an SQLite database, by Python's standard library only; README.md beside it says what there is. The
database is made if there is none. Prints its URL when it is ready.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import secrets
import sqlite3
import time
from contextlib import closing
from email import message_from_bytes
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Tuple
from urllib.parse import parse_qs, urlsplit

PAGE_SIZE = 8
LARGEST_BODY = 8 << 20
REFRESH_SECONDS = 30 * 86400
STALE = "stale-if-error=604800"
SIGNATURES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}

SCHEMA = """
CREATE TABLE users (name TEXT PRIMARY KEY, salt BLOB NOT NULL, hash BLOB NOT NULL);
CREATE TABLE tokens (token TEXT PRIMARY KEY, kind TEXT NOT NULL, user TEXT NOT NULL, expires REAL NOT NULL);
CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER NOT NULL, stock INTEGER NOT NULL);
CREATE TABLE orders (id INTEGER PRIMARY KEY, key TEXT, user TEXT NOT NULL, product INTEGER NOT NULL,
                     count INTEGER NOT NULL, total INTEGER NOT NULL, UNIQUE (user, key));
CREATE TABLE pictures (id INTEGER PRIMARY KEY, product INTEGER NOT NULL, type TEXT NOT NULL, data BLOB NOT NULL);
"""
KINDS = ["Green tea", "Black tea", "Coffee", "Cocoa", "Honey"]
SIZES = ["50 g", "100 g", "250 g", "500 g"]


class Answer(NamedTuple):
    body: Any
    """Bytes, or what becomes JSON."""
    status: int = 200
    headers: Mapping[str, str] = MappingProxyType({})


class Problem(Exception):
    """An answer that is an error: ``{"code": 301, "message": "…"}``. The code is for programs."""

    def __init__(self, status: int, code: int, message: str, **headers: str) -> None:
        super().__init__(message)
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answer = Answer({"code": code, "message": message}, status, fields)


def unauthorized(code: int, message: str) -> Problem:
    return Problem(401, code, message, WWW_Authenticate='Bearer realm="shop", error="invalid_token"')


# The database


def create(path: str) -> None:
    """Makes the database, with a user "ann" and her password "secret", and 20 products."""
    salt = secrets.token_bytes(16)
    goods = [(f"{kind}, {size}", 150 * (2 + place) * (1 + row), 5 + (7 * row + 3 * place) % 20)
             for row, kind in enumerate(KINDS) for place, size in enumerate(SIZES)]  # fmt: skip
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA journal_mode = WAL")
        database.executescript(SCHEMA)
        database.execute("INSERT INTO users VALUES (?, ?, ?)", ("ann", salt, password_hash("secret", salt)))
        database.executemany("INSERT INTO products (name, price, stock) VALUES (?, ?, ?)", goods)


def password_hash(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=1)


class Shop:
    """One request's view of the database: its changes are kept if the request succeeds."""

    def __init__(self, database: sqlite3.Connection, token_seconds: float) -> None:
        self.database = database
        self.token_seconds = token_seconds

    def rows(self, query: str, *values: Any) -> Iterator[Dict[str, Any]]:
        cursor = self.database.execute(query, values)
        names = [column[0] for column in cursor.description or ()]
        return (dict(zip(names, row)) for row in cursor)

    def row(self, query: str, *values: Any) -> Optional[Dict[str, Any]]:
        return next(self.rows(query, *values), None)

    # Users and tokens

    def login(self, name: str, password: str) -> Dict[str, Any]:
        user = self.row("SELECT * FROM users WHERE name = ?", name)
        if user is None or not secrets.compare_digest(user["hash"], password_hash(password, user["salt"])):
            raise unauthorized(302, "name or password is wrong")
        return self.tokens(name)

    def renew(self, refresh_token: str) -> Dict[str, Any]:
        """A refresh token is good for one use."""
        user = self.user_of(refresh_token, "refresh")
        self.database.execute("DELETE FROM tokens WHERE token = ?", (refresh_token,))
        return self.tokens(user)

    def tokens(self, user: str) -> Dict[str, Any]:
        made = {kind: secrets.token_urlsafe(24) for kind in ("access", "refresh")}
        for kind, seconds in (("access", self.token_seconds), ("refresh", REFRESH_SECONDS)):
            expires = time.time() + seconds
            self.database.execute("INSERT INTO tokens VALUES (?, ?, ?, ?)", (made[kind], kind, user, expires))
        return {
            "access_token": made["access"],
            "refresh_token": made["refresh"],
            "token_type": "Bearer",
            "expires_in": self.token_seconds,
        }

    def user_of(self, token: str, kind: str = "access") -> str:
        query = "SELECT user FROM tokens WHERE token = ? AND kind = ? AND expires > ?"
        found = self.row(query, token, kind, time.time())
        if found is None:
            raise unauthorized(303, f"the {kind} token is missing, unknown or expired")
        return str(found["user"])

    # Products, orders, pictures

    def product(self, number: int) -> Dict[str, Any]:
        product = self.row("SELECT * FROM products WHERE id = ?", number)
        if product is None:
            raise Problem(404, 301, f"there is no product {number}")
        pictures = self.rows("SELECT id, type, length(data) AS size FROM pictures WHERE product = ?", number)
        product["pictures"] = [{**picture, "url": f"/pictures/{picture['id']}"} for picture in pictures]
        return product

    def order(self, user: str, key: Optional[str], number: int, count: int) -> Dict[str, Any]:
        """An order of a user's with a key of before was sent twice, and is carried out once."""
        known = self.row("SELECT * FROM orders WHERE user = ? AND key = ?", user, key)
        if known is not None:
            return known
        if count < 1:
            raise Problem(422, 305, f"count: {count} is not a number from 1 on")
        product = self.product(number)
        if product["stock"] < count:
            raise Problem(409, 304, f"only {product['stock']} of product {number} are left")
        self.database.execute("UPDATE products SET stock = stock - ? WHERE id = ?", (count, number))
        values = (key, user, number, count, count * product["price"])
        query = "INSERT INTO orders (key, user, product, count, total) VALUES (?, ?, ?, ?, ?)"
        cursor = self.database.execute(query, values)
        return self.row("SELECT * FROM orders WHERE id = ?", cursor.lastrowid) or {}

    def add_picture(self, number: int, data: bytes) -> Dict[str, Any]:
        self.product(number)
        kind = next((kind for signature, kind in SIGNATURES.items() if data.startswith(signature)), None)
        if kind is None:
            raise Problem(422, 306, "picture: neither PNG nor JPEG")
        query = "INSERT INTO pictures (product, type, data) VALUES (?, ?, ?)"
        cursor = self.database.execute(query, (number, kind, data))
        return {"id": cursor.lastrowid, "type": kind, "size": len(data), "url": f"/pictures/{cursor.lastrowid}"}


# HTTP


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Server
    shop: Shop
    body: bytes

    def do_GET(self) -> None:
        content = self.read_body()
        try:
            if content is None:
                raise Problem(413, 307, f"more than {LARGEST_BODY} bytes")
            self.body = content
            self.server.check_busy(self.command)
            with closing(sqlite3.connect(self.server.path, timeout=10)) as database, database:
                database.execute("BEGIN IMMEDIATE" if self.command == "POST" else "BEGIN")
                self.shop = Shop(database, self.server.token_seconds)
                answer = self.route()
        except Problem as problem:
            answer = problem.answer
        self.send(answer)

    do_POST = do_HEAD = do_PUT = do_DELETE = do_GET

    def read_body(self) -> Optional[bytes]:
        """None for one that is too large, which is read nevertheless: the client would not see an answer before."""
        left = int(self.headers.get("Content-Length") or 0)
        if left <= LARGEST_BODY:
            return self.rfile.read(left)
        while left > 0:
            left -= len(self.rfile.read(min(left, 1 << 16))) or left
        return None

    def route(self) -> Answer:
        path, allowed = urlsplit(self.path).path, []
        for method, pattern, function in ROUTES:
            match = re.fullmatch(pattern, path)
            if match and method == self.command.replace("HEAD", "GET"):
                return function(self, *map(int, match.groups()))
            if match:
                allowed.append(method)
        if allowed:
            raise Problem(405, 300, f"not {self.command}", Allow=", ".join(allowed))
        raise Problem(404, 300, f"there is no {path}")

    def send(self, answer: Answer) -> None:
        body, status, headers = answer
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        if self.command in ("GET", "HEAD") and status == 200:
            tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
            headers = {**headers, "ETag": tag}
            if tag in self.headers.get("If-None-Match", ""):
                status = 304
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Cache-Control": "no-store", **headers}.items():
            self.send_header(name, value)
        if status != 304:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if status != 304 and self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *arguments: Any) -> None:
        if self.server.is_verbose:
            super().log_message(format, *arguments)

    # What requests say

    def user(self) -> str:
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        return self.shop.user_of(token if scheme.lower() == "bearer" else "")

    def member(self, name: str, kind: type) -> Any:
        """A member of the body, which is a JSON object."""
        try:
            value = json.loads(self.body)[name]
        except (ValueError, LookupError, TypeError):
            raise Problem(422, 305, f"{name}: missing") from None
        if type(value) is not kind:
            raise Problem(422, 305, f"{name}: not of type {kind.__name__}")
        return value

    def part(self, name: str) -> bytes:
        """The content of a part of the body, which is multipart/form-data (RFC 7578)."""
        head = f"Content-Type: {self.headers.get('Content-Type')}\r\n\r\n".encode()
        for part in message_from_bytes(head + self.body).walk():
            if part.get_param("name", header="Content-Disposition") == name:
                return bytes(part.get_payload(decode=True))
        raise Problem(422, 305, f"{name}: missing")

    # What there is

    def login(self) -> Answer:
        return Answer(self.shop.login(self.member("name", str), self.member("password", str)))

    def renew(self) -> Answer:
        return Answer(self.shop.renew(self.member("refresh_token", str)))

    def products(self) -> Answer:
        text = parse_qs(urlsplit(self.path).query).get("page", ["1"])[0]
        if not re.fullmatch(r"[1-9]\d{0,5}", text):
            raise Problem(422, 305, f"page: {text} is not a number from 1 on")
        page, offset = int(text), (int(text) - 1) * PAGE_SIZE
        total = (self.shop.row("SELECT count(*) AS total FROM products") or {})["total"]
        products = list(self.shop.rows("SELECT * FROM products ORDER BY id LIMIT ? OFFSET ?", PAGE_SIZE, offset))
        headers = {"Cache-Control": f"max-age=0, {STALE}", "X-Total-Count": str(total)}
        if offset + PAGE_SIZE < total:
            headers["Link"] = f'</products?page={page + 1}>; rel="next"'
        return Answer(products, headers=headers)

    def product(self, number: int) -> Answer:
        return Answer(self.shop.product(number), headers={"Cache-Control": f"max-age=300, {STALE}"})

    def order(self) -> Answer:
        product, count = self.member("product", int), self.member("count", int)
        return Answer(self.shop.order(self.user(), self.headers.get("Idempotency-Key"), product, count), 201)

    def add_picture(self, number: int) -> Answer:
        self.user()
        picture = self.shop.add_picture(number, self.part("picture"))
        return Answer(picture, 201, {"Location": picture["url"]})

    def picture(self, number: int) -> Answer:
        found = self.shop.row("SELECT type, data FROM pictures WHERE id = ?", number)
        if found is None:
            raise Problem(404, 301, f"there is no picture {number}")
        return Answer(found["data"], headers={"Content-Type": found["type"], "Cache-Control": "max-age=31536000"})


ROUTES: List[Tuple[str, str, Callable[..., Answer]]] = [
    ("POST", "/login", Handler.login),
    ("POST", "/token", Handler.renew),
    ("GET", "/products", Handler.products),
    ("GET", r"/products/(\d{1,9})", Handler.product),
    ("POST", r"/products/(\d{1,9})/pictures", Handler.add_picture),
    ("GET", r"/pictures/(\d{1,9})", Handler.picture),
    ("POST", "/orders", Handler.order),
]


class Server(ThreadingHTTPServer):
    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__(("127.0.0.1", options.port), Handler)
        self.path = options.database
        self.token_seconds = options.token_seconds
        self.is_verbose = options.verbose
        self.busy = options.busy

    def check_busy(self, method: str) -> None:
        """Refuses the first requests, as a server does that is being started."""
        if method == "GET" and self.busy > 0:
            self.busy -= 1
            raise Problem(503, 308, "the shop is busy", Retry_After="1")


def main() -> None:
    parser = argparse.ArgumentParser(description="The server of the shop.")
    parser.add_argument("database", help="the file of the database; it is made if there is none")
    parser.add_argument("--port", type=int, default=0, help="default: any that is free")
    parser.add_argument("--token-seconds", type=float, default=600, help="how long an access token is good for")
    parser.add_argument("--busy", type=int, default=0, help="how many GETs are answered by 503 at first")
    parser.add_argument("--verbose", action="store_true", help="a line for each request")
    options = parser.parse_args()
    if not os.path.exists(options.database):
        create(options.database)
    with Server(options) as server:
        print(f"http://127.0.0.1:{server.server_port}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
