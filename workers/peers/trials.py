"""One call of one compiler, and the proof of what it returned: calls any process can make."""

from functools import cache
from time import perf_counter

from attrs import frozen
from qiskit import QuantumCircuit, transpile

from compiler.circuit_files import qpy_bytes, read_qpy
from compiler.errors import StateTooLargeError, VerificationError
from compiler.lowering import Draft
from compiler.lowering.figures import Figures, figures
from compiler.lowering.portfolio import Attempt
from compiler.measurement import measure_at
from compiler.targets import target_from_spec
from compiler.verification.dense import dense_state_fidelity
from compiler.verification.equivalence import TOLERANCE, require_placed, verify_equivalent
from compiler.verification.layouts import undo_layout
from compiler.verification.operators import verify_operator
from workers.attempts import Claim, Request, verify
from workers.peers.diagrams import verify_by_diagrams
from workers.peers.peer import Variant, peers
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
        initial_layout: for each program qubit, the physical qubit that holds it at the start.
        final_layout: for each program qubit, the physical qubit that holds it at the end.
        figures: of the native circuit.
        seconds: that the call took.
        error: why it failed, or `""`.
    """

    native: bytes
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
def gates(subject: Subject, form: Form) -> QuantumCircuit:
    """Return what compilers are given, built once in a process."""
    return subject.gates(form)


def size(subject: Subject, form: Form) -> int:
    """Return the CX gates of what compilers are given, before any optimisation."""
    plain = transpile(gates(subject, form), basis_gates=["cx", "u"], optimization_level=0)
    return int(plain.count_ops().get("cx", 0))


def attempt(trial: Trial) -> Outcome:
    """Call a compiler; one that fails has an outcome too."""
    case = trial.case
    target, circuit = target_from_spec(case.target), gates(case.subject, case.form)
    started = perf_counter()
    try:
        made = peers[trial.peer].compile(circuit, target, trial.variant)
        seconds = perf_counter() - started
        counted = figures(made.circuit, target)
    except Exception as error:  # noqa: BLE001 - third-party code may raise anything
        reason = " ".join(str(error).split()) or type(error).__name__
        return Outcome(b"", (), (), None, perf_counter() - started, reason)
    layouts = tuple(made.initial_layout), tuple(made.final_layout)
    return Outcome(qpy_bytes(made.circuit), *layouts, counted, seconds)


def prove(trial: Trial, outcome: Outcome) -> Proof:
    """Prove or refute what a compiler returned."""
    made = Draft(read_qpy(outcome.native, trial.peer), outcome.initial_layout, outcome.final_layout)
    by_kind = {Kind.GAME: _prove_game, Kind.OPERATOR: _prove_operator, Kind.CIRCUIT: _prove_circuit}
    try:
        return by_kind[trial.case.subject.kind](trial, made)
    except VerificationError as error:
        return Proof("refuted", "", str(error))
    except StateTooLargeError as error:
        return Proof("unverified", "", str(error))


def _prove_game(trial: Trial, made: Draft) -> Proof:
    case, subject = trial.case, trial.case.subject
    require_placed(gates(subject, case.form), made, target_from_spec(case.target))
    native = measure_at(made.circuit, made.final_layout, subject.program())
    tried = Attempt(case.form.synthesis, trial.peer, trial.variant.seed)
    request = Request(subject.source, subject.encoding, case.target, tried)
    verdict, _ = verify(Claim(request, qpy_bytes(native), made.final_layout))
    return Proof(verdict.verified, ZERO, verdict.detail)


def _prove_operator(trial: Trial, made: Draft) -> Proof:
    case, operator = trial.case, trial.case.subject.operator
    require_placed(gates(case.subject, case.form), made, target_from_spec(case.target))
    alone = undo_layout(made.circuit, made.initial_layout, made.final_layout)
    tried = verify_operator(operator, alone)
    return Proof("exact", LEGAL, f"right on all {tried} legal inputs")


def _prove_circuit(trial: Trial, made: Draft) -> Proof:
    case = trial.case
    circuit, target = gates(case.subject, case.form), target_from_spec(case.target)
    try:
        verdict = verify_equivalent(circuit, made, target)
    except VerificationError:
        if not peers[trial.peer].from_zero:
            raise
        return _prove_from_zero(circuit, made)
    if verdict.verified == "unverified":
        verdict = verify_by_diagrams(circuit, made)
    return Proof(verdict.verified, ANY, verdict.detail)


def _prove_from_zero(circuit: QuantumCircuit, made: Draft) -> Proof:
    fidelity = dense_state_fidelity(circuit, made.circuit, made.final_layout)
    if abs(fidelity - 1) > TOLERANCE:
        raise VerificationError(f"from |0…0⟩ the fidelity is {fidelity:.9f}, not 1")
    return Proof("exact", ZERO, "equal from |0…0⟩ only")
