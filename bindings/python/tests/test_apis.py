"""APIs that are described once, and called as methods."""

from __future__ import annotations

import asyncio
import enum
import json
import threading
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, ClassVar, Dict, List, Optional, Union

import pytest

import netcore
from netcore.testing import Stubs
from test_cases import read

CASES = read("apis.tsv")
KINDS: Dict[str, Any] = {
    "integer": int,
    "string": str,
    "number": float,
    "boolean": bool,
    "object": dict,
    '["string"]': List[str],
    '["integer"]': List[int],
    "string|integer": Union[str, int],
}


class Server:
    """Notes what is sent."""

    def __init__(self, status: int = 200, body: Any = None) -> None:
        self.seen: List[netcore.Request] = []
        self.status = status
        self.body = body

    def __call__(self, request: netcore.Request) -> netcore.Response:
        self.seen.append(request)
        return netcore.Response(self.status, content=json.dumps(self.body))


def function_of(text: str) -> Any:
    """A function with the signature that a case describes."""
    names, hints = ["self"], {}
    for part in text.split(", ") if text != "-" else []:
        name, kind, place, field, default, *_ = [*part.split(" "), "-", "-", "-"]
        hint = KINDS[kind.rstrip("?")]
        name_outside = None if field == "-" else field
        if place == "query":
            hint = Annotated[hint, netcore.Query(name_outside)]
        elif place == "header":
            hint = Annotated[hint, netcore.Header(name_outside)]
        elif place == "body":
            hint = Annotated[hint, netcore.Body()]
        elif name_outside is not None:
            hint = Annotated[hint, netcore.Field(name_outside)]
        hints[name] = hint
        value = "None" if kind.endswith("?") else repr(json.loads(default)) if default != "-" else ""
        names.append(f"{name}={value}" if value else name)
    made: Dict[str, Any] = {}
    given = [name for name in names if "=" not in name] + [name for name in names if "=" in name]
    exec(f"def call({', '.join(given)}): ...", made)
    made["call"].__annotations__ = {**hints, "return": netcore.Response}
    return made["call"]


NOT_OF_PYTHON = {
    "null in a JSON body": "None leaves a parameter out",
    "an element of another type": "elements of lists are not checked",
    "a name in the path that is not described": "a signature describes all",
    "a missing one that is not described": "a signature describes all",
}


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_the_table_of_cases(case: List[str]) -> None:
    name, method, url, serializer, described, values, sent, field, body, outcome = case
    if name in NOT_OF_PYTHON:
        pytest.skip(NOT_OF_PYTHON[name])
    server = Server()
    shop_class = type(
        "Shop",
        (netcore.API,),
        {
            "base_url": "http://app.test/v1",
            "options": {"serializer": "form" if serializer == "-" else serializer},
            "call": netcore.endpoint(method, url)(function_of(described)),
        },
    )
    with netcore.Client(transport=server) as client:
        shop: Any = shop_class(client)
        if outcome == "OK":
            shop.call(**json.loads(values))
            (request,) = server.seen
            assert request.url == f"http://app.test{sent}"
            assert request.headers.get("X-Test", "-") == field
            assert request.content == (b"" if body == "-" else body.encode())
            return
        try:
            shop.call(**json.loads(values))
        except netcore.InvalidParam as error:
            assert f"{error.name[12:]} {error.parameter}" == outcome
            assert error.application_code == netcore.ApplicationCode.INVALID_REQUEST
        except TypeError as error:
            assert outcome.split()[1] in str(error)
        else:
            raise AssertionError("nothing was refused")
        assert not server.seen


@dataclass
class Post:
    id: int
    title: str


@dataclass
class NewPost:
    title: str
    due: date


class Sort(enum.Enum):
    NEW = "new"
    OLD = "old"


