"""The proof of what a compiler returned, by MQT QCEC's decision diagrams if it is too wide."""

from contextlib import suppress

from attrs import frozen
from mqt.core import load
from mqt.core.ir import QuantumComputation
from mqt.qcec import verify
from qiskit import QuantumCircuit

from compiler.circuits.tolerances import APPROXIMATED, SAME_STATE
from compiler.compilation import Options
from compiler.compilation.candidate import Candidate
from compiler.compilation.plan import Plan
from compiler.compilation.proof import prove as prove_candidate
from compiler.errors import LoweringError, StateTooLargeError, VerificationError
from compiler.formats.circuit_files import qpy_bytes, read_qpy
from compiler.lowering import Draft
from compiler.lowering.draft import no_clock
from compiler.lowering.portfolio import Attempt
from compiler.measurement import measure_at
from compiler.verification.equivalence import require_placed, verify_equivalent
from compiler.verification.layouts import undo_layout
from compiler.verification.operators import verify_operator
from compiler.verification.program import Verdict, compared, program_state, verify_lowered
from compiler.verification.simulation.dense import dense_state_distance
from compiler.words.held_inputs import ANY_INPUT, FROM_ZERO
from games.sources import read_program
from workers.peers.peer import peers
from workers.peers.subjects import Kind
from workers.peers.trials import Outcome, Trial, given, target_of
from workers.sandbox.sandbox import within

SECONDS = 20.0

CLOSE = 5e-14
"""What the trace of A† B may lack: an angle that is wrong by 1e-6 takes 1.25e-13."""

FAR = 1e-8
"""What it lacks at least where circuits are called different: others' passes approximate."""

EQUIVALENT = ("equivalent", "equivalent_up_to_global_phase")
DIFFERENT = "not_equivalent"

ANY, LEGAL, ZERO = ANY_INPUT, "legal inputs", FROM_ZERO


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
    candidate = Candidate(tried, qpy_bytes(native), logical, made.initial_layout, made.final_layout)
    plan = Plan(program, case.target, Options())
    verdict = prove_candidate(plan, no_clock, candidate).verdict
    assert verdict is not None
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
        verdict = verify_equivalent(gates, made, target, approximated=APPROXIMATED)
        return Proof(verdict.verified, ANY, verdict.detail)
    return Proof("exact", LEGAL, f"right on all {tried} legal inputs")


def _prove_circuit(trial: Trial, made: Draft) -> Proof:
    case = trial.case
    work, target = given(case.subject, case.form), target_of(case.target)
    circuit = work.gates
    from_zero = peers[trial.peer].from_zero and work.ours_from_zero
    try:
        verdict = verify_equivalent(circuit, made, target, approximated=APPROXIMATED)
    except VerificationError:
        if not from_zero:
            raise
        return _prove_from_zero(circuit, made)
    if verdict.verified != "unverified":
        return Proof(verdict.verified, ANY, verdict.detail)
    if from_zero:
        with suppress(StateTooLargeError):
            return _prove_from_zero(circuit, made)
    verdict = verify_by_diagrams(circuit, made)
    return Proof(verdict.verified, ANY, verdict.detail)


def _prove_paths(trial: Trial, made: Draft) -> Proof:
    """Compare the states on every path of measured bits."""
    program, target = trial.case.subject.program(), target_of(trial.case.target)
    native = measure_at(made.circuit, made.final_layout, program)
    verdict = verify_lowered(program, program_state(program), native, made.final_layout, target)
    return Proof(verdict.verified, ZERO, verdict.detail)


def _prove_from_zero(circuit: QuantumCircuit, made: Draft) -> Proof:
    """Compare the states from |0…0⟩, by their amplitudes if they are few, else by all of them."""
    with suppress(StateTooLargeError):
        reference = program_state(circuit)
        verdict = compared(
            circuit, reference, made.circuit, made.final_layout, approximated=APPROXIMATED
        )
        if verdict.verified == "exact":
            return Proof(verdict.verified, ZERO, f"from |0…0⟩ only, {verdict.detail}")
    distance = dense_state_distance(circuit, made.circuit, made.final_layout)
    away = f"from |0…0⟩ the distance to the original is {distance:.3g}"
    if not distance <= APPROXIMATED:
        raise VerificationError(f"{away}, not 0")
    if distance > SAME_STATE:
        return Proof("unverified", ZERO, f"{away}, more than rounding")
    return Proof("exact", ZERO, f"equal from |0…0⟩ only (off by {distance:.1g} in all)")


def verify_by_diagrams(original: QuantumCircuit, lowered: Draft) -> Verdict:
    """Check on all inputs that a native circuit does what the original does.

    Returns:
        `exact`, or `unverified` if QCEC does not know, finds that they differ by little, or
        needs more than `SECONDS`.

    Raises:
        VerificationError: if QCEC proves the two different.
    """
    narrow = undo_layout(lowered.circuit, lowered.initial_layout, lowered.final_layout)
    try:
        found = within(SECONDS, compared_by_diagrams, qpy_bytes(original), qpy_bytes(narrow))
    except LoweringError as error:
        return Verdict("unverified", f"QCEC: {error}")
    if found == DIFFERENT:
        raise VerificationError("QCEC finds that the circuit is not equivalent to the original")
    if found in EQUIVALENT:
        return Verdict("exact", "equivalent by decision diagrams (QCEC)")
    return Verdict("unverified", f"QCEC: {found}")


def compared_by_diagrams(original: bytes, narrow: bytes) -> str:
    """Compare two circuits, as QPY, in this process; return QCEC's own word.

    The second one may have more qubits, which start in |0⟩ and must end in it.
    """
    first, second = (load(read_qpy(data, "circuit")) for data in (original, narrow))
    for qubit in range(first.num_qubits, second.num_qubits):
        second.set_circuit_qubit_ancillary(qubit)
    found = _compared(first, second, CLOSE)
    if found == DIFFERENT and _compared(first, second, FAR) != DIFFERENT:
        return "they differ by more than rounding"
    return found


def _compared(first: QuantumComputation, second: QuantumComputation, threshold: float) -> str:
    # Its ZX checker is incomplete, and then calls equivalent circuits probably different.
    found = verify(first, second, run_zx_checker=False, trace_threshold=threshold)
    return str(found.equivalence.name)
