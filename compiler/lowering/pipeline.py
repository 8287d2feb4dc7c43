"""Pipelines: named sequences of passes from a logical circuit to a native one.

The portfolio: its pipelines, and which of their results wins.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from math import inf
from typing import TypeVar

from attrs import evolve, field, frozen
from qiskit import QuantumCircuit
from qiskit.transpiler import Target

from compiler.errors import LoweringError, NothingToGainError, UnknownNameError, meant
from compiler.lowering.draft import (
    ALL,
    NOTHING,
    Draft,
    Pass,
    Property,
    Setting,
    Step,
    no_clock,
    uncoupled,
)
from compiler.lowering.figures import Figures
from compiler.lowering.methods import synthesis
from compiler.registry import Registry

MEDIUM, LARGE = 1_000, 10_000
"""CX up to which quick methods try further pipelines, and up to which searches are tried."""

T_COUNT = "t_count"
"""The objective of T gates, which are counted on error-corrected qubits."""


def _passes_of(passes: Iterable[Pass]) -> tuple[Pass, ...]:
    return tuple(passes)


@frozen(kw_only=True)
class Pipeline:
    """Declaration of a way to lower circuits: its passes, and when the portfolio tries it.

    Its targets are those that all passes suit that cannot be left out.

    Args:
        name: in records and tables.
        passes: in the order in which they run, synthesis first; together they end on native gates
            and coupled pairs.
        seeded: whether different seeds give different results.
        objective: the only objective for which it is tried unless it is named; "" for all others.
        fast: rank among the pipelines of the method `fast`; None if that method never takes it.
        late: whether it takes long, and is tried after all others, with half as many seeds:
            see `seeds_of`.
        min_gates: CX beyond which it is tried.
        max_gates: CX up to which it is tried.
        from_zero_only: whether it is left out for results on any input.
        max_gates_on_any_input: the same for results on any input where qubits are coupled.
        after: pass without which it is not tried, unless that pass leaves fewer two-qubit gates
            than all other pipelines have before they route.
        needs: pass without which it is not tried, unless that pass changes the circuit.
        always: whether it is tried by every method, also where nothing seems left to gain and
            circuits are large.
        stock: whether it lays out and routes with passes of Qiskit and tket alone.
        reuses: whether it resets qubits that are done with and uses them again; it is tried only
            where that is asked for, and no other is tried there.
        approximates: True if its results may leave slight gates out, and may so not be proven. It
            is tried last, so that no other attempt is left out for it, and not refined.

    Raises:
        LoweringError: if the passes do not begin with synthesis, or do not end on native gates.
    """

    name: str
    passes: tuple[Pass, ...] = field(converter=_passes_of)
    seeded: bool = True
    objective: str = ""
    fast: int | None = None
    late: bool = False
    min_gates: float = -1
    max_gates: float = LARGE
    max_gates_on_any_input: float = LARGE
    from_zero_only: bool = False
    after: Pass | None = None
    needs: Pass | None = None
    always: bool = False
    stock: bool = False
    reuses: bool = False
    approximates: bool = False

    def __attrs_post_init__(self) -> None:
        if self.passes[0].name != synthesis.name:
            raise LoweringError(f"pipeline '{self.name}' does not begin with '{synthesis.name}'")
        held = NOTHING
        for step in self.passes:
            held = step.holds_after(held)
        if missing := ALL - held:
            raise LoweringError(
                f"pipeline '{self.name}' does not establish {', '.join(sorted(missing))}"
            )

    def suits(self, target: Target) -> bool:
        """Return whether all passes that cannot be left out are of use on a target."""
        return all(step.suits(target) for step in self.passes if not step.optional)

    def seeds_of(self, seeds: int, *, any_input: bool) -> int:
        """Return the number of seeds that it is tried with if others are tried with `seeds`.

        On any input, one that takes long is tried with all of them if it is the best by then.
        """
        if not self.seeded:
            return 1
        return -(-seeds // 2) if self.late and not any_input else seeds

    @property
    def rebuilds(self) -> bool:
        """Return whether it builds circuits anew from Pauli rotations, with other blocks."""
        return any(step.rebuilds for step in self.passes)

    @property
    def router(self) -> Pass:
        """The pass that lays circuits out."""
        return next(step for step in self.passes if Property.LAYOUT in step.establishes)

    def passes_for(self, *, any_input: bool, parameters: bool) -> tuple[Pass, ...]:
        """Return the passes that are left for results on any input, and for unbound parameters."""
        return tuple(
            step
            for step in self.passes
            if not (any_input and step.from_zero) and (step.takes_parameters or not parameters)
        )

    @property
    def takes_parameters(self) -> bool:
        """True if it lowers circuits with unbound parameters."""
        needed = {step for step in self.passes if not step.optional} | {self.needs, self.after}
        return all(step.takes_parameters for step in needed if step)

    @property
    def takes_start(self) -> bool:
        """Return whether it can go on from where qubits are, as after a measurement."""
        return all(step.takes_start for step in self.passes if Property.LAYOUT in step.establishes)

    def before_routing(self, steps: Sequence[Step]) -> int | None:
        """Return the two-qubit gates that were to be routed; None if there were wider ones.

        Args:
            steps: of its passes, those that ran.
        """
        *_, last = takewhile(lambda step: step.name != self.router.name, steps)
        return last.two_qubit_gates

    def lower(
        self, circuit: QuantumCircuit, setting: Setting, measured: Iterable[int] | None = None
    ) -> Draft:
        """Lower a circuit without measurements.

        Args:
            circuit: gates and operators.
            setting: the target, and how to get there.
            measured: the qubits that will be measured at the end; None if that is not known.

        Raises:
            NothingToGainError: if the pass that it needs leaves the circuit as it is, and the
                setting asks for gains.
        """
        synthesised, first = run_passes(self.passes[:1], Draft.of(circuit, measured), setting)
        needs = self.needs if setting.only_gains else None
        draft, others = run_passes(self.passes[1:], synthesised, setting, needs)
        return evolve(draft, logical=synthesised.circuit, steps=first + others)


def run_passes(
    passes: Sequence[Pass], draft: Draft, setting: Setting, needs: Pass | None = None
) -> tuple[Draft, tuple[Step, ...]]:
    """Run passes one after the other, but not those that are left out or of no use.

    The latter are those that do not suit the target, and where the result must hold on any input
    those that hold from |0…0⟩ only.

    Args:
        passes: in the order in which they run.
        draft: for the first one.
        setting: of all.
        needs: the pass that has to change the draft.

    Returns:
        The last draft, and the figures after each pass.

    Raises:
        NothingToGainError: if the pass that is needed changes nothing.
    """
    steps = []
    gates, depth = draft.two_qubit_figures
    for step in passes:
        runs = step.name not in setting.without and step.suits_setting(setting)
        runs = runs and (step.takes_parameters or not draft.circuit.parameters)
        started = setting.clock()
        result = step.result(draft, setting) if runs else draft
        if step is needs and result is draft:
            raise NothingToGainError(f"pass '{step.name}' changes nothing")
        if not runs:
            continue
        seconds = None if setting.clock is no_clock else setting.clock() - started
        changed, wide = result is not draft, gates is None
        if changed:
            draft = result
            gates, depth = draft.two_qubit_figures
        from_zero = step.from_zero or (step is not synthesis and wide and gates is not None)
        from_zero = from_zero and changed and not setting.any_input
        steps.append(Step(step.name, gates, depth, from_zero, seconds))
    return draft, tuple(steps)


pipelines: Registry[Pipeline] = Registry("pipeline", "compiler.lowering", ordered=True)
refinements: Registry[Pass] = Registry("refinement", "compiler.lowering", ordered=True)
"""Passes that take too long for every candidate, and are run on the best ones only."""


def may_be_refined(made_by: Pipeline, setting: Setting) -> bool:
    """Return whether a pass refines a pipeline's results, and has not run already."""
    return any(
        step.suits_setting(setting) and step not in made_by.passes for step in refinements.values()
    )


