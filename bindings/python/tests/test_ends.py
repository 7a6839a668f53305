"""Ends of an interpreter with open TLS connections: each is clean and has the status that the program chose."""

from __future__ import annotations

import signal
from typing import Dict

import pytest

import programs
from peers import Peers

TRAFFIC = """
    import ctypes, os, signal, sys, threading, time
    # Runs after OpenSSL's exit handler: what that one broke has 20 ms to show.
    libc = ctypes.CDLL(None)
    getattr(libc, "__cxa_atexit")(ctypes.cast(libc.usleep, ctypes.c_void_p), ctypes.c_void_p(20000), None)
    if sys.argv[3] == "openssl":
        import hashlib, ssl
        ssl.create_default_context(), hashlib.sha256(b"")
    import netcore
    client = netcore.Client(base_url=sys.argv[1], verify=sys.argv[2])
    answered = threading.Semaphore(0)
    hook = lambda: None

    def again(task):
        answered.release()
        hook()
        try:
            client.dispatch("GET", task_path(), on_done=again)
        except netcore.Error:
            pass

    paths = iter(["/small.txt", "/session"] * 1_000_000)
    task_path = lambda: next(paths)
    for _ in range(12):
        client.dispatch("GET", task_path(), on_done=again)
    for _ in range(24):
        answered.acquire()
"""

ENDS: Dict[str, str] = {
    "end": "",
    "sys.exit": "sys.exit(7)",
    "sys.exit in a callback": "hook = lambda: sys.exit(7)\n    time.sleep(0.1)",
    "sys.exit in a thread": "threading.Thread(target=sys.exit).start()",
    "an exception": "raise ValueError('for the test')",
    "SIGTERM": "os.kill(os.getpid(), signal.SIGTERM)",
    "os._exit": "os._exit(7)",
    "fork": """
    child = os.fork()
    if child == 0:
        sys.exit(7)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """,
    "exit of C in a callback": """
    hook = lambda: libc.exit(7)
    time.sleep(10)
    """,
    "a client that is not closed": """
    import netcore._clients.live_cores
    netcore._clients.live_cores.live_cores.clear()
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(client))
    for _ in range(8):
        client.dispatch("GET", "/10m")
    time.sleep(0.02)
    sys.exit(7)
    """,
}

STATUSES = {
    "end": 0,
    "sys.exit in a callback": 0,
    "sys.exit in a thread": 0,
    "an exception": 1,
    "SIGTERM": -signal.SIGTERM,
}


@pytest.mark.parametrize("first", ["netcore", "openssl"])
@pytest.mark.parametrize("end", ENDS)
def test_the_interpreter_ends_cleanly(peers: Peers, end: str, first: str) -> None:
    done = programs.run(TRAFFIC + "    " + ENDS[end], peers.nginx_tls, peers.ca, first)
    assert done.returncode == STATUSES.get(end, 7), done.stderr
    assert "Fatal" not in done.stderr