class Shop(netcore.API):
    base_url = "https://api.test/v1"
    options: ClassVar[netcore.RequestOptions] = {"headers": {"X-App": "1", "X-Key": "k"}, "tag": "shop", "timeout": 10}

    @netcore.endpoint("GET", "/posts/{id}", tag=["posts"], headers={"X-Key": "own"})
    def post(self, id: int) -> Post:
        """A post."""
        raise AssertionError

    @netcore.endpoint("GET", "/posts")
    def posts(
        self, *, page: int = 1, per_page: Annotated[int, netcore.Field("perPage")] = 20, sort: Optional[Sort] = None
    ) -> List[Post]:
        raise AssertionError

    @netcore.endpoint("POST", "/posts")
    def create(self, post: Annotated[NewPost, netcore.Body()], dry: Annotated[bool, netcore.Query()] = False) -> Post:
        raise AssertionError

    @netcore.endpoint("DELETE", "/posts/{id}")
    def delete(self, id: int) -> None:
        raise AssertionError

    @netcore.endpoint("GET", "/slow")
    def slow(self) -> netcore.Response:
        raise AssertionError


def test_a_call_returns_a_model() -> None:
    server = Server(body={"id": 7, "title": "Tea"})
    with netcore.Client(transport=server) as client:
        shop = Shop(client)
        post = shop.post(7)
        assert post == Post(7, "Tea")
        assert shop.post(id=7) == post
        assert Shop.post.__doc__ == "A post."
        headers = server.seen[0].headers
        assert (headers["X-App"], headers.get_list("X-Key")) == ("1", ["own"])
        shop.delete(7)


def test_values_of_other_types_and_defaults() -> None:
    server = Server(body=[{"id": 7, "title": "Tea"}])
    with netcore.Client(transport=server) as client:
        shop = Shop(client)
        assert shop.posts(sort=Sort.OLD) == [Post(7, "Tea")]
        server.body = {"id": 8, "title": "Tea"}
        shop.create(NewPost("Tea", date(2026, 1, 2)), dry=True)
    first, second = server.seen
    assert first.url == "https://api.test/v1/posts?page=1&perPage=20&sort=old"
    assert second.url == "https://api.test/v1/posts?dry=true"
    assert json.loads(second.content) == {"title": "Tea", "due": "2026-01-02"}
    assert second.headers["Content-Type"] == "application/json"


def test_what_is_no_success_raises() -> None:
    server = Server(404, {"message": "no such post"})
    with netcore.Client(transport=server) as client:
        with pytest.raises(netcore.StatusRejected) as raised:
            Shop(client).post(7)
        assert raised.value.application_code == netcore.ApplicationCode.NOT_FOUND
        server.status, server.body = 200, {"id": 7}
        with pytest.raises(netcore.ModelError):
            Shop(client).post(7)
        with pytest.raises(netcore.InvalidParam, match="id: integer expected"):
            Shop(client).post("7")  # type: ignore[arg-type]
        with pytest.raises(netcore.InvalidParam):
            Shop(client).post(float("nan"))  # type: ignore[arg-type]


class AsyncShop(netcore.API):
    base_url = "https://api.test/v1"

    @netcore.endpoint("GET", "/posts/{id}")
    async def post(self, id: int) -> Post:
        raise AssertionError


def test_the_same_with_asyncio() -> None:
    async def main() -> None:
        async with netcore.AsyncClient(transport=Server(body={"id": 7, "title": "Tea"})) as client:
            async with AsyncShop(client) as shop:
                assert await shop.post(7) == Post(7, "Tea")
                assert list(await asyncio.gather(shop.post(1), shop.post(2))) == [Post(7, "Tea")] * 2
                with pytest.raises(TypeError, match="needs a Client"):
                    Shop(client).delete(7)

    asyncio.run(main())
    with netcore.Client() as blocking, pytest.raises(TypeError, match="needs an AsyncClient"):
        asyncio.run(AsyncShop(blocking).post(7))


