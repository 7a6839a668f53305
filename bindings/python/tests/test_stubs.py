"""Answers of the application's own in place of the network."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import Any, Dict, List, Tuple, Type

import pytest

import netcore
from netcore import Request, Response
from netcore.testing import Answer, Fault, LogNormal, NoStub, Stubs

pytest_plugins = ["pytester"]

BASE = "http://api.test/"


@pytest.fixture
def stubs() -> Stubs:
    return Stubs()


@pytest.fixture
def client(stubs: Stubs) -> Any:
    with netcore.Client(base_url=BASE, transport=stubs) as client:
        yield client


def test_answers_one_after_the_other(stubs: Stubs, client: netcore.Client) -> None:
    stub = stubs.get("/a").answer(503).answer(200, headers={"X-A": "b"}, json={"c": 1}).answer(Response(204))
    assert [client.get("a").status_code for _ in range(4)] == [503, 200, 204, 204]
    assert stub.call_count == 4 and [request.url for request in stub.calls] == [BASE + "a"] * 4
    stubs.check()


def test_without_an_answer_it_is_200(stubs: Stubs, client: netcore.Client) -> None:
    stubs.add()
    assert client.delete("anything").status_code == 200


MATCHES: List[Tuple[Dict[str, Any], Dict[str, Any], str]] = [
    ({"params": {"q": "a b", "n": 1}}, {"params": {"n": 1, "x": 2, "q": "a b"}}, ""),
    ({"params": {"q": "*"}}, {"params": {"q": "b"}}, 'the parameter "q" is "b", not "%2A"'),
    ({"params": {"q": 1}}, {}, 'the parameter "q" is missing'),
    ({"headers": {"Accept": "text/*"}}, {"headers": {"accept": "text/html"}}, ""),
    ({"headers": {"X-A": "1"}}, {"headers": {"X-A": "2"}}, 'the header "X-A" is "2", not "1"'),
    ({"json": {"a": [1], "b": None}}, {"json": {"b": None, "a": [1]}}, ""),
    ({"json": {"a": 1}}, {"json": {"a": 2}}, "not the JSON"),
    ({"content": b"a\0b"}, {"content": b"a\0b"}, ""),
    ({"content": "a"}, {"content": b"b"}, 'the body is "b", not "a"'),
]


@pytest.mark.parametrize("expected, sent, difference", MATCHES)
def test_what_matches(
    stubs: Stubs, client: netcore.Client, expected: Dict[str, Any], sent: Dict[str, Any], difference: str
) -> None:
    stubs.post("/a", **expected).answer(201)
    if difference:
        with pytest.raises(NoStub) as caught:
            client.post("a", **sent)
        assert difference in str(caught.value) and "the nearest of 1 is POST /a" in str(caught.value)
    else:
        assert client.post("a", **sent).status_code == 201


def test_check_names_what_was_not_requested(stubs: Stubs, client: netcore.Client) -> None:
    stubs.get("/used")
    stubs.put("/unused", params={"a": 1})
    client.get("used")
    with pytest.raises(NoStub, match=r"not requested: PUT /unused\?a=1"):
        stubs.check()
    stubs.reset()
    stubs.check()
    with pytest.raises(NoStub, match="there are no stubs"):
        client.get("used")
    with pytest.raises(AssertionError, match=r"no stub answered GET http://api\.test/used"):
        stubs.check()


FAULTS: List[Tuple[Dict[str, Any], Type[netcore.Error]]] = [
    ({"fault": Fault.reset()}, netcore.ConnectionLost),
    ({"fault": Fault.empty()}, netcore.ConnectionLost),
    ({"fault": Fault.silence()}, netcore.FirstByteTimeout),
    ({"fault": Fault.cut(2)}, netcore.TruncatedError),
    ({"fault": Fault.stall(2)}, netcore.IdleTimeout),
    ({"fault": Fault.malformed_chunk(2)}, netcore.ProtocolError),
    ({"error": netcore.ConnectTimeout}, netcore.ConnectTimeout),
    ({"error": netcore.Refused(2005, "ours")}, netcore.Refused),
    ({"delay": 3600}, netcore.FirstByteTimeout),
    ({"piece_size": 1, "piece_delay": 3600}, netcore.IdleTimeout),
]


@pytest.mark.parametrize("options, error", FAULTS)
def test_faults(stubs: Stubs, client: netcore.Client, options: Dict[str, Any], error: Type[netcore.Error]) -> None:
    stubs.get("/a").answer(content=b"content", **options)
    waits: Dict[Type[netcore.Error], netcore.Timeout] = {
        netcore.FirstByteTimeout: netcore.Timeout(first_byte=0.05),
        netcore.IdleTimeout: netcore.Timeout(idle=0.05),
    }
    with pytest.raises(error):
        client.get("a", timeout=waits.get(error, netcore.Timeout()))


@pytest.mark.parametrize("delay", [0.001, (0.0, 0.002), LogNormal(0.001, sigma=0.3)])
def test_delays(stubs: Stubs, client: netcore.Client, delay: Any) -> None:
    stubs.get("/a").answer(content="late", delay=delay)
    assert client.get("a").text == "late"


def test_a_stream_comes_in_pieces(stubs: Stubs, client: netcore.Client) -> None:
    stubs.get("/a").answer(content=b"abcdefgh", piece_size=3, fault=Fault.cut(7))
    taken = b""
    with client.stream("GET", "a") as response, pytest.raises(netcore.TruncatedError):
        for piece in response.iter_bytes():
            taken += piece
    assert taken == b"abcdefg"


def test_retries_and_the_cache_are_above(stubs: Stubs) -> None:
    stubs.get("/a").answer(503).answer(headers={"Cache-Control": "max-age=60"}, content="kept")
    retry = netcore.Retry(base_delay=0.001)
    with netcore.Cache() as cache, netcore.Client(base_url=BASE, transport=stubs, cache=cache, retries=retry) as client:
        assert client.get("a").text == "kept" and client.get("a").from_cache
    assert len(stubs.calls) == 2


def test_a_function_answers(stubs: Stubs, client: netcore.Client) -> None:
    def echo(request: Request) -> Answer:
        return Answer(201, content=request.content, headers={"X-Method": request.method})

    stubs.put("/a", function=echo)
    stubs.get("/a", function=lambda request: Response(content=request.url))
    response = client.put("a", content=b"abc")
    assert (response.status_code, response.content, response.headers["x-method"]) == (201, b"abc", "PUT")
    assert client.get("a").text == BASE + "a"
    assert [request.content for request in stubs.calls] == [b"abc", b""]


def test_what_a_function_raises(stubs: Stubs, client: netcore.Client) -> None:
    def refuse(request: Request) -> Answer:
        raise netcore.ConnectError("not today")

    def fail(request: Request) -> Answer:
        raise AssertionError("unexpected")

    stubs.get("/refuse", function=refuse)
    stubs.get("/fail", function=fail)
    stubs.get("/text", function=lambda request: "text")
    with pytest.raises(netcore.ConnectError, match="not today"):
        client.get("refuse")
    with pytest.raises(netcore.Refused, match="the stub raised AssertionError: unexpected"):
        client.get("fail")
    with pytest.raises(netcore.Refused, match="Answer or Response expected, not str"):
        client.get("text")
    with pytest.raises(AssertionError, match="unexpected"):
        stubs.check()
    with pytest.raises(TypeError):
        stubs.check()
    stubs.check()


def test_asyncio(stubs: Stubs) -> None:
    async def main() -> None:
        stubs.get("/*").answer(content="a", delay=0.01)
        async with netcore.AsyncClient(base_url=BASE, transport=stubs) as client:
            answers = await asyncio.gather(*(client.get(str(number)) for number in range(10)))
        assert [answer.text for answer in answers] == ["a"] * 10

    asyncio.run(main())


def test_stubs_with_functions_do_not_hold_up_the_exit() -> None:
    program = """
