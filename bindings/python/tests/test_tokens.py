"""Functions that say who sends requests: sources of tokens, and answers to challenges."""

from __future__ import annotations

import asyncio
import threading
import weakref
from typing import Any, Callable, Iterator, List, Optional, Tuple, Type
from urllib.parse import quote

import pytest

import netcore
import programs
from peers import Peers, is_gone, script, until

REFUSAL = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer realm=r\r\nContent-Length: 0\r\n\r\n"


@pytest.fixture
def httpbin(peers: Peers) -> Iterator[netcore.Client]:
    with netcore.Client(base_url=peers.httpbin) as client:
        yield client


def authorization(response: netcore.Response) -> List[str]:
    return [value for name, value in response.json()["headers"] if name.lower() == "authorization"]


def calls_of(httpbin: netcore.Client) -> List[Callable[[], Any]]:
    """Two ways to ask for what needs a token."""
    return [lambda: httpbin.get("/bearer"), lambda: httpbin.dispatch("GET", "/bearer").result()]


# Tokens


def test_a_token_goes_with_requests_to_its_origin(peers: Peers, client: netcore.Client) -> None:
    asked: List[Optional[str]] = []

    def token(refused: Optional[str]) -> str:
        asked.append(refused)
        return "t1"

    client.set_token_source(peers.origin + "/any/path", token)
    assert [authorization(client.get("/echo")) for _ in range(3)] == [["Bearer t1"]] * 3
    assert authorization(client.get("/echo", auth=("a", "b"))) != ["Bearer t1"]
    assert authorization(client.get(peers.origin + "/echo", bare=True)) == []
    away = client.get(f"{peers.httpbin}/redirect-to?url={quote(peers.origin + '/echo')}")
    assert authorization(away) == ["Bearer t1"]
    assert client.get(f"{peers.httpbin}/bearer").status_code == 401
    assert asked == [None]
    client.set_token_source(peers.origin, None)
    assert authorization(client.get("/echo")) == []


def test_a_refused_token_is_replaced_once(peers: Peers, client: netcore.Client) -> None:
    asked: List[Optional[str]] = []

    def token(refused: Optional[str]) -> str:
        asked.append(refused)
        return f"t{len(asked)}"

    client.set_token_source(peers.origin, token)
    tasks = [client.dispatch("GET", script({"send": REFUSAL})) for _ in range(10)]
    assert {task.result().status_code for task in tasks} == {401}
    assert asked[:2] == [None, "t1"] and len(asked) <= 11


def test_no_token(httpbin: netcore.Client, peers: Peers) -> None:
    httpbin.set_token_source(peers.httpbin, lambda refused: None)
    assert httpbin.get("/bearer").status_code == 401


def interrupt() -> None:
    raise KeyboardInterrupt


WRONG_TOKENS: List[Tuple[Callable[[], Any], Type[BaseException]]] = [
    (lambda: 5, TypeError),
    (lambda: b"t", TypeError),
    (lambda: "", netcore.InvalidRequest),
    (lambda: "a b", netcore.InvalidRequest),
    (lambda: "\u20ac", netcore.InvalidRequest),
    (lambda: "x" * 65_536, netcore.InvalidRequest),
    (lambda: 1 / 0, ZeroDivisionError),
    (interrupt, KeyboardInterrupt),
]


@pytest.mark.parametrize("function, cause", WRONG_TOKENS)
def test_what_goes_wrong_is_the_cause(
    httpbin: netcore.Client, peers: Peers, function: Callable[[], Any], cause: Type[BaseException]
) -> None:
    httpbin.set_token_source(peers.httpbin, lambda refused: function())
    message = f"^the source of tokens raised {cause.__name__}$"
    for call in calls_of(httpbin):
        with pytest.raises(netcore.Refused, match=message) as caught:
            call()
        assert type(caught.value.__cause__) is cause and caught.value.native_code == 0
    httpbin.set_token_source(peers.httpbin, lambda refused: "right")
    assert httpbin.get("/bearer").json()["token"] == "right"


def test_all_that_wait_for_a_token_end_alike(peers: Peers, httpbin: netcore.Client) -> None:
    started, go_on = threading.Event(), threading.Event()
    asked: List[Optional[str]] = []

    def fail(refused: Optional[str]) -> str:
        asked.append(refused)
        started.set()
        go_on.wait()
        raise netcore.Refused(2001, "nobody is logged in")

    httpbin.set_token_source(peers.httpbin, fail)
    tasks = [httpbin.dispatch("GET", "/bearer", tag="t") for _ in range(20)]
    started.wait()
    late = httpbin.dispatch("GET", f"{peers.origin}/echo")
    assert late.result().status_code == 200  # by then the others have come so far, too
    go_on.set()
    for task in tasks:
        with pytest.raises(netcore.Refused, match=r"^nobody is logged in$") as caught:
            task.result()
        assert caught.value.status == 2001 and isinstance(caught.value.__cause__, netcore.Refused)
    assert asked == [None]


