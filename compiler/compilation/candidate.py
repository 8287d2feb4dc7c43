"""One attempt of a plan, from lowering to proof: calls that any process can make."""

from math import inf

from attrs import evolve, field, frozen

from compiler.compilation.plan import Plan
from compiler.dynamic.pieces import final_part
from compiler.errors import NothingToGainError
from compiler.formats.circuit_files import qpy_bytes, read_qpy
from compiler.lowering import pipelines
from compiler.lowering.draft import Clock, Draft, Step
from compiler.lowering.figures import Figures, figures, with_t_gates
from compiler.lowering.pipeline import (
    T_COUNT,
    Attempt,
    may_be_refined,
    refinements,
    run_passes,
)
from compiler.measurement import final_measurements, measure_at
from compiler.verification.equivalence import NARROW
from compiler.verification.program import Verdict


@frozen
class Candidate:
    """An attempt with its circuit, figures and verdict.

    Args:
        attempt: synthesis, pipeline and seed.
        native: the native circuit with its measurements, as QPY; empty if lowering failed.
        logical: the circuit that it was made from, its operators synthesised, as QPY.
        initial_layout: for each program qubit, the physical qubit that holds it at the start; see
            `compiler.lowering.draft.Draft` where qubits are used again.
        final_layout: for each program qubit, the physical qubit that holds it at the end.
        steps: figures after each pass.
        figures: of the native circuit; None if lowering failed.
        seconds: that lowering took.
        error: why lowering failed, or `""`.
        gains: whether it may gain something; otherwise `error` says why it does not.
        verdict: how far it is proven; None if it has no circuit, or a better one is proven.
        proof_seconds: that the proof took.
    """

    attempt: Attempt
    native: bytes = field(default=b"", repr=False)
    logical: bytes = field(default=b"", repr=False)
    initial_layout: tuple[int, ...] = ()
    final_layout: tuple[int, ...] = ()
    steps: tuple[Step, ...] = ()
    figures: Figures | None = None
    seconds: float = 0.0
    error: str = ""
    gains: bool = True
    verdict: Verdict | None = None
    proof_seconds: float = 0.0

    @property
    def from_zero(self) -> bool:
        """Return whether the circuit equals the program from |0…0⟩ only."""
        return any(step.from_zero for step in self.steps)


def lower(plan: Plan, clock: Clock, attempt: Attempt, least: float = inf) -> Candidate:
    """Lower a program by one attempt; a pipeline that fails returns a candidate, too.

    Args:
        plan: of the compilation.
        clock: measures passes.
        attempt: synthesis, pipeline and seed.
        least: two-qubit gates of another result.
    """
    started = clock()
    program, pipeline = plan.program.circuit, pipelines[attempt.pipeline]
    setting = plan.setting(attempt, clock, least, refined=pipeline.approximates)
    try:
        if plan.dynamic:
            from compiler.lowering.dynamic import lower_dynamic

            lowered = lower_dynamic(pipeline, final_part(program)[0], setting)
        else:
            gates, measured = plan.unitary
            lowered = pipeline.lower(gates, setting, measured.values())
        assert lowered.logical is not None
        native = measure_at(lowered.circuit, lowered.final_layout, program)
        counted = figures(native, setting.fractional or setting.target)
        if setting.objective == T_COUNT:
            counted = with_t_gates(counted, lowered.logical, lowered.circuit)
    except Exception as error:  # noqa: BLE001 - a pipeline is third-party code and may raise anything
        gains = not isinstance(error, NothingToGainError)
        return Candidate(attempt, seconds=clock() - started, error=_reason(error), gains=gains)
    # On few qubits every result is proven, so that none that takes more gates is needed.
    if plan.options.objective == "two_qubit_gates" and program.num_qubits <= NARROW:
        plan.shared.least = min(plan.shared.least, counted.two_qubit_gates)
    return Candidate(
        attempt,
        qpy_bytes(native),
        qpy_bytes(lowered.logical),
        lowered.initial_layout,
        lowered.final_layout,
        lowered.steps,
        counted,
        clock() - started,
    )


def is_refinable(plan: Plan, attempt: Attempt) -> bool:
    """Return whether a pass refines an attempt's result, and has not run already."""
    return may_be_refined(pipelines[attempt.pipeline], plan.setting(attempt))


def refine(plan: Plan, clock: Clock, candidate: Candidate) -> Candidate:
    """Run the passes that take too long for every candidate; a failure leaves it as it was.

    Where all others have run already, these are those that were postponed.
    """
    started = clock()
    program, setting = plan.program.circuit, plan.setting(candidate.attempt, clock)
    if plan.dynamic or plan.reuses:
        return candidate
    _, measured = plan.unitary
    gates, _ = final_measurements(read_qpy(candidate.native, "native"))
    layouts = candidate.initial_layout, candidate.final_layout
    draft = Draft(gates, *layouts, frozenset(measured.values()))
    passes = [*refinements.values()]
    if not is_refinable(plan, candidate.attempt):
        passes = [step for step in passes if step.name in plan.postponed]
    try:
        better, steps = run_passes(passes, draft, setting)
        finished = measure_at(better.circuit, better.final_layout, program)
        candidate = evolve(
            candidate,
            native=qpy_bytes(finished),
            initial_layout=better.initial_layout,
            final_layout=better.final_layout,
            steps=candidate.steps + steps,
            figures=figures(finished, setting.fractional or setting.target),
        )
    except Exception as error:  # noqa: BLE001 - a library may raise anything, and less is lost so
        candidate = evolve(candidate, error=f"not refined: {_reason(error)}")
    return evolve(candidate, seconds=candidate.seconds + clock() - started)


def _reason(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
