"""One call of one compiler, which any process can make: its costs, and the proof of its result.

Circuits too wide for states are proven by MQT QCEC's decision diagrams.
"""

from contextlib import suppress
from functools import cache
from math import pi
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter, process_time

from attrs import evolve, field, frozen
from qiskit import QuantumCircuit, transpile
from qiskit.transpiler import Target

from compiler.circuits.tolerances import APPROXIMATED
from compiler.compilation import Options
from compiler.compilation.candidate import Candidate
from compiler.compilation.plan import Plan
from compiler.compilation.proof import prove as prove_candidate
from compiler.dynamic.pieces import unconditional
from compiler.errors import (
    InputError,
    LoweringError,
    StateTooLargeError,
    VerificationError,
    meant,
)
from compiler.formats.circuit_files import qpy_bytes, read_qpy
from compiler.lowering import Draft
from compiler.lowering.draft import no_clock
from compiler.lowering.figures import Figures, calibrated, figures
from compiler.lowering.pipeline import REFINABLE, Attempt
from compiler.measurement import measure_at
from compiler.targets import target_from_spec
from compiler.targets.device import carried
from compiler.verification.equivalence import require_placed, verify_equivalent
from compiler.verification.layouts import undo_layout
from compiler.verification.operators import verify_operator
from compiler.verification.program import Verdict, compared, program_state, verify_lowered
from compiler.verification.state_distance import distance_verdict, state_distance
from compiler.words.held_inputs import ANY_INPUT, FROM_ZERO
from games.sources import read_program
from workers.peers.peer import CompilerInputs, Variant, peers
from workers.peers.subjects import Form, Kind, Subject
from workers.sandbox.sandbox import within

WARMING_QUBITS = 5
"""Qubits of the circuit that compilers are warmed up with, where the target has so many."""


@frozen
class Case:
    """One program in one form on one target.

    Args:
        suite: that it belongs to.
        subject: the program.
        form: which circuit the compilers are given.
        target: a complete spec.
        objective: by which results are compared, and which our compilers minimise.

    Raises:
        InputError: if results are not compared by it, or the target does not know it.
    """

    suite: str
    subject: Subject
    form: Form
    target: str = field(converter=carried)
    objective: str = "two_qubit_gates"

    def __attrs_post_init__(self) -> None:
        if self.objective not in REFINABLE:
            raise InputError(
                f"unknown objective '{self.objective}'; {meant(self.objective, sorted(REFINABLE))}"
            )
        if self.objective == "expected_fidelity" and not calibrated(target_of(self.target)):
            raise InputError(
                f"objective 'expected_fidelity' needs calibration data, which target "
                f"'{self.target}' lacks; try two_qubit_gates or two_qubit_depth"
            )

    @property
    def inputs(self) -> CompilerInputs:
        """Inputs of compilers."""
        return evolve(given(self.subject, self.form), objective=self.objective)


@frozen
class Trial:
    """One call of one compiler."""

    case: Case
    peer: str
    variant: Variant


@frozen
class Outcome:
    """The result of a trial.

    Args:
        native: the native circuit as QPY; empty if there is none.
        logical: the circuit before lowering, its operators synthesised, as QPY.
        initial_layout: for each program qubit, the physical qubit that holds it at the start.
        final_layout: for each program qubit, the physical qubit that holds it at the end.
        figures: of the native circuit.
        seconds: of the call.
        cpu_seconds: of all threads and processes of the call.
        swaps: of the compiler's routing alone, where they are requested.
        error: why it failed, or `""`.
    """

    native: bytes = b""
    logical: bytes = b""
    initial_layout: tuple[int, ...] = ()
    final_layout: tuple[int, ...] = ()
    figures: Figures | None = None
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    swaps: int | None = None
    error: str = ""


@cache
def target_of(spec: str) -> Target:
    """Return the target of a complete spec, built once in a process: devices take a while."""
    return target_from_spec(spec)


@cache
def given(subject: Subject, form: Form) -> CompilerInputs:
    """Return the inputs of compilers, built once in a process."""
    return subject.given(form)


def size(subject: Subject, form: Form) -> int:
    """Return the CX gates of the inputs of compilers, before any optimisation."""
    gates = given(subject, form).gates
    flat = unconditional(gates) if subject.kind is Kind.DYNAMIC else gates
    plain = transpile(flat, basis_gates=["cx", "u"], optimization_level=0)
    return int(plain.count_ops().get("cx", 0))


