#!/usr/bin/env python3
"""The SDKs of two language model services over netcore, unchanged: each call through the SDK's own transport and
through netcore's, with equal results. A server on loopback answers as the services do, with events in small pieces.

Installs the SDKs into build/sdks; where that is not possible, the proof is skipped.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / "build" / "sdks"
PACKAGES = ["anthropic==2.12.0", "openai==3.54.0"]
SKIPPED = 77
WORDS = ["Grüße", " aus", " dem", " Strom", ": ", "日本", "!"]


class Server(BaseHTTPRequestHandler):
    """POST to either service. The model "busy" is refused once with 429, "wrong" always with 400."""

    protocol_version = "HTTP/1.1"
    refused: ClassVar[set[str]] = set()

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        model, stream = asked["model"], asked.get("stream", False)
        who = self.headers.get("X-Who", "")
        if model == "wrong":
            return self.send_json(400, {"error": {"type": "invalid_request_error", "message": "no such model"}})
        if model == "busy" and who not in self.refused:
            self.refused.add(who)
            return self.send_json(429, {"error": {"type": "rate_limit_error", "message": "later"}})
        is_chat = self.path.endswith("/chat/completions")
        if stream:
            return self.send_events(chat_events() if is_chat else message_events())
        self.send_json(200, chat() if is_chat else message("".join(WORDS)))

    def send_json(self, status: int, value: object) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Retry-After", "0")
        self.end_headers()
        self.wfile.write(body)

    def send_events(self, events: list[tuple[str, object]]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        text = "".join(
            (f"event: {name}\n" if name else "")
            + f"data: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}\n\n"
            for name, value in events
        ).encode()
        for start in range(0, len(text), 37):  # also within a character
            piece = text[start : start + 37]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_: object) -> None:
        pass


def choice(delta: object, reason: str | None = None) -> dict[str, object]:
    choices = [{"index": 0, "delta": delta, "finish_reason": reason}]
    return {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": choices}


def chat_events() -> list[tuple[str, object]]:
    return [*(("", choice({"content": word})) for word in WORDS), ("", choice({}, "stop")), ("", "[DONE]")]


def chat() -> dict[str, object]:
    answer = {"role": "assistant", "content": "".join(WORDS)}
    choices = [{"index": 0, "message": answer, "finish_reason": "stop"}]
    return {"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": choices}


def message(text: str | None) -> dict[str, object]:
    content = [] if text is None else [{"type": "text", "text": text}]
    usage = {"input_tokens": 1, "output_tokens": 7}
    rest = {"type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn", "stop_sequence": None}
    return {"id": "m1", "content": content, "usage": usage, **rest}


def message_events() -> list[tuple[str, object]]:
    block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    deltas = [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": word}} for word in WORDS
    ]
    end = {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": message(None)},
        block,
        {"type": "ping"},
        *deltas,
        {"type": "content_block_stop", "index": 0},
        {**end, "usage": {"output_tokens": 7}},
        {"type": "message_stop"},
    ]
    return [(event["type"], event) for event in events]


# The calls: each gives what a program sees


def outcome(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Exception as error:
        return type(error).__name__, getattr(error, "status_code", None), str(error)


async def outcome_async(call: Callable[[], Any]) -> Any:
    try:
        return await call()
    except Exception as error:
        return type(error).__name__, getattr(error, "status_code", None), str(error)


PROMPT: Any = [{"role": "user", "content": "Hallo"}]


def run_sync(base: str, who: str, client: Any) -> list[Any]:
    import anthropic
    import openai

    headers = {"X-Who": who}
    chats = openai.OpenAI(api_key="k", base_url=f"{base}/v1", http_client=client(), default_headers=headers)
    messages = anthropic.Anthropic(api_key="k", base_url=base, http_client=client(), default_headers=headers)

    def streamed_chat() -> list[Any]:
        chunks = chats.chat.completions.create(model="m", messages=PROMPT, stream=True)
        return [chunk.choices[0].delta.content for chunk in chunks]

    def streamed_message() -> list[Any]:
        with messages.messages.stream(model="m", max_tokens=9, messages=PROMPT) as stream:
            return [*stream.text_stream, stream.get_final_message().to_dict()]

    def one_chat(model: str) -> Any:
        return chats.chat.completions.create(model=model, messages=PROMPT).to_dict()

    def one_message(model: str) -> Any:
        return messages.messages.create(model=model, max_tokens=9, messages=PROMPT).to_dict()

    with chats, messages:
        calls = [streamed_chat, streamed_message]
        calls += [lambda m=m: one_chat(m) for m in ("m", "wrong")]  # type: ignore[misc]
        calls += [lambda m=m: one_message(m) for m in ("busy", "wrong")]  # type: ignore[misc]
        return [outcome(call) for call in calls]


async def run_async(base: str, who: str, client: Any) -> list[Any]:
    import anthropic
    import openai

    headers = {"X-Who": who}
    chats = openai.AsyncOpenAI(api_key="k", base_url=f"{base}/v1", http_client=client(), default_headers=headers)
    messages = anthropic.AsyncAnthropic(api_key="k", base_url=base, http_client=client(), default_headers=headers)

    async def streamed_chat() -> list[Any]:
        chunks = await chats.chat.completions.create(model="m", messages=PROMPT, stream=True)
        return [chunk.choices[0].delta.content async for chunk in chunks]

    async def streamed_message() -> list[Any]:
        async with messages.messages.stream(model="m", max_tokens=9, messages=PROMPT) as stream:
            texts = [text async for text in stream.text_stream]
            return [*texts, (await stream.get_final_message()).to_dict()]

    async def one_message(model: str) -> Any:
        return (await messages.messages.create(model=model, max_tokens=9, messages=PROMPT)).to_dict()

    async with chats, messages:
        calls = [streamed_chat, streamed_message, lambda: one_message("busy"), lambda: one_message("wrong")]
        return [await outcome_async(call) for call in calls]


def compare(base: str) -> int:
    import httpx2

    sys.path.insert(0, str(ROOT / "bindings/python/src"))
    import netcore.httpx2 as ours

    own = run_sync(base, "own", httpx2.Client)
    found = run_sync(base, "ours", lambda: httpx2.Client(transport=ours.HTTPTransport()))
    own += asyncio.run(run_async(base, "own async", httpx2.AsyncClient))
    found += asyncio.run(run_async(base, "ours async", lambda: httpx2.AsyncClient(transport=ours.AsyncHTTPTransport())))
    for number, (one, other) in enumerate(zip(own, found, strict=True)):
        if one != other:
            print(f"call {number}: {other!r} in place of {one!r}")
            return 1
    words = "".join(own[0][:-1])
    if words != "".join(WORDS) or own[1][:-1] != WORDS or own[2]["choices"][0]["message"]["content"] != words:
        print(f"the SDKs gave something else than the server sent: {own[:3]!r}")
        return 1
    return 0


def install() -> bool:
    """Makes build/sdks with the SDKs, unless it is there."""
    note = VENV / "installed.txt"
    if note.exists() and note.read_text() == "\n".join(PACKAGES):
        return True
    pip = [str(VENV / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", *PACKAGES]
    for command in ([sys.executable, "-m", "venv", "--clear", str(VENV)], pip):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(f"{' '.join(command)}: {done.stderr[-500:]}")
            return False
    note.write_text("\n".join(PACKAGES))
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inside", action="store_true", help="run with the Python of build/sdks")
    if parser.parse_args().inside:
        server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        began = time.monotonic()
        status = compare(f"http://127.0.0.1:{server.server_port}")
        print(f"10 calls of two SDKs, {'equal' if status == 0 else 'NOT equal'}, {time.monotonic() - began:.1f} s")
        return status
    if sys.version_info < (3, 11) or not install():
        return SKIPPED
    environment = {
        **os.environ,
        "NETCORE_LIBRARY": os.environ.get("NETCORE_LIBRARY", str(ROOT / "build/libnetcore.so")),
    }
    command = [str(VENV / "bin" / "python"), str(Path(__file__)), "--inside"]
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
