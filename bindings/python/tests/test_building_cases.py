"""The table of cases of building requests that all doors share, through Python; its head explains the steps."""

from __future__ import annotations

import asyncio
import json
import os
import re
from typing import Any, Union

import pytest

import netcore
from test_cases import Outcome, read

CASES = [case for case in read("building.tsv") if "not python" not in case]
HOSTS = {
    b"$ORIGIN": os.environ.get("NETCORE_TEST_ORIGIN", "//").split("/")[2].encode(),
    b"$TLS": os.environ.get("NETCORE_TEST_ORIGIN_TLS", "//").split("/")[2].encode(),
}


def decode(raw: str, boundary: bytes = b"") -> bytes:
    """Puts bytes, hosts and a boundary in the place of what the table has for them."""
    names = {**HOSTS, b"{boundary}": boundary}
    pattern = rb"\$ORIGIN|\$TLS|\{boundary\}|\\x([0-9a-f]{2})"
    return re.sub(pattern, lambda found: names.get(found[0]) or bytes.fromhex((found[1] or b"").decode()), raw.encode())


def parted(column: str, boundary: bytes = b"") -> tuple[str, bytes, bytes, bytes]:
    """A step: its word, all that is behind it, and that as two."""
    word, _, rest = column.partition(" ")
    name, _, value = rest.partition(" ")
    return word, decode(rest, boundary), decode(name, boundary), decode(value, boundary)


def text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


class Call:
    """A case on its way: a client, and the arguments of a request.

    `params` are the query in Python, unless `serializer` says how they are written: so it always does.
    """

    def __init__(self, client: Union[netcore.Client, netcore.AsyncClient], case: list[str]) -> None:
        self.client = client
        self.method = self.url = ""
        self.params: list[tuple[str, Any]] = []
        self.headers: list[tuple[bytes, bytes]] = []
        self.path_values: dict[str, str] = {}
        self.part: dict[str, Any] = {"file_name": None, "type": None, "part_field": None}
        self.files: list[tuple[str, Any]] = []
        self.options: dict[str, Any] = {"serializer": "form"}
        for column in case[1:]:
            if not column.startswith(("=> ", "not ")):
                word, rest, name, value = parted(column)
                if not self.set_client(word, text(name), text(value)):
                    self.set_request(word, rest, name, value)

    def set_client(self, word: str, name: str, value: str) -> bool:
        client = self.client
        if word == "service":
            environment, _, urls = value.partition(" ")
            base, _, cdn = urls.partition(" ")
            client.add_service(name, base, environment=environment, cdn_url=cdn or None)
        elif word == "select_service":
            client.service = name
        elif word == "select_environment":
            client.environment = name
        elif word == "common_header":
            client.set_header(name, value.encode())
        elif word == "common_param":
            client.set_param(name, value)
        elif word == "common_list":
            client.set_param(name, json.loads(value))
        elif word == "cookie":
            client.cookies.set(name, value, domain=HOSTS[b"$ORIGIN"].decode().partition(":")[0])
        else:
            return False
        return True

    def set_request(self, word: str, rest: bytes, name: bytes, value: bytes) -> None:
        if word in ("to", "relative"):
            self.method, self.url = name.decode(), value.decode()
        elif word == "header":
            self.headers.append((name, value))
        elif word == "value":
            self.path_values[name.decode()] = value.decode()
        elif word in ("file_name", "type"):
            self.part[word] = text(rest)
        elif word == "part_field":
            self.part[word] = {text(name): text(value)}
        elif word == "part":
            file_name, *others = self.part.values()
            self.files.append((text(name), (file_name, value, *others)))
        elif word == "body":
            self.options["content"] = rest
        elif word in ("cdn", "https"):
            self.options[f"use_{word}"] = True
        elif word == "custom":
            self.options["bare"] = True
        elif word == "no_cookies":
            self.options["use_cookies"] = False
        elif word == "basic":
            self.options["auth"] = text(name), text(value)
        elif word == "bearer":
            self.options["auth"] = netcore.BearerAuth(text(rest))
        elif word == "nesting":
            self.options["param_nesting"] = text(name)
        elif word in ("named", "base", "serializer"):
            given = None if rest == b"query" else text(rest)  # Python's default
            self.options[{"named": "service", "base": "base_url"}.get(word, word)] = given
        else:
            self.params.append((name.decode(), typed(word, value.decode())))

    def arguments(self) -> dict[str, Any]:
        given = {"params": self.params, "headers": self.headers, "path_values": self.path_values, "files": self.files}
        return {**self.options, **{name: value for name, value in given.items() if value}}


def typed(word: str, value: str) -> Any:
    """The value of a parameter."""
    if word == "bool":
        return value == "true"
    kinds: dict[str, Any] = {"param": str, "int": int, "double": float, "json": json.loads, "null": lambda _: None}
    kinds["list"] = json.loads
    return kinds[word](value)


def check(case: list[str], outcome: Outcome) -> None:
    expected = [column[3:] for column in case if column.startswith("=> ")]
    word, rest, _, _ = parted(expected[0])
    if isinstance(outcome, netcore.Error):
        assert (outcome.name, rest.decode() in str(outcome)) == (word, True), outcome
        return
    echo = outcome.json() if outcome.content.startswith(b'{"method"') else {"headers": []}
    types = values(echo, "Content-Type")
    for column in expected:
        word, rest, name, value = parted(column, types[0].partition("boundary=")[2].encode() if types else b"")
        if word == "url":
            assert outcome.url == rest.decode()
        elif word == "field":
            assert ", ".join(values(echo, name.decode())) == value.decode("latin-1") and values(echo, name.decode())
        elif word == "no_field":
            assert values(echo, name.decode()) == []
        else:
            assert word in ("target", "body"), f"it was sent: {column}"
            assert echo[word] == rest.decode("latin-1")


def values(echo: dict[str, Any], name: str) -> list[str]:
    return [value for key, value in echo["headers"] if key.lower() == name.lower()]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_through_the_blocking_client(case: list[str]) -> None:
    with netcore.Client(verify=os.environ["NETCORE_TEST_CA"]) as client:
        try:
            call = Call(client, case)
            outcome: Outcome = client.request(call.method, call.url, **call.arguments())
        except netcore.Error as error:
            outcome = error
    check(case, outcome)


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_through_asyncio(case: list[str]) -> None:
    async def run() -> Outcome:
        async with netcore.AsyncClient(verify=os.environ["NETCORE_TEST_CA"]) as client:
            try:
                call = Call(client, case)
                return await client.request(call.method, call.url, **call.arguments())
            except netcore.Error as error:
                return error

    check(case, asyncio.run(run()))
