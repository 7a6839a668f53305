"""The demos of examples/, run as scripts/demo runs them; and whether the benchmarks still compile."""

from __future__ import annotations

import os
import sys

import pytest

from conftest import BUILD, ROOT, Run

DOORS = ["c", "python", "swift"]
STEPS = ["one request", "100 at once     100 answered 200", "NETCORE_ERR_CANCELED", "5 members"]


def demo(run: Run, door: str, *arguments: str, expect: int = 0) -> str:
    """Builds the demo of a door, where that has to be, and runs it."""
    if door == "python":
        environment = {"PYTHONPATH": str(ROOT / "bindings/python/src"), "NETCORE_LIBRARY": str(BUILD / "libnetcore.so")}
        return run(sys.executable, ROOT / "examples/python/demo.py", *arguments, expect=expect, **environment)
    if door == "c":
        run("cmake", "--build", BUILD / "cmake", "--target", "demo")
        return run(BUILD / "cmake/demo", *arguments, expect=expect)
    swift = (ROOT / "scripts/swift", "swift-examples", "run", "--quiet", "--package-path", ROOT / "examples/swift")
    return run(*swift, "demo", *arguments, expect=expect)


@pytest.mark.parametrize("door", DOORS)
def test_the_tour_shows_one_request_a_hundred_a_cancel_and_a_group(run: Run, door: str, nginx: str) -> None:
    output = demo(run, door, "--tour", nginx)
    assert [step for step in STEPS if step not in output] == []


@pytest.mark.parametrize("door", DOORS)
def test_urls_are_fetched_into_a_table(run: Run, door: str, nginx: str) -> None:
    secure = os.environ["NETCORE_TEST_NGINX_H2"]
    output = demo(run, door, "--ca", os.environ["NETCORE_TEST_CA"], f"{nginx}/10m", f"{secure}/1k", f"{nginx}/none")
    rows = [line.split() for line in output.splitlines()[-3:]]
    assert [row[:2] for row in rows] == [["200", "HTTP/1.1"], ["200", "HTTP/2"], ["404", "HTTP/1.1"]]
    assert [row[2] for row in rows[:2]] == ["10485760", "1024"]
    assert all(len(row) == 10 for row in rows)


@pytest.mark.parametrize("door", DOORS)
def test_a_url_that_fails_is_said_and_fails_the_demo(run: Run, door: str, refused: str) -> None:
    assert "NETCORE_ERR_CONNECT" in demo(run, door, refused, expect=1)


@pytest.mark.parametrize("program", sorted(path.name for path in (ROOT / "benchmarks").glob("*.c")))
def test_a_benchmark_compiles(run: Run, program: str) -> None:
    run(
        "gcc",
        "-std=gnu11",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-fsyntax-only",
        "-I",
        ROOT / "include",
        ROOT / "benchmarks" / program,
    )
