"""Filters that block, use their client, close it, or go with it."""

from __future__ import annotations

import asyncio
import signal
import threading
import weakref
from typing import Any, Callable, Iterator, List, Tuple

import pytest

import netcore
import programs
from peers import Peers, is_gone, until

TOTAL = netcore.Timeout(total=0.1)


class Gate:
    """A filter that returns when it is let go."""

    def __init__(self, error: Any = None) -> None:
        self.error = error
        self.entered = threading.Event()
        self.released = threading.Event()

    def __call__(self, request: netcore.FilterRequest) -> None:
        self.entered.set()
        self.released.wait()
        if self.error is not None:
            raise self.error


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.released.set()


def test_the_total_timeout_ends_a_task_whose_filter_blocks(peers: Peers, gate: Gate) -> None:
    client = netcore.Client(base_url=peers.origin)
    client.add_filter(gate)
    for _ in range(2):
        with pytest.raises(netcore.TotalTimeout):
            client.get("/echo", timeout=TOTAL)
    task = client.dispatch("GET", "/echo")
    gate.entered.clear()
    until(lambda: gate.entered.is_set() or not task.cancel())
    with pytest.raises(netcore.Canceled):
        task.result()
    client.remove_filters()
    assert client.get("/echo").status_code == 200
    closing = threading.Thread(target=client.close)
    closing.start()
    until(lambda: client.is_closed)
    gate.released.set()
    closing.join()


@pytest.mark.parametrize("error, is_raised", [(LookupError("late"), True), (netcore.Refused(2001), False)])
def test_what_a_filter_raises_when_its_task_has_ended(peers: Peers, error: BaseException, is_raised: bool) -> None:
    gate = Gate(error)
    client = netcore.Client(base_url=peers.origin)
    client.add_filter(gate)
    with pytest.raises(netcore.TotalTimeout):
        client.get("/echo", timeout=TOTAL)
    gate.released.set()
    if is_raised:
        with pytest.raises(LookupError, match="late"):
            client.close()
    client.close()


def test_canceling_a_coroutine_whose_filter_blocks(peers: Peers, gate: Gate) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        async with netcore.AsyncClient(base_url=peers.origin) as client:
            client.add_filter(gate)
            waiting = asyncio.ensure_future(client.get("/echo"))
            await loop.run_in_executor(None, gate.entered.wait)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            closing = asyncio.ensure_future(client.aclose())
            while not client.is_closed:
                await asyncio.sleep(0)
            gate.released.set()  # the loop runs while the end of the filter is awaited
            await closing

    asyncio.run(main())


def test_a_filter_uses_its_client(peers: Peers, client: netcore.Client) -> None:
    def fetch(request: netcore.FilterRequest) -> None:
        token = client.get(f"{peers.origin}/echo/token", bare=True).json()["target"]
        request.headers["X-Token"] = token
        client.dispatch("GET", f"{peers.origin}/echo", bare=True).result()
        with netcore.Client(base_url=peers.origin) as other:
            assert other.get("/echo").status_code == 200

    client.add_filter(fetch)
    assert ["X-Token", "/echo/token"] in client.get("/echo").json()["headers"]
    assert ["X-Token", "/echo/token"] in client.dispatch("GET", "/echo").result().json()["headers"]


def test_a_filter_cannot_wait_for_itself(peers: Peers, client: netcore.Client) -> None:
    client.add_filter(lambda request: client.get("/echo"))
    with pytest.raises(netcore.Refused) as caught:
        client.get("/echo")
    assert isinstance(caught.value.__cause__, netcore.StateError)
    client.remove_filters()
    client.set_header("X-V", lambda: client.get("/echo").text)
    with pytest.raises(netcore.Refused) as caught:
        client.get("/echo")
    assert isinstance(caught.value.__cause__, netcore.StateError)


@pytest.mark.parametrize("has_callbacks", [False, True])
def test_a_filter_closes_its_client(peers: Peers, has_callbacks: bool) -> None:
    client = netcore.Client(base_url=peers.origin)
    if has_callbacks:
        client.dispatch("GET", "/echo").result()
    client.add_filter(lambda request: client.close())
    with pytest.raises(netcore.Canceled):
        client.get("/echo")
    client.close()
    uses: List[Callable[[], Any]] = [
        lambda: client.add_filter(print),
        client.remove_filters,
        lambda: client.set_header("X", lambda: "x"),
    ]
    for use in uses:
        with pytest.raises(netcore.StateError, match="closed"):
            use()


