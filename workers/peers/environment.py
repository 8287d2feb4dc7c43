"""An environment of its own for a compiler, and calls of a program in it."""

import os
import signal
import subprocess
import sys
from functools import partial
from importlib.metadata import distributions
from pathlib import Path

from attrs import frozen

from compiler.errors import LoweringError
from workers.orphans import end_with
from workers.sandbox.child_environment import child_environment
from workers.sandbox.sandbox import within


@frozen
class Environment:
    """A virtual environment within the one that this process runs in.

    Args:
        name: of its folder.
    """

    name: str

    @property
    def folder(self) -> Path:
        """Where it is, if it is there."""
        return Path(sys.prefix) / self.name

    def version(self, package: str) -> str | None:
        """Return which version of a package it has, None if it has none or is not there."""
        places = [str(place) for place in self.folder.glob("lib/python*/site-packages")]
        found = next(iter(distributions(name=package, path=places)), None) if places else None
        return None if found is None else found.version

    def answer(self, program: Path, question: str, seconds: float) -> str:
        """Let its Python run a program, which reads a question and prints the answer.

        Args:
            program: a file that needs nothing of ours.
            question: what it reads.
            seconds: that it may take.

        Raises:
            LoweringError: saying in one line how it failed.
        """
        command = (str(self.folder / "bin" / "python"), "-I", str(program))
        return within(seconds, answered, command, question)


def answered(command: tuple[str, ...], question: str) -> str:
    """Return what a command prints; it ends when this process does, which has no threads.

    Raises:
        LoweringError: saying in one line how it failed.
    """
    done = subprocess.run(
        command,
        input=question,
        capture_output=True,
        text=True,
        check=False,
        env=child_environment(),
        preexec_fn=partial(end_with, os.getpid()),
    )
    if done.returncode < 0:
        by = signal.Signals(-done.returncode).name
        raise LoweringError(f"its process was ended by {by}")
    if done.returncode:
        *_, last = done.stderr.strip().splitlines() or [f"its process ended with {done.returncode}"]
        raise LoweringError(last.strip())
    return done.stdout
