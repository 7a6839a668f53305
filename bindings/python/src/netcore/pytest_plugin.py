"""Fixtures for pytest: ``pytest_plugins = ["netcore.pytest_plugin"]`` in the conftest.py at the root of the tests."""

from __future__ import annotations

import re
from typing import Iterator

import pytest

from .testing import Cassette, Stubs

MODES = ["once", "new", "none", "all"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options of the fixtures."""
    group = parser.getgroup("netcore")
    group.addoption("--netcore-record", choices=MODES, help="mode of the fixture netcore_cassette (default: once)")


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marks of the fixtures."""
    line = "netcore_cassette(mode, **options): how the fixture netcore_cassette records and replays"
    config.addinivalue_line("markers", line)


@pytest.fixture
def netcore_stubs() -> Iterator[Stubs]:
    """Stubs for ``Client(transport=netcore_stubs)``. The test fails if one of them answered no request, or if a request
    had no stub."""
    stubs = Stubs()
    yield stubs
    stubs.check()


@pytest.fixture
def netcore_cassette(request: pytest.FixtureRequest) -> Iterator[Cassette]:
    """A cassette for ``Client(transport=netcore_cassette)``: cassettes/MODULE/TEST.har beside the module of the test.
    ``@pytest.mark.netcore_cassette(secret_headers=["X-Api-Key"])`` gives it options, and ``--netcore-record`` its
    mode."""
    mark = request.node.get_closest_marker("netcore_cassette")
    arguments, options = (mark.args, dict(mark.kwargs)) if mark is not None else ((), {})
    mode = request.config.getoption("--netcore-record")
    if mode is not None:
        arguments, options = (), {**options, "mode": mode}
    name = re.sub(r"[^\w.-]+", "_", request.node.name)
    path = request.path.parent / "cassettes" / request.path.stem / f"{name}.har"
    path.parent.mkdir(parents=True, exist_ok=True)
    with Cassette(path, *arguments, **options) as cassette:
        yield cassette
