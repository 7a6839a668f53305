"""Filters of answers, and tags that are read from answers."""

from __future__ import annotations

import asyncio
import threading
from typing import Any, Callable, ClassVar, Dict, List, Optional

import pytest

import netcore
from netcore import Cache, Client, FilterResponse, Request, Response
from test_cases import read

URL = "http://app.invalid/a"
CASES = list(read("response_filters.tsv"))


class Origin:
    """Answers each hop alike, and counts them."""

    def __init__(self, status: int = 200, headers: Any = (), content: str = "ab") -> None:
        self.hops = 0
        self._answer = Response(status, headers=headers, content=content)

    def __call__(self, request: Request) -> Response:
        self.hops += 1
        return self._answer


def cached(content: str = "ab") -> Origin:
    return Origin(headers={"Cache-Control": "max-age=60"}, content=content)


def given(text: str) -> Any:
    return None if text == "-" else text


def take(step: str, answer: FilterResponse) -> None:
    what, _, rest = step.partition(" ")
    name, _, value = rest.partition(" ")
    if what == "set":
        answer.headers[name] = value
    elif what == "add":
        answer.headers.add(name, value)
    elif what == "remove":
        del answer.headers[name]
    elif what == "body":
        answer.content = rest.replace("%", answer.text)
    elif what == "tag":
        answer.add_tag(rest)
    else:
        raise netcore.Refused(int(rest), "refused")


@pytest.mark.parametrize("of_client", [False, True])
@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_the_table_of_cases(case: List[str], of_client: bool) -> None:
    _, kind, method, types, code, fields, body, steps, outcome, delivered, result, hops, calls = case
    origin = Origin(int(code), [tuple(field.split(": ", 1)) for field in fields.split("|")], given(body) or "")
    called = 0

    def change(answer: FilterResponse) -> None:
        nonlocal called
        called += 1
        for step in steps.split("|"):
            take(step, answer)

    options: Dict[str, Any] = {} if given(types) is None else {"accept_content_types": types.split(",")}
    with Cache() as cache, Client(transport=origin, cache=cache) as client:
        if of_client:
            client.add_response_filter(change, network=kind == "network")
        else:
            options[f"{kind}_filter"] = change
        for _ in range(2):
            try:
                response: Optional[Response] = client.request(method, URL, **options)
                assert outcome == "NETCORE_OK"
            except netcore.ResponseRejected as error:
                assert error.name == outcome
                response = error.response
            except netcore.Refused as error:
                assert outcome in (str(error.status), error.name)
                response = error.response
            assert response is not None and response.text == (given(result) or "")
            for field in [] if given(delivered) is None else delivered.split("|"):
                name, _, value = field.partition(": ")
                assert response.headers.get_list(name.lstrip("!")) == ([] if field.startswith("!") else [value])
    assert (origin.hops, called) == (int(hops), int(calls))


def append(text: str) -> Callable[[FilterResponse], None]:
    def change(answer: FilterResponse) -> None:
        answer.content = answer.text + text

    return change


def test_filters_of_the_client_run_before_those_of_an_api_and_in_order() -> None:
    class News(netcore.API):
        base_url = "http://app.invalid"
        options: ClassVar[netcore.RequestOptions] = {"network_filter": append("m"), "delivery_filter": append("M")}

        @netcore.endpoint("GET", "/a", network_filter=[append("r"), append("s")], delivery_filter=append("R"))
        def read(self) -> Response:
            """All of them."""
            raise NotImplementedError

    origin = cached("-")
    with Cache() as cache, Client(transport=origin, cache=cache) as client:
        client.add_response_filter(append("C"))
        client.add_response_filter(append("c"), network=True)
        with News(client) as news:
            assert [news.read().text for _ in range(2)] == ["-cmrsCMR"] * 2
        stored = client.cache_lookup("GET", URL).response
        assert origin.hops == 1 and stored is not None and stored.text == "-cmrs"
        client.remove_response_filters()
        assert client.get(URL).text == "-cmrs"


def test_what_it_raises_is_the_cause() -> None:
    def boom(answer: FilterResponse) -> None:
        raise ValueError(answer.json()["a"])

    with Client(transport=Origin(content='{"a": 7}')) as client:
        for options in ({"network_filter": boom}, {"delivery_filter": boom}):
            with pytest.raises(netcore.Refused, match="a filter raised ValueError") as info:
                client.get(URL, **options)  # type: ignore[arg-type]
            assert isinstance(info.value.__cause__, ValueError) and str(info.value.__cause__) == "7"
        client.add_response_filter(boom)
        with pytest.raises(netcore.Refused, match="a filter raised ValueError") as info:
            client.get(URL)
        assert isinstance(info.value.__cause__, ValueError)


