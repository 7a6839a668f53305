"""Times hits of a cache: one client, one stored URL, requested repeatedly. Prints microseconds as a line of JSON."""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path

Get = Callable[[], bytes]


def netcore(url: str, folder: Path | None) -> Get:
    import netcore

    # On disk: memory holds nothing, as with the others.
    cache = netcore.Cache() if folder is None else netcore.Cache(folder=folder, memory_bytes=1)
    client = netcore.Client(cache=cache)
    return lambda: client.get(url).content


def requests_cache(url: str, folder: Path | None) -> Get:
    import requests_cache

    options = {"backend": "memory"} if folder is None else {"backend": "sqlite", "cache_name": str(folder / "cache")}
    session = requests_cache.CachedSession(cache_control=True, **options)
    return lambda: session.get(url).content


def hishel(url: str, folder: Path | None) -> Get:
    import hishel
    from hishel.httpx import CacheClient

    database = ":memory:" if folder is None else str(folder / "cache.db")
    client = CacheClient(storage=hishel.SqliteStorage(database_path=database))
    return lambda: client.get(url).content


def cachecontrol(url: str, folder: Path | None) -> Get:
    import requests
    from cachecontrol import CacheControl
    from cachecontrol.caches import FileCache

    session = CacheControl(requests.Session(), cache=None if folder is None else FileCache(str(folder)))
    return lambda: session.get(url).content


CLIENTS = {"netcore": netcore, "requests-cache": requests_cache, "hishel": hishel, "cachecontrol": cachecontrol}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--client", choices=CLIENTS, required=True)
    parser.add_argument("--folder", type=Path, help="store on disk, in this folder; else in memory")
    parser.add_argument("--hits", type=int, default=1000)
    parser.add_argument("url")
    options = parser.parse_args()
    if options.folder:
        options.folder.mkdir(parents=True, exist_ok=True)
    get = CLIENTS[options.client](options.url, options.folder)
    expected = get()
    time.sleep(0.2)  # what is written in the background is then on disk
    spans = []
    for _ in range(20):
        batch = max(options.hits // 20, 1)
        began = time.perf_counter_ns()
        for _ in range(batch):
            body = get()
        spans.append((time.perf_counter_ns() - began) / batch / 1000)
        if body != expected:
            raise SystemExit("a hit has another body")
    print(json.dumps({"hit_us": statistics.median(spans)}))


if __name__ == "__main__":
    main()
