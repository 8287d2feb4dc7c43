"""Log format of long-running commands."""

import logging
import os
import socket

from compiler.errors import InputError
from service.cli.output.printing import say_in_log
from workers.logs import LogFormat, log_to_stderr

LOG = logging.getLogger("stichwerk")
VARIABLE = "STICHWERK_LOG_FORMAT"


def choose_log_format(chosen: LogFormat | None) -> None:
    """Let this process, and those that it starts, log as chosen; otherwise as they are set."""
    if chosen is not None:
        os.environ[VARIABLE] = chosen


def log_by(format_: LogFormat) -> None:
    """Let this process write its log, and as JSON also its messages, to stderr."""
    log_to_stderr(format_)
    if format_ is LogFormat.JSON:
        say_in_log(LOG)


WAITING_CONNECTIONS = 1024


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens.

    Args:
        host: an address or name of this machine.
        port: 0 takes a free one.

    Raises:
        InputError: if that is not possible.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=WAITING_CONNECTIONS)
    except (OSError, OverflowError) as error:
        raise InputError(f"cannot listen on {host} port {port}: {error}") from error
    # Connections inherit it. Without, the second half of an answer waits 40 ms for the client's
    # system to acknowledge the first; asyncio sees to that only for sockets that it makes itself.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def address_of(listening: socket.socket) -> str:
    """Return the URL of an HTTP server on a socket."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
