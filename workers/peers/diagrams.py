"""Equivalence of circuits too wide for a dense state, by MQT QCEC's decision diagrams."""

from mqt.core import load
from mqt.core.ir import QuantumComputation
from mqt.qcec import verify
from qiskit import QuantumCircuit

from compiler.errors import LoweringError, VerificationError
from compiler.formats.circuit_files import qpy_bytes, read_qpy
from compiler.lowering import Draft
from compiler.verification.layouts import undo_layout
from compiler.verification.program import Verdict
from workers.sandbox.sandbox import within

SECONDS = 20.0

CLOSE = 5e-14
"""What the trace of A† B may lack: an angle that is wrong by 1e-6 takes 1.25e-13."""

FAR = 1e-8
"""What it lacks at least where circuits are called different: others' passes approximate."""

EQUIVALENT = ("equivalent", "equivalent_up_to_global_phase")
DIFFERENT = "not_equivalent"


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
        found = within(SECONDS, compared, qpy_bytes(original), qpy_bytes(narrow))
    except LoweringError as error:
        return Verdict("unverified", f"QCEC: {error}")
    if found == DIFFERENT:
        raise VerificationError("QCEC finds that the circuit is not equivalent to the original")
    if found in EQUIVALENT:
        return Verdict("exact", "equivalent by decision diagrams (QCEC)")
    return Verdict("unverified", f"QCEC: {found}")


def compared(original: bytes, narrow: bytes) -> str:
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
