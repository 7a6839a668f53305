"""What the tests of the package share: where things are, and how to run a program."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"

Run = Callable[..., str]


@pytest.fixture(scope="session")
def run() -> Run:
    """Runs a program, shows what it says when it fails, and answers what it printed.

    Nothing of this checkout is in its environment.
    """

    def run(*command: object, cwd: Path = ROOT, expect: int = 0, **environment: str) -> str:
        __tracebackhide__ = True
        clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "NETCORE_LIBRARY")}
        result = subprocess.run(
            [str(word) for word in command],
            cwd=cwd,
            env={**clean, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if result.returncode != expect:
            words = " ".join(map(str, command))
            pytest.fail(f"{words}\nended with {result.returncode}:\n{result.stdout}", pytrace=False)
        return result.stdout

    return run


@pytest.fixture(scope="session")
def library() -> Path:
    path = BUILD / "libnetcore.so"
    assert path.exists(), "run scripts/build first"
    return path


@pytest.fixture(scope="session")
def prefix(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that netcore is installed to by CMake."""
    prefix = tmp_path_factory.mktemp("prefix")
    tree = BUILD / "cmake"
    if not (tree / "build.ninja").exists():
        run("cmake", "-S", ROOT, "-B", tree, "-G", "Ninja")
    run("cmake", "--build", tree, "--target", "netcore_library")
    run("cmake", "--install", tree, "--prefix", prefix)
    return prefix


@pytest.fixture(scope="session")
def refused() -> str:
    """A URL that refuses connections."""
    return os.environ["NETCORE_TEST_REFUSED"]


@pytest.fixture(scope="session")
def nginx() -> str:
    return os.environ["NETCORE_TEST_NGINX"]