def attempt(trial: Trial) -> Outcome:
    """Call a compiler; one that fails has an outcome too."""
    case = trial.case
    target, work, compiler = target_of(case.target), case.inputs, peers[trial.peer]
    if not compiler.own_process:
        warm_up(trial.peer, trial.variant.name, case.target)
    started, cpu_started = perf_counter(), cpu_seconds()
    try:
        lowered = compiler.compile(work, target, trial.variant)
        seconds, cpu = perf_counter() - started, cpu_seconds() - cpu_started
        outcome = _outcome(lowered, work, target)
        alone = compiler.swaps if case.subject.fewest_swaps is not None else None
        swaps = None if alone is None else alone(work.gates, target, trial.variant)
        return evolve(outcome, seconds=seconds, cpu_seconds=cpu, swaps=swaps)
    except Exception as error:  # noqa: BLE001 - third-party code may raise anything
        reason = " ".join(str(error).split()) or type(error).__name__
        seconds, cpu = perf_counter() - started, cpu_seconds() - cpu_started
        return Outcome(seconds=seconds, cpu_seconds=cpu, error=reason)


def refine(refinable: tuple[Trial, Outcome]) -> Outcome:
    """Let a compiler refine a result of its own; a failure leaves the result as it is."""
    trial, outcome = refinable
    case, peer = trial.case, peers[trial.peer]
    target, work = target_of(case.target), case.inputs
    native, logical = read_qpy(outcome.native, trial.peer), read_qpy(outcome.logical, trial.peer)
    started, cpu_started = perf_counter(), cpu_seconds()
    better = outcome
    with suppress(Exception):
        lowered = Draft(native, outcome.initial_layout, outcome.final_layout, logical=logical)
        refined = peer.refine and peer.refine(work, lowered, target, trial.variant)
        if refined is not None:
            better = evolve(_outcome(refined, work, target), swaps=outcome.swaps)
    return evolve(
        better,
        seconds=outcome.seconds + perf_counter() - started,
        cpu_seconds=outcome.cpu_seconds + cpu_seconds() - cpu_started,
    )


def _outcome(draft: Draft, work: CompilerInputs, target: Target) -> Outcome:
    logical = work.gates if draft.logical is None else draft.logical
    return Outcome(
        qpy_bytes(draft.circuit),
        qpy_bytes(logical),
        tuple(draft.initial_layout),
        tuple(draft.final_layout),
        figures(draft.circuit, target),
    )


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its ended children."""
    ended = getrusage(RUSAGE_CHILDREN)
    return process_time() + ended.ru_utime + ended.ru_stime


@cache
def warm_up(peer: str, way: str, target: str) -> None:
    """Let a compiler work once in this process, so that no import or first use is measured."""
    device = target_of(target)
    # More qubits than the target has would end the process: Qiskit panics.
    gates = QuantumCircuit(min(WARMING_QUBITS, device.num_qubits))
    for qubit in range(gates.num_qubits):
        gates.h(qubit)
        for other in range(qubit):
            gates.cp(pi / 2 ** (qubit - other), other, qubit)
    with suppress(Exception):
        peers[peer].compile(CompilerInputs(gates, gates, "cheapest"), device, Variant(way, 0))


SECONDS = 20.0

CLOSE = 5e-14
"""Largest deviation of the trace of A† B: an angle that is wrong by 1e-6 takes 1.25e-13."""

FAR = 1e-8
"""Least deviation from which circuits are called different: others' passes approximate."""

EQUIVALENT = ("equivalent", "equivalent_up_to_global_phase")
DIFFERENT = "not_equivalent"

ANY, LEGAL, ZERO = ANY_INPUT, "legal inputs", FROM_ZERO


@frozen
class Proof:
    """Proof of an outcome.

    Args:
        verified: `exact`, `sampled`, `unverified` or `refuted`.
        holds: for which inputs.
        detail: the compared property, or the fault.
    """

    verified: str
    holds: str
    detail: str


def prove(trial: Trial, outcome: Outcome) -> Proof:
    """Prove or refute the result of a compiler."""
    native = read_qpy(outcome.native, trial.peer)
    draft = Draft(native, outcome.initial_layout, outcome.final_layout)
    case = trial.case
    try:
        require_placed(given(case.subject, case.form).gates, draft, target_of(case.target))
        if case.subject.kind is Kind.GAME:
            return _prove_game(trial, draft, outcome.logical)
        if case.subject.kind is Kind.OPERATOR:
            return _prove_operator(trial, draft)
        if case.subject.kind is Kind.DYNAMIC:
            return _prove_paths(trial, draft)
        return _prove_circuit(trial, draft)
    except VerificationError as error:
        return Proof("refuted", "", str(error))
    except StateTooLargeError as error:
        return Proof("unverified", "", str(error))


