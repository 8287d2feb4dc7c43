"""The portfolio: which attempts are made, and which of their results wins."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from attrs import frozen

from compiler.errors import UnknownNameError
from compiler.lowering.figures import Figures
from compiler.lowering.methods import synthesis_methods
from compiler.lowering.pipeline import pipelines

SEEDS = 4
LARGE = 20_000
"""Gates beyond which one seed must do, and tket's peephole pass takes too long."""


@frozen
class Attempt:
    """One synthesis method, one pipeline, one seed."""

    synthesis: str
    pipeline: str
    seed: int


def attempts(method: str, seed: int, gates: int, names: Sequence[str] = ()) -> list[Attempt]:
    """Return the attempts that a method stands for, in a fixed order.

    Args:
        method: `best` (the cheapest synthesis, every pipeline, several seeds), `fast` (the same
            with Qiskit once), or a synthesis method's name (every pipeline, several seeds).
            Circuits beyond `LARGE` are tried with Qiskit and one seed.
        seed: the first seed; seeded pipelines try it and those that follow it.
        gates: size of the synthesised circuit, in CX and one-qubit gates.
        names: pipelines to use instead of those that the method stands for.

    Raises:
        UnknownNameError: if there is no such method or pipeline.
    """
    methods = synthesis_methods()
    if method not in ("best", "fast", *methods):
        raise UnknownNameError(
            f"unknown method '{method}'; known: best, fast, {', '.join(methods)}"
        )
    quick = method == "fast" or gates > LARGE
    chosen = [pipelines[name] for name in names or (["qiskit"] if quick else pipelines)]
    seeds = 1 if quick else SEEDS
    return [
        Attempt("cheapest" if method in ("best", "fast") else method, pipeline.name, seed + offset)
        for pipeline in chosen
        for offset in range(seeds if pipeline.seeded else 1)
    ]


Objective = Callable[[Figures], float]

OBJECTIVES: Mapping[str, Objective] = {
    "two_qubit_gates": lambda f: f.two_qubit_gates,
    "two_qubit_depth": lambda f: f.two_qubit_depth,
    "expected_fidelity": lambda f: -(f.expected_fidelity or 0.0),
}
"""What the portfolio minimises, by name."""

C = TypeVar("C")


def best(candidates: Iterable[tuple[C, Figures]], objective: str) -> C:
    """Return the candidate with the best figures; ties go to fewer gates, then to the first.

    Args:
        candidates: results that survived verification, at least one.
        objective: a name in `OBJECTIVES`.
    """
    aim = OBJECTIVES[objective]
    ranked = sorted(candidates, key=lambda c: (aim(c[1]), c[1].two_qubit_gates, c[1].gates))
    return ranked[0][0]