def test_an_answer_reads_as_it_was_changed_and_is_gone_with_its_filter() -> None:
    kept: List[Any] = []

    def change(answer: FilterResponse) -> None:
        before = answer.response
        answer.headers = {"Content-Type": "text/plain; charset=utf-8", "X-A": "1"}
        answer.content = "hallo"
        assert (before.text, answer.text, answer.content, answer.status_code) == ("ab", "hallo", b"hallo", 200)
        assert dict(answer.headers) == {
            "Content-Type": "text/plain; charset=utf-8",
            "X-A": "1",
            "Content-Length": "5",
        }
        assert (answer.url, answer.from_cache) == (URL, False)
        with pytest.raises(netcore.InvalidRequest):
            answer.headers["a b"] = "c"
        with pytest.raises(netcore.StateError):
            answer.add_tag("late")
        with pytest.raises(TypeError, match="content: bytes or str expected"):
            answer.content = 5  # type: ignore[assignment]
        kept.extend([answer, answer.response])

    with Client(transport=Origin()) as client:
        assert client.get(URL, delivery_filter=change).text == "hallo"
    assert kept[1].text == "hallo"
    with pytest.raises(netcore.StateError, match="has returned"):
        kept[0].content = b"x"


@pytest.mark.parametrize("wrong", [7, "text", asyncio.sleep])
@pytest.mark.parametrize("name", ["network_filter", "delivery_filter", "provides"])
def test_what_is_no_function_is_refused(name: str, wrong: Any) -> None:
    with Client(transport=Origin()) as client, pytest.raises(TypeError, match=f"{name}: a function expected"):
        client.get(URL, **{name: wrong})


def test_what_is_no_function_of_a_client_is_refused() -> None:
    with Client(transport=Origin()) as client, pytest.raises(TypeError, match="function: a function expected"):
        client.add_response_filter(None)  # type: ignore[arg-type]


def tags_of(response: Response) -> Any:
    found = [f"post:{one}" for one in response.json()]
    return None if not found else found[0] if len(found) == 1 else found


@pytest.mark.parametrize(("tag", "hops"), [("post:7", 3), ("posts", 3), ("post:9", 2)])
def test_tags_are_read_from_the_answer(tag: str, hops: int) -> None:
    origin = cached("[7, 8]")
    with Cache() as cache, Client(transport=origin, cache=cache) as client:
        client.get(URL, provides=tags_of, tag="posts")
        client.post("http://app.invalid/b", invalidates=tag)
        assert client.get(URL, provides=tags_of, tag="posts").json() == [7, 8]
    assert origin.hops == hops


@pytest.mark.parametrize("content", ["[]", "[7]"])
def test_an_answer_may_provide_one_tag_or_none(content: str) -> None:
    origin = cached(content)
    with Cache() as cache, Client(transport=origin, cache=cache) as client:
        client.get(URL, provides=tags_of)
        client.post("http://app.invalid/b", invalidates="post:7")
        client.get(URL, provides=tags_of)
    assert origin.hops == (2 if content == "[]" else 3)


def test_what_is_refused_before_it_is_sent_has_no_answer() -> None:
    def refuse(request: netcore.FilterRequest) -> None:
        raise netcore.Refused(2001, "not now")

    with Client(transport=Origin()) as client:
        client.add_filter(refuse)
        with pytest.raises(netcore.Refused, match="not now") as info:
            client.get(URL)
        assert info.value.response is None


def test_tags_that_no_answer_can_have_are_refused() -> None:
    with Client(transport=Origin()) as client:
        for wrong, kind in (({1}, TypeError), ("", netcore.InvalidRequest)):
            with pytest.raises(netcore.Refused) as info:
                client.get(URL, provides=lambda response, wrong=wrong: wrong)  # type: ignore[misc]
            assert isinstance(info.value.__cause__, kind)


def test_a_value_that_was_decoded_from_the_stored_answer_is_not_taken_for_a_filtered_one() -> None:
    with Cache() as cache, Client(transport=cached("[1]"), cache=cache) as client:
        assert client.get(URL).decode(List[int]) == [1]
        assert client.get(URL).decode(List[int]) == [1]
        assert client.get(URL, delivery_filter=lambda answer: setattr(answer, "content", "[2]")).decode(List[int]) == [
            2
        ]
        assert client.get(URL).decode(List[int]) == [1]


def test_tasks_that_join_have_filters_of_their_own() -> None:
    may_answer = threading.Event()

    def slow(request: Request) -> Response:
        may_answer.wait(50)
        return Response(content="-")

    with Client(transport=slow) as client:
        tasks = [client.dispatch("GET", URL, duplicates="join", delivery_filter=append(letter)) for letter in "ab"]
        may_answer.set()
        assert [task.result(timeout=50).text for task in tasks] == ["-a", "-b"]
        assert tasks[1].result().joined


def test_an_async_client_has_filters() -> None:
    async def ask() -> str:
        async with netcore.AsyncClient(transport=Origin()) as client:
            client.add_response_filter(append("c"), network=True)
            return (await client.get(URL, delivery_filter=append("d"))).text

    assert asyncio.run(ask()) == "abcd"
