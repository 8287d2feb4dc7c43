"""A process that does nothing but start others by forking, one at a time.

Importing all that compiles and simulates takes seconds and hundreds of megabytes; forking a
process that has done so takes milliseconds, and shares the memory. Forking is safe only while no
library has started threads, which none of them can take along: so the forks are made by a process
that never computes anything.
"""

import atexit
import os
import select
import signal
import socket
import struct
import subprocess
import sys
from contextlib import suppress
from multiprocessing.connection import Connection

from backends import UnavailableError
from workers.orphans import end_with
from workers.sandbox.child_environment import child_environment, drop_secrets
from workers.sandbox.sandboxed_process import prepare, work

WORD = struct.Struct("<i")
INHERITED = (
    signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2,
)  # fmt: skip


class ForkServerError(UnavailableError):
    """No process can be started just now."""


class ForkServer:
    """The fork server from outside: what it forks works at the other end of a connection.

    It ends with the thread that makes it, and with it what it has forked, however that ends.

    Args:
        clean: whether this process has imported everything and computed nothing, so that the
            fork server can be its fork; else a fresh process imports everything.
    """

    def __init__(self, *, clean: bool) -> None:
        self._control, there = socket.socketpair()
        self._process: subprocess.Popen[bytes] | None = None
        self._forked: int | None = None
        if clean:
            self._fork(there)
        else:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "workers.sandbox.fork_server",
                    str(there.fileno()),
                    str(os.getpid()),
                ],
                # What it unpickles is found where this process finds it.
                env=child_environment() | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                stdin=subprocess.DEVNULL,
                pass_fds=[there.fileno()],
                start_new_session=True,
            )
            atexit.register(self.end)
        there.close()
        self._pid: int | None = None

    def start(self, seconds: float) -> Connection:
        """Start a process and return the connection to it; the one before must have ended.

        Raises:
            ForkServerError: if the fork server does not answer in time, or has died.
        """
        here, there = socket.socketpair()
        try:
            socket.send_fds(self._control, [b"!"], [there.fileno()])
            self._pid = self._answer(seconds)
        except OSError as error:
            here.close()
            raise ForkServerError(f"no process can be started to compute in: {error}") from error
        finally:
            there.close()
        return Connection(here.detach())

    def kill(self) -> int:
        """End the process that was started, if it still runs, and return how it ended.

        Returns:
            its exit code, or minus the signal that ended it.

        Raises:
            ForkServerError: if the fork server has died.
        """
        if self._pid is not None:
            # It is not reaped before the next one is started, so that this is no other process;
            # only where the fork server has died is it gone.
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
        return self.status()

    def status(self) -> int:
        """Wait for the end of the process that was started, and return how it ended."""
        self._pid = None
        try:
            return self._answer(None)
        except OSError as error:
            raise ForkServerError(f"no process can be started to compute in: {error}") from error

    def end(self) -> None:
        """End the fork server and what it has forked."""
        self._control.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        if self._forked is not None:
            os.kill(self._forked, signal.SIGKILL)
            os.waitpid(self._forked, 0)
            self._forked = None

    def _answer(self, seconds: float | None) -> int:
        # Not `select`, which takes no descriptors above 1023.
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        if not poll.poll(None if seconds is None else seconds * 1000):
            raise TimeoutError(f"it does not start within {seconds:g} s")
        got = self._control.recv(WORD.size, socket.MSG_WAITALL)
        if len(got) < WORD.size:
            raise ConnectionResetError("the process that starts it has died")
        return int(WORD.unpack(got)[0])

    def _fork(self, there: socket.socket) -> None:
        parent = os.getpid()
        if pid := os.fork():
            self._forked = pid
            return
        try:
            os.setsid()
            signal.set_wakeup_fd(-1)
            for number in INHERITED:
                signal.signal(number, signal.SIG_DFL)
            _forget_files(keep=there.fileno())
            drop_secrets()
            serve(there, parent)
        finally:
            os._exit(0)


def serve(control: socket.socket, parent: int) -> None:
    """Fork whenever asked, tell the fork's number and later how it ended, until nobody asks."""
    end_with(parent)
    me = os.getpid()
    while True:
        asked, files, _, _ = socket.recv_fds(control, 1, 1)
        if not asked:
            return
        pid = os.fork()
        if not pid:
            control.close()
            try:
                end_with(me)
                work(Connection(files[0]))
            finally:
                os._exit(0)
        os.close(files[0])
        control.sendall(WORD.pack(pid))
        ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert ended is not None
        code = ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
        control.sendall(WORD.pack(code))
        # Whoever asks for the next one knows that this one has ended.
        select.select([control], [], [])
        os.waitpid(pid, 0)


def _forget_files(keep: int) -> None:
    """Let go of connections and pipes of the process that this is a fork of.

    Their numbers stay taken: objects that close them when they are collected close nothing else.
    """
    nothing = os.open(os.devnull, os.O_RDWR)
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 - numbers, not paths
        number = int(name)
        if number > 2 and number not in (keep, nothing):
            try:
                os.fstat(number)
            except OSError:
                continue
            os.dup2(nothing, number)


def main() -> None:
    """Import what forks need, then serve."""
    control, parent = socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2])
    end_with(parent)
    prepare()
    serve(control, parent)


if __name__ == "__main__":
    main()
