"""Functions that C keeps: each is released once, when it was replaced or its client has ended."""

from __future__ import annotations

import asyncio
import logging
import weakref
from typing import Any, Callable, Iterator, List, Tuple

import pytest

import netcore
import programs
from netcore._c import lent
from peers import Peers, is_gone, until


class Function:
    """One that can be watched, and may refer to its client."""

    def __init__(self, client: Any = None) -> None:
        self.client = client

    def __call__(self, *_: Any) -> None:
        return None


class Answer(Function):
    def __call__(self, *_: Any) -> Any:
        return netcore.Response(204)


Register = Callable[[Any, Any], object]

WAYS: List[Tuple[str, Register]] = [
    ("filter", lambda client, function: client.add_filter(function)),
    ("header", lambda client, function: client.set_header("X-V", function)),
    ("param", lambda client, function: client.set_param("v", function)),
    ("token", lambda client, function: client.set_token_source("http://localhost", function)),
    ("challenge", lambda client, function: client.on_challenge(function)),
    ("selection", lambda client, function: client.on_selection_change(function)),
]
NONE = {"filter": lambda client, _: client.remove_filters()}


@pytest.fixture(autouse=True)
def released() -> Iterator[None]:
    """Nothing is lent at the end of a test that was not at its beginning."""
    before = set(lent._outstanding)
    yield
    until(lambda: lent._outstanding <= before)


@pytest.mark.parametrize("name, register", WAYS, ids=[name for name, _ in WAYS])
@pytest.mark.parametrize("replaces", ["another", "none"])
def test_a_function_that_was_replaced_is_released(name: str, register: Register, replaces: str) -> None:
    with netcore.Client() as client:
        old, new = Function(client), None if replaces == "none" else Function(client)
        register(client, old)
        gone = is_gone(weakref.ref(old))
        del old
        assert not gone()
        if new is None or name == "filter":
            NONE.get(name, register)(client, None)
        if new is not None:
            register(client, new)
        until(gone)


@pytest.mark.parametrize("name, register", WAYS, ids=[name for name, _ in WAYS])
@pytest.mark.parametrize("is_closed", [True, False])
def test_a_function_is_released_with_its_client(name: str, register: Register, is_closed: bool) -> None:
    client = netcore.Client()
    function = Function(client)
    register(client, function)
    gone = is_gone(weakref.ref(function))
    if is_closed:
        client.close()
    del client, function
    until(gone)


@pytest.mark.parametrize("is_closed", [True, False])
def test_a_transport_is_released_with_its_client(is_closed: bool) -> None:
    function = Answer()
    client = netcore.Client(transport=netcore.MockTransport(function))
    function.client = client
    assert client.get("http://localhost/").status_code == 204
    gone = is_gone(weakref.ref(function))
    if is_closed:
        client.close()
    del client, function
    until(gone)


def test_functions_of_an_async_client(peers: Peers) -> None:
    async def main() -> List[Callable[[], bool]]:
        async with netcore.AsyncClient(base_url=peers.origin) as client:
            functions = [Function(client) for _ in WAYS]
            for (_, register), function in zip(WAYS, functions):
                register(client, function)
            await client.get("/echo")
            return [is_gone(weakref.ref(function)) for function in functions]

    for gone in asyncio.run(main()):
        until(gone)


def test_a_log_function_is_released_when_another_is_set() -> None:
    first = Function()
    netcore.set_log(first)
    gone = is_gone(weakref.ref(first))
    del first
    assert not gone()
    netcore.set_log(logging.getLogger("netcore").log)
    until(gone)
    netcore.set_log(None)


def test_what_c_refuses_is_not_kept() -> None:
    with netcore.Client() as client:
        function = Function()
        with pytest.raises(netcore.InvalidRequest):
            client.set_header("X A", function)
        gone = is_gone(weakref.ref(function))
        del function
        until(gone)


def test_the_interpreter_exits_with_functions_of_all_kinds(peers: Peers) -> None:
    text = """
import netcore, sys
url = sys.argv[1]
client = netcore.Client()
client.add_filter(lambda request: None)
client.set_header("X-V", lambda: "v")
client.set_token_source(url, lambda refused: None)
client.on_challenge(lambda challenge: None)
client.on_selection_change(lambda *names: None)
netcore.set_log(print)
print(client.get(url).status_code, client.dispatch("GET", url).result().status_code)
"""
    done = programs.run(text, peers.origin + "/echo")
    assert (done.returncode, done.stdout, done.stderr) == (0, "200 200\n", "")
