"""What `stichwerk up` has started, seen from outside."""

import socket
from contextlib import ExitStack, suppress
from pathlib import Path

from tests.servers.process import free_port

MARK = "STICHWERK_TEST_MARK"
"""A variable that all processes inherit."""


def children(pid):
    """Return the processes that a process has started, by what they are."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            words = path.read_text().rpartition(")")[2].split()
            if int(words[1]) == pid:
                line = (path.parent / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                found[int(path.parent.name)] = line
    return found


def services(pid):
    """Return the servers and workers that `stichwerk up` has started, not its simulators."""
    return [line for line in children(pid).values() if "workers.sandbox" not in line]


def free_ports(n):
    """Return the first of some ports in a row that nobody listens to now."""
    while True:
        first = free_port()
        with ExitStack() as stack, suppress(OSError, OverflowError):
            for port in range(first, first + n):
                stack.enter_context(socket.create_server(("127.0.0.1", port)))
            return first


def marked(value):
    """Return the processes that have inherited a variable, by what they are."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"{MARK}={value}".encode() in path.read_bytes().split(b"\0"):
                found[int(path.parent.name)] = (path.parent / "cmdline").read_bytes()
        except OSError:
            continue
    return found


def workers_of(process):
    """Return the workers' main processes."""
    return [pid for pid, line in children(process.pid).items() if " worker " in line]


def pool_processes(process):
    """Return the processes in which the workers do jobs."""
    return [
        pid
        for worker in workers_of(process)
        for pid, line in children(worker).items()
        if "workers.queue.sweeper_process" not in line
    ]