def _prove_game(trial: Trial, draft: Draft, logical: bytes) -> Proof:
    case, subject = trial.case, trial.case.subject
    native = measure_at(draft.circuit, draft.final_layout, subject.program())
    tried = Attempt(case.form.synthesis, trial.peer, trial.variant.seed)
    program = read_program(subject.source, subject.encoding)
    candidate = Candidate(
        tried, qpy_bytes(native), logical, draft.initial_layout, draft.final_layout
    )
    plan = Plan(program, case.target, Options())
    verdict = prove_candidate(plan, no_clock, candidate).verdict
    assert verdict is not None
    return Proof(verdict.verified, ZERO, verdict.detail)


def _prove_operator(trial: Trial, draft: Draft) -> Proof:
    case, operator = trial.case, trial.case.subject.operator
    gates, target = given(case.subject, case.form).gates, target_of(case.target)
    alone = undo_layout(draft)
    try:
        tried = verify_operator(operator, alone)
    except VerificationError:
        # Compilers that search numerically are right to fewer digits than operators are held to.
        verify_operator(operator, gates)
        verdict = verify_equivalent(gates, draft, target, approximated=APPROXIMATED)
        return Proof(verdict.verified, ANY, verdict.detail)
    return Proof("exact", LEGAL, f"right on all {tried} legal inputs")


def _prove_circuit(trial: Trial, draft: Draft) -> Proof:
    case = trial.case
    work, target = given(case.subject, case.form), target_of(case.target)
    circuit = work.gates
    from_zero = peers[trial.peer].from_zero and work.ours_from_zero
    try:
        verdict = verify_equivalent(circuit, draft, target, approximated=APPROXIMATED)
    except VerificationError:
        if not from_zero:
            raise
        return _prove_from_zero(circuit, draft)
    if verdict.verified != "unverified":
        return Proof(verdict.verified, ANY, verdict.detail)
    if from_zero:
        with suppress(StateTooLargeError):
            return _prove_from_zero(circuit, draft)
    verdict = verify_by_diagrams(circuit, draft)
    return Proof(verdict.verified, ANY, verdict.detail)


def _prove_paths(trial: Trial, draft: Draft) -> Proof:
    """Compare the states on every path of measured bits."""
    program, target = trial.case.subject.program(), target_of(trial.case.target)
    native = measure_at(draft.circuit, draft.final_layout, program)
    verdict = verify_lowered(program, program_state(program), native, draft.final_layout, target)
    return Proof(verdict.verified, ZERO, verdict.detail)


def _prove_from_zero(circuit: QuantumCircuit, draft: Draft) -> Proof:
    """Compare the states from |0…0⟩, by their amplitudes if they are few, else by all of them."""
    with suppress(StateTooLargeError):
        reference = program_state(circuit)
        verdict = compared(
            circuit, reference, draft.circuit, draft.final_layout, approximated=APPROXIMATED
        )
        if verdict.verified == "exact":
            return Proof(verdict.verified, ZERO, f"from |0…0⟩ only, {verdict.detail}")
    distance = state_distance(circuit, draft)
    verdict = distance_verdict(distance, ZERO, APPROXIMATED)
    return Proof(verdict.verified, ZERO, verdict.detail)


def verify_by_diagrams(original: QuantumCircuit, lowered: Draft) -> Verdict:
    """Check on all inputs that a native circuit equals the original.

    Returns:
        `exact`, or `unverified` if QCEC does not know, finds that they differ by little, or
        needs more than `SECONDS`.

    Raises:
        VerificationError: if QCEC proves the two different.
    """
    narrow = undo_layout(lowered)
    try:
        relation = within(SECONDS, compared_by_diagrams, qpy_bytes(original), qpy_bytes(narrow))
    except LoweringError as error:
        return Verdict("unverified", f"QCEC: {error}")
    if relation == DIFFERENT:
        raise VerificationError("QCEC finds that the circuit is not equivalent to the original")
    if relation in EQUIVALENT:
        return Verdict("exact", "equivalent by decision diagrams (QCEC)")
    return Verdict("unverified", f"QCEC: {relation}")


def compared_by_diagrams(original: bytes, narrow: bytes) -> str:
    """Compare two circuits, as QPY, in this process; return QCEC's own word.

    The second one may have more qubits, which start in |0⟩ and must end in it.
    """
    # It writes complaints to stderr when a process ends that has imported it.
    from mqt.core import load
    from mqt.qcec import verify

    first, second = (load(read_qpy(data, "circuit")) for data in (original, narrow))
    for qubit in range(first.num_qubits, second.num_qubits):
        second.set_circuit_qubit_ancillary(qubit)

    def compared(threshold: float) -> str:
        # Its ZX checker is incomplete, and then calls equivalent circuits probably different.
        result = verify(first, second, run_zx_checker=False, trace_threshold=threshold)
        return str(result.equivalence.name)

    relation = compared(CLOSE)
    if relation == DIFFERENT and compared(FAR) != DIFFERENT:
        return "they differ by more than rounding"
    return relation
