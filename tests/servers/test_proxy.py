"""A proxy that falls silent loses nothing and says nothing."""

import socket
import threading

import pytest

from .proxy import SilentProxy


@pytest.fixture
def echo():
    """A server that sends back what it gets, in a thread."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer():
            there, _ = listener.accept()
            with there:
                while piece := there.recv(1 << 10):
                    there.sendall(piece)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield listener.getsockname()[1]


def test_what_was_said_in_silence_comes_through_later(echo):
    with SilentProxy(echo) as proxy, socket.create_connection(("127.0.0.1", proxy.port)) as here:
        here.settimeout(60)
        here.sendall(b"first")
        assert here.recv(10) == b"first"
        proxy.freeze()
        here.sendall(b"second")
        here.settimeout(0.3)
        with pytest.raises(TimeoutError):
            here.recv(10)
        proxy.thaw()
        here.settimeout(60)
        assert here.recv(10) == b"second"
