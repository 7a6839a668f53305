"""HTTP archives: what is written, as a reader of them takes it."""

from __future__ import annotations

import base64
import json
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Dict, List

import pytest
from haralyzer import HarParser  # type: ignore[import-untyped]

import netcore
from netcore import Response, har
from peers import Peers

# The members that an entry must have, by sections "request" to "timings" of the specification of HAR 1.2.
REQUIRED: Dict[str, List[str]] = {
    "": ["startedDateTime", "time", "request", "response", "cache", "timings"],
    "request": ["method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize"],
    "response": [
        "status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize",
        "bodySize",
    ],
    "timings": ["send", "wait", "receive"],
}  # fmt: skip


def entries_of(log: har.Log, folder: Path) -> List[Any]:
    """Reads the archive back, and checks what the format demands."""
    path = folder / "a.har"
    log.save(path)
    parser = HarParser.from_file(str(path))
    raw = json.loads(path.read_text("utf-8"))["log"]
    assert (parser.version, parser.creator["name"], len(raw["entries"])) == ("1.2", "netcore", len(log.entries))
    for entry in raw["entries"]:
        for part, names in REQUIRED.items():
            assert set(names) <= set(entry[part] if part else entry)
        assert {"size", "mimeType"} <= set(entry["response"]["content"])
        phases = [value for name, value in entry["timings"].items() if name != "ssl" and value >= 0]
        assert entry["time"] == pytest.approx(sum(phases))
    return [entry for page in parser.pages for entry in page.entries]


def test_each_redirect_is_an_entry(peers: Peers, tmp_path: Path) -> None:
    log = har.Log()
    before = datetime.now(timezone.utc) - timedelta(seconds=1)
    with netcore.Client() as client:
        log.add(client.get(f"{peers.origin}/redirect-chain/1?a=1&b="))
    first, last = entries_of(log, tmp_path)
    assert (first.response.status, last.response.status) == (302, 200)
    assert first.request.url == f"{peers.origin}/redirect-chain/1?a=1&b=" and last.request.url == f"{peers.origin}/echo"
    assert first.request.queryString == [{"name": "a", "value": "1"}, {"name": "b", "value": ""}]
    assert first.response.redirectURL == "/echo"
    assert json.loads(last.response.text)["method"] == "GET"
    assert before <= first.startTime <= last.startTime <= datetime.now(timezone.utc)
    assert last.serverAddress == "127.0.0.1"


def test_tries_that_failed_are_entries(tmp_path: Path) -> None:
    answers = [Response(503), Response(200, content=b"\xff\x00")]
    log = har.Log()
    with netcore.Client(retries=netcore.Retry(throttled_delay=0.01), transport=lambda _: answers.pop(0)) as client:
        log.add(client.get("http://app.invalid/"))
    first, last = entries_of(log, tmp_path)
    assert (first.response.status, last.response.status) == (503, 200)
    assert base64.b64decode(log.entries[1]["response"]["content"]["text"]) == b"\xff\x00"


def test_an_error_is_an_entry(tmp_path: Path) -> None:
    def lose(request: netcore.Request) -> Response:
        raise netcore.ConnectError("no connection")

    log = har.Log()
    with netcore.Client(transport=lose) as client, pytest.raises(netcore.ConnectError) as caught:
        client.get("http://app.invalid/")
    log.add(caught.value)
    (entry,) = entries_of(log, tmp_path)
    assert entry.response.status == 0 and "no connection" in log.entries[0]["_error"]


def test_secrets_are_written_only_if_asked_for(tmp_path: Path) -> None:
    def answer(request: netcore.Request) -> Response:
        return Response(200, headers={"Set-Cookie": "id=s3cret"})

    with netcore.Client(transport=answer) as client:
        response = client.get("http://ann:s3cret@app.invalid/", headers={"Authorization": "Bearer s3cret"})
    for secrets in [False, True]:
        log = har.Log(secrets=secrets)
        log.add(response)
        entries_of(log, tmp_path)
        assert ("s3cret" in json.dumps(log.as_dict())) == secrets


def test_what_was_sent_is_written_if_it_is_given(tmp_path: Path) -> None:
    log = har.Log(bodies=False)
    with netcore.Client(transport=lambda _: Response(200, content="text")) as client:
        log.add(client.post("http://app.invalid/", json={"a": 1}), content=b'{"a": 1}')
    (entry,) = entries_of(log, tmp_path)
    assert (entry.request.method, entry.request.text, entry.request.mimeType) == (
        "POST",
        '{"a": 1}',
        "application/json",
    )
    assert "text" not in log.entries[0]["response"]["content"] and log.entries[0]["request"]["bodySize"] == 8


def test_only_ends_of_requests_are_taken() -> None:
    with pytest.raises(TypeError):
        har.Log().add("http://app.invalid/")  # type: ignore[arg-type]