def test_sources_of_two_origins(peers: Peers, client: netcore.Client) -> None:
    client.set_token_source(peers.httpbin, lambda refused: str(int("httpbin")))
    client.set_token_source(peers.origin, lambda refused: str(int("origin")))
    tasks = [client.dispatch("GET", url) for url in [f"{peers.httpbin}/get", f"{peers.origin}/echo"] * 20]
    for number, task in enumerate(tasks):
        with pytest.raises(netcore.Refused) as caught:
            task.result()
        assert ("'httpbin'", "'origin'")[number % 2] in str(caught.value.__cause__)
    client.set_token_source(peers.httpbin, None)
    with pytest.raises(netcore.Refused) as caught:  # where a redirect leads counts
        client.get(f"{peers.httpbin}/redirect-to?url={quote(peers.origin + '/echo')}")
    assert "'origin'" in str(caught.value.__cause__)


def test_what_is_raised_for_nobody_is_raised_by_close(peers: Peers) -> None:
    gate = threading.Event()

    def fail(refused: Optional[str]) -> str:
        gate.wait()
        raise LookupError("late")

    client = netcore.Client(base_url=peers.httpbin)
    client.set_token_source(peers.httpbin, fail)
    with pytest.raises(netcore.TotalTimeout):
        client.get("/bearer", timeout=netcore.Timeout(total=0.1))
    gate.set()
    with pytest.raises(LookupError, match="late"):
        client.close()


def test_a_source_uses_its_client(peers: Peers, client: netcore.Client) -> None:
    def fetch(refused: Optional[str]) -> str:
        return str(client.get(f"{peers.origin}/echo/token", bare=True).json()["target"])

    client.set_token_source(peers.origin, fetch)
    assert authorization(client.get("/echo")) == ["Bearer /echo/token"]
    client.set_token_source(peers.origin, lambda refused: client.get("/echo").text)
    with pytest.raises(netcore.Refused) as caught:
        client.get("/echo")
    assert isinstance(caught.value.__cause__, netcore.StateError)


def test_a_source_closes_its_client(peers: Peers) -> None:
    client = netcore.Client(base_url=peers.origin)
    client.set_token_source(peers.origin, lambda refused: client.close())
    with pytest.raises(netcore.Canceled):
        client.get("/echo")
    client.close()
    uses: List[Callable[[], Any]] = [
        lambda: client.set_token_source(peers.origin, None),
        lambda: client.on_challenge(None),
    ]
    for use in uses:
        with pytest.raises(netcore.StateError, match="closed"):
            use()


def test_sources_change_while_requests_are_under_way(peers: Peers, client: netcore.Client) -> None:
    stop = threading.Event()

    def change() -> None:
        while not stop.is_set():
            client.set_token_source(peers.origin, lambda refused: "t")
            client.on_challenge(lambda challenge: None)
            client.set_token_source(peers.origin, None)
            client.on_challenge(None)

    def call() -> None:
        codes.extend(client.get("/echo").status_code for _ in range(50))

    codes: List[int] = []
    changing = [threading.Thread(target=change) for _ in range(2)]
    calling = [threading.Thread(target=call) for _ in range(4)]
    for thread in changing + calling:
        thread.start()
    for thread in calling:
        thread.join()
    stop.set()
    for thread in changing:
        thread.join()
    assert codes == [200] * 200


def test_an_exception_goes_when_tokens_come_again(peers: Peers, httpbin: netcore.Client) -> None:
    class OwnError(Exception):
        """A builtin one cannot be watched."""

    references: List["weakref.ref[Any]"] = []

    def give(refused: Optional[str]) -> str:
        if references:
            return "t"
        error = OwnError()
        references.append(weakref.ref(error))
        raise error

    httpbin.set_token_source(peers.httpbin, give)
    with pytest.raises(netcore.Refused):
        httpbin.get("/bearer")
    assert httpbin.get("/bearer").status_code == 200
    until(is_gone(references[0]))


# Challenges


def test_challenges(peers: Peers, httpbin: netcore.Client) -> None:
    asked: List[netcore.Challenge] = []

    def answer(challenge: netcore.Challenge) -> Any:
        asked.append(challenge)
        kind = netcore.DigestAuth if challenge.scheme == "digest" else netcore.BasicAuth
        return kind("ann", "secret" if challenge.failures else "wrong")

    httpbin.on_challenge(answer)
    for path in ("/basic-auth/ann/secret?q=1", "/digest-auth/auth/ann/secret"):
        assert httpbin.get(path).json()["user"] == "ann"
    basic = f"{peers.httpbin}/basic-auth/ann/secret?q=1"
    assert asked[:2] == [netcore.Challenge(basic, "Fake Realm", "basic", number) for number in range(2)]
    assert [(challenge.scheme, challenge.failures) for challenge in asked[2:]] == [("digest", 0), ("digest", 1)]
    failures: List[int] = []

    def fail(challenge: netcore.Challenge) -> Tuple[str, str]:
        failures.append(challenge.failures)
        return "ann", "wrong"

    httpbin.on_challenge(fail)
    assert httpbin.get(basic, bare=True).status_code == 401 and not failures
    assert httpbin.get(basic).status_code == 401 and failures == [0, 1, 2]
    httpbin.on_challenge(lambda challenge: None)
    assert httpbin.get("/basic-auth/ann/secret").status_code == 401


