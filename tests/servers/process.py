"""Servers for tests: their own folder, a free port on loopback, and an end with the tests."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

from compiler.errors import StichwerkError

START_SECONDS = 60.0
STOP_SECONDS = 20.0
TRIES = 3
LONGEST_PAUSE = 0.1
"""Seconds between two looks at what is waited for, unless longer ones are asked for."""


class MissingServerError(StichwerkError):
    """A server's program is not installed."""


class ServerError(StichwerkError):
    """A server does not start."""


def free_port() -> int:
    """Return a port of 127.0.0.1 that nobody listens to now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(condition: Callable[[], bool], seconds: float, pause: float = 0.02) -> bool:
    """Wait for a condition, and tell whether it came true in time.

    The longer that takes, the longer the pauses: to ask takes time from what is waited for.
    """
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(pause)
        pause = max(pause, min(1.2 * pause, LONGEST_PAUSE))
    return True


def tethered(command: Sequence[str], signal_name: str) -> list[str]:
    """Return a command that gets a signal when the thread that starts it dies, however it does."""
    setpriv = shutil.which("setpriv")
    return [*([setpriv, "--pdeathsig", signal_name] if setpriv else []), *command]


class LocalServer(ABC):
    """A server's process, from entering a `with` block to its end; it can be restarted within.

    Args:
        user: who runs it; None for whoever runs the tests.
    """

    name: str
    last_words: str
    """The signal that the process gets if the tests die."""

    def __init__(self, user: str | None = None) -> None:
        self.user = user
        self.folder = Path(tempfile.mkdtemp(prefix=f"stichwerk-{self.name}-"))
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        if user is not None:
            shutil.chown(self.folder, user)

    @abstractmethod
    def command(self) -> Sequence[str]:
        """Return what starts the server at `port` with its data in `folder`."""

    @abstractmethod
    def answers(self) -> bool:
        """Tell whether the server takes questions."""

    @abstractmethod
    def stop(self) -> None:
        """End the process, if there is one; what it has stored stays."""

    def start(self) -> None:
        """Start the server and wait until it answers.

        Raises:
            ServerError: with the end of its log, if it does not.
        """
        log = self.folder / "log"
        with log.open("ab") as out:
            self.process = subprocess.Popen(
                tethered(self.command(), self.last_words),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                cwd=self.folder,
                start_new_session=True,
                **self.identity(),
            )
        if not wait_until(lambda: self.ended() or self.answers(), START_SECONDS) or self.ended():
            self.stop()
            tail = log.read_text(errors="replace")[-1000:]
            raise ServerError(f"{self.name} does not start: {tail}")

    def identity(self) -> dict[str, Any]:
        """Return the arguments of `subprocess` by which a process runs as the server's user."""
        return (
            {} if self.user is None else {"user": self.user, "group": "nogroup", "extra_groups": []}
        )

    def ended(self) -> bool:
        """Tell whether the process has ended by itself."""
        return self.process is not None and self.process.poll() is not None

    def signal_and_wait(self, number: int) -> None:
        """Send a signal and wait for the end, which is forced if it does not come."""
        process, self.process = self.process, None
        if process is None:
            return
        process.send_signal(number)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def __enter__(self) -> Self:
        for _ in range(TRIES - 1):
            try:
                self.start()
            except ServerError:
                # Somebody else may have taken the port since it was found free.
                self.port = free_port()
            else:
                return self
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def is_root() -> bool:
    """Tell whether this process may become another user."""
    return os.geteuid() == 0
