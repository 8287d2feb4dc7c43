"""The portfolio: which attempts are made, and which of their results wins."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from typing import TypeVar

from attrs import frozen
from qiskit.transpiler import Target

from compiler.errors import InputError, UnknownNameError, meant
from compiler.lowering.figures import Figures
from compiler.lowering.methods import METHODS
from compiler.lowering.passes import uncoupled
from compiler.lowering.pipeline import LARGE, MEDIUM, T_COUNT, Pipeline, pipelines
from compiler.targets import is_coupled

SEEDS = 4
REFINED = 8
"""Results on which the passes that take long are run."""

QUICKLY_REFINED = 100
"""Two-qubit gates up to which results are refined in seconds."""

SMALL = 300
"""Two-qubit gates beyond which only the two best results are refined."""

FAR, FAR_ON_ANY_INPUT = 1.5, 1.15
"""Factor over the gates of the best pipeline up to which one gets more seeds than the first.

From |0…0⟩ it may be more, for the best are refined there, which brings them nearer to each other.
"""

BUDGET = 100


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
    parameters: bool = False,
) -> list[Attempt]:
    """Return the attempts that a method stands for, in a fixed order.

    Args:
        method: `best` (every cheap synthesis, every pipeline, several seeds), `fast` (the first
            of them with one pipeline, once), or a synthesis method's name (every pipeline,
            several seeds). Circuits beyond `LARGE` are tried with one seed and few pipelines:
            Qiskit's, and on any input `sweep`.
        seed: the first seed; seeded pipelines try it and those that follow it.
        gates: CX of the synthesised circuit, or anything beyond `LARGE` where there are more.
        target: of the lowering; pipelines that are of no use there are left out.
        cheap: the synthesis methods that `best` tries.
        names: pipelines to use instead of those that the method stands for.
        seeds: how many seeds each seeded pipeline tries, unless one must do.
        dynamic: whether the program measures on the way; pipelines that cannot go on from a given
            layout are then left out.
        objective: to be minimised; pipelines for another one are left out.
        any_input: whether the result must hold on any input; pipelines that are then the same as
            others are left out.
        parameters: whether the program has unbound parameters; likewise, and so are pipelines
            that need numbers.

    Raises:
        UnknownNameError: if there is no such method or pipeline.
        InputError: if a named pipeline is of no use on the target or for the program, or none is.
    """
    if method not in ("best", "fast", *METHODS):
        raise UnknownNameError(
            f"unknown method '{method}'; {meant(method, ('best', 'fast', *METHODS))}"
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
        if parameters and not pipelines[name].takes_parameters:
            raise InputError(
                f"pipeline '{name}' takes no unbound parameters; bind them, or choose another"
            )
    objectives = {pipeline.objective for pipeline in pipelines.values()}
    suited = [
        pipeline
        for pipeline in pipelines.values()
        if pipeline.objective == (objective if objective in objectives else "")
        and pipeline.suits(target)
        and (pipeline.takes_start or not dynamic)
        and not (any_input and pipeline.from_zero_only)
        and (pipeline.takes_parameters or not parameters)
    ]
    coupled = any_input and is_coupled(target)
    limits = [
        pipeline.max_gates_on_any_input if coupled else pipeline.max_gates for pipeline in suited
    ]
    fitting = [pipeline for pipeline, limit in zip(suited, limits, strict=True) if gates <= limit]
    suited = fitting or suited[:1]
    # Of pipelines that are the same here the first one stands for all.
    left = {"any_input": any_input, "parameters": parameters}
    suited = [*{pipeline.passes_for(**left): pipeline for pipeline in reversed(suited)}.values()][
        ::-1
    ]
    if not suited:
        raise InputError(
            f"no pipeline for target '{target.description}' can go on from a measurement on the "
            "way, or takes unbound parameters; measure last, bind them, or choose another target"
        )
    if method == "fast" or gates > LARGE:
        suited, seeds = _quick(suited, gates), 1
    named = {"best": tuple(cheap), "fast": tuple(cheap[:1])}
    return [
        Attempt(synthesis, pipeline.name, seed + offset)
        for synthesis in named.get(method, (method,))
        for pipeline in ([pipelines[name] for name in names] or suited)
        for offset in range(pipeline.seeds_of(seeds, any_input=any_input))
    ]


def _quick(suited: Sequence[Pipeline], gates: int) -> list[Pipeline]:
    """Return the pipelines of the method `fast`, few where there are many gates.

    Qiskit's own is always one of them.
    """
    if gates > LARGE:
        return [*suited]
    group = fast_pipelines(suited) or [*suited]
    if gates > MEDIUM:
        group = [group[0], *(pipeline for pipeline in group[1:] if pipeline.always)]
    return [
        *group,
        *(
            pipeline
            for pipeline in suited
            if pipeline.always and pipeline.stock and pipeline not in group
        ),
    ]


def fast_pipelines(suited: Iterable[Pipeline]) -> list[Pipeline]:
    """Return the pipelines of the method `fast`, best first.

    They have the first one's router, or none where all qubits are coupled.
    """
    ranks = [(pipeline.fast, pipeline) for pipeline in suited if pipeline.fast is not None]
    ranked = [pipeline for _, pipeline in sorted(ranks, key=lambda pair: pair[0])]
    routers = [pipeline.router for pipeline in ranked]
    return [
        pipeline
        for pipeline, router in zip(ranked, routers, strict=True)
        if router is routers[0] or router.suits is uncoupled
    ]


Objective = Callable[[Figures], float]

OBJECTIVES: Mapping[str, Objective] = {
    "two_qubit_gates": lambda f: f.two_qubit_gates,
    "two_qubit_depth": lambda f: f.two_qubit_depth,
    "expected_fidelity": lambda f: -(f.expected_fidelity or 0.0),
    T_COUNT: lambda f: inf if f.t_count is None else f.t_count,
}
"""Objectives of the portfolio, by name."""

REFINABLE = frozenset(OBJECTIVES) - {T_COUNT}
"""Objectives for which the best results are refined; refinements write rotations anew."""

C = TypeVar("C")


def ranked(candidates: Iterable[tuple[C, Figures]], objective: str) -> list[C]:
    """Return candidates, those with the best figures first.

    Ties go to fewer two-qubit gates, then to a lower depth, then to fewer gates, then to a higher
    expected fidelity, then to the first.

    Args:
        candidates: results and their figures.
        objective: a name in `OBJECTIVES`.
    """
    aim = OBJECTIVES[objective]
    faith = OBJECTIVES["expected_fidelity"]
    order = sorted(
        candidates,
        key=lambda c: (aim(c[1]), c[1].two_qubit_gates, c[1].depth, c[1].gates, faith(c[1])),
    )
    return [candidate for candidate, _ in order]


def best(candidates: Iterable[tuple[C, Figures]], objective: str) -> C:
    """Return the first of `ranked`, of at least one candidate."""
    return ranked(candidates, objective)[0]
