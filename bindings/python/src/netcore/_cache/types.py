"""What is said to a cache, and what it says."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Optional

if TYPE_CHECKING:
    from .._inputs.headers import Headers
    from .._responses.response import Response


class CacheMode(enum.IntEnum):
    """How a request uses the cache of its client."""

    STANDARD = 0
    """As RFC 9111 says, or as the request's own `cache_ttl` does."""
    IGNORE = 1
    """The cache takes no part: nothing is read or stored, and what is stored stays."""
    RELOAD = 2
    """Nothing is read; the answer is stored."""
    CACHE_ONLY = 3
    """Only what is stored, fresh or stale; without it a 504 of the cache's own."""
    CACHE_ELSE_NETWORK = 4
    """What is stored, fresh or stale; without it the network."""
    NETWORK_ELSE_CACHE = 5
    """The network; what is stored, fresh or stale, when the origin is out of reach or answers 500, 502, 503 or 504."""
    CACHE_THEN_NETWORK = 6
    """First what is stored, given to `on_early`, then the answer of the network. Other calls get only the latter."""
    NEVER = 7
    """Nothing is read or stored, and what is stored is removed."""


class CacheResult(enum.IntEnum):
    """What the cache did for a response. From 10 on: why the origin was asked."""

    NONE = 0
    """No cache took part."""
    HIT = 1
    """Served fresh."""
    STALE_HIT = 2
    """Served stale, as its directives or the request allow."""
    REVALIDATED = 3
    """Served after the origin confirmed it with a 304."""
    UNSATISFIABLE = 4
    """A 504 of the cache's own."""
    NOT_CACHED = 10
    """Nothing was stored."""
    EXPIRED = 11
    """What was stored had expired."""
    VERSION = 12
    """What was stored had another `cache_version`."""
    SCOPE = 13
    """What was stored belongs to another `cache_scope`, or to other credentials."""
    APPLICATION_VERSION = 14
    """Another version of the application stored it."""
    DAMAGED = 15
    """What was stored was damaged."""
    VARIANT = 16
    """What was stored answers other request fields (Vary)."""
    REQUESTED = 17
    """The request asked for it."""
    PASSED = 18
    """The method, a condition or a range is the origin's to answer."""

    @classmethod
    def of(cls, value: int) -> CacheResult:
        """The member of a number; NONE for one that a later library made up."""
        return _RESULTS.get(value, cls.NONE)


_RESULTS = {result.value: result for result in CacheResult}


class CacheEventKind(enum.IntEnum):
    """What happened to the disk level. None of it is an error of a request."""

    SET_ASIDE = 1
    """The database was renamed to `path`; a fresh one began."""
    STORING_STOPPED = 2
    """Nothing is stored for now: full, read-only, or failing disk."""
    STORING_RESUMED = 3
    """Storing works again."""
    DAMAGED_ENTRY = 4
    """A stored answer, of the URL in `path`, was damaged and removed."""


@dataclass(frozen=True)
class CacheEvent:
    """What `on_event` of a `Cache` is called with. Texts are "" where there is none."""

    kind: CacheEventKind
    path: str
    reason: str


@dataclass(frozen=True)
class CacheRequest:
    """A request as the functions of a `Cache` see it."""

    method: str

    url: str
    """Without user name, password and fragment."""

    headers: Headers
    """All fields that go out."""

    content: bytes
    """The body."""


@dataclass(frozen=True)
class CacheEntry:
    """One stored answer. Times are in UTC."""

    url: str
    tag: str
    scope: str

    size: int
    """Bytes, as counted against the limit."""

    body_size: int

    stored_at: datetime
    """When it came or was confirmed last."""

    fresh_until: datetime

    hits: int
    """How often it was served from disk."""


@dataclass(frozen=True)
class CacheStatistics:
    """What a cache did since it was created, and what it holds."""

    hits: int
    """Served fresh."""
    stale_hits: int
    """Served stale."""
    revalidations: int
    """Served after a 304."""
    misses: int
    """Answered by the origin."""
    stored: int
    """Answers taken in."""
    saved_bytes: int
    """Bytes of bodies that needed no transfer."""
    memory_hits: int
    memory_misses: int
    memory_evictions: int
    memory_bytes: int
    memory_count: int
    disk_hits: int
    disk_misses: int
    disk_evictions: int
    disk_damaged: int
    disk_bytes: int
    """Of all processes, as of the last write; so is `disk_count`."""
    disk_count: int


class CacheLookup(NamedTuple):
    """What is stored for a request: a response, or None and why."""

    response: Optional[Response]
    result: CacheResult
