"""Scripts: lists of steps that say byte by byte how one request is answered.

A script travels in the request's own path, as base64url of UTF-8 JSON. It is checked as a whole before its first
step is played. The steps:

    {"before_head": true}               first step only: play before the request body is read (early answers)
    {"send": "text"}                    latin-1 text
    {"send_base64": "…"}                bytes
    {"repeat": "text", "times": N}      the text N times; all repeats of a script stop at 64 MiB together
    {"drip": "text", "interval_ms": N}  one byte at a time
    {"sleep_ms": N}                     at most 60 s
    {"stall": true}                     nothing until the peer closes, at most 60 s
    {"meet": "name", "count": N}        nothing until N scripts have come to a step of this name, at most 60 s
    {"close": true}                     end in good order (under TLS: close_notify, then FIN)
    {"cut": true}                       end with FIN alone (under TLS: a truncated stream)
    {"reset": true}                     end with RST
    {"keep": true}                      go on with the next request of this connection

The four last steps end the script. A script without them closes in good order.
"""

from __future__ import annotations

import base64
import binascii
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from wire import Connection

REPEAT_LIMIT = 64 << 20
DRIP_LIMIT = 64 << 10
STALL_SECONDS = 60.0
STEP_MS = 60_000
ENDINGS = ("close", "cut", "reset", "keep")
FLAGS = ("before_head", "stall", *ENDINGS)


# How many scripts have come to each meeting.
_meetings: Counter[str] = Counter()
_meetings_lock = threading.Lock()


class BadScript(Exception):
    """The script cannot be played; the message says which step and why."""


@dataclass(frozen=True)
class Step:
    """One checked step: its kind, its bytes, and its count or milliseconds."""

    kind: str
    data: bytes = b""
    amount: int = 0


@dataclass(frozen=True)
class Script:
    steps: list[Step]
    is_early: bool
    """Whether to play before the request body is read."""

    def play(self, connection: Connection) -> str:
        """Plays all steps and returns how to end; raises PeerClosed when the peer goes first."""
        budget = REPEAT_LIMIT
        for step in self.steps:
            if step.kind in ENDINGS:
                return step.kind
            if step.kind == "send":
                connection.send(step.data)
            elif step.kind == "repeat":
                for piece in _repeated(step, budget):
                    connection.send(piece)
                    budget -= len(piece)
            elif step.kind == "drip":
                _drip(connection, step)
            elif step.kind == "sleep_ms":
                connection.wait(step.amount / 1000)
            elif step.kind == "stall":
                connection.wait(STALL_SECONDS)
            elif step.kind == "meet":
                _meet(connection, step)
        return "close"


def _repeated(step: Step, budget: int) -> Iterator[bytes]:
    """The repeated text in pieces of about 64 KiB, whole repetitions only."""
    times = min(step.amount, budget // len(step.data))
    at_once = max(1, (64 << 10) // len(step.data))
    piece = step.data * at_once
    while times > 0:
        count = min(times, at_once)
        yield piece[: count * len(step.data)]
        times -= count


def _meet(connection: Connection, step: Step) -> None:
    """Waits until all are there whom the step names."""
    name, last = step.data.decode(), time.monotonic() + STALL_SECONDS
    with _meetings_lock:
        _meetings[name] += 1
    while _meetings[name] < step.amount and time.monotonic() < last:
        connection.wait(0.002)


def _drip(connection: Connection, step: Step) -> None:
    """Sends one byte per interval, by the clock: late bytes do not push the later ones back."""
    due = time.monotonic()
    for index in range(len(step.data)):
        if index:
            due += step.amount / 1000
            connection.wait(due - time.monotonic())
        connection.send(step.data[index : index + 1])


def parse(encoded: str) -> Script:
    """Decodes and checks a script; padding of the base64url text may be missing."""
    try:
        text = base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)).decode()
        values = json.loads(text)
    except (binascii.Error, ValueError) as error:
        raise BadScript(f"not base64url of JSON: {error}") from None
    if not isinstance(values, list):
        raise BadScript("not a list of steps")
    steps = [_parse_step(index, value) for index, value in enumerate(values)]
    is_early = bool(steps) and steps[0].kind == "before_head"
    if any(step.kind == "before_head" for step in steps[1:]):
        raise BadScript("before_head may only be the first step")
    return Script(steps[1:] if is_early else steps, is_early)


def _parse_step(index: int, value: Any) -> Step:
    try:
        step = _step_from(value)
    except (UnicodeEncodeError, binascii.Error) as error:
        raise BadScript(f"step {index}: {error}") from None
    if step is None:
        raise BadScript(f"step {index} is not understood: {json.dumps(value)[:200]}")
    return step


def _step_from(value: Any) -> Step | None:
    """The step a JSON value stands for, or None when there is no such step."""
    if not isinstance(value, dict):
        return None
    shape = {name: type(member) for name, member in value.items()}
    if shape == {"send": str}:
        return Step("send", value["send"].encode("latin-1"))
    if shape == {"send_base64": str}:
        return Step("send", base64.b64decode(value["send_base64"], validate=True))
    if shape == {"repeat": str, "times": int} and value["repeat"] and value["times"] >= 0:
        return Step("repeat", value["repeat"].encode("latin-1"), value["times"])
    if (
        shape == {"drip": str, "interval_ms": int}
        and 0 <= value["interval_ms"] <= STEP_MS
        and len(value["drip"]) <= DRIP_LIMIT
    ):
        return Step("drip", value["drip"].encode("latin-1"), value["interval_ms"])
    if shape == {"sleep_ms": int} and 0 <= value["sleep_ms"] <= STEP_MS:
        return Step("sleep_ms", amount=value["sleep_ms"])
    if shape == {"meet": str, "count": int} and value["count"] > 0:
        return Step("meet", value["meet"].encode(), value["count"])
    if len(value) == 1:
        ((kind, flag),) = value.items()
        return Step(kind) if kind in FLAGS and flag is True else None
    return None
