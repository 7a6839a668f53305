"""Puts the measurements into two tables in Markdown: the targets, and everyone beside the plain C program."""

from __future__ import annotations

import platform
import re
import statistics
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Optional

from contenders import FULL, PLAIN, PYTHON, SHARDED
from measure import Figures, Key, Rounds

Number = Optional[float]


@dataclass
class Results:
    """What was measured; empty where nothing was."""

    instructions: dict[Key, float] = field(default_factory=dict)
    load: dict[Key, Rounds] = field(default_factory=dict)
    large: dict[str, Figures] = field(default_factory=dict)
    flight: dict[str, Figures] = field(default_factory=dict)
    cancel: dict[str, Figures] = field(default_factory=dict)
    load_time: dict[str, float] = field(default_factory=dict)
    http2: dict[str, Figures] = field(default_factory=dict)
    first_request: dict[str, float] = field(default_factory=dict)
    idle: dict[str, Figures] = field(default_factory=dict)

    def instruction_ratio(self, name: str, concurrency: int) -> Number:
        return _ratio(self.instructions.get((name, concurrency)), self.instructions.get((PLAIN.name, concurrency)))

    def load_median(self, name: str, concurrency: int, key: str) -> Number:
        rounds = self.load.get((name, concurrency), {})
        return statistics.median(figures[key] for figures in rounds.values()) if rounds else None

    def load_ratio(self, name: str, concurrency: int, key: str, other: str = PLAIN.name) -> Number:
        """The median of the ratios in the rounds that both took part in."""
        found, plain = (self.load.get((each, concurrency), {}) for each in (name, other))
        ratios = [found[each][key] / plain[each][key] for each in found.keys() & plain.keys() if plain[each][key]]
        return statistics.median(ratios) if ratios else None


@dataclass(frozen=True)
class Target:
    """One line of the table of targets: at most, or at least, a limit."""

    what: str
    plain: str
    found: Number
    limit: float
    form: str = "{:.2f}"
    is_least: bool = False

    @property
    def verdict(self) -> str:
        if self.found is None:
            return "not measured"
        return "met" if (self.found >= self.limit if self.is_least else self.found <= self.limit) else "MISSED"

    def row(self) -> list[str]:
        sign = "≥" if self.is_least else "≤"
        limit = f"{sign} {self.form.format(self.limit)}"
        return [self.what, self.plain, _text(self.form, self.found), limit, self.verdict]


def _ratio(found: Number, plain: Number) -> Number:
    return found / plain if found is not None and plain else None


def _text(form: str, value: Number) -> str:
    return "–" if value is None else form.format(value)


def _shown(form: str, found: Figures | None, key: str) -> str:
    return _text(form, (found or {}).get(key))


def targets(results: Results) -> list[Target]:
    callback, plain = "netcore, C callback", PLAIN.name
    rows: list[Target] = []

    def instructions(name: str, concurrency: int, limit: float) -> None:
        shown = _text("{:,.0f}", results.instructions.get((plain, concurrency)))
        found = results.instruction_ratio(name, concurrency)
        rows.append(Target(f"instructions, {name}, {concurrency} at once", shown, found, limit))

    for way in ("callback", "pump", "queue"):
        instructions(f"netcore, C {way}", 64, 1.0)
    for way in ("perform", "callback", "pump", "queue"):
        instructions(f"netcore, C {way}", 1, 1.2)
    instructions("netcore, Swift", 64, 1.2)
    instructions("netcore, Python sync", 1, 1.6)
    instructions("netcore, Python asyncio", 64, 2.0)
    for way in ("callback", "pump", "queue"):
        name = f"netcore, C {way}"
        shown = _text("{:,.0f}/s", results.load_median(plain, 64, "throughput"))
        found = results.load_ratio(name, 64, "throughput")
        rows.append(Target(f"throughput, {name}, 64 at once", shown, found, 1.0, is_least=True))
    rows += _waiting_targets(results)
    large = _ratio(*(results.large.get(name, {}).get("throughput") for name in ("netcore, C perform", plain)))
    shown = _shown("{:.0f}/s", results.large.get(plain), "throughput")
    shown += _shown(" (512 KB buffer: {:.0f}/s)", results.large.get("plain C, large buffer"), "throughput")
    rows.append(Target("throughput, 10 MB bodies", shown, large, 1.2, is_least=True))
    large = _ratio(*(results.large.get(name, {}).get("throughput") for name in ("netcore, Python asyncio", plain)))
    rows.append(Target("throughput, 10 MB bodies, Python asyncio", shown, large, 1.2, is_least=True))
    cpu, sharded = (results.flight.get(name, {}).get("cpu_us_each") for name in (callback, SHARDED.name))
    shown = _shown("{:.0f} µs", results.flight.get(plain), "cpu_us_each") + _text(
        " (ten multi handles: {:.0f} µs)", sharded
    )
    rows.append(Target("CPU of a request, 10,000 in flight, to ten multi handles", shown, _ratio(cpu, sharded), 1.0))
    memory = results.flight.get(callback, {}).get("memory_kb_each")
    shown = _shown("{:.1f} KB", results.flight.get(plain), "memory_kb_each")
    rows.append(Target("memory of a request, 10,000 in flight", shown, memory, 20.0, "{:.1f} KB"))
    found = results.cancel.get(callback, {}).get("cancel_ms")
    shown = _shown("{:.1f} ms", results.cancel.get(plain), "cancel_ms")
    rows.append(Target("cancel of 1,000 in flight", shown, found, 15.0, "{:.1f} ms"))
    for what, times, limit in (
        ("loading the library, beyond libcurl", results.load_time, 1.0),
        ("a process's first request, dlopen to answer, beyond libcurl's", results.first_request, 2.0),
    ):
        libcurl, libnetcore = (times.get(name) for name in ("libcurl", "libnetcore"))
        beyond = libnetcore - libcurl if libcurl and libnetcore else None
        rows.append(Target(what, _text("{:.2f} ms", libcurl), beyond, limit, "{:.2f} ms"))
    for way, figures in results.idle.items():
        what = f"idle client, {way}: wake-ups a minute"
        rows.append(Target(what, "–", figures["wakes_per_minute"], 0, "{:.0f}"))
        rows.append(Target(f"client made, {way}: threads", "–", figures["threads_before"], 0, "{:.0f}"))
    return rows


