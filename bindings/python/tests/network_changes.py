"""Run in a network namespace of its own: changes its links and routes, and says what a client makes of it."""

from __future__ import annotations

import queue
import socket
import subprocess
import sys
import threading

import netcore
from peers import until

NEAR, FAR = "10.77.0.1", "10.77.0.2"


def ip(*arguments: str) -> None:
    """Changes the namespace."""
    subprocess.run(["ip", *arguments], check=True)


class Server(threading.Thread):
    """Answers by HTTP/1.1, and counts connections and those that ended."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.listener = socket.create_server(("0.0.0.0", 0))
        self.port: int = self.listener.getsockname()[1]
        self.connections = 0
        self.ended: queue.Queue[int] = queue.Queue()
        self.may_answer = threading.Event()
        self.is_asked = threading.Event()
        self.start()

    def run(self) -> None:
        while True:
            connection, _ = self.listener.accept()
            self.connections += 1
            threading.Thread(target=self.serve, args=(connection, self.connections), daemon=True).start()

    def serve(self, connection: socket.socket, number: int) -> None:
        while True:
            request = b""
            while b"\r\n\r\n" not in request:
                part = connection.recv(65536)
                if not part:
                    self.ended.put(number)
                    connection.close()
                    return
                request += part
            if b"/held" in request:
                self.is_asked.set()
                self.may_answer.wait(30)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")


def changes_of_address(client: netcore.Client, server: Server) -> None:
    """An idle connection is dropped, one in use ends after its request, and one to this host stays."""
    far, near = f"http://{FAR}:{server.port}/", f"http://127.0.0.1:{server.port}/"
    for url in (far, near, far, near):
        client.get(url)
    assert server.connections == 2, server.connections
    held = client.dispatch("GET", far + "held")
    assert server.is_asked.wait(30)
    client.get(far)
    assert server.connections == 3, server.connections  # two of them to the other network: one in use, one idle
    ip("address", "add", "10.77.0.9/24", "dev", "far")
    ip("route", "add", "default", "via", NEAR, "dev", "far")
    client.get(near)
    assert server.ended.get(timeout=30) in (1, 3)
    assert server.connections == 3, server.connections
    server.may_answer.set()
    assert held.result(30).text == "x"
    assert server.ended.get(timeout=30) in (1, 3)
    client.get(far)
    assert server.connections == 4, server.connections


def changes_of_links(client: netcore.Client, server: Server) -> None:
    """Reachability follows the link, a listener is called while nothing is under way, and what waits goes on."""
    seen: queue.Queue[str] = queue.Queue()
    client.on_reachability_change(seen.put)
    assert client.reachability == "reachable"
    ip("link", "set", "near", "down")
    assert seen.get(timeout=30) == "unreachable" and client.reachability == "unreachable"
    waiting = client.dispatch("GET", f"http://127.0.0.1:{server.port}/", wait_for_network=30)
    client.reachability = "reachable"
    assert seen.get(timeout=30) == "reachable" and waiting.result(30).status_code == 200
    client.reachability = "unknown"
    assert seen.get(timeout=30) == "unreachable"
    waiting = client.dispatch("GET", f"http://127.0.0.1:{server.port}/", wait_for_network=30)
    ip("link", "set", "near", "up")
    assert seen.get(timeout=30) == "reachable" and waiting.result(30).status_code == 200


def changes_while_idle() -> None:
    """Without a listener there is no thread, and what changed is seen when it is asked for."""
    with netcore.Client() as client:
        client.watch_network()
        assert client.reachability == "reachable"
        ip("link", "set", "far", "down")
        assert client.reachability == "unreachable"
        client.watch_network(False)
        assert client.reachability == "unknown"


def main() -> None:
    ip("link", "set", "lo", "up")
    ip("link", "add", "near", "type", "veth", "peer", "name", "far")
    with netcore.Client() as client:
        client.watch_network()
        assert client.reachability == "unreachable"
        ip("address", "add", f"{NEAR}/24", "dev", "near")
        ip("address", "add", f"{FAR}/24", "dev", "far")
        ip("link", "set", "near", "up")
        ip("link", "set", "far", "up")
        until(lambda: client.reachability == "reachable")  # the kernel says a moment later that a link has a carrier
        server = Server()
        changes_of_address(client, server)
        changes_of_links(client, server)
    changes_while_idle()
    print("done")


if __name__ == "__main__":
    if sys.argv[1:] == ["try"]:  # whether the machine lets a test do so
        ip("link", "add", "near", "type", "veth", "peer", "name", "far")
    else:
        main()
