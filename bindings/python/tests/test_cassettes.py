"""Recorded answers: what is written, and how it is replayed."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path
from typing import Any, Dict, List

import pytest
from haralyzer import HarParser  # type: ignore[import-untyped]

import netcore
from netcore.testing import Cassette, NoStub
from peers import Peers
from test_har import REQUIRED

pytest_plugins = ["pytester"]

NOWHERE = "http://127.0.0.1:9/"


def entries_of(path: Path) -> List[Dict[str, Any]]:
    return json.loads(path.read_text("utf-8"))["log"]["entries"]  # type: ignore[no-any-return]


def archive(path: Path, *entries: Dict[str, Any]) -> Path:
    path.write_text(json.dumps({"log": {"version": "1.2", "entries": entries}}), "utf-8")
    return path


def entry(url: str = NOWHERE, method: str = "GET", text: str = "", **more: Any) -> Dict[str, Any]:
    response = {"status": 200, "headers": [], "content": {"text": text}}
    return {"request": {"method": method, "url": url, **more}, "response": response}


def test_what_was_recorded_answers_without_the_network(peers: Peers, tmp_path: Path) -> None:
    path = tmp_path / "a.har"
    urls = [f"{peers.origin}/bytes/10", f"{peers.origin}/redirect-chain/1?a=1", f"{peers.origin}/status/404"]
    with Cassette(path) as cassette, netcore.Client(transport=cassette) as client:
        live = [client.get(url) for url in urls] + [client.post(f"{peers.origin}/echo", json={"a": [1, 2]})]
        assert (cassette.recorded, cassette.replayed) == (5, 0)
    parser = HarParser.from_file(str(path))
    assert len([one for page in parser.pages for one in page.entries]) == 5
    for one in entries_of(path):
        for part, names in REQUIRED.items():
            assert set(names) <= set(one[part] if part else one)
    with Cassette(path, "none") as cassette, netcore.Client(transport=cassette) as client:
        again = [client.post(f"{peers.origin}/echo", content=b'{"a": [1,2]}', headers={"A": "b"})]
        again = [*[client.get(url) for url in reversed(urls)][::-1], *again]
        cassette.check()
        assert (cassette.recorded, cassette.replayed, cassette.unused) == (0, 5, 0)
    for first, other in zip(live, again):
        assert (first.status_code, first.content, first.url) == (other.status_code, other.content, other.url)
        assert first.headers.get("Content-Type") == other.headers.get("Content-Type")


def test_the_modes_say_what_is_recorded(peers: Peers, tmp_path: Path) -> None:
    path = tmp_path / "a.har"
    first, second = f"{peers.origin}/bytes/1", f"{peers.origin}/bytes/2"
    for mode, urls, recorded, kept in [
        ("none", [], 0, 0),
        ("once", [first], 1, 1),
        ("once", [first], 0, 1),
        ("new", [second, first], 1, 2),
        ("none", [second, first], 0, 2),
        ("all", [second], 1, 1),
    ]:
        with Cassette(path, mode) as cassette, netcore.Client(transport=cassette) as client:
            for url in urls:
                client.get(url)
            assert cassette.recorded == recorded
            if mode in ("once", "none") and not recorded:
                with pytest.raises(NoStub):
                    client.get(f"{peers.origin}/bytes/3")
        assert len(entries_of(path)) == kept if kept else not path.exists()


def test_equal_requests_are_replayed_in_their_order_each_once(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.har", entry(text="1"), entry(text="2"))
    for repeat, count in [(False, 2), (True, 4)]:
        with netcore.Client(transport=Cassette(path, "none", repeat=repeat)) as client:
            assert [client.get(NOWHERE).text for _ in range(count)] == ["1", "2", "2", "2"][:count]
            if not repeat:
                with pytest.raises(NoStub, match="all 2 have been replayed"):
                    client.get(NOWHERE)


def test_a_request_without_a_recording_names_the_nearest(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.har", entry(NOWHERE + "users?page=1"), entry(NOWHERE + "posts", "POST"))
    with netcore.Client(transport=Cassette(path, "none")) as client:
        for method, url, reason in [
            ("GET", "users?page=2", 'GET http://127.0.0.1:9/users?page=1: the parameter "page" is "2", not "1"'),
            ("GET", "users", 'the parameter "page" is missing'),
            ("GET", "users?page=1&a=b", 'the recorded request has no parameter "a"'),
            ("PUT", "posts", "POST http://127.0.0.1:9/posts: the method is PUT, not POST"),
        ]:
            with pytest.raises(NoStub) as caught:
                client.request(method, NOWHERE + url)
            assert reason in str(caught.value) and "the nearest of 2 is" in str(caught.value)


def test_secrets_are_not_written(peers: Peers, tmp_path: Path) -> None:
    path = tmp_path / "a.har"
    secret = "s3cr3t"
    url = f"{peers.origin}/echo?key={secret}&page=1"

    def run(cassette: Cassette) -> None:
        with cassette, netcore.Client(transport=cassette, auth=("ann", secret)) as client:
            headers = {"X-Key": secret, "Cookie": f"id={secret}", "Referer": f"http://a.test/?key={secret}"}
            client.post(url, json={"a": {"key": [secret, {}]}, "b": 1}, headers=headers)
            client.post(url, data={"key": secret, "b": "1"}, headers=headers)

    run(Cassette(path, secret_headers=["x-key"], secret_params=["key"]))
    # The body of the answer echoes it all under other names: only what was sent is looked for.
    sent = json.dumps([one["request"] for one in entries_of(path)])
    assert secret not in sent and base64.b64encode(f"ann:{secret}".encode()).decode() not in sent
    bodies = [one["request"]["postData"]["text"] for one in entries_of(path)]
    assert [body.replace(" ", "") for body in bodies] == ['{"a":{"key":"(hidden)"},"b":1}', "key=(hidden)&b=1"]
    replayed = Cassette(path, "none")
    run(replayed)  # with the same secrets, which the file names
    assert replayed.replayed == 2


def test_streams_come_with_their_pauses(peers: Peers, tmp_path: Path) -> None:
    path = tmp_path / "a.har"
    pieces = [{"wait": 0, "size": 2}, {"wait": 80, "size": 2}]
    recorded = entry(text="abcd")
    recorded["response"]["content"]["_pieces"] = pieces
    archive(path, recorded)
    for skip, least, most in [(False, 0.07, 60), (True, 0, 0.07)]:
        with netcore.Client(transport=Cassette(path, "none", skip_pauses=skip)) as client:
            began = time.monotonic()
            with client.stream("GET", NOWHERE) as response:
                assert b"".join(response.iter_bytes()) == b"abcd"
            assert least <= time.monotonic() - began < most
    with Cassette(tmp_path / "b.har") as cassette, netcore.Client(transport=cassette) as client:
        with client.stream("GET", f"{peers.origin}/bytes/100000") as response:
            body = b"".join(response.iter_bytes())
    content = entries_of(tmp_path / "b.har")[0]["response"]["content"]
    assert sum(piece["size"] for piece in content["_pieces"]) == len(body) == content["size"]


def test_errors_of_the_network_are_replayed(tmp_path: Path) -> None:
    path = tmp_path / "a.har"
    for mode in ("once", "none"):
        with Cassette(path, mode) as cassette, netcore.Client(transport=cassette) as client:
            with pytest.raises(netcore.ConnectError):
                client.get(NOWHERE)
    assert entries_of(path)[0]["response"]["status"] == 0


BROWSER = {
    "_initiator": {"type": "other"},
    "cache": {},
    "request": {
        "method": "POST",
        "url": "https://shop.test/api?x=1#top",
        "headers": [{"name": ":path", "value": "/api"}, {"name": "content-type", "value": "application/json"}],
        "postData": {"mimeType": "application/json", "text": '{"b":2,"a":1}'},
    },
    "response": {
        "status": 200,
        "headers": [
            {"name": "content-encoding", "value": "br"},
            {"name": "content-length", "value": "7"},
            {"name": "set-cookie", "value": "a=1\nb=2"},
            {"name": "content-type", "value": "image/png"},
        ],
        "content": {"size": 4, "mimeType": "image/png", "text": "iVBO\nRw==", "encoding": "base64"},
    },
}  # fmt: skip

DAMAGED = {"content": {"text": "a", "encoding": "base64"}}


def test_a_recording_of_a_browser_is_replayed(tmp_path: Path) -> None:
    data = {"mimeType": "application/x-www-form-urlencoded", "params": [{"name": "a b", "value": "c"}]}
    form = {"request": {"url": NOWHERE, "method": "PUT", "postData": data}, "response": {"status": 204}}
    foreign = {"request": {"url": "data:text/plain,a"}, "response": {"status": 200}}
    blocked = {"request": {"url": NOWHERE}, "response": {"status": 0, "_error": "net::ERR_FAILED"}, "_error": "blocked"}
    path = archive(tmp_path / "a.har", foreign, BROWSER, form, blocked)
    with netcore.Client(transport=Cassette(path, "none"), cookies=True) as client:
        response = client.post("https://shop.test/api?x=1", json={"a": 1, "b": 2})
        assert (response.content, response.headers["Content-Type"]) == (b"\x89PNG", "image/png")
        assert {cookie.name: cookie.value for cookie in client.cookies} == {"a": "1", "b": "2"}
        assert client.put(NOWHERE, data={"a b": "c"}).status_code == 204
        with pytest.raises(netcore.ConnectError, match="blocked"):
            client.get(NOWHERE)


@pytest.mark.parametrize(
    "text, place",
    [
        ("{", "not JSON, line 1"),
        ("[]", "it must be an object"),
        ("{}", "log is missing"),
        ('{"log": {"entries": {}}}', "log/entries must be an array"),
        ('{"log": {"entries": [{}]}}', "log/entries/0/request is missing"),
        ('{"log": {"entries": [{"request": {"url": 1}}]}}', "log/entries/0/request/url must be a string"),
        (json.dumps({"log": {"entries": [BROWSER, entry("http://[")]}}), "log/entries/1/request/url must be a URL"),
        (
            json.dumps({"log": {"entries": [{**BROWSER, "response": DAMAGED}]}}),
            "log/entries/0/response/content/text must be base64",
        ),
    ],
)  # fmt: skip
def test_a_damaged_file_is_named_with_the_place(tmp_path: Path, text: str, place: str) -> None:
    path = tmp_path / "a.har"
    path.write_text(text)
    with pytest.raises(netcore.StorageError) as caught:
        Cassette(path)
    assert str(path) in str(caught.value) and place in str(caught.value)


def test_the_file_is_replaced_as_a_whole(peers: Peers, tmp_path: Path) -> None:
    path = archive(tmp_path / "a.har", {**entry(), "_mine": [1]})
    with Cassette(path, "new") as cassette, netcore.Client(transport=cassette) as client:
        client.get(f"{peers.origin}/bytes/1")
        assert len(entries_of(path)) == 1
    assert len(entries_of(path)) == 2
    assert entries_of(path)[0]["_mine"] == [1] and [file.name for file in tmp_path.iterdir()] == ["a.har"]


def test_bad_input_is_refused(tmp_path: Path) -> None:
    with pytest.raises(netcore.InvalidRequest, match="mode: 'once' or"):
        Cassette(tmp_path / "a.har", "sometimes")
    with pytest.raises(netcore.InvalidRequest, match="secret_parameters"):
        Cassette(tmp_path / "a.har", secret_params=[""])
    with pytest.raises(netcore.StorageError, match="path"):
        Cassette(tmp_path / "missing" / "a.har")


def test_the_fixture_keeps_a_file_for_each_test(peers: Peers, pytester: pytest.Pytester) -> None:
    pytester.makeconftest('pytest_plugins = ["netcore.pytest_plugin"]')
    pytester.makepyfile(
        test_shop=f"""
        import netcore, pytest

        @pytest.mark.netcore_cassette(secret_headers=["X-Key"])
        def test_page(netcore_cassette):
            with netcore.Client(transport=netcore_cassette) as client:
                assert client.get("{peers.origin}/bytes/1", headers={{"X-Key": "a"}}).status_code == 200
        """
    )
    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)
    (one,) = entries_of(pytester.path / "cassettes" / "test_shop" / "test_page.har")
    assert {"name": "X-Key", "value": "(hidden)"} in one["request"]["headers"]
    pytester.runpytest_inprocess("-p", "no:cacheprovider", "--netcore-record=none").assert_outcomes(passed=1)
