"""An HTTP/2 server whose answers a test decides, stream by stream. By the package h2; one thread per connection."""

from __future__ import annotations

import socket
import ssl
import struct
import threading
from pathlib import Path
from typing import Callable, List, Tuple

import h2.config
import h2.connection
import h2.errors
import h2.events


class Stream:
    """A request that was read as a whole, and the ways to end it."""

    def __init__(self, connection: Connection, number: int, method: str, path: str) -> None:
        self.connection = connection
        self.number = number
        self.method = method
        self.path = path

    def answer(self, text: str, *more: Tuple[str, str]) -> None:
        body = text.encode()
        fields = [(":status", "200"), ("content-length", str(len(body))), *more]
        self.connection.state.send_headers(self.number, fields)
        self.connection.state.send_data(self.number, body, end_stream=True)

    def refuse(self) -> None:
        """REFUSED_STREAM: nothing of it was done."""
        self.connection.state.reset_stream(self.number, h2.errors.ErrorCodes.REFUSED_STREAM)

    def go_away(self) -> None:
        """Ends the connection, with the stream before this one as the last that was done."""
        self.connection.state.close_connection(last_stream_id=max(self.number - 2, 0))
        self.connection.ends = True

    def reset_connection(self) -> None:
        sock = self.connection.sock
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.is_reset = True


class Connection:
    def __init__(self, sock: ssl.SSLSocket, number: int) -> None:
        self.sock = sock
        self.number = number
        self.state = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        self.ends = False
        self.is_reset = False

    def serve(self, handle: Callable[[Stream], None]) -> None:
        self.state.initiate_connection()
        streams = {}
        while not self.ends:
            self.sock.sendall(self.state.data_to_send())
            data = self.sock.recv(65536)
            if not data:
                return
            for event in self.state.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    fields = dict(event.headers)
                    streams[event.stream_id] = Stream(
                        self, event.stream_id, fields[b":method"].decode(), fields[b":path"].decode()
                    )
                elif isinstance(event, h2.events.DataReceived):
                    self.state.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, h2.events.StreamEnded):
                    handle(streams.pop(event.stream_id))
                    if self.is_reset:
                        return
        self.sock.sendall(self.state.data_to_send())


class Origin:
    """Listens on loopback while the `with` block runs. `handle` is called with each request."""

    def __init__(self, tls: Path, handle: Callable[[Stream], None]) -> None:
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(tls / "server.pem", tls / "server.key")
        self._context.set_alpn_protocols(["h2"])
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._handle = handle
        self._threads: List[threading.Thread] = []
        self.requests: List[Tuple[int, str]] = []
        """The connection and the method of each request, in order."""
        self.url = f"https://localhost:{self._listener.getsockname()[1]}"

    def __enter__(self) -> Origin:
        self._threads.append(threading.Thread(target=self._accept))
        self._threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        self._listener.close()

    def _accept(self) -> None:
        number = 0
        while True:
            try:
                plain, _ = self._listener.accept()
            except OSError:
                return
            number += 1
            thread = threading.Thread(target=self._serve, args=(plain, number))
            self._threads.append(thread)
            thread.start()

    def _serve(self, plain: socket.socket, number: int) -> None:
        def handle(stream: Stream) -> None:
            self.requests.append((number, stream.method))
            self._handle(stream)

        try:
            with self._context.wrap_socket(plain, server_side=True) as sock:
                Connection(sock, number).serve(handle)
        except OSError:
            pass
