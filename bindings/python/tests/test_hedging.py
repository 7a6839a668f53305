"""Hedging: a second try beside the first."""

from __future__ import annotations

import asyncio
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, Iterator, List

import pytest

import netcore
from netcore import EventKind, Hedge, Response

URL = "http://app.invalid/"
SOON = Hedge(min_delay=0.001, initial_delay=0.001)


class Server(ThreadingHTTPServer):
    """Answers on all connections but the first, which it holds to its end."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.first: Any = None
        self.ends = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_address[1]}/"

    def process_request(self, request: Any, client_address: Any) -> None:
        # Here, since the threads of two connections may begin in either order.
        self.first = self.first or client_address
        super().process_request(request, client_address)


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.client_address == self.server.first:
            self.server.ends.wait(30)
            self.close_connection = True
            return
        self.send_response(200)
        self.send_header("Content-Length", "5")
        self.end_headers()
        self.wfile.write(b"hedge")

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    yield made
    made.ends.set()
    made.shutdown()
    thread.join()
    made.server_close()


def check(client: Any, response: Response) -> None:
    assert response.content == b"hedge"
    assert [(one.is_hedge, one.reason, one.attempt) for one in response.tries] == [
        (False, "hedged", 1),
        (True, "outcome", 1),
    ]
    assert response.tries[0].error is netcore.Canceled
    assert (client.statistics.hedges, client.statistics.hedge_wins, client.statistics.attempts) == (1, 1, 1)


def test_a_slow_answer_is_overtaken(server: Server) -> None:
    with netcore.Client(hedge=SOON) as client:
        check(client, client.get(server.url))


def test_a_request_has_a_policy_of_its_own(server: Server) -> None:
    async def main() -> None:
        async with netcore.AsyncClient() as client:
            check(client, await client.get(server.url, hedge=SOON))

    asyncio.run(main())


def test_a_streamed_answer_is_overtaken_before_its_head(server: Server) -> None:
    with netcore.Client(hedge=SOON) as client, client.stream("GET", server.url) as response:
        assert b"".join(response.iter_bytes()) == b"hedge"
        assert client.statistics.hedge_wins == 1


class Answers:
    """Answers with one status after the other."""

    def __init__(self, *statuses: int) -> None:
        self.statuses = list(statuses)

    def __call__(self, request: netcore.Request) -> Response:
        return Response(self.statuses.pop(0))


def test_a_failure_sends_the_hedge_at_once() -> None:
    with netcore.Client(hedge=True, transport=Answers(503, 200)) as client, client.events() as events:
        response = client.get(URL)
        assert [one.status_code for one in response.tries] == [503, 200]
        assert [event.status for event in events.read() if event.kind == EventKind.HEDGE] == [503]


@pytest.mark.parametrize("hedge", [None, False])
def test_a_request_may_turn_it_off(hedge: Any) -> None:
    with netcore.Client(hedge=True, transport=Answers(503)) as client:
        assert client.get(URL, hedge=hedge).status_code == 503
        assert client.statistics.hedges == 0


def test_what_is_not_idempotent_gets_none() -> None:
    with netcore.Client(hedge=True, transport=Answers(503, 503, 200)) as client:
        assert client.post(URL, content=b"x").status_code == 503
        assert client.post(URL, content=b"x", idempotent=True).status_code == 200


WRONG: List[Dict[str, Any]] = [
    {"percentile": 100},
    {"window": 0.5},
    {"buckets": 61},
    {"refresh": 11},
    {"min_samples": 1_000_001},
    {"min_delay": 0.0},
    {"initial_delay": 0.005},
    {"tokens": 1_000_001},
    {"per_success": 1.5},
]


@pytest.mark.parametrize("figures", WRONG)
def test_a_wrong_figure_is_named(figures: Dict[str, Any]) -> None:
    (name,) = figures
    with pytest.raises(netcore.InvalidRequest, match=name):
        netcore.Client(hedge=Hedge(**figures))
    with netcore.Client() as client, pytest.raises(netcore.InvalidRequest, match=name):
        client.get(URL, hedge=Hedge(**figures))


def test_a_wrong_type_is_refused() -> None:
    with pytest.raises(TypeError, match="hedge"):
        netcore.Client(hedge=3)  # type: ignore[arg-type]
