"""Commands of Stichwerk in processes of their own, from the start to the end of a block."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen

from .process import ServerError, tethered, wait_until

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "service")
SERVING = r"serving on (http://127\.0\.0\.1:\d+)"
START_SECONDS = 300.0
STOP_SECONDS = 90.0


@frozen
class RunningCommand:
    """A command that runs.

    Args:
        process: its main process.
        log: what it writes to stdout and stderr.
        address: where it says that it serves; empty if it does not.
    """

    process: "subprocess.Popen[bytes]"
    log: Path
    address: str

    @property
    def port(self) -> int:
        """The port of the address."""
        return int(self.address.rpartition(":")[2])


@contextmanager
def running_command(
    folder: Path,
    *words: str,
    ready: str = "",
    prefix: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    **variables: str,
) -> Iterator[RunningCommand]:
    """Run `stichwerk` until the block ends; its log is named after the command.

    Args:
        folder: the current folder of the process, and where the log is.
        words: the command and its arguments.
        ready: a pattern that is waited for in the log; its group, if any, is the address.
        prefix: a command that runs the command.
        environment: of the process, by default that of the tests.
        variables: additions to it.

    Raises:
        ServerError: with the log, if it ends before it is ready.
    """
    log = folder / f"{words[0]}.log"
    inherited = os.environ if environment is None else environment
    with log.open("wb") as out:
        process = subprocess.Popen(
            tethered([*prefix, *COMMAND, *words], "KILL"),
            cwd=folder,
            env={"PYTHONPATH": str(ROOT), **inherited, **variables},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
        )
    try:
        found: list[re.Match[str]] = []

        def said() -> bool:
            ended = process.poll() is not None
            found.extend(re.finditer(ready, log.read_text(errors="replace")))
            return bool(found) or ended

        wait_until(said, START_SECONDS)
        if not found:
            raise ServerError(f"{words[0]} is not ready: {log.read_text()[-2000:]}")
        yield RunningCommand(process, log, found[0][1] if found[0].re.groups else "")
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