def _waiting_targets(results: Results) -> list[Target]:
    """What one request at a time costs, and an event loop, beside the plain program and beside others."""
    sync, loop = "netcore, Python sync", "netcore, Python asyncio"
    rows: list[Target] = []
    for name, other, concurrency, limit in (
        ("netcore, C perform", PLAIN.name, 1, 0.95),
        ("netcore, C loop", PLAIN.name, 1, 0.95),
        (sync, PLAIN.name, 1, 0.75),
        (sync, "pycurl", 1, 1.0),
        (loop, PLAIN.name, 1, 0.60),
        *((loop, other, 1, 1.0) for other in ("aiohttp", "aiohttp-uvloop", "redc", "wreq")),
        (loop, PLAIN.name, 64, 0.95),
        (loop, "wreq", 64, 1.0),
    ):
        what = f"throughput, {name}, {concurrency} at once, to {other}"
        shown = _text("{:,.0f}/s", results.load_median(other, concurrency, "throughput"))
        found = results.load_ratio(name, concurrency, "throughput", other)
        rows.append(Target(what, shown, found, limit, is_least=True))
    for name in ("netcore, C callback", "netcore, C loop"):
        rates = [results.http2.get(each, {}).get("throughput") for each in (name, PLAIN.name)]
        what = f"throughput, HTTP/2, {name}, 64 at once"
        rows.append(Target(what, _text("{:,.0f}/s", rates[1]), _ratio(*rates), 1.0, is_least=True))
    for name, concurrency in (("netcore, C callback", 64), ("netcore, C perform", 1), ("netcore, C loop", 1)):
        counts = [results.instructions.get((each, concurrency)) for each in (name, FULL.name)]
        what = f"instructions, {name}, {concurrency} at once, to {FULL.name}"
        rows.append(Target(what, _text("{:,.0f}", counts[1]), _ratio(*counts), 1.0))
    return rows


def _everyone(results: Results, names: Iterable[str]) -> list[list[str]]:
    columns: list[Callable[[str], str]] = []
    for concurrency in (1, 64):
        columns.append(lambda name, at=concurrency: _text("{:.2f}", results.instruction_ratio(name, at)))  # type: ignore
    for key in ("throughput", "p50_us", "p99_us", "cpu_us"):
        for concurrency in (1, 64):
            columns.append(
                lambda name, at=concurrency, key=key: _text("{:.2f}", results.load_ratio(name, at, key))  # type: ignore
            )
    return [[name, *(column(name) for column in columns)] for name in names]


def _absolute(results: Results) -> list[str]:
    """The plain program's own figures, in the columns of the table of ratios."""
    row = ["(plain C, absolute)"]
    row += [_text("{:,.0f}", results.instructions.get((PLAIN.name, each))) for each in (1, 64)]
    forms = {"throughput": "{:,.0f}/s", "p50_us": "{:.0f} µs", "p99_us": "{:.0f} µs", "cpu_us": "{:.1f} µs"}
    for key, form in forms.items():
        row += [_text(form, results.load_median(PLAIN.name, each, key)) for each in (1, 64)]
    return row


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    rows = [list(row) for row in rows]
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in [head, *rows]]
    return "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]])


def _versions() -> str:
    def first(pattern: str, *command: str) -> str:
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=10)
        except OSError:
            return "?"
        match = re.search(pattern, done.stdout + done.stderr)
        return match[1] if match else "?"

    cpu = first(r"model name\s*: (.*)", "cat", "/proc/cpuinfo")
    cores = first(r"(\d+)", "nproc")
    curl = first(r"libcurl ([\d.]+)", "curl-config", "--version")
    python = first(r"Python ([\d.]+)", str(PYTHON), "--version")
    return f"{cpu}, {cores} cores; Linux {platform.release()}; libcurl {curl}; Python {python}"


def markdown(results: Results, names: Iterable[str], missing: Mapping[tuple[str, str], str]) -> str:
    head = ["", "instructions 1", "64", "throughput 1", "64", "p50 1", "64", "p99 1", "64", "CPU 1", "64"]
    parts = [
        "# Benchmark",
        f"{_versions()}. nginx with one worker on the same machine, loopback, 128-byte answers, plain HTTP "
        "but for the rows that name HTTP/2.",
        "## Targets",
        "Ratios to the plain C program where no unit stands.",
        _table(["", "plain C", "netcore", "target", ""], (target.row() for target in targets(results))),
        "## Everyone, as ratios to the plain C program",
        "At 1 and at 64 requests at once: user instructions per request, throughput (more is better), median and 99th "
        "percentile of latency, CPU time per request (user and kernel).",
        _table(head, [_absolute(results), *_everyone(results, names)]),
    ]
    left_out = [f"- {name}, {section}: {reason}" for (name, section), reason in missing.items()]
    if left_out:
        parts += ["## Not measured", "\n".join(left_out)]
    return "\n\n".join(parts) + "\n"
