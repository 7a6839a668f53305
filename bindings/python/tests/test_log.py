"""Messages that are not the results of calls."""

from __future__ import annotations

import logging
import threading
from typing import Any, Iterator, List, Tuple

import pytest

import netcore
import programs
from peers import Peers


@pytest.fixture(autouse=True)
def to_standard_error_afterwards() -> Iterator[None]:
    yield
    netcore.set_log(None)


def connect(peers: Peers) -> None:
    """Makes a connection that netcore warns of."""
    with netcore.Client(verify=False) as client:
        assert client.get(f"{peers.nginx_tls}/1k?secret").status_code == 200


def test_a_function_hears_of_each_connection_that_nobody_checked(peers: Peers) -> None:
    heard: List[Tuple[int, str]] = []
    netcore.set_log(lambda level, message: heard.append((level, message)))
    with netcore.Client(verify=False) as client:
        for _ in range(3):
            client.get(f"{peers.nginx_tls}/1k?secret")
        client.get(f"{peers.nginx}/1k")
    ((level, message),) = heard
    assert level == logging.WARNING
    assert "localhost" in message and "certificate" in message and "secret" not in message


def test_the_logging_module(peers: Peers, caplog: pytest.LogCaptureFixture) -> None:
    netcore.set_log(logging.getLogger("netcore").log)
    connect(peers)
    assert [(record.name, record.levelname) for record in caplog.records] == [("netcore", "WARNING")]


def test_none_is_standard_error(peers: Peers, capfd: pytest.CaptureFixture[str]) -> None:
    heard: List[Any] = []
    netcore.set_log(lambda *message: heard.append(message))
    netcore.set_log(None)
    connect(peers)
    assert not heard and "certificate" in capfd.readouterr().err


def test_what_the_function_raises_is_shown_and_hurts_nobody(peers: Peers, capfd: pytest.CaptureFixture[str]) -> None:
    def fail(level: int, message: str) -> None:
        raise ValueError("of the log")

    netcore.set_log(fail)
    connect(peers)
    assert "ValueError: of the log" in capfd.readouterr().err


def test_another_function_while_messages_come(peers: Peers) -> None:
    """Every message goes to one of them."""
    heard: List[str] = []

    def connect_often() -> None:
        for _ in range(10):
            connect(peers)

    netcore.set_log(lambda level, message: heard.append(message))
    threads = [threading.Thread(target=connect_often) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(200):
        netcore.set_log(lambda level, message: heard.append(message))
    for thread in threads:
        thread.join()
    assert len(heard) == 30


@pytest.mark.parametrize("wrong", [5, "print", []])
def test_what_is_no_function(wrong: Any) -> None:
    with pytest.raises(TypeError, match="function: a function or None expected"):
        netcore.set_log(wrong)


def test_the_interpreter_exits_with_a_function_set(peers: Peers) -> None:
    program = """
        import netcore, sys, threading
        netcore.set_log(lambda level, message: print(message))
        client = netcore.Client(verify=False)
        client.get(sys.argv[1])
        def go_on():
            while True:
                netcore.Client(verify=False).get(sys.argv[1])
        threading.Thread(target=go_on, daemon=True).start()
    """
    done = programs.run(program, f"{peers.nginx_tls}/1k")
    assert done.returncode == 0 and "certificate" in done.stdout, done.stderr
