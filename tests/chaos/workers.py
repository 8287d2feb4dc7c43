"""Workers that are killed: the command a user starts, and the processes that it consists of."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from random import Random

from ..servers.process import tethered

COMMAND = Path(sys.executable).with_name("stichwerk")


class Victim(StrEnum):
    """What of a worker is killed."""

    GROUP = "the whole process group"
    MAIN = "the main process"
    CHILD = "a child that has jobs"
    SWEEPER = "the sweeper"


class WorkerProcess:
    """One `stichwerk worker`, again and again.

    Args:
        folder: where it runs and writes its log.
        environment: of the process.
        name: of the log.
        processes: jobs that it works on side by side.
    """

    def __init__(
        self, folder: Path, environment: Mapping[str, str], name: str, processes: int
    ) -> None:
        self._environment = environment
        self._folder = folder
        self.log = folder / f"{name}.log"
        self._processes = processes
        self._groups: list[int] = []
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and end what is left of its predecessors with it."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                tethered([str(COMMAND), "worker", "--processes", str(self._processes)], "KILL"),
                cwd=self._folder,
                env=dict(self._environment),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._groups.append(self._process.pid)

    @property
    def running(self) -> bool:
        """Return whether the main process runs."""
        return self._process is not None and self._process.poll() is None

    def kill(self, victim: Victim, random: Random) -> bool:
        """Kill a part of it, and tell whether there was such a part."""
        process = self._process
        if process is None or process.poll() is not None:
            return False
        sweepers = [
            pid
            for pid in _children(process.pid)
            if "workers.queue.sweeper_process" in _command(pid)
        ]
        match victim:
            case Victim.GROUP:
                os.killpg(process.pid, signal.SIGKILL)
            case Victim.MAIN:
                process.kill()
            case Victim.SWEEPER:
                return _killed_one_of(sweepers, random)
            case Victim.CHILD:
                others = [pid for pid in _children(process.pid) if pid not in sweepers]
                return _killed_one_of(others, random)
        process.wait()
        return True

    def suspend(self) -> list[int]:
        """Let all of it stand still, and return the processes that do."""
        process = self._process
        if process is None or process.poll() is not None:
            return []
        standing = [process.pid, *_children(process.pid)]
        for pid in standing:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
        return standing

    def resume(self, processes: list[int]) -> None:
        """Let processes go on, in the middle of what they were about to do."""
        for pid in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)

    def stop(self) -> None:
        """End it and all that its predecessors may have left behind."""
        for group in self._groups:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
        if self._process is not None:
            self._process.wait()


def _killed_one_of(processes: list[int], random: Random) -> bool:
    if not processes:
        return False
    try:
        os.kill(random.choice(processes), signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, file.read_text().split())
    return sorted(found)


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""
