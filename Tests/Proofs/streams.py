#!/usr/bin/env python3
"""Bodies far larger than memory may grow, and a consumer that is slower than its server.

    streams.py --mib 4096 --seconds 10

A body of so many MiB is streamed, uploaded and downloaded to a file: the resident memory stays within 16 MiB of what
it was with an idle client. So it does when a body of 256 MiB, or less, is streamed and stored in a cache at once,
streamed from the cache's disk, and read there in 1,000 ranges. Then a consumer reads nothing for a while, and after
that 1 MiB a second: the server could send no more than what was read, the window, and what the system's buffers hold;
while nothing is read, no processor time passes.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bindings/python/src")]

MIB = 1 << 20
MOST_GROWTH = 16 * MIB
#: The window, a piece, libcurl's buffer, and the largest that Linux lets the buffers of both sockets become by itself.
MOST_AHEAD = MIB + 320 * 1024 + 10 * MIB
SKIPPED = 77


class Failed(Exception):
    """Something was not as promised."""


# The server, in a process of its own


def serve() -> None:
    sent = [0]
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(listener.getsockname()[1], flush=True)
        while True:
            connection = listener.accept()[0]
            threading.Thread(target=answer, args=(connection, sent), daemon=True).start()


def answer(connection: socket.socket, sent: list[int]) -> None:
    """GET /N sends N bytes, GET /sent how many the last one has sent, PUT reads a body and sends its size."""
    block = memoryview(random.Random(1).randbytes(MIB))
    with connection, connection.makefile("rb") as stream:
        method, path, _ = stream.readline().decode().split(" ")
        asked = dict(line.lower().split(": ") for line in iter(lambda: stream.readline().decode().strip(), ""))
        if method == "PUT":
            size, room = 0, bytearray(MIB)
            while size < int(asked["content-length"]):
                size += stream.readinto(room)
            text = str(size)
        elif path == "/sent":
            text = str(sent[0])
        else:
            sent[0] = 0
            size = int(path[1:])
            head = (
                f"HTTP/1.1 200 OK\r\nContent-Length: {size}\r\nCache-Control: max-age=9999\r\nConnection: close\r\n\r\n"
            )
            connection.sendall(head.encode())
            while sent[0] < size:
                try:
                    start = sent[0] % MIB
                    sent[0] += connection.send(block[start : start + size - sent[0]])
                except OSError:  # the client has gone
                    return
            return
        head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(text)}\r\nConnection: close\r\n\r\n"
        connection.sendall((head + text).encode())


# The client


def status_bytes(name: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) * 1024
    raise Failed(f"/proc/self/status has no {name}")


def check_growth(what: str, size: int, work: object) -> None:
    """Does something, and looks how high the resident memory rose."""
    idle = status_bytes("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the highest so far begins anew
    began = time.monotonic()
    done = work()  # type: ignore[operator]
    seconds = time.monotonic() - began
    growth = status_bytes("VmHWM") - idle
    print(f"{what}: {done} bytes in {seconds:.1f} s, {growth / MIB:.1f} MiB above idle", flush=True)
    if done != size:
        raise Failed(f"{what}: {done} bytes in place of {size}")
    if growth > MOST_GROWTH:
        raise Failed(f"{what}: {growth} bytes of memory above idle")


def bodies(client: netcore.Client, size: int, folder: Path) -> None:
    def stream() -> int:
        with client.stream("GET", f"/{size}") as response:
            return sum(map(len, response.iter_bytes()))

    def pieces() -> Iterator[bytes]:
        piece = bytes(MIB)
        for _ in range(size // MIB):
            yield piece

    check_growth("streamed", size, stream)
    check_growth("uploaded", size, lambda: int(client.put("/", content=pieces(), content_length=size).text))
    if shutil.disk_usage(folder).free < 2 * size:
        print("downloaded: skipped, the disk has no room for that")
        return
    path = folder / "file"
    check_growth("downloaded", size, lambda: client.download(f"/{size}", path, sync=False).size)
    path.unlink()


def stored(base: str, size: int, folder: Path) -> None:
    piece = random.Random(1).randbytes(MIB)

    def stream() -> int:
        with client.stream("GET", f"/{size}") as response:
            return sum(map(len, response.iter_bytes()))

    def ranges() -> int:
        rng, total = random.Random(2), 0
        for _ in range(1000):
            start = rng.randrange(size - 1000)
            part = client.get(f"/{size}", headers={"Range": f"bytes={start}-{start + 999}"})
            at = start % MIB
            if part.status_code != 206 or part.content != (piece + piece)[at : at + 1000]:
                raise Failed(f"a wrong range from {start} on")
            total += len(part.content)
        return total

    if shutil.disk_usage(folder).free < 2 * size:
        print("stored: skipped, the disk has no room for that")
        return
    with netcore.Cache(folder / "cache", streamed_bytes=size, disk_bytes=2 * size, synchronous=True) as cache:
        with netcore.Client(base_url=base, cache=cache) as client:
            sent(client)
            check_growth("streamed and stored", size, stream)
            check_growth("streamed from disk", size, stream)
            check_growth("ranges from disk", 1_000_000, ranges)
            if (cache.statistics.hits, cache.statistics.disk_count) != (1001, 1):
                raise Failed(f"not stored: {cache.statistics}")


def endless_client(base: str) -> netcore.Client:
    limits = netcore.Limits(body_bytes=netcore.UNLIMITED, decoded_bytes=netcore.UNLIMITED)
    return netcore.Client(base_url=base, limits=limits)


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def sent(client: netcore.Client) -> int:
    return int(client.get("/sent").text)


def slow_consumer(client: netcore.Client, seconds: float) -> None:
    with client.stream("GET", f"/{1 << 40}") as response:
        last = -1
        while last != (last := sent(client)):  # until no more goes
            time.sleep(0.2)
        if last > MOST_AHEAD:
            raise Failed(f"the server sent {last} bytes to who reads nothing")
        memory, used = status_bytes("VmRSS"), cpu()
        time.sleep(seconds)
        used = cpu() - used
        print(f"paused for {seconds} s: {last / MIB:.1f} MiB sent, {used * 1e3:.1f} ms of processor time", flush=True)
        if used > 0.005 * seconds + 0.005:
            raise Failed(f"a pause of {seconds} s took {used} s of processor time")
        read, began, most = 0, time.monotonic(), 0
        for piece in response.iter_bytes(1 << 16):
            read += len(piece)
            if read % MIB == 0:
                most = max(most, sent(client) - read)
                time.sleep(max(0.0, read / MIB - (time.monotonic() - began)))
            if read >= seconds * MIB:
                break
        growth = status_bytes("VmRSS") - memory
    print(f"1 MiB a second: at most {most / MIB:.1f} MiB ahead, memory grew by {growth / MIB:.1f} MiB", flush=True)
    if most > MOST_AHEAD or growth > MOST_GROWTH:
        raise Failed("a slow consumer does not slow the server down")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mib", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--serve", action="store_true")
    options = parser.parse_args()
    if options.serve:
        serve()
        return
    command = [sys.executable, __file__, "--serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            base = f"http://127.0.0.1:{server.stdout.readline().strip()}"
            with endless_client(base) as client, tempfile.TemporaryDirectory() as folder:
                sent(client)
                bodies(client, options.mib * MIB, Path(folder))
                stored(base, min(options.mib, 256) * MIB, Path(folder))
                slow_consumer(client, options.seconds)
        finally:
            server.kill()


if __name__ == "__main__":
    if "--serve" not in sys.argv:
        import netcore
    if not os.path.exists("/proc/self/clear_refs"):
        sys.exit(SKIPPED)
    try:
        main()
    except Failed as failure:
        sys.exit(f"streams: {failure}")