import netcore
from netcore.testing import Answer, Stubs
stubs = Stubs()
stubs.get("/a", function=lambda request: Answer(201))
client = netcore.Client(transport=stubs)
print(client.get("http://api.test/a").status_code)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100, check=True)
    assert done.stdout == "201\n"


def test_how_often(stubs: Stubs, client: netcore.Client) -> None:
    stubs.get("/a", times=2).answer(201)
    stubs.get("/a", times=1).answer(202)
    assert [client.get("a").status_code for _ in range(3)] == [201, 201, 202]
    with pytest.raises(NoStub, match="it has answered as often as it may"):
        client.get("a")


@pytest.mark.parametrize(
    "make, error",
    [
        (lambda stubs: stubs.add("G T"), netcore.InvalidRequest),
        (lambda stubs: stubs.get("users"), netcore.InvalidURL),
        (lambda stubs: stubs.get("/", times=0), netcore.InvalidRequest),
        (lambda stubs: stubs.get("/", params="a=1"), TypeError),
        (lambda stubs: stubs.get("/").answer(700), netcore.InvalidRequest),
        (lambda stubs: stubs.get("/").answer(delay="1"), TypeError),
        (lambda stubs: stubs.get("/").answer(delay=-1), ValueError),
        (lambda stubs: stubs.get("/").answer(delay=(2.0, 1.0)), netcore.InvalidRequest),
        (lambda stubs: stubs.get("/").answer(error=netcore.Canceled), netcore.InvalidRequest),
    ],
)
def test_what_is_refused(stubs: Stubs, make: Any, error: Type[Exception]) -> None:
    with pytest.raises(error):
        make(stubs)


def test_the_fixture(pytester: pytest.Pytester) -> None:
    pytester.makeconftest("pytest_plugins = ['netcore.pytest_plugin']")
    pytester.makepyfile(
        """
        import netcore

        def test_used(netcore_stubs):
            netcore_stubs.get("/a").answer(content="x")
            with netcore.Client(transport=netcore_stubs) as client:
                assert client.get("http://api.test/a").text == "x"

        def test_unused(netcore_stubs):
            netcore_stubs.get("/a")
        """
    )
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(["*NoStub*not requested: GET /a*"])
