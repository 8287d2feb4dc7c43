"""A webhook and a mail server on loopback that keep what they receive."""

import json
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from attrs import define, field


@define
class Receiver:
    """What was received, and the statuses that the next requests are answered with."""

    url: str = ""
    received: list[Any] = field(factory=list)
    statuses: list[int] = field(factory=list)


@contextmanager
def webhook() -> Iterator[Receiver]:
    """Yield a webhook; it answers 204 once its statuses are used up."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status = receiver.statuses.pop(0) if receiver.statuses else 204
            if status < 300:
                receiver.received.append(json.loads(body))
            self.send_response(status)
            self.send_header("Location", receiver.url)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        receiver.url = f"http://127.0.0.1:{server.server_port}/hook?secret=0123"
        yield from _served(server, receiver)


@contextmanager
def mail_server() -> Iterator[Receiver]:
    """Yield a mail server without TLS and accounts."""
    receiver = Receiver()

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"220 here\r\n")
            for line in self.rfile:
                word = line[:4].upper().strip()
                if word == b"DATA":
                    self.wfile.write(b"354 go on\r\n")
                    lines = list(iter(self.rfile.readline, b".\r\n"))
                    receiver.received.append(b"".join(lines).decode())
                self.wfile.write(b"221 bye\r\n" if word == b"QUIT" else b"250 done\r\n")
                if word == b"QUIT":
                    return

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        receiver.url = f"smtp://127.0.0.1:{server.server_address[1]}"
        yield from _served(server, receiver)


def _served(server: socketserver.TCPServer, receiver: Receiver) -> Iterator[Receiver]:
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        thread.join()
