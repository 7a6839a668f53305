#!/usr/bin/env python3
"""A server that reads what is sent to it by aiohttp's own readers, and says what that was. Runs in build/venv.

    /upload?mark=M            reads the body; JSON: size and SHA-256 of it, or those of each part
    /redirect/CODE/WHEN       to /upload with the same query, WHEN is before or after the body is read
    /refuse/close             413 at once, and the connection ends whatever still comes
    /refuse/linger            413 at once; what still comes is read for a while, as aiohttp does
    /seen?mark=M              how many bodies with this mark came whole, and how many were cut

A body with a Content-Encoding is decoded by aiohttp first. Listens on a free port of the loopback address, which it
writes to the ports file, and on a Unix-domain socket. Ends on SIGTERM, at the end of its standard input, and after half
an hour.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import os
import sys
from collections import Counter

from aiohttp import BodyPartReader, MultipartReader, web

LIFETIME_SECONDS = 3 * 60 * 60
TEXT_LIMIT = 200
HEADER_LIMIT = 1 << 20

whole: Counter[str] = Counter()
cut: Counter[str] = Counter()


class Digest:
    """Counts and hashes bytes, and keeps the first of them."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._size = 0
        self._start = b""

    def add(self, piece: bytes) -> None:
        self._hash.update(piece)
        self._size += len(piece)
        self._start += piece[: TEXT_LIMIT - len(self._start)]

    def fields(self) -> dict[str, object]:
        return {"size": self._size, "sha256": self._hash.hexdigest(), "text": self._start.decode("latin-1")}


def header_list(raw: object) -> list[list[str]]:
    return [[str(name), str(value)] for name, value in raw.items()]  # type: ignore[attr-defined]


async def read_part(part: BodyPartReader) -> dict[str, object]:
    digest = Digest()
    while piece := await part.read_chunk(64 << 10):
        digest.add(piece)
    known: dict[str, object] = {"name": part.name, "file_name": part.filename}
    known |= {"content_type": part.headers.get("Content-Type"), "headers": header_list(part.headers)}
    return known | digest.fields()


async def read_body(request: web.Request) -> dict[str, object]:
    if request.content_type == "multipart/form-data":
        parts = []
        async for part in await request.multipart():
            assert not isinstance(part, MultipartReader)
            parts.append(await read_part(part))
        await request.content.read()  # what stands behind the last boundary
        return {"parts": parts}
    digest = Digest()
    async for piece in request.content.iter_any():
        digest.add(piece)
    return digest.fields()


async def counted_body(request: web.Request) -> dict[str, object]:
    """The body, noted under its mark as whole or as cut."""
    mark = request.query.get("mark", "")
    try:
        body = await read_body(request)
    except BaseException:
        cut[mark] += 1
        raise
    whole[mark] += 1
    return body


async def upload(request: web.Request) -> web.Response:
    body = await counted_body(request)
    version = f"{request.version.major}.{request.version.minor}"
    return web.json_response(
        {"method": request.method, "version": version, "headers": header_list(request.headers)} | body
    )


async def redirect(request: web.Request) -> web.Response:
    if request.match_info["when"] == "after":
        await counted_body(request)
    location = f"/upload?{request.query_string}"
    return web.Response(status=int(request.match_info["code"]), headers={"Location": location})


async def refuse(request: web.Request) -> web.StreamResponse:
    response = web.Response(status=413, text="too much")
    response.force_close()
    if request.match_info["how"] == "close":
        await response.prepare(request)
        await response.write_eof()
        assert request.transport is not None
        request.transport.close()
    return response


async def seen(request: web.Request) -> web.Response:
    mark = request.query.get("mark", "")
    return web.json_response({"whole": whole[mark], "cut": cut[mark]})


async def standard_input_ends() -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(0, lambda: os.read(0, 4096) or ended.set())
    await asyncio.wait_for(ended.wait(), LIFETIME_SECONDS)


async def serve(ports_file: str, socket_path: str) -> None:
    application = web.Application()
    application.router.add_route("*", "/upload", upload)
    application.router.add_route("*", r"/redirect/{code:\d+}/{when:before|after}", redirect)
    application.router.add_route("*", "/refuse/{how:close|linger}", refuse)
    application.router.add_get("/seen", seen)
    runner = web.AppRunner(application, access_log=None, max_line_size=HEADER_LIMIT, max_field_size=HEADER_LIMIT)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0, backlog=1024)
        await site.start()
        await web.UnixSite(runner, socket_path).start()
        port = runner.addresses[0][1]
        with open(f"{ports_file}.part", "w") as file:
            file.write(str(port))
        os.replace(f"{ports_file}.part", ports_file)
        await standard_input_ends()
    finally:
        os._exit(0)  # it has nothing to save, and nobody to wait for


def main() -> None:
    sys.dont_write_bytecode = True
    parser = argparse.ArgumentParser(description="A server for uploads.")
    parser.add_argument("--ports-file", required=True)
    parser.add_argument("--socket", required=True)
    options = parser.parse_args()
    asyncio.run(serve(options.ports_file, options.socket))


if __name__ == "__main__":
    main()
