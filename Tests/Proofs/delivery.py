#!/usr/bin/env python3
"""Services that fail in the ways in which services do, a storm, and a million keys.

    delivery.py --tasks 10000 --storm 12 --keys 1000000

Faults: a client with retries, breakers and failover dispatches tasks, half of them POSTs without a key, to three
services, and once a tenth of them has ended the first service is stopped (SIGSTOP), killed, answers 503 with
Retry-After, or resets connections. Each task ends once, the counts add up, no POST arrives twice at any server, and
the client changes its service; how long that took is reported.

Storm: 1,000 clients ask an origin at 80 % of its capacity, then at 110 %, then at 80 % again, each for so many seconds,
with and without a budget of retries. What they got of the last half is reported, and is most of it with a budget.

Keys: the memory that each key of a minimum interval takes is at most 100 bytes.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import contextlib
import os
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bindings/python/src")]

SKIPPED = 77
SERVICES = ("one", "two", "three")
FAULTS = ("stop", "kill", "503", "reset")
CLIENTS = 1000
CAPACITY = 100  # requests a second
MOST_BYTES = 100

NGINX = """
daemon off;
master_process off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
  log_format task '$request_method $http_x_task';
  access_log {folder}/access.log task;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  keepalive_requests 1000000;
  server {{
    listen 127.0.0.1:{port};
    add_header Retry-After 1 always;
    location / {{
      if (-f {folder}/fails) {{ return 503; }}
      return 200 "x";
    }}
  }}
}}
"""


class Failed(Exception):
    """Something was not as promised."""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


# Services


class Service:
    """nginx, or a server of this script's that can reset connections."""

    def __init__(self, folder: Path, resets: bool) -> None:
        self.folder = folder
        self.port = free_port()
        folder.mkdir()
        if resets:
            command = [sys.executable, __file__, "--resetting", str(self.port), str(folder)]
        else:
            (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=self.port))
            command = ["nginx", "-c", str(folder / "nginx.conf"), "-p", str(folder)]
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        for _ in range(1000):
            with socket.socket() as attempt:
                if attempt.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.01)
        raise Failed("a service does not start")

    def fail(self, fault: str) -> None:
        if fault == "stop":
            self.process.send_signal(signal.SIGSTOP)
        elif fault == "kill":
            self.process.kill()
        else:
            (self.folder / "fails").touch()

    def arrivals(self) -> collections.Counter[str]:
        """How often each task arrived: its method and number."""
        log = self.folder / "access.log"
        return collections.Counter(log.read_text().splitlines() if log.exists() else [])

    def end(self) -> None:
        self.process.send_signal(signal.SIGCONT)
        time.sleep(0.3)  # what was sent to one that was stopped is read now
        self.process.kill()
        self.process.wait()


