"""The demos of examples/, run as scripts/demo runs them; and whether the benchmarks still compile."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from conftest import BUILD, ROOT, Run

DOORS = ["c", "python", "swift"]
STEPS = ["one request", "100 at once     100 answered 200", "NETCORE_ERR_CANCELED", "5 members"]


def demo(run: Run, door: str, *arguments: str, expect: int = 0, program: str = "demo") -> str:
    """Builds a program of a door, where that has to be, and runs it."""
    if door == "python":
        environment = {"PYTHONPATH": str(ROOT / "bindings/python/src"), "NETCORE_LIBRARY": str(BUILD / "libnetcore.so")}
        return run(sys.executable, ROOT / f"examples/python/{program}.py", *arguments, expect=expect, **environment)
    if door == "c":
        run("cmake", "--build", BUILD / "cmake", "--target", program)
        return run(BUILD / "cmake" / program, *arguments, expect=expect)
    swift = (ROOT / "scripts/swift", "swift-examples", "run", "--quiet", "--package-path", ROOT / "examples/swift")
    return run(*swift, program, *arguments, expect=expect)


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


@pytest.mark.parametrize("door", DOORS)
def test_a_download_shows_a_bar_and_goes_on_where_it_was(run: Run, door: str, nginx: str, tmp_path: Path) -> None:
    target = tmp_path / "10m"
    output = demo(run, door, f"{nginx}/10m", str(target), program="download")
    assert f"[{'#' * 30}]" in output and "100" in output and f"{10 << 20} bytes, 0 of them were there" in output
    assert target.stat().st_size == 10 << 20
    again = demo(run, door, f"{nginx}/10m", str(target), expect=1, program="download")
    assert "there is such a file" in again


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
