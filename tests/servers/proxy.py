"""A TCP proxy on loopback that can fall silent: nothing is refused, and nothing comes through."""

import contextlib
import selectors
import socket
import threading
from typing import Self

PIECE = 1 << 16
LOOK_SECONDS = 0.05


class SilentProxy:
    """Carries connections to a port of this machine, from entering a `with` block to its end.

    While it is frozen, what either side sends waits; connections are accepted and hear nothing.

    Args:
        port: where connections go.
    """

    def __init__(self, port: int) -> None:
        self._there = port
        self._flows = threading.Event()
        self._flows.set()
        self._stopped = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._threads = [threading.Thread(target=self._accept, daemon=True)]

    def freeze(self) -> None:
        """Fall silent."""
        self._flows.clear()

    def thaw(self) -> None:
        """Carry on, first with what has waited."""
        self._flows.set()

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self.thaw()
        self._listener.close()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        self._listener.settimeout(LOOK_SECONDS)
        while not self._stopped.is_set():
            with contextlib.suppress(TimeoutError, OSError):
                here, _ = self._listener.accept()
                thread = threading.Thread(target=self._carry, args=(here,), daemon=True)
                self._threads.append(thread)
                thread.start()

    def _carry(self, here: socket.socket) -> None:
        """Carry one connection until either side ends it."""
        with here, contextlib.suppress(OSError):
            self._flows.wait()
            with (
                socket.create_connection(("127.0.0.1", self._there)) as there,
                selectors.DefaultSelector() as ready,
            ):
                ready.register(here, selectors.EVENT_READ, there)
                ready.register(there, selectors.EVENT_READ, here)
                while not self._stopped.is_set():
                    for key, _ in ready.select(LOOK_SECONDS):
                        source, drain = key.fileobj, key.data
                        assert isinstance(source, socket.socket)
                        piece = source.recv(PIECE)
                        # After reading: what is under way when it freezes must wait, too.
                        self._flows.wait()
                        if not piece:
                            return
                        drain.sendall(piece)
