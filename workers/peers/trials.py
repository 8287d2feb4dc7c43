"""One call of one compiler, and the proof of what it returned: calls any process can make."""

from functools import cache
from time import perf_counter

from attrs import frozen
from qiskit import QuantumCircuit, transpile
from qiskit.transpiler import Target

from compiler.compilation import Options
from compiler.compilation.proof import Claim, prove_claim
from compiler.compilation.task import Task
from compiler.dynamic.pieces import unconditional
from compiler.errors import StateTooLargeError, VerificationError
from compiler.formats.circuit_files import qpy_bytes, read_qpy
from compiler.lowering import Draft
from compiler.lowering.figures import Figures, figures
from compiler.lowering.portfolio import Attempt
from compiler.measurement import measure_at
from compiler.targets import target_from_spec
from compiler.verification.equivalence import require_placed, verify_equivalent
from compiler.verification.layouts import undo_layout
from compiler.verification.operators import verify_operator
from compiler.verification.program import TOLERANCE, program_state, verify_lowered
from compiler.verification.simulation.dense import dense_state_fidelity
from games.sources import read_program
from workers.peers.diagrams import verify_by_diagrams
from workers.peers.peer import Given, Variant, peers
from workers.peers.subjects import Form, Kind, Subject

ANY, LEGAL, ZERO = "any input", "legal inputs", "from |0…0⟩"


@frozen
class Case:
    """One program in one form on one target.

    Args:
        suite: that it belongs to.
        subject: the program.
        form: which circuit the compilers are given.
        target: a complete spec.
    """

    suite: str
    subject: Subject
    form: Form
    target: str


@frozen
class Trial:
    """One call of one compiler."""

    case: Case
    peer: str
    variant: Variant


@frozen
class Outcome:
    """What became of a trial.

    Args:
        native: the native circuit as QPY; empty if there is none.
        logical: the circuit that it was made from, its operators synthesised, as QPY.
        initial_layout: for each program qubit, the physical qubit that holds it at the start.
        final_layout: for each program qubit, the physical qubit that holds it at the end.
        figures: of the native circuit.
        seconds: that the call took.
        error: why it failed, or `""`.
    """

    native: bytes
    logical: bytes
    initial_layout: tuple[int, ...]
    final_layout: tuple[int, ...]
    figures: Figures | None
    seconds: float
    error: str = ""


@frozen
class Proof:
    """How far an outcome is proven.

    Args:
        verified: `exact`, `sampled`, `unverified` or `refuted`.
        holds: for which inputs.
        detail: what was compared, or what is wrong.
    """

    verified: str
    holds: str
    detail: str


@cache
def target_of(spec: str) -> Target:
    """Return the target of a complete spec, built once in a process: devices take a while."""
    return target_from_spec(spec)


@cache
def given(subject: Subject, form: Form) -> Given:
    """Return what compilers are given, built once in a process."""
    return subject.given(form)


def size(subject: Subject, form: Form) -> int:
    """Return the CX gates of what compilers are given, before any optimisation."""
    gates = given(subject, form).gates
    flat = unconditional(gates) if subject.kind is Kind.DYNAMIC else gates
    plain = transpile(flat, basis_gates=["cx", "u"], optimization_level=0)
    return int(plain.count_ops().get("cx", 0))


def attempt(trial: Trial) -> Outcome:
    """Call a compiler; one that fails has an outcome too."""
    case = trial.case
    target, work = target_of(case.target), given(case.subject, case.form)
    started = perf_counter()
    try:
        made = peers[trial.peer].compile(work, target, trial.variant)
        seconds = perf_counter() - started
        counted = figures(made.circuit, target)
    except Exception as error:  # noqa: BLE001 - third-party code may raise anything
        reason = " ".join(str(error).split()) or type(error).__name__
        return Outcome(b"", b"", (), (), None, perf_counter() - started, reason)
    layouts = tuple(made.initial_layout), tuple(made.final_layout)
    natives = qpy_bytes(made.circuit), qpy_bytes(made.logical)
    return Outcome(*natives, *layouts, counted, seconds)


def prove(trial: Trial, outcome: Outcome) -> Proof:
    """Prove or refute what a compiler returned."""
    native = read_qpy(outcome.native, trial.peer)
    made = Draft(native, outcome.initial_layout, outcome.final_layout)
    case = trial.case
    try:
        require_placed(given(case.subject, case.form).gates, made, target_of(case.target))
        if case.subject.kind is Kind.GAME:
            return _prove_game(trial, made, outcome.logical)
        if case.subject.kind is Kind.OPERATOR:
            return _prove_operator(trial, made)
        if case.subject.kind is Kind.DYNAMIC:
            return _prove_paths(trial, made)
        return _prove_circuit(trial, made)
    except VerificationError as error:
        return Proof("refuted", "", str(error))
    except StateTooLargeError as error:
        return Proof("unverified", "", str(error))


def _prove_game(trial: Trial, made: Draft, logical: bytes) -> Proof:
    case, subject = trial.case, trial.case.subject
    native = measure_at(made.circuit, made.final_layout, subject.program())
    tried = Attempt(case.form.synthesis, trial.peer, trial.variant.seed)
    program = read_program(subject.source, subject.encoding)
    task = Task(program, case.target, Options(), tried)
    layouts = made.initial_layout, made.final_layout
    verdict, _ = prove_claim(Claim(task, qpy_bytes(native), logical, *layouts))
    return Proof(verdict.verified, ZERO, verdict.detail)


def _prove_operator(trial: Trial, made: Draft) -> Proof:
    case, operator = trial.case, trial.case.subject.operator
    gates, target = given(case.subject, case.form).gates, target_of(case.target)
    alone = undo_layout(made.circuit, made.initial_layout, made.final_layout)
    try:
        tried = verify_operator(operator, alone)
    except VerificationError:
        # Compilers that search numerically are right to fewer digits than operators are held to.
        verify_operator(operator, gates)
        return Proof("exact", ANY, verify_equivalent(gates, made, target).detail)
    return Proof("exact", LEGAL, f"right on all {tried} legal inputs")


def _prove_circuit(trial: Trial, made: Draft) -> Proof:
    case = trial.case
    circuit, target = given(case.subject, case.form).gates, target_of(case.target)
    try:
        verdict = verify_equivalent(circuit, made, target)
    except VerificationError:
        if not peers[trial.peer].from_zero:
            raise
        return _prove_from_zero(circuit, made)
    if verdict.verified == "unverified":
        verdict = verify_by_diagrams(circuit, made)
    return Proof(verdict.verified, ANY, verdict.detail)


def _prove_paths(trial: Trial, made: Draft) -> Proof:
    """Compare the states on every path of measured bits."""
    program, target = trial.case.subject.program(), target_of(trial.case.target)
    native = measure_at(made.circuit, made.final_layout, program)
    verdict = verify_lowered(program, program_state(program), native, made.final_layout, target)
    return Proof(verdict.verified, ZERO, verdict.detail)


def _prove_from_zero(circuit: QuantumCircuit, made: Draft) -> Proof:
    fidelity = dense_state_fidelity(circuit, made.circuit, made.final_layout)
    if abs(fidelity - 1) > TOLERANCE:
        raise VerificationError(f"from |0…0⟩ the fidelity is {fidelity:.9f}, not 1")
    return Proof("exact", ZERO, "equal from |0…0⟩ only")
