"""Calls of APIs with tags by their parameters, with options of their own, and in pages."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, ClassVar, List, Optional

import pytest

import netcore
from netcore.testing import Stubs


@dataclass
class Post:
    id: int


class Shop(netcore.API):
    base_url = "https://api.test"

    @netcore.endpoint("GET", "/posts/{id}", tag=["posts", "post:{id}"], cache_ttl=60)
    def post(self, id: int) -> Post:
        raise AssertionError

    @netcore.endpoint("DELETE", "/posts/{id}", invalidates="post:{id}")
    def delete(self, id: int) -> None:
        raise AssertionError

    @netcore.endpoint("POST", "/posts/{id}/pictures")
    def upload(self, id: int) -> None:
        raise AssertionError

    @netcore.endpoint("GET", "/posts")
    def posts(self, author: Optional[str] = None) -> List[Post]:
        raise AssertionError

    @netcore.endpoint("POST", "/login", bare=True)
    def login(self, name: str) -> netcore.Response:
        raise AssertionError


def test_a_call_invalidates_what_it_changes_and_nothing_else() -> None:
    stubs = Stubs()
    for id in (7, 8):
        stubs.get(f"/posts/{id}").answer(json={"id": id})
    stubs.delete("/posts/7").answer(204)
    with netcore.Cache() as cache, netcore.Client(transport=stubs, cache=cache) as client:
        shop = Shop(client)
        for _ in range(2):
            assert [shop.post(7), shop.post(8)] == [Post(7), Post(8)]
        assert len(stubs.calls) == 2
        shop.delete(7)
        assert [shop.post(7), shop.post(8)] == [Post(7), Post(8)]
        assert len(stubs.calls) == 4


def test_a_call_may_have_options_of_its_own(tmp_path: Path) -> None:
    seen: List[netcore.Request] = []

    def server(request: netcore.Request) -> netcore.Response:
        seen.append(request)
        return netcore.Response(201)

    path = tmp_path / "tea.png"
    path.write_bytes(b"png")
    reports: List[netcore.Progress] = []
    with netcore.Client(transport=server) as client:
        upload = Shop(client).upload.using(files={"picture": path}, on_progress=reports.append)
        upload.using(headers={"X-A": "1"})(7)
        upload(8)
        with pytest.raises(TypeError, match="fil"):
            upload.using(fils=1)  # type: ignore[call-arg]
    assert [(request.url, request.headers.get("X-A")) for request in seen] == [
        ("https://api.test/posts/7/pictures", "1"),
        ("https://api.test/posts/8/pictures", None),
    ]
    assert all(b'name="picture"; filename="tea.png"' in request.content for request in seen)
    assert len(reports) >= 1


@pytest.fixture
def lists() -> Stubs:
    stubs = Stubs()
    link = '<https://api.test/posts?author=ann&page=2>; rel="next"'
    stubs.get("/posts", params={"author": "ann", "page": 2}).answer(json=[{"id": 3}])
    stubs.get("/posts", params={"author": "ann"}).answer(json=[{"id": 1}, {"id": 2}], headers={"Link": link})
    return stubs


def test_the_answers_of_a_list_come_in_pages(lists: Stubs) -> None:
    with netcore.Client(transport=lists) as client:
        pages = Shop(client).posts.pages(netcore.Paging("link_header"), author="ann")
        assert [page.response.decode(List[Post]) for page in pages] == [[Post(1), Post(2)], [Post(3)]]


class AsyncShop(netcore.API):
    base_url = "https://api.test"

    @netcore.endpoint("GET", "/posts")
    async def posts(self, author: Optional[str] = None) -> List[Post]:
        raise AssertionError


def test_the_same_with_asyncio(lists: Stubs) -> None:
    async def ids() -> List[int]:
        async with netcore.AsyncClient(transport=lists) as client:
            pages = AsyncShop(client).posts.pages(None, "ann")
            return [item["id"] async for item in pages.items()]

    assert asyncio.run(ids()) == [1, 2, 3]


def test_a_bare_call_goes_to_the_base_url_of_its_api() -> None:
    stubs = Stubs()
    stubs.post("/login", json={"name": "ann"}).answer(json={})
    with netcore.Client(transport=stubs, headers={"X-A": "1"}) as client:
        Shop(client).login("ann")
    assert "X-A" not in stubs.calls[0].headers


def test_the_observers_of_an_api_and_of_its_method_are_both_called() -> None:
    seen: List[str] = []

    def note(who: str) -> Callable[[netcore.ClientEvent], object]:
        return lambda event: seen.append(who) if event.kind == netcore.EventKind.DONE else None

    class Watched(netcore.API):
        base_url = "https://api.test"
        options: ClassVar[netcore.RequestOptions] = {"on_event": note("api")}

        @netcore.endpoint("GET", "/posts", on_event=[note("first"), note("second")])
        def posts(self) -> None:
            raise AssertionError

    stubs = Stubs()
    stubs.get("/posts").answer(json=[])
    with netcore.Client(transport=stubs) as client:
        Watched(client).posts()
    assert seen == ["api", "first", "second"]
