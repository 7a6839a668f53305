"""The table of cases that all doors share, through Python: each case by the blocking client and by asyncio."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Union

import pytest

import netcore

TABLE = Path(__file__).parents[3] / "Tests" / "Cases" / "cases.tsv"
CASES = [line.split("\t") for line in TABLE.read_text().splitlines() if line and not line.startswith("#")]
VERSIONS = {"11": "HTTP/1.1", "20": "HTTP/2"}
Outcome = Union[netcore.Response, netcore.Error]


def check(case: list[str], outcome: Outcome) -> None:
    status, http_status, version, content = case[5:]
    if isinstance(outcome, netcore.Error):
        assert outcome.name == status
        return
    assert status == "NETCORE_OK"
    assert outcome.status_code == int(http_status)
    if version != "-":
        assert outcome.http_version == VERSIONS[version]
    if content.startswith("size:"):
        assert len(outcome.content) == int(content[5:])


def request_of(case: list[str]) -> tuple[str, str, dict[str, bytes]]:
    _, base, method, target, body = case[:5]
    return method, os.environ[base] + target, {} if body == "-" else {"content": body.encode()}


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_through_the_blocking_client(case: list[str]) -> None:
    method, url, body = request_of(case)
    with netcore.Client(verify=os.environ["NETCORE_TEST_CA"]) as client:
        try:
            outcome: Outcome = client.request(method, url, **body)  # type: ignore[arg-type]
        except netcore.Error as error:
            outcome = error
    check(case, outcome)


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_through_asyncio(case: list[str]) -> None:
    method, url, body = request_of(case)

    async def run() -> Outcome:
        async with netcore.AsyncClient(verify=os.environ["NETCORE_TEST_CA"]) as client:
            try:
                return await client.request(method, url, **body)  # type: ignore[arg-type]
            except netcore.Error as error:
                return error

    check(case, asyncio.run(run()))
