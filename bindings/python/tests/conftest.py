"""Fixtures: the servers, clients, and a bound on each test."""

from __future__ import annotations

import faulthandler
import itertools
import signal
import sys
from pathlib import Path
from typing import Any, Iterator

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import netcore
from peers import Peers, missing_from_environment

TEST_SECONDS = 60
_numbers = itertools.count(1)


def pytest_configure(config: pytest.Config) -> None:
    missing = missing_from_environment()
    if missing and not config.option.collectonly:
        pytest.exit(f"{missing} is not set: run the tests through scripts/with-peers", returncode=1)


@pytest.fixture(autouse=True)
def bound() -> Iterator[None]:
    """Ends a test that hangs: by an exception, and by a dump of all threads when that does not help."""

    def too_long(*_: Any) -> None:
        raise AssertionError(f"still going on after {TEST_SECONDS} seconds")

    previous = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(TEST_SECONDS)
    faulthandler.dump_traceback_later(TEST_SECONDS + 30, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()
    signal.alarm(0)
    signal.signal(signal.SIGALRM, previous)


@pytest.fixture(scope="session")
def peers() -> Peers:
    return Peers.from_environment()


@pytest.fixture
def client(peers: Peers) -> Iterator[netcore.Client]:
    """A client of the scripted origin."""
    with netcore.Client(base_url=peers.origin) as client:
        yield client


@pytest.fixture
def cache() -> Iterator[netcore.Cache]:
    with netcore.Cache() as cache:
        yield cache


@pytest.fixture
def caching_client(peers: Peers, cache: netcore.Cache) -> Iterator[netcore.Client]:
    """A client of the scripted origin, with a cache."""
    with netcore.Client(base_url=peers.origin, cache=cache) as client:
        yield client


@pytest.fixture
def stalled() -> str:
    """A path of the scripted origin, of this test alone, that is answered after 30 seconds: not at all, that is."""
    return f"/delay/{30_000 + next(_numbers)}"