def reset_on_demand(port: int, folder: Path) -> None:
    """A server that answers, and resets each connection with a request once there is a file `fails`."""
    fails, lock, log = folder / "fails", threading.Lock(), (folder / "access.log").open("a")

    def serve(connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as stream:
            while line := stream.readline():
                fields = dict(one.decode().lower().split(": ") for one in iter(lambda: stream.readline().strip(), b""))
                stream.read(int(fields.get("content-length", 0)))
                with lock:
                    log.write(f"{line.split()[0].decode()} {fields['x-task']}\n")
                    log.flush()
                if fails.exists():
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    return
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")

    with socket.create_server(("127.0.0.1", port), backlog=512) as listener:
        while True:
            threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()


@contextlib.contextmanager
def services(fault: str, arrivals: collections.Counter[str]) -> Iterator[list[Service]]:
    """Three services; what arrived at them is counted when they have ended."""
    folder = Path(tempfile.mkdtemp(prefix="netcore-delivery-"))
    made: list[Service] = []
    try:
        for name in SERVICES:
            made.append(Service(folder / name, resets=fault == "reset" and name == "one"))
        yield made
    finally:
        for service in made:
            service.end()
            arrivals.update(service.arrivals())
        shutil.rmtree(folder)


# Faults


def check_fault(fault: str, count: int) -> None:
    import netcore

    retries = netcore.Retry(base_delay=0.02, throttled_delay=0.05, attempt_timeout=0.5)
    ends: collections.Counter[int] = collections.Counter()
    outcomes: collections.Counter[str] = collections.Counter()
    switched: list[float] = []
    tenth, done = threading.Event(), threading.Event()
    arrivals: collections.Counter[str] = collections.Counter()

    def on_done(task: netcore.Task) -> None:
        ends[task.request.user_info] += 1
        try:
            outcomes[str(task.result().status_code)] += 1
        except netcore.Error as error:
            outcomes[type(error).__name__] += 1
        if len(ends) == count // 10:
            tenth.set()
        if len(ends) == count:
            done.set()

    with services(fault, arrivals) as made:
        limits = netcore.Limits(queue_length=count)
        with netcore.Client(retries=retries, breaker=True, failover=True, limits=limits) as client:
            for name, service in zip(SERVICES, made):
                client.add_service(name, f"http://127.0.0.1:{service.port}/")
            client.on_selection_change(lambda service, environment: switched.append(time.monotonic()))
            for number in range(count):
                method = ("GET", "POST")[number % 2]
                headers = {"X-Task": str(number)}
                body = b"x" if number % 2 else None
                # One after the other, so that requests are dispatched before and after the fault.
                client.dispatch(method, "items", headers=headers, content=body, user_info=number, on_done=on_done)
                if number == count // 5:
                    if not tenth.wait(60):
                        raise Failed(f"{fault}: {len(ends)} tasks have ended before the fault")
                    made[0].fail(fault)
                    began = time.monotonic()
            if not done.wait(120):
                raise Failed(f"{fault}: {count - len(ends)} tasks have not ended")
            selected, statistics = client.service, client.statistics
    twice = {number for number, times in ends.items() if times != 1}
    if twice or sum(outcomes.values()) != count or sum(ends.values()) != count:
        raise Failed(f"{fault}: {len(twice)} tasks did not end once")
    ended = statistics.succeeded + statistics.failed + statistics.canceled
    if ended != count or statistics.succeeded != outcomes["200"] + outcomes["503"]:
        raise Failed(f"{fault}: {statistics} of {outcomes}")
    if selected == "one" or not switched:
        raise Failed(f"{fault}: the service was not left")
    took = (switched[0] - began) * 1000
    posts = {task: times for task, times in arrivals.items() if task.startswith("POST ") and times > 1}
    if posts:
        raise Failed(f"{fault}: {len(posts)} POSTs arrived more than once, such as {next(iter(posts.items()))}")
    took = (switched[0] - began) * 1000
    print(f"{fault}: {count} tasks, each ended once: {dict(outcomes)}; {statistics.attempts} attempts,", end=" ")
    print(f"{sum(arrivals.values())} arrivals, no POST twice; {selected} after {took:.0f} ms", flush=True)


# The storm


async def serve_at_capacity(port: int) -> None:
    """Serves requests one after the other, also those whose client has gone: that is what an overload costs."""
    line: asyncio.Queue[asyncio.StreamWriter] = asyncio.Queue()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                line.put_nowait(writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass

    await asyncio.start_server(serve, "127.0.0.1", port, backlog=1024)
    due = time.monotonic()
    while True:
        writer = await line.get()
        due = max(due, time.monotonic() - 0.05) + 1 / CAPACITY
        await asyncio.sleep(max(due - time.monotonic(), 0))
        try:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        except ConnectionError:
            pass


def storm(seconds: float, has_budget: bool) -> float:
    """The share of what was asked for in the last half of the recovery that was answered."""
    import netcore

    port = free_port()
    server = subprocess.Popen([sys.executable, __file__, "--serving", str(port)])
    budget = netcore.RetryBudget() if has_budget else None
    retries = netcore.Retry(attempts=4, base_delay=0.1, attempt_timeout=0.4, budget=budget)
    asked, answered = collections.Counter[bool](), collections.Counter[bool]()
    random.seed(1)

    async def ask(client: netcore.AsyncClient, is_last: bool) -> None:
        asked[is_last] += 1
        with contextlib.suppress(netcore.Error):
            await client.get(f"http://127.0.0.1:{port}/")
            answered[is_last] += 1

    async def main() -> None:
        limits = netcore.Limits(transfers=CLIENTS, transfers_per_host=CLIENTS)
        async with netcore.AsyncClient(retries=retries, limits=limits) as client:
            start = due = time.monotonic()
            asking: set[asyncio.Task[None]] = set()
            while (phase := (due - start) / seconds) < 3:
                due += random.expovariate((1.1 if 1 <= phase < 2 else 0.8) * CAPACITY)
                await asyncio.sleep(max(due - time.monotonic(), 0))
                if len(asking) < CLIENTS:  # one of them has nothing to wait for
                    task = asyncio.create_task(ask(client, phase >= 2.5))
                    asking.add(task)
                    task.add_done_callback(asking.discard)
            await asyncio.gather(*asking)

    try:
        time.sleep(0.5)
        asyncio.run(main())
    finally:
        server.kill()
        server.wait()
    return answered[True] / max(asked[True], 1)


def check_storm(seconds: float) -> None:
    shares = {name: storm(seconds, name == "with") for name in ("with", "without")}
    print(f"storm: after it, {shares['with']:.0%} of the requests were answered with a budget of retries,", end=" ")
    print(f"{shares['without']:.0%} without", flush=True)
    if shares["with"] < 0.8:
        raise Failed("the origin does not recover although retries have a budget")


# Keys


def resident_bytes() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def check_keys(count: int) -> None:
    import netcore

    with netcore.Client(transport=lambda request: netcore.Response(200)) as client:

        def ask(number: int) -> None:
            client.get("http://app.invalid/", min_interval=netcore.MinInterval(3600, key=f"key {number}"))

        for number in range(20_000):  # what else takes memory has it by then
            ask(number)
        before = resident_bytes()
        for number in range(20_000, 20_000 + count):
            ask(number)
        each = (resident_bytes() - before) / count
    print(f"keys: {count} take {each:.0f} bytes each", flush=True)
    if each > MOST_BYTES:
        raise Failed(f"{each:.0f} bytes for each key, at most {MOST_BYTES} were promised")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tasks", type=int, default=0)
    parser.add_argument("--faults", nargs="*", default=FAULTS)
    parser.add_argument("--storm", type=float, default=0, metavar="SECONDS")
    parser.add_argument("--keys", type=int, default=0)
    parser.add_argument("--serving", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--resetting", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serving:
        asyncio.run(serve_at_capacity(given.serving))
    if given.resetting:
        reset_on_demand(int(given.resetting[0]), Path(given.resetting[1]))
    if given.tasks and shutil.which("nginx") is None:
        print("skipped: no nginx")
        return SKIPPED
    try:
        if given.tasks:
            for fault in given.faults:
                check_fault(fault, given.tasks)
        if given.storm:
            check_storm(given.storm)
        if given.keys:
            check_keys(given.keys)
    except Failed as failure:
        print(failure)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
