"""Peers: compilers that can be compared with others."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.transpiler import Target

from compiler.errors import LoweringError
from compiler.lowering import Draft
from compiler.registry import Registry
from workers.sandbox.child_environment import child_environment
from workers.sandbox.sandbox import within
from workers.sandbox.sandboxed_process import end_with


@frozen
class Environment:
    """A virtual environment within the one that this process runs in.

    Args:
        name: of its folder.
    """

    name: str

    @property
    def folder(self) -> Path:
        """Its path, whether it is installed or not."""
        return Path(sys.prefix) / self.name

    def version(self, package: str) -> str | None:
        """Return which version of a package it has, None if it has none or is not there."""
        places = [str(place) for place in self.folder.glob("lib/python*/site-packages")]
        distribution = (
            next(iter(distributions(name=package, path=places)), None) if places else None
        )
        return None if distribution is None else distribution.version

    def answer(self, program: Path, question: str, seconds: float) -> str:
        """Run a program by its Python, which reads a question and prints the answer.

        Args:
            program: a file that needs nothing of ours.
            question: for its standard input.
            seconds: that it may take.

        Raises:
            LoweringError: saying in one line how it failed.
        """
        command = (str(self.folder / "bin" / "python"), "-I", str(program))
        return within(seconds, answered, command, question)


def answered(command: tuple[str, ...], question: str) -> str:
    """Return the output of a command; it ends when this process does, which has no threads.

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


@frozen
class Variant:
    """One way in which a compiler is called.

    Args:
        name: of the way, such as a pipeline.
        seed: of random choices.
    """

    name: str
    seed: int

    def __str__(self) -> str:
        return f"{self.name} {self.seed}" if self.name else str(self.seed)


@frozen(eq=False)
class CompilerInputs:
    """The inputs of compilers.

    Args:
        gates: no operators and no final measurements; the input of all other compilers.
        program: the same before its operators were synthesised, for ourselves.
        synthesis: the method that made `gates` of `program`.
        from_zero: whether results may hold from |0…0⟩ only.
        ours_from_zero: whether those of ours may, which then say so.
        objective: that ours minimises.
    """

    gates: QuantumCircuit
    program: QuantumCircuit
    synthesis: str
    from_zero: bool = False
    ours_from_zero: bool = False
    objective: str = "two_qubit_gates"


Compile = Callable[[CompilerInputs, Target, Variant], Draft]
"""Returns native gates with their layouts, and the circuit they were made of if not `gates`."""

Variants = Callable[[Target, Sequence[int]], list[Variant]]
"""Takes the target and the seeds that are asked for."""

Route = Callable[[QuantumCircuit, Target, Variant], int | None]
"""Lays gates out and routes them, nothing else; returns the swaps, None if not in this way."""

Refuse = Callable[[Target], str]
"""Returns why a compiler is not called for a target, `""` if it is."""

Refine = Callable[[CompilerInputs, Draft, Target, Variant], Draft | None]
"""Improves a result by a step that takes too long for all; None if there is none."""


@frozen
class Peer:
    """A compiler.

    Args:
        name: in tables.
        compile: calls it once.
        variants: all calls whose best result is the compiler's.
        package: that must be installed, as it is imported, or as an environment lists it.
        ours: whether it is this project.
        from_zero: whether a result may be right from |0…0⟩ only.
        largest: CX gates of a program up to which it is called at all; None for any number.
        dynamic: whether it takes programs that measure, reset and branch on the way.
        refuses: returns why it is not called for a target; None if it is for all.
        environment: of its own, with its package; None for the one that we run in.
        own_process: whether each call is made in a fresh process, so that nothing is warm.
        swaps: counts the swaps of its routing alone; None if it has no routing.
        refine: improves its best results; None if it has no such step.
    """

    name: str
    compile: Compile
    variants: Variants
    package: str
    ours: bool = False
    from_zero: bool = False
    largest: int | None = None
    dynamic: bool = False
    refuses: Refuse | None = None
    environment: Environment | None = None
    own_process: bool = False
    swaps: Route | None = None
    refine: Refine | None = None

    @property
    def installed(self) -> bool:
        """Return whether its package is there."""
        if self.environment is not None:
            return self.environment.version(self.package) is not None
        return find_spec(self.package) is not None


peers: Registry[Peer] = Registry("peer", "workers.peers.compilers")

C = TypeVar("C", bound=Compile)


def seeded(target: Target, seeds: Sequence[int]) -> list[Variant]:
    """Return one variant a seed."""
    return [Variant("", seed) for seed in seeds]


def peer(name: str, package: str, variants: Variants = seeded, **options: Any) -> Callable[[C], C]:
    """Return a decorator that registers a compiler; `options` are further fields of `Peer`."""

    def decorate(compile_: C) -> C:
        peers.register(name)(Peer(name, compile_, variants, package, **options))
        return compile_

    return decorate
