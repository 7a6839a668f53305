"""For tests of an application: answers of its own in place of the network, below the cache and retries.

    >>> from netcore.testing import Stubs
    >>> stubs = Stubs()
    >>> users = stubs.get("/users", params={"page": 1}).answer(json=["ann"])
    >>> with netcore.Client(base_url="https://api.test", transport=stubs) as client:
    ...     client.get("users", params={"page": 1}).json()
    ['ann']
    >>> users.call_count
    1
    >>> stubs.check()

`Cassette` records answers of servers in a file, and replays them. `Clock` takes the place of the machine's clock: waits
pass when it is advanced.

For pytest, with ``pytest_plugins = ["netcore.pytest_plugin"]`` in conftest.py: the fixtures ``netcore_stubs`` and
``netcore_cassette``.
"""

from __future__ import annotations

from ._clients.cassettes import Cassette
from ._clients.stubs import Answer, DelayInput, Fault, LogNormal, Stub, Stubs
from ._clients.transport import MockTransport
from ._errors.errors import NoStub
from ._inputs.clock import Clock

__all__ = [
    "Answer",
    "Cassette",
    "Clock",
    "DelayInput",
    "Fault",
    "LogNormal",
    "MockTransport",
    "NoStub",
    "Stub",
    "Stubs",
]
