"""Distance of the states that two circuits prepare, dense or as a matrix product."""

from collections.abc import Sequence

from qiskit import QuantumCircuit
from qiskit.circuit import Gate

from compiler.circuits.tolerances import SAME_STATE
from compiler.errors import VerificationError
from compiler.measurement import final_measurements
from compiler.verification.layouts import undo_layout
from compiler.verification.program import Verdict
from compiler.verification.simulation.dense import MAX_QUBITS, dense_distance
from compiler.verification.simulation.matrix_product import matrix_product_distance


def state_distance(
    program: QuantumCircuit,
    native: QuantumCircuit,
    final_layout: Sequence[int],
    initial_layout: Sequence[int] = (),
    inputs: Sequence[Gate] = (),
) -> float:
    """Return how far the state that a native circuit prepares is from its program's.

    Qubits of the target that no gate touches are ignored; those that are not the program's
    start in |0⟩ and must end in it.

    Args:
        program: the circuit that was lowered; its final measurements are ignored.
        native: the result, on the target's qubits.
        final_layout: for each program qubit, the physical qubit that holds it at the end.
        initial_layout: the same at the start; only `inputs` need it.
        inputs: one-qubit gates that prepare each program qubit from |0⟩ before either circuit;
            none for |0…0⟩.

    Returns:
        min ‖program − e^{iφ} native‖ over φ, or an upper bound on many qubits.

    Raises:
        StateTooLargeError: if the states have too many qubits and too much entanglement, or a
            circuit measures on the way.
    """
    wanted, _ = final_measurements(program)
    narrow = undo_layout(native, initial_layout or final_layout, final_layout)
    distance = dense_distance if narrow.num_qubits <= MAX_QUBITS else matrix_product_distance
    return distance(wanted, narrow, inputs)


def distance_verdict(distance: float, start: str, approximated: float = SAME_STATE) -> Verdict:
    """Return the verdict on a distance of states.

    Args:
        distance: see `state_distance`.
        start: the common input of both circuits, in words.
        approximated: how far apart states may be that are not proven, but not called wrong either.

    Raises:
        VerificationError: if it is more.
    """
    away = f"from {start} the distance to the original is {distance:.3g}"
    if not distance <= max(approximated, SAME_STATE):
        raise VerificationError(f"{away}, not 0")
    if distance > SAME_STATE:
        return Verdict("unverified", f"{away}, more than rounding")
    return Verdict("exact", f"equal from {start} (off by {distance:.1g} in all)")
