"""Streams one body through one client, and drops its pieces or its events; prints the figures as one line of JSON."""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import time
from collections.abc import Callable


def netcore_bytes(url: str) -> int:
    import netcore

    with netcore.Client() as client, client.stream("GET", url) as response:
        return sum(map(len, response.iter_bytes()))


def netcore_views(url: str) -> int:
    import netcore

    with netcore.Client() as client, client.stream("GET", url) as response:
        return sum(map(len, response.iter_views()))


def netcore_asyncio(url: str) -> int:
    import netcore

    async def run() -> int:
        async with netcore.AsyncClient() as client, client.stream("GET", url) as response:
            return sum([len(piece) async for piece in response.aiter_bytes()])

    return asyncio.run(run())


def httpx_sync(url: str) -> int:
    import httpx

    with httpx.Client() as client, client.stream("GET", url) as response:
        return sum(map(len, response.iter_bytes()))


def httpx_asyncio(url: str) -> int:
    import httpx

    async def run() -> int:
        async with httpx.AsyncClient() as client, client.stream("GET", url) as response:
            return sum([len(piece) async for piece in response.aiter_bytes()])

    return asyncio.run(run())


def aiohttp(url: str) -> int:
    import aiohttp

    async def run() -> int:
        async with aiohttp.ClientSession() as session, session.get(url) as response:
            return sum([len(piece) async for piece in response.content.iter_any()])

    return asyncio.run(run())


def requests(url: str) -> int:
    import requests

    with requests.get(url, stream=True, timeout=60) as response:
        return sum(map(len, response.iter_content(64 << 10)))


def wreq_sync(url: str) -> int:
    import wreq.blocking

    with wreq.blocking.Client().get(url) as response, response.stream() as pieces:
        return sum(map(len, pieces))


def netcore_events(url: str) -> int:
    import netcore

    with netcore.Client() as client, client.stream("GET", url) as response:
        return sum(len(event.data) for event in response.events())


def httpx_sse(url: str) -> int:
    import httpx
    import httpx_sse

    with httpx.Client() as client, httpx_sse.connect_sse(client, "GET", url) as source:
        return sum(len(event.data) for event in source.iter_sse())


CLIENTS: dict[str, Callable[[str], int]] = {
    "netcore-bytes": netcore_bytes,
    "netcore-views": netcore_views,
    "netcore-asyncio": netcore_asyncio,
    "httpx-sync": httpx_sync,
    "httpx-asyncio": httpx_asyncio,
    "aiohttp": aiohttp,
    "requests": requests,
    "wreq-sync": wreq_sync,
    "netcore-events": netcore_events,
    "httpx-sse": httpx_sse,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--client", choices=sorted(CLIENTS), required=True)
    parser.add_argument("--size", type=int, required=True, help="bytes of the body, or of all data of the events")
    parser.add_argument("--warm", required=True, help="the URL of a small body, which is fetched first")
    parser.add_argument("url")
    options = parser.parse_args()
    stream = CLIENTS[options.client]
    stream(options.warm)
    began, cpu = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF)
    size = stream(options.url)
    seconds, used = time.monotonic() - began, resource.getrusage(resource.RUSAGE_SELF)
    print(
        json.dumps(
            {
                "failed": int(size != options.size),
                "seconds": seconds,
                "mib_s": size / (1 << 20) / seconds,
                "cpu_s": used.ru_utime - cpu.ru_utime + used.ru_stime - cpu.ru_stime,
                "max_rss_kb": used.ru_maxrss,
            }
        )
    )


if __name__ == "__main__":
    main()
