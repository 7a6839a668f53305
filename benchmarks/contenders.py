"""Who takes part: the plain C program, netcore by each door and way, and what users would pick instead."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "bench"
PYTHON = ROOT / "build" / "bench-venv" / "bin" / "python"


@dataclass(frozen=True)
class Contender:
    """A program that sends requests: `command --requests N --warmup N --concurrency N URL`."""

    name: str
    command: tuple[str, ...]
    concurrencies: tuple[int, ...] = (1, 64)
    #: Requests of a timed run at each concurrency, for about half a second.
    loads: tuple[int, int] = (5000, 20000)
    #: Requests of the two counted runs, whose difference leaves start-up out.
    counted: tuple[int, int] = (500, 2500)
    #: How often they are counted; the median is taken.
    counts: int = 3
    #: What users would pick instead of netcore; not part of a quick run.
    is_rival: bool = False
    environment: dict[str, str] = field(default_factory=dict)

    def arguments(self, url: str, requests: int, concurrency: int, warmup: int) -> list[str]:
        options = {"requests": requests, "concurrency": concurrency, "warmup": warmup}
        return [*self.command, *(text for key, value in options.items() for text in (f"--{key}", str(value))), url]

    def load(self, concurrency: int) -> int:
        return self.loads[0] if concurrency == 1 else self.loads[1]

    def environ(self) -> dict[str, str]:
        return {**os.environ, **self.environment}


def _python(client: str, *, is_rival: bool = True, **options: object) -> Contender:
    name = client if is_rival else client.replace("netcore-", "netcore, Python ")
    path = str(ROOT / "bindings" / "python" / "src")
    environment = {} if is_rival else {"PYTHONPATH": path, "NETCORE_LIBRARY": str(ROOT / "build" / "libnetcore.so")}
    command = (str(PYTHON), str(ROOT / "benchmarks" / "python" / "load.py"), "--client", client)
    options["counts"] = 1
    return Contender(name, command, is_rival=is_rival, environment=environment, **options)  # type: ignore[arg-type]


def _netcore_c(way: str, concurrencies: tuple[int, ...] = (1, 64)) -> Contender:
    return Contender(f"netcore, C {way}", (str(BUILD / "netcore_c"), "--way", way), concurrencies)


PLAIN = Contender("plain C", (str(BUILD / "plain"),))

#: The plain program with the bytes that netcore sends.
FULL = Contender(
    "plain C, netcore's headers",
    (
        str(BUILD / "plain"),
        *("--header", "User-Agent: netcore/0.1.0"),
        *("--header", "Accept-Encoding: gzip,br,zstd"),
    ),
)

#: The plain program with its connections spread over ten multi handles. libcurl walks those of one for each request.
SHARDED = Contender("plain C, ten multi handles", (str(BUILD / "plain"), "--shards", "10"))

CONTENDERS = [
    PLAIN,
    FULL,
    _netcore_c("callback"),
    _netcore_c("pump"),
    _netcore_c("queue"),
    _netcore_c("loop"),
    _netcore_c("perform", (1,)),
    Contender("netcore, Swift", (str(BUILD / "netcore-load"),), counted=(200, 1000)),
    _python("netcore-sync", is_rival=False, concurrencies=(1,), loads=(3000, 0), counted=(200, 1000)),
    _python("netcore-asyncio", is_rival=False, loads=(3000, 8000), counted=(200, 1000)),
    _python("netcore-uvloop", is_rival=False, loads=(3000, 8000), counted=(200, 1000)),
    _python("pycurl", loads=(4000, 8000), counted=(200, 1000)),
    _python("aiohttp", loads=(2500, 4000), counted=(100, 400)),
    _python("aiohttp-uvloop", loads=(2500, 4000), counted=(100, 400)),
    _python("wreq", loads=(2500, 4000), counted=(50, 150)),
    _python("redc", loads=(2500, 4000), counted=(50, 150)),
    _python("pyreqwest", loads=(2500, 4000), counted=(50, 150)),
    _python("ry-sync", concurrencies=(1,), loads=(3000, 0), counted=(50, 150)),
    _python("httpx-sync", loads=(1000, 700), counted=(50, 200)),
    _python("httpx-asyncio", loads=(500, 400), counted=(100, 250)),
    _python("requests", loads=(800, 600), counted=(50, 200)),
    Contender(
        "URLSession", (str(BUILD / "urlsession-load"),), loads=(1000, 2500), counted=(100, 400), counts=1, is_rival=True
    ),
]