def test_filters_change_while_requests_are_under_way(client: netcore.Client) -> None:
    stop = threading.Event()

    def change() -> None:
        while not stop.is_set():
            client.add_filter(lambda request: request.headers.add("X-F", "1"))
            client.set_header("X-V", lambda: "v")
            client.remove_filters()
            client.set_header("X-V", None)

    thread = threading.Thread(target=change)
    thread.start()
    try:
        tasks = [client.dispatch("GET", "/echo") for _ in range(200)]
        assert {task.result().status_code for task in tasks} == {200}
    finally:
        stop.set()
        thread.join()


def test_ctrl_c_while_a_filter_blocks(peers: Peers) -> None:
    program = """
        import netcore, sys, threading
        end = threading.Event()
        def block(request):
            print("filtering")
            end.wait()
        with netcore.Client(base_url=sys.argv[1]) as client:
            client.add_filter(block)
            try:
                client.get("/echo")
            except KeyboardInterrupt:
                client.remove_filters()
                print("interrupted", client.get("/echo").status_code)
            end.set()
    """
    with programs.start(program, peers.origin) as process:
        assert process.stdout is not None and process.stdout.readline() == "filtering\n"
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=20)
    assert (output, process.returncode) == ("interrupted 200\n", 0), errors


def watched(client: Any) -> Tuple[Callable[[], bool], ...]:
    """Filters and values of a client, some of which refer to it."""

    class Function:
        def __init__(self, client: Any) -> None:
            self.client = client

        def __call__(self, *_: Any) -> None:
            return None

    functions = [Function(client), Function(None), Function(client)]
    client.add_filter(functions[0])
    client.set_header("X-V", functions[1])
    client.set_param("p", functions[2])
    return tuple(is_gone(weakref.ref(function)) for function in functions)


@pytest.mark.parametrize("is_used", [False, True])
@pytest.mark.parametrize("is_closed", [False, True])
def test_functions_go_with_their_client(peers: Peers, is_used: bool, is_closed: bool) -> None:
    client = netcore.Client(base_url=peers.origin)
    all_gone = watched(client)
    if is_used:
        client.get("/echo")
        client.dispatch("GET", "/echo").result()
    if is_closed:
        client.close()
    del client
    for gone in all_gone:
        until(gone)


def test_functions_go_with_an_async_client(peers: Peers) -> None:
    async def main() -> Tuple[Callable[[], bool], ...]:
        async with netcore.AsyncClient(base_url=peers.origin) as client:
            all_gone = watched(client)
            await client.get("/echo")
        return all_gone

    for gone in asyncio.run(main()):
        until(gone)


def test_functions_go_when_they_are_removed(client: netcore.Client) -> None:
    all_gone = watched(client)
    client.get("/echo")
    client.remove_filters()
    client.set_header("X-V", None)
    client.set_param("p", "fixed")
    for gone in all_gone:
        until(gone)


def test_an_exception_goes_with_its_error(client: netcore.Client) -> None:
    class OwnError(Exception):
        """A builtin one cannot be watched."""

    references: List["weakref.ref[Any]"] = []

    def fail(request: netcore.FilterRequest) -> None:
        error = OwnError()
        references.append(weakref.ref(error))
        raise error

    client.add_filter(fail)
    calls: List[Callable[[], Any]] = [lambda: client.get("/echo"), lambda: client.dispatch("GET", "/echo").result()]
    for call in calls:
        with pytest.raises(netcore.Refused):
            call()
    assert len(references) == 2
    for reference in references:
        until(is_gone(reference))


@pytest.mark.parametrize(
    "program",
    [
        "netcore.Client().dispatch('POST', url, content=body())",
        "threading.Thread(target=call, args=(netcore.post,), kwargs={'content': body()}, daemon=True).start()",
        "client = netcore.Client(); client.add_filter(block); client.dispatch('GET', url)",
        "client = netcore.Client(); client.add_filter(block)\n"
        "threading.Thread(target=call, args=(client.get,), daemon=True).start()",
        "client = netcore.Client(); client.set_header('X', block); client.dispatch('GET', url)",
        "client = netcore.AsyncClient(); client.add_filter(block)\n"
        "async def go():\n"
        "    client.dispatch('GET', url)\n"
        "    await asyncio.get_running_loop().run_in_executor(None, blocks.wait)\n"
        "asyncio.run(go())",
    ],
)
def test_the_interpreter_exits_while_a_function_blocks(peers: Peers, program: str) -> None:
    text = f"""
import asyncio, netcore, sys, threading
url = sys.argv[1]
blocks = threading.Event()
def block(*_): blocks.set(); threading.Event().wait()
def body(): yield b"x"; block()
def call(function, **options):
    try: function(url, **options)
    except netcore.Error: pass
{program}
blocks.wait()
"""
    done = programs.run(text, peers.origin + "/echo")
    assert (done.returncode, done.stderr) == (0, "")