def test_calls_are_members_of_a_group() -> None:
    with netcore.Client(transport=Server(body={"id": 7, "title": "Tea"})) as client:
        shop = Shop(client)
        group = client.group()
        task = shop.post.task(7)
        group.join(task)
        group.dispatch()
        group.wait()
        assert shop.post.model(task.result()) == Post(7, "Tea")


def test_the_tasks_of_an_api_are_canceled_together() -> None:
    stubs = Stubs()
    stubs.get("/v1/slow").answer(delay=60)
    with netcore.Client(transport=stubs) as client:
        shop = Shop(client)
        tasks = [shop.slow.task() for _ in range(3)]
        for task in tasks:
            task.dispatch()
        shop.cancel()
        for task in tasks:
            with pytest.raises(netcore.Canceled) as raised:
                task.result()
            assert raised.value.cause == "scope"
        shop.close()
        shop.close()
        with pytest.raises(netcore.StateError):
            shop.slow()


class Wrong(netcore.API):
    base_url = "https://api.test"
    options: ClassVar[netcore.RequestOptions] = {
        "errors": netcore.ErrorTable([netcore.ErrorRow(1404, status=404, message="Gone.")])
    }

    @netcore.endpoint("GET", "/{", tag="a")
    def malformed(self) -> None: ...

    @netcore.endpoint("GET", "/", errors=netcore.ErrorTable([netcore.ErrorRow(1404, status=410, message="Lost.")]))
    def clash(self) -> None: ...

    @netcore.endpoint("GET", "/")
    def many(self, *ids: int) -> None: ...

    @netcore.endpoint("GET", "/")
    def both(self, a: Annotated[int, netcore.Query(), netcore.Header()]) -> None: ...


def test_what_is_refused() -> None:
    with netcore.Client() as client:
        api = Wrong(client)
        with pytest.raises(netcore.InvalidURL):
            api.malformed()
        with pytest.raises(netcore.InvalidRequest, match="the code 1404 has another one already"):
            api.clash()
        with pytest.raises(TypeError, match="have names"):
            api.many(1)
        with pytest.raises(netcore.InvalidRequest, match="two places"):
            api.both(1)
        with pytest.raises(TypeError, match="unknown option 'timout'"):
            netcore.endpoint("GET", "/", timout=1)(lambda self: None)  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="client"):
            Shop("x")  # type: ignore[arg-type]


def test_a_filter_signs_one_request_and_what_it_raises_is_the_cause() -> None:
    server = Server()
    threads: List[int] = []

    def sign(request: netcore.FilterRequest) -> None:
        threads.append(threading.get_ident())
        request.headers["X-Signature"] = f"{request.method} {len(request.content or b'')}"

    def fail(request: netcore.FilterRequest) -> None:
        raise KeyError("no key")

    with netcore.Client(transport=server) as client:
        client.post("https://api.test/", content=b"abc", filter=sign)
        client.get("https://api.test/")
        assert [request.headers.get("X-Signature") for request in server.seen] == ["POST 3", None]
        assert threads != [threading.get_ident()]
        with pytest.raises(netcore.Refused, match="a filter raised KeyError") as raised:
            client.get("https://api.test/", filter=fail)
        assert isinstance(raised.value.__cause__, KeyError)
        with pytest.raises(TypeError):
            client.get("https://api.test/", filter=1)  # type: ignore[arg-type]


def test_hops_know_the_template_of_their_path() -> None:
    hops: List[Optional[str]] = []

    def note(hop: netcore.Hop) -> None:
        hops.append(hop.url_template)

    with netcore.Client(transport=Server(body={"id": 7, "title": "Tea"})) as client:
        client.set_hop_header("X-Span", note)
        Shop(client).post(7)
        client.get("https://api.test/users/{name}?x=1", path_values={"name": "ann"})
        client.get("https://api.test/users/ann")
    assert hops == ["/posts/{id}", "/users/{name}", None]
