"""The servers around the tests, and what several tests need of them."""

from __future__ import annotations

import base64
import gc
import json
import os
import time
import weakref
from dataclasses import dataclass
from typing import Any, Callable, Dict

import netcore

BOUND_SECONDS = 10.0
"""How long anything may take that is not quite at once."""

OK_HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"


@dataclass(frozen=True)
class Peers:
    """URLs and files, as scripts/with-peers exports them."""

    origin: str
    origin_tls: str
    nginx: str
    nginx_tls: str
    nginx_unix: str
    nginx_h2: str
    nginx_mtls: str
    ca: str
    ca_folder: str
    server_pin: str
    client_cert: str
    client_key: str
    client_key_encrypted: str
    refused: str
    proxy: str
    proxy_auth: str
    proxy_tls: str
    socks: str
    socks_auth: str
    httpbin: str

    @classmethod
    def from_environment(cls) -> Peers:
        names = {name: f"NETCORE_TEST_{name.upper()}" for name in cls.__dataclass_fields__}
        values = {name: os.environ[variable] for name, variable in names.items()}
        return cls(**values)


def missing_from_environment() -> str:
    """The name of a variable that is not set, or ""."""
    for name in Peers.__dataclass_fields__:
        variable = f"NETCORE_TEST_{name.upper()}"
        if not os.environ.get(variable):
            return variable
    return ""


def script(*steps: Dict[str, Any]) -> str:
    """The path of a request that the origin answers by these steps."""
    text = base64.urlsafe_b64encode(json.dumps(steps).encode()).decode().rstrip("=")
    return f"/script/{text}"


def until(condition: Callable[[], bool], seconds: float = BOUND_SECONDS) -> None:
    """Waits for something that happens soon, elsewhere; fails when it does not."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"did not happen within {seconds} seconds"
        time.sleep(0.01)


def is_gone(reference: "weakref.ref[Any]") -> Callable[[], bool]:
    """Whether an object has gone, once asked."""

    def collected() -> bool:
        gc.collect()
        return reference() is None

    return collected


def stats(origin: str) -> Dict[str, Any]:
    """The origin's counters."""
    found: Dict[str, Any] = netcore.get(f"{origin}/stats").json()
    return found


def received(origin: str, path: str) -> int:
    """How many requests for a path the origin has seen."""
    return int(stats(origin)["by_path"].get(path, 0))


def aborted(origin: str, path: str) -> int:
    """How many clients went before their answer from a path was complete."""
    return int(stats(origin)["aborted_by_path"].get(path, 0))
