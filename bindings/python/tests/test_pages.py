"""Lists that come page by page."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Dict, List, Tuple

import pytest

import netcore
from netcore import Page, Paging, Request, Response
from netcore.testing import Answer, Stubs
from test_cases import read

BASE = "http://app.test"
CASES = read("pages.tsv")
NUMBERS = {"page_size", "max_items", "max_requests"}
NAMES = {"parameter": "param", "size_parameter": "size_param"}


def paging_of(text: str) -> Paging:
    options: Dict[str, Any] = {}
    for pair in [] if text == "-" else text.split(","):
        name, _, value = pair.partition("=")
        if name == "zero_based":
            options["first_page"] = 0
        else:
            options[NAMES.get(name, name)] = int(value) if name in NUMBERS else value
    if options.get("style") == "function":
        options["next"] = lambda response: response.headers.get("X-Function")
    return Paging(**options)


class Server:
    """Answers one after the other, and notes what was asked for."""

    def __init__(self, text: str) -> None:
        self.answers = [answer.split("|", 2) for answer in text.split(" ;; ")]
        self.seen: List[str] = []

    def __call__(self, request: Request) -> Response:
        assert len(self.seen) < len(self.answers), f"not expected: {request.url}"
        status, field, body = self.answers[len(self.seen)]
        self.seen.append(request.url[len(BASE) :] if request.url.startswith(BASE) else request.url)
        name, _, value = field.partition(": ")
        return Response(int(status or 200), headers={name: value} if name else {}, content=body)


def check(case: List[str], server: Server, items: List[Any], error: netcore.Error) -> None:
    assert server.seen == case[4].split(" ")
    assert items == json.loads("[" + ("" if case[5] == "-" else case[5]) + "]")
    assert error.name == "NETCORE_ERR_" + case[6]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_the_table_of_cases(case: List[str]) -> None:
    server, items = Server(case[3]), []
    with netcore.Client(transport=server) as client:
        pages = client.pages(BASE + case[2], paging_of(case[1]))
        with pytest.raises(netcore.Error) as caught:
            while True:
                items += pages.load_more().items
    check(case, server, items, caught.value)


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_the_table_of_cases_in_an_event_loop(case: List[str]) -> None:
    server, items = Server(case[3]), []

    async def run() -> None:
        async with netcore.AsyncClient(transport=server) as client:
            pages = client.pages(BASE + case[2], paging_of(case[1]))
            while True:
                items.extend((await pages.load_more()).items)

    with pytest.raises(netcore.Error) as caught:
        asyncio.run(run())
    check(case, server, items, caught.value)


def numbered(count: int, size: int = 2) -> Any:
    """A server of a list of numbers."""

    def serve(request: Request) -> Response:
        query = dict(pair.split("=") for pair in request.url.partition("?")[2].split("&"))
        first = (int(query["page"]) - 1) * size
        return Response(200, json={"total": count, "items": list(range(count))[first : first + size]})

    return serve


def test_pages_and_items_are_iterated() -> None:
    with netcore.Client(transport=numbered(5), base_url=BASE) as client:
        pages = client.pages("list", Paging("page_number"))
        assert (pages.number, pages.has_more, pages.last_request, pages.total) == (0, True, None, None)
        found = [(page.number, page.items, list(page), len(page)) for page in pages]
        assert found == [(1, [0, 1], [0, 1], 2), (2, [2, 3], [2, 3], 2), (3, [4], [4], 1)]
        assert (pages.number, pages.page_size, pages.page_count, pages.item_count, pages.total) == (3, 2, 3, 5, 5)
        assert (pages.style, pages.has_more, pages.is_limited, pages.is_loading) == ("page_number", False, False, False)
        assert pages.last_request is not None
        assert list(client.pages("list", Paging("page_number", prefetch=True)).items()) == [0, 1, 2, 3, 4]
        assert list(client.pages("list", Paging("page_number", max_items=3)).items()) == [0, 1, 2]


def test_a_list_is_refreshed_and_a_page_given_by_number() -> None:
    with netcore.Client(transport=numbered(5)) as client:
        pages = client.pages(BASE, Paging("page_number", prefetch=True))
        assert pages.load(2).items == [2, 3]
        assert pages.load_more().items == [4]
        assert pages.refresh().items == [0, 1]
        assert pages.load_more().number == 2
        with pytest.raises(netcore.InvalidRequest, match="page"):
            pages.load(0)
        with pytest.raises(netcore.StateError, match="no numbers"):
            client.pages(BASE, Paging("link_header")).load(2)


def test_an_empty_list_has_no_pages() -> None:
    with netcore.Client(transport=lambda request: Response(200, json=[])) as client:
        pages = client.pages(BASE)
        assert list(pages) == []
        with pytest.raises(netcore.NoData):
            pages.refresh()


def test_a_page_that_failed_is_loaded_again() -> None:
    stubs = Stubs()
    stubs.get("/list").answer(503, json={"error": 1}).answer(error=netcore.ConnectError).answer(json=[1])
    with netcore.Client(transport=stubs) as client:
        pages = client.pages(BASE + "/list")
        with pytest.raises(netcore.StatusRejected) as caught:
            pages.load_more()
        assert caught.value.response is not None and caught.value.response.json() == {"error": 1}
        with pytest.raises(netcore.ConnectError):
            pages.load_more()
        assert pages.load_more().items == [1]


def test_a_link_to_another_origin_takes_no_credentials_along() -> None:
    seen: List[Tuple[str, Dict[str, str]]] = []

    def serve(request: Request) -> Response:
        seen.append((request.url, dict(request.headers)))
        links = ["/b", "http://other.test/c", None]
        link = links[len(seen) - 1]
        return Response(200, headers={"Link": f"<{link}>; rel=next"} if link else {}, json=[len(seen)])

    headers = {"Cookie": "a=1", "X-A": "1"}
    with netcore.Client(transport=serve, params={"key": "s"}, auth=("ann", "pw"), headers={"X-B": "1"}) as client:
        assert list(client.pages(BASE + "/a", headers=headers).items()) == [1, 2, 3]
    assert [url for url, _ in seen] == [BASE + "/a?key=s", BASE + "/b?key=s", "http://other.test/c"]
    for _, fields in seen[:2]:
        assert {"cookie", "authorization", "x-a", "x-b"} <= {name.lower() for name in fields}
    assert not {"cookie", "authorization"} & {name.lower() for name in seen[2][1]}
    assert {"x-a", "x-b"} <= {name.lower() for name in seen[2][1]}


def test_a_link_from_https_to_http_is_refused() -> None:
    answer = Response(200, headers={"Link": "<http://app.test/b>; rel=next"}, json=[1])
    with netcore.Client(transport=lambda _: answer) as client:
        pages = client.pages("https://app.test/a")
        assert pages.load_more().items == [1]
        with pytest.raises(netcore.Error, match="https to http") as caught:
            pages.load_more()
        assert caught.value.name == "NETCORE_ERR_REDIRECT_INSECURE"


def test_loads_that_overlap_go_as_the_policy_says() -> None:
    async def run(overlap: str) -> Tuple[List[str], int]:
        stubs = Stubs()
        stubs.get("/").answer(Answer(json=[1], delay=0.05))
        async with netcore.AsyncClient(transport=stubs) as client:
            pages = client.pages(BASE + "/", Paging("page_number", overlap=overlap))
            loads = [pages.load_more(), pages.load_more(), pages.refresh()]
            ends = await asyncio.gather(*loads, return_exceptions=True)
        return [type(end).__name__ for end in ends], len(stubs.calls)

    assert asyncio.run(run("join")) == (["Page", "Page", "Page"], 1)
    names, _ = asyncio.run(run("replace"))
    assert names == ["Canceled", "Canceled", "Page"]
    names, count = asyncio.run(run("refuse"))
    assert names == ["Page", "StateError", "StateError"] and count == 1


def test_canceling_a_load_leaves_the_list_as_it_was() -> None:
    async def run() -> List[Any]:
        stubs = Stubs()
        stubs.get("/").answer(Answer(json=[1], delay=60.0)).answer(json=[2])
        async with netcore.AsyncClient(transport=stubs) as client:
            pages = client.pages(BASE + "/")
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(pages.load_more(), 0.05)
            assert not pages.is_loading
            return [item async for item in pages.items()]

    assert asyncio.run(run()) == [2]


def test_what_a_function_for_the_next_page_raises_is_raised() -> None:
    def fail(response: Response) -> str:
        raise KeyError("next")

    with netcore.Client(transport=numbered(5)) as client:
        pages = client.pages(BASE + "/?page=1", Paging(next=fail))
        with pytest.raises(KeyError):
            pages.load_more()
        assert not pages.is_loading


def test_a_body_asks_for_pages_too() -> None:
    bodies: List[Any] = []

    def serve(request: Request) -> Response:
        bodies.append(json.loads(request.content))
        return Response(200, json={"items": [1], "next_cursor": "c" if len(bodies) == 1 else None})

    with netcore.Client(transport=serve) as client:
        pages = client.pages(BASE, method="POST", params={"q": "a"}, serializer="json")
        assert [page.number for page in pages] == [1, 2]
    assert bodies == [{"q": "a"}, {"q": "a", "cursor": "c"}]


@pytest.mark.parametrize(
    "options, argument",
    [
        ({"style": "other"}, "style"),
        ({"items": "data"}, "items"),
        ({"next": "/~2"}, "next"),
        ({"param": ""}, "parameter"),
        ({"header": "a b"}, "header"),
        ({"page_size": -1}, "page_size"),
        ({"first_page": 2}, "first_page"),
        ({"overlap": "wait"}, "overlap"),
    ],
)
def test_bad_options_are_refused(options: Dict[str, Any], argument: str) -> None:
    with netcore.Client() as client, pytest.raises((netcore.InvalidRequest, ValueError), match=argument):
        client.pages(BASE, Paging(**options))


def test_a_page_shows_itself() -> None:
    assert repr(Page(Response(200), 3, [1, 2])) == "<Page 3, 2 items>"
