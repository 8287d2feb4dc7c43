"""The portfolio: which attempts are made, and which of their results wins."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from typing import TypeVar

from attrs import frozen
from qiskit.transpiler import Target

from compiler.errors import InputError, UnknownNameError
from compiler.lowering.figures import Figures
from compiler.lowering.methods import synthesis_methods
from compiler.lowering.pipeline import pipelines
from compiler.near_misses import meant

SEEDS = 4
REFINED = 8
"""Results on which the passes that take long are run."""

SMALL = 300
"""Two-qubit gates beyond which only the two best results are refined."""

FAR, FAR_ON_ANY_INPUT = 1.5, 1.15
"""How many times the gates of the best pipeline one may take with the first seed to get others.

From |0…0⟩ it may be more, for the best are refined there, which brings them nearer to each other.
"""

LAST = ("mirror", "tket-mirror", "window-mirror")
"""Pipelines that take long: tried with half as many seeds, if the others leave much to gain."""

AFTER_TKET = "tket-mirror"
"""The one of these that is not tried unless tket's peephole takes fewer gates than all of ours."""

OUTDONE = ("tket",)
OUTDONE_IF_MANY = ("tket", "tket-qiskit", "tket-mirror")
"""Pipelines that on any input are not tried where others of `LAST` suit, the latter beyond `BOTH`.

No circuit is known for which tket's own routing takes the fewest gates there, nor a large one for
which its peephole does, which takes longer than all else then.
"""

T_COUNT = "t_count"
"""The objective of T gates, which are counted on error-corrected qubits."""

BUDGET = 100
LARGE = 20_000
"""Gates beyond which one seed must do, and tket's peephole pass takes too long."""

FAST = (
    ("window-hub", "hub"),
    ("window-resonator", "resonator", "shared-resonator"),
    ("window-sweep", "sweep"),
    ("window-qiskit", "qiskit"),
)
"""Pipelines of the method `fast`, the first of them that suit the target."""

BOTH = 2_000
"""Gates up to which `fast` tries with windows before routing and without, and tket is tried."""

HUGE = ("qiskit",)
"""Pipelines for circuits beyond `LARGE`."""


@frozen
class Attempt:
    """One synthesis method, one pipeline, one seed."""

    synthesis: str
    pipeline: str
    seed: int


def attempts(
    method: str,
    seed: int,
    gates: int,
    target: Target,
    *,
    cheap: Sequence[str] = ("cheapest",),
    names: Sequence[str] = (),
    seeds: int = SEEDS,
    dynamic: bool = False,
    objective: str = "two_qubit_gates",
    any_input: bool = False,
) -> list[Attempt]:
    """Return the attempts that a method stands for, in a fixed order.

    Args:
        method: `best` (every cheap synthesis, every pipeline, several seeds), `fast` (the first
            of them with one pipeline, once), or a synthesis method's name (every pipeline,
            several seeds). Circuits beyond `LARGE` are tried with Qiskit and one seed.
        seed: the first seed; seeded pipelines try it and those that follow it.
        gates: size of the synthesised circuit, in CX and one-qubit gates, or anything beyond
            `LARGE` where it is.
        target: what is lowered to; pipelines that are of no use there are left out.
        cheap: the synthesis methods that `best` tries.
        names: pipelines to use instead of those that the method stands for.
        seeds: how many seeds each seeded pipeline tries, unless one must do.
        dynamic: whether the program measures on the way; pipelines that cannot go on from a given
            layout are then left out.
        objective: what is minimised; pipelines for another one are left out.
        any_input: whether the result must hold on any input; pipelines that are then the same as
            others are left out.

    Raises:
        UnknownNameError: if there is no such method or pipeline.
        InputError: if a named pipeline is of no use on the target or for the program, or none is.
    """
    methods = synthesis_methods()
    if method not in ("best", "fast", *methods):
        raise UnknownNameError(
            f"unknown method '{method}'; {meant(method, ('best', 'fast', *methods))}"
        )
    for name in names:
        if not pipelines[name].suits(target):
            raise InputError(
                f"pipeline '{name}' is of no use on target '{target.description}'; choose another"
            )
        if dynamic and not pipelines[name].takes_start:
            raise InputError(
                f"pipeline '{name}' cannot go on from a measurement on the way; choose another"
            )
    made_for = objective if any(p.objective == objective for p in pipelines.values()) else ""
    suited = [
        name
        for name, pipeline in pipelines.items()
        if pipeline.objective == made_for
        and pipeline.suits(target)
        and (pipeline.takes_start or not dynamic)
    ]
    if any_input:
        if any(name in suited for name in LAST):
            outdone = OUTDONE if gates <= BOTH else OUTDONE_IF_MANY
            suited = [name for name in suited if name not in outdone]
        suited = list({pipelines[name].on_any_input: name for name in reversed(suited)}.values())
        suited.reverse()
    if not suited:
        raise InputError(
            f"no pipeline for target '{target.description}' can go on from a measurement on the "
            "way; measure last, or choose another target"
        )
    if method == "fast" or gates > LARGE:
        suited, seeds = _quick(suited, gates), 1
    named = {"best": tuple(cheap), "fast": tuple(cheap[:1])}
    return [
        Attempt(synthesis, name, seed + offset)
        for synthesis in named.get(method, (method,))
        for name in names or suited
        for offset in range(_seeds(name, seeds))
    ]


def _seeds(name: str, seeds: int) -> int:
    """Return how many seeds a pipeline tries."""
    if not pipelines[name].seeded:
        return 1
    return -(-seeds // 2) if name in LAST else seeds


def _quick(suited: Sequence[str], gates: int) -> list[str]:
    """Return the pipelines of the method `fast`."""
    groups = FAST if gates <= LARGE else (HUGE,)
    found = ([name for name in group if name in suited] for group in groups)
    group = next(filter(None, found), list(suited))
    return group if gates <= BOTH else group[:1]


Objective = Callable[[Figures], float]

OBJECTIVES: Mapping[str, Objective] = {
    "two_qubit_gates": lambda f: f.two_qubit_gates,
    "two_qubit_depth": lambda f: f.two_qubit_depth,
    "expected_fidelity": lambda f: -(f.expected_fidelity or 0.0),
    T_COUNT: lambda f: inf if f.t_count is None else f.t_count,
}
"""What the portfolio minimises, by name."""

REFINABLE = frozenset(OBJECTIVES) - {T_COUNT}
"""Objectives for which the best results are refined; what refines them writes rotations anew."""

C = TypeVar("C")


def ranked(candidates: Iterable[tuple[C, Figures]], objective: str) -> list[C]:
    """Return candidates, those with the best figures first.

    Ties go to fewer two-qubit gates, then to a higher expected fidelity, then to a lower depth,
    then to fewer gates, then to the first.

    Args:
        candidates: results and their figures.
        objective: a name in `OBJECTIVES`.
    """
    aim = OBJECTIVES[objective]
    faith = OBJECTIVES["expected_fidelity"]
    order = sorted(
        candidates,
        key=lambda c: (aim(c[1]), c[1].two_qubit_gates, faith(c[1]), c[1].depth, c[1].gates),
    )
    return [candidate for candidate, _ in order]


def best(candidates: Iterable[tuple[C, Figures]], objective: str) -> C:
    """Return the first of `ranked`, of at least one candidate."""
    return ranked(candidates, objective)[0]
