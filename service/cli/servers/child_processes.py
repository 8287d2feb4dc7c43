"""Programs that a command starts, watches, and stops in order."""

import ctypes
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import psutil
from attrs import define, field

from service.cli.output.printing import say

PR_SET_CHILD_SUBREAPER = 36
SOON_SECONDS = 10.0
MOST_DEATHS = 3
"""Deaths soon after the start in a row, after which a program is not started again."""


@define(eq=False)
class Child:
    """One program, whose output goes to a file.

    Args:
        name: for messages.
        command: program and arguments.
        log: file to which its output is appended.
        environment: all of its variables.
        seconds: that it may take to stop.
    """

    name: str
    command: Sequence[str]
    log: Path
    environment: Mapping[str, str]
    seconds: float = 30.0
    _process: "subprocess.Popen[bytes] | None" = None
    _started: float = 0.0
    _deaths: int = 0
    _stopping: bool = field(default=False)

    def start(self) -> None:
        """Start it, in a session of its own: Ctrl-C at the terminal is not for it."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*tether(), *self.command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=dict(self.environment),
                start_new_session=True,
            )
        self._started = time.monotonic()

    def running(self) -> bool:
        """Tell whether it runs."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        """Its process, None before it is started."""
        return self._process.pid if self._process else None

    def keep(self) -> bool:
        """Start it again if it has died; tell whether there is hope."""
        if self.running():
            return True
        soon = time.monotonic() - self._started < SOON_SECONDS
        self._deaths = self._deaths + 1 if soon else 1
        code = self._process.returncode if self._process else None
        if self._deaths >= MOST_DEATHS:
            say(f"{self.name} has ended {self._deaths} times ({code}); see {self.log}")
            return False
        say(f"{self.name} has ended ({code}) and is started again; see {self.log}")
        self.start()
        return True

    def tell_to_stop(self) -> None:
        """Ask it to finish."""
        if self._process is not None and self.running():
            self._process.send_signal(signal.SIGTERM)

    def stop(self) -> None:
        """Ask it to finish, wait, and end it if it does not."""
        self.tell_to_stop()
        if self._process is None:
            return
        try:
            self._process.wait(self.seconds)
        except subprocess.TimeoutExpired:
            say(f"{self.name} does not stop and is ended")
            self.end()
            self._process.wait()

    def end(self) -> None:
        """End it at once, with what it has started in its group, and do not wait for that."""
        if self._process is not None and self.running():
            os.killpg(self._process.pid, signal.SIGKILL)


def adopt_orphans() -> None:
    """Let what outlives the program that started it become a child of this process."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def reap_orphans(own: Sequence[Child]) -> None:
    """Let what was adopted and has ended be gone, but for the children that are waited for.

    Args:
        own: the children that this process has started itself.
    """
    waited_for = {child.pid for child in own}
    with suppress(ChildProcessError):
        # Look at what has ended before it is reaped: `Popen` waits for its own.
        while (
            ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        ) and ended.si_pid not in waited_for:
            os.waitpid(ended.si_pid, 0)


def end_orphans() -> None:
    """End whatever is still a child of this process, and what becomes one by that."""
    while children := psutil.Process().children():
        for child in children:
            with suppress(psutil.NoSuchProcess):
                child.kill()
                child.wait()


def tether() -> list[str]:
    """Return words before a command that let it end when the thread that starts it does."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "TERM"] if setpriv else []
