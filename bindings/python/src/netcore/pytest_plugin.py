"""Fixtures for pytest: ``pytest_plugins = ["netcore.pytest_plugin"]`` in the conftest.py at the root of the tests."""

from __future__ import annotations

from typing import Iterator

import pytest

from .testing import Stubs


@pytest.fixture
def netcore_stubs() -> Iterator[Stubs]:
    """Stubs for ``Client(transport=netcore_stubs)``. The test fails if one of them answered no request, or if a request
    had no stub."""
    stubs = Stubs()
    yield stubs
    stubs.check()
