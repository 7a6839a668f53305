"""The tables of cases that all doors share, through Python: each case by the blocking client and by asyncio."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any, Union

import pytest

import netcore

TABLES = Path(__file__).parents[3] / "Tests" / "Cases"


def read(table: str) -> list[list[str]]:
    lines = (TABLES / table).read_text().splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


CASES = read("cases.tsv")
CACHE_CASES = read("cache.tsv")
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


def cache_options(words: list[str]) -> dict[str, Any]:
    """What the options of a step are in Python."""
    options: dict[str, Any] = {"headers": {}, "cache_key_fields": []}
    for word in words:
        name, _, value = word.partition("=")
        if name == "mode":
            options["cache_mode"] = netcore.CacheMode(int(value))
        elif name == "ttl_ms":
            options["cache_ttl"] = int(value) / 1000
        elif name == "errors":
            options["cache_errors"] = value == "1"
        elif name == "version":
            options["cache_version"] = int(value)
        elif name in ("scope", "key"):
            options[f"cache_{name}"] = value
        elif name == "body":
            options["content"] = value
        elif name == "field":
            options["headers"].update([value.split(":", 1)])
        elif name == "key_field":
            options["cache_key_fields"].append(value)
        else:
            raise AssertionError(f"an unknown option: {word}")
    return options


def steps_of(case: list[str]) -> list[tuple[str, str, dict[str, Any], str]]:
    """(method, URL, options, what is expected) for each step."""
    steps = []
    for step in case[3:]:
        left, expected = step.split(" => ")
        method, *words = left.split()
        steps.append((method, os.environ[case[1]] + case[2], cache_options(words), expected))
    return steps


def seen(response: netcore.Response) -> str:
    return f"{response.cache_result.value}/{response.status_code}"


@pytest.mark.parametrize("case", CACHE_CASES, ids=[case[0] for case in CACHE_CASES])
def test_the_cache_through_the_blocking_client(case: list[str]) -> None:
    with netcore.Cache() as cache, netcore.Client(cache=cache) as client:
        for number, (method, url, options, expected) in enumerate(steps_of(case), 1):
            assert seen(client.request(method, url, **options)) == expected, f"step {number}"


@pytest.mark.parametrize("case", CACHE_CASES, ids=[case[0] for case in CACHE_CASES])
def test_the_cache_through_asyncio(case: list[str]) -> None:
    async def run() -> None:
        with netcore.Cache() as cache:
            async with netcore.AsyncClient(cache=cache) as client:
                for number, (method, url, options, expected) in enumerate(steps_of(case), 1):
                    assert seen(await client.request(method, url, **options)) == expected, f"step {number}"

    asyncio.run(run())