@pytest.mark.parametrize("field, scheme, realm", [("Other realm=x", None, "x"), ("Basic", "basic", "")])
def test_what_a_challenge_says(client: netcore.Client, field: str, scheme: Any, realm: str) -> None:
    asked: List[netcore.Challenge] = []
    client.on_challenge(asked.append)
    head = f"HTTP/1.1 401 No\r\nWWW-Authenticate: {field}\r\nContent-Length: 0\r\n\r\n"
    assert client.get(script({"send": head})).status_code == 401
    assert (asked[0].scheme, asked[0].realm) == (scheme, realm)


@pytest.mark.parametrize(
    "function, cause",
    [
        (lambda _: 1 / 0, ZeroDivisionError),
        (lambda _: "text", TypeError),
        (lambda _: ("a:b", "c"), netcore.InvalidRequest),
    ],
)
def test_what_an_answer_raises_is_the_cause(httpbin: netcore.Client, function: Any, cause: Type[BaseException]) -> None:
    httpbin.on_challenge(function)
    for call in calls_of(httpbin):
        with pytest.raises(netcore.Refused, match=f"^the answer to a challenge raised {cause.__name__}$") as caught:
            call()
        assert type(caught.value.__cause__) is cause


def test_a_refusal_of_an_answer(httpbin: netcore.Client) -> None:
    def refuse(challenge: netcore.Challenge) -> None:
        raise netcore.Refused(2345, "no")

    httpbin.on_challenge(refuse)
    with pytest.raises(netcore.Refused, match=r"^no$") as caught:
        httpbin.get("/bearer")
    assert caught.value.status == 2345


# Both


def test_asyncio(peers: Peers) -> None:
    async def main() -> None:
        async with netcore.AsyncClient(base_url=peers.httpbin) as client:
            loop = asyncio.get_running_loop()

            def fetch(refused: Optional[str]) -> str:
                call = client.get(f"{peers.origin}/echo/token", bare=True)
                return str(asyncio.run_coroutine_threadsafe(call, loop).result().json()["target"])

            client.set_token_source(peers.httpbin, fetch)
            answers = await asyncio.gather(*(client.get("/bearer") for _ in range(10)))
            assert {answer.json()["token"] for answer in answers} == {"/echo/token"}
            client.set_token_source(peers.httpbin, lambda refused: str(1 / 0))
            for call in (client.get("/bearer"), client.dispatch("GET", "/bearer")):
                with pytest.raises(netcore.Refused) as caught:
                    await call
                assert isinstance(caught.value.__cause__, ZeroDivisionError)
            client.set_token_source(peers.httpbin, None)
            client.on_challenge(lambda challenge: netcore.BearerAuth("b"))
            assert (await client.get("/bearer")).json()["token"] == "b"

    asyncio.run(main())


@pytest.mark.parametrize("is_closed", [False, True])
def test_functions_go_with_their_client(peers: Peers, is_closed: bool) -> None:
    class Function:
        def __init__(self, client: Any) -> None:
            self.client = client

        def __call__(self, _: Any) -> None:
            return None

    client = netcore.Client(base_url=peers.httpbin)
    functions = [Function(client), Function(client)]
    all_gone = [is_gone(weakref.ref(function)) for function in functions]
    client.set_token_source(peers.httpbin, functions[0])
    client.on_challenge(functions[1])
    assert client.get("/bearer").status_code == 401
    functions.clear()
    if is_closed:
        client.close()
    del client
    for gone in all_gone:
        until(gone)


def test_only_functions(client: netcore.Client, peers: Peers) -> None:
    async def later(_: Any) -> None: ...

    for wrong in (5, "text", later):
        with pytest.raises(TypeError, match=r"^function: "):
            client.set_token_source(peers.origin, wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=r"^function: "):
            client.on_challenge(wrong)  # type: ignore[arg-type]
    for url in ("", "/relative", "ftp://x", "a\0"):
        with pytest.raises(netcore.InvalidURL):
            client.set_token_source(url, lambda refused: None)


@pytest.mark.parametrize("program", ["client.set_token_source(url, block)", "client.on_challenge(block)"])
def test_the_interpreter_exits_while_a_function_blocks(peers: Peers, program: str) -> None:
    text = f"""
import netcore, sys, threading
url = sys.argv[1]
blocks = threading.Event()
def block(_): blocks.set(); threading.Event().wait()
client = netcore.Client()
{program}
client.dispatch("GET", url)
blocks.wait()
"""
    done = programs.run(text, peers.httpbin + "/bearer")
    assert (done.returncode, done.stderr) == (0, "")
