"""The socket that `stichwerk serve` listens at."""

import socket

from service.cli.servers.log_format import listening_socket


def test_answers_are_sent_at_once():
    """Else every answer takes 40 ms longer: see Nagle's algorithm and delayed acknowledgements."""
    with (
        listening_socket("127.0.0.1", 0) as listening,
        socket.create_connection(listening.getsockname()),
        listening.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
