"""The application of examples/shop in each language: against its server, without one, and by what was recorded."""

from __future__ import annotations

import json
import os
import random
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from conftest import BUILD, ROOT, Run

SHOP = ROOT / "examples/shop"
DOORS = ["c", "python", "swift"]
SEND_RATE = 4_000_000
PICTURE = b"\x89PNG\r\n\x1a\n" + random.Random(7).randbytes(SEND_RATE // 4)


@dataclass
class Visits:
    """Starts of an application, each with a cassette of its own, and what it said."""

    program: list[object]
    url: str
    home: Path
    """Where the application keeps things."""
    tapes: Path
    said: list[list[str]] = field(default_factory=list)
    progress: str = ""

    def start(self, *commands: str, succeeds: bool = True) -> list[str]:
        cassette = self.tapes / f"{len(self.said)}.har"
        options = ("--folder", self.home, "--cassette", cassette, "--send-rate", SEND_RATE)
        library = {"PYTHONPATH": str(ROOT / "bindings/python/src"), "NETCORE_LIBRARY": str(BUILD / "libnetcore.so")}
        result = subprocess.run(
            [str(word) for word in (*self.program, *options, self.url)],
            input="".join(f"{command}\n" for command in commands),
            env={**os.environ, **library},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert (result.returncode == 0) == succeeds, result.stdout + result.stderr
        self.progress += result.stderr
        self.said.append(result.stdout.splitlines())
        return self.said[-1]


@dataclass
class Story:
    """Visits of one customer, and what became of them."""

    visits: Visits
    database: Path
    goods: list[str]
    """The lines of the list, by the database, before the first visit."""

    def rows(self, query: str) -> list[Any]:
        with closing(sqlite3.connect(self.database, timeout=10)) as connection, connection:
            return list(connection.execute(query))

    def requests(self, visit: int) -> list[str]:
        entries = json.loads((self.visits.tapes / f"{visit}.har").read_text())["log"]["entries"]
        return [f"{entry['request']['method']} {entry['request']['url'].split('/', 3)[3]}" for entry in entries]


def shop(story: Story, picture: Path, server: subprocess.Popen[str] | None = None) -> None:
    """Four visits, the last one without a server. Tokens expire before the second one."""
    visits = story.visits
    visits.start("list", f"upload 7 {picture}", "login ann wrong", "login ann secret", "show 7", succeeds=False)
    if server:
        story.rows("UPDATE tokens SET expires = 0 WHERE kind = 'access'")
    visits.start(f"upload 7 {picture}", "show 7", "show 7", "buy 7 2", "show 7", "list")
    visits.start(
        "buy 7 1000", "show 99", f"upload 7 {picture.with_suffix('.txt')}", "sell 7", "buy seven 1", succeeds=False
    )
    if server:
        server.kill()
        server.wait()
    visits.start("list", "buy 7 1", succeeds=False)


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pictures") / "tea.png"
    path.write_bytes(PICTURE)
    path.with_suffix(".txt").write_text("no picture")
    return path


@pytest.fixture(scope="module", params=DOORS)
def program(run: Run, request: pytest.FixtureRequest) -> list[object]:
    """The command that starts the application of a language; built, where that has to be."""
    if request.param == "python":
        return [sys.executable, SHOP / "shop.py"]
    if request.param == "c":
        run("cmake", "--build", BUILD / "cmake", "--target", "shop")
        return [BUILD / "cmake/shop"]
    # What the other examples' build made of netcore is used again.
    run(ROOT / "scripts/swift", "swift-examples", "build", "--quiet", "--package-path", SHOP / "swift")
    return [BUILD / "swift-examples/debug/shop"]


@pytest.fixture(scope="module")
def story(program: list[object], picture: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    """What happened to a customer of a real server, which is busy at first."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "tapes").mkdir()
    words = [sys.executable, SHOP / "server.py", folder / "shop.db", "--busy", "1"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            visits = Visits(program, server.stdout.readline().strip(), folder / "home", folder / "tapes")
            story = Story(visits, folder / "shop.db", [])
            story.goods = [line(*row) for row in story.rows("SELECT * FROM products ORDER BY id")]
            shop(story, picture, server)
            yield story
        finally:
            server.kill()


def line(number: int, name: str, price: int, stock: int) -> str:
    return f"{number:4}  {name:20} {price / 100:8.2f}  {stock} left"


def test_it_lists_all_pages_of_a_shop_that_is_busy_at_first(story: Story) -> None:
    assert story.visits.said[0][:21] == [*story.goods, "20 products"]
    assert story.requests(0)[:4] == ["GET products", "GET products", "GET products?page=2", "GET products?page=3"]


def test_it_logs_in_once_for_all_visits(story: Story) -> None:
    assert story.visits.said[0][21:] == [
        "shop: Please log in first.",
        "shop: The name or the password is wrong.",
        "Welcome, ann.",
        story.goods[6],
    ]
    assert story.rows("SELECT count(*) FROM orders WHERE user = 'ann'") == [(1,)]


def test_a_token_that_has_expired_is_renewed(story: Story) -> None:
    upload = "POST products/7/pictures"
    assert story.requests(1)[:3] == [upload, "POST token", upload]
    assert story.visits.said[1][0] == f"Picture 1: image/png, {len(PICTURE)} bytes"
    assert story.rows("SELECT data FROM pictures") == [(PICTURE,)]


def test_an_upload_shows_its_progress(story: Story) -> None:
    shares = [int(share) for share in re.findall(r"\] +(\d+) ?%", story.visits.progress)]
    assert shares[-1] == 100
    assert any(0 < share < 100 for share in shares)
    assert f"[{'#' * 30}] 100" in story.visits.progress


def test_an_answer_is_kept_until_the_customer_changes_it(story: Story) -> None:
    picture = f"      picture 1: image/png, {len(PICTURE)} bytes"
    ((number, name, price, stock),) = story.rows("SELECT * FROM products WHERE id = 7")
    before, after = line(number, name, price, stock + 2), line(number, name, price, stock)
    assert story.visits.said[1][1:8] == [before, picture, before, picture, "Order 1: 2 for 24.00", after, picture]
    assert story.requests(1)[3:6] == ["GET products/7", "POST orders", "GET products/7"]


def test_errors_are_sentences_for_people(story: Story) -> None:
    assert story.visits.said[2] == [
        "shop: The shop does not have that many.",
        "shop: There is no such product.",
        "shop: A picture must be a PNG or JPEG file.",
        "shop: usage: login NAME PASSWORD, list, show ID, buy ID COUNT, upload ID FILE",
        "shop: usage: buy ID COUNT",
    ]


def test_without_a_connection_it_lists_what_there_was_at_the_last_visit(story: Story) -> None:
    assert story.visits.said[3] == [
        *story.visits.said[1][8:28],
        "20 products, as of your last visit: the shop cannot be reached",
        "shop: The shop cannot be reached. Are you online?",
    ]


def test_a_recording_has_neither_password_nor_tokens(story: Story) -> None:
    recorded = "".join(tape.read_text() for tape in story.visits.tapes.iterdir())
    tokens = [token for (token,) in story.rows("SELECT token FROM tokens")]
    assert len(tokens) == 3
    assert [secret for secret in ('"secret"', '\\"secret\\"', *tokens) if secret in recorded] == []


def test_it_says_the_same_by_a_recording_without_a_server(story: Story, picture: Path, tmp_path: Path) -> None:
    visits = Visits(story.visits.program, story.visits.url, tmp_path, story.visits.tapes)
    shop(Story(visits, story.database, []), picture)
    assert visits.said == story.visits.said