def pipeline(declared: Pipeline) -> Pipeline:
    """Register a pipeline under its name.

    Raises:
        DuplicateNameError: if there is one of that name.
    """
    return pipelines.register(declared.name)(declared)


def check_optional(names: Collection[str]) -> None:
    """Refuse names of passes that do not exist or cannot be left out.

    Raises:
        UnknownNameError: naming the passes that can be left out.
    """
    names_ = optional_passes()
    for name in names:
        if name not in names_:
            raise UnknownNameError(f"no pass '{name}' can be left out; {meant(name, names_)}")


def optional_passes() -> tuple[str, ...]:
    """Return the names of all passes that can be left out, in the order of the pipelines."""
    return tuple(step.name for step in _passes() if step.optional)


def passes_from_zero() -> tuple[str, ...]:
    """Return the names of all optional passes whose results may hold from |0…0⟩ only."""
    return tuple(step.name for step in _passes() if step.from_zero and step.optional)


def _passes() -> Iterator[Pass]:
    everything = [*(step for entry in pipelines.values() for step in entry.passes)]
    return iter({step.name: step for step in (*everything, *refinements.values())}.values())


SEEDS = 4
BUDGET = 100


@frozen
class Attempt:
    """One synthesis method, one pipeline, one seed."""

    synthesis: str
    pipeline: str
    seed: int


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
