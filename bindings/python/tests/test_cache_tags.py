"""Tags of stored answers, and requests that invalidate them when they succeed."""

from __future__ import annotations

from typing import Any, Iterator, Tuple

import pytest

import netcore
from netcore.testing import Stubs

KEPT = {"Cache-Control": "max-age=60"}
Bench = Tuple[netcore.Client, Stubs]


@pytest.fixture
def bench() -> Iterator[Bench]:
    """A client with a cache that has three answers, of which two have the tag "posts"."""
    stubs = Stubs()
    for path in ("/posts", "/posts/7", "/me"):
        stubs.get(path).answer(200, headers=KEPT, content=path)
    with netcore.Cache() as cache, netcore.Client(base_url="http://api.test", transport=stubs, cache=cache) as client:
        for path in ("/posts", "/posts/7", "/me"):
            show(client, path)
        yield client, stubs


def show(client: netcore.Client, path: str, **options: Any) -> netcore.Response:
    tags = {"/posts": ["posts"], "/posts/7": ["posts", "post:7"]}.get(path, [])
    return client.get(path, tag=tags, **options)


def stored(client: netcore.Client) -> list[str]:
    return [
        path for path in ("/posts", "/posts/7", "/me") if show(client, path).cache_result is netcore.CacheResult.HIT
    ]


@pytest.mark.parametrize(
    "invalidates, left",
    [
        ("post:7", ["/posts", "/me"]),
        ("posts", ["/me"]),
        (("post:7", "post:8"), ["/posts", "/me"]),
        (["other"], ["/posts", "/posts/7", "/me"]),
        ((), ["/posts", "/posts/7", "/me"]),
    ],
)
def test_a_success_invalidates_by_tag(bench: Bench, invalidates: Any, left: list[str]) -> None:
    client, stubs = bench
    stubs.post("/likes").answer(201)
    assert client.post("/likes", invalidates=invalidates).status_code == 201
    assert stored(client) == left


@pytest.mark.parametrize("status", [400, 404, 500])
def test_a_refusal_invalidates_nothing(bench: Bench, status: int) -> None:
    client, stubs = bench
    stubs.post("/likes").answer(status)
    client.post("/likes", invalidates="posts")
    assert stored(client) == ["/posts", "/posts/7", "/me"]


def test_an_answer_that_is_not_accepted_invalidates_nothing(bench: Bench) -> None:
    client, stubs = bench
    stubs.post("/likes").answer(200, json={"ok": False})
    with pytest.raises(netcore.Error):
        client.post("/likes", invalidates="posts", json_shape={"id": "number"})
    assert stored(client) == ["/posts", "/posts/7", "/me"]


def test_without_a_cache_it_is_an_option_like_any_other() -> None:
    stubs = Stubs()
    stubs.add().answer(200)
    with netcore.Client(base_url="http://api.test", transport=stubs) as client:
        assert client.post("/likes", invalidates="posts").status_code == 200


@pytest.mark.parametrize(
    "wrong, error", [("", netcore.InvalidRequest), ("a\x1fb", netcore.InvalidRequest), (7, TypeError)]
)
def test_what_is_no_tag_is_refused(bench: Bench, wrong: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"tag|invalidates"):
        bench[0].get("/posts", invalidates=wrong)
