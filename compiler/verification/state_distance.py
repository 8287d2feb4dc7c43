"""Distance of the states that two circuits prepare, dense or as a matrix product.

Dense states: circuits on few qubits, whose states may have every amplitude.
"""

from collections.abc import Sequence

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit import Gate

from compiler.circuits.gate_basis import in_basis
from compiler.circuits.matrices import Matrix
from compiler.circuits.tolerances import SAME_STATE
from compiler.errors import StateTooLargeError, VerificationError
from compiler.formats.plain_gates import plain
from compiler.measurement import final_measurements
from compiler.verification.layouts import undo_layout
from compiler.verification.program import Verdict
from compiler.verification.simulation.matrix_product import matrix_product_distance

MAX_QUBITS = 24
"""Qubits up to which dense states are compared, in double precision: 256 MiB for each state."""

THREADED_QUBITS = 20
"""Qubits from which Aer's threads share a state; on fewer they wait longer than they work."""

BASIS = ["cx", "cz", "swap", "u"]


def dense_state(circuit: QuantumCircuit) -> Matrix:
    """Return the state that a circuit prepares from |0…0⟩, by Aer in double precision.

    Args:
        circuit: gates and operators, without measurements.

    Returns:
        2ⁿ amplitudes; bit q of the index is qubit q.

    Raises:
        StateTooLargeError: if it has more than `MAX_QUBITS` qubits.
    """
    if circuit.num_qubits > MAX_QUBITS:
        raise StateTooLargeError(
            f"{circuit.num_qubits} qubits are more than the {MAX_QUBITS} of a dense state"
        )
    # It takes half as long to import as all of Qiskit, and few circuits are compared densely.
    from qiskit_aer import AerSimulator

    # Qiskit goes by names.
    narrow = in_basis(plain(circuit), BASIS)
    narrow.save_statevector()
    simulator = AerSimulator(
        method="statevector",
        precision="double",
        statevector_parallel_threshold=THREADED_QUBITS - 1,
    )
    return np.asarray(simulator.run(narrow).result().get_statevector(), dtype=complex)


def dense_distance(
    program: QuantumCircuit, native: QuantumCircuit, inputs: Sequence[Gate] = ()
) -> float:
    """Return how far the states that two circuits prepare are from each other.

    Args:
        program: unitary gates.
        native: the same on the program's qubits, which come first, and on others, which start
            in |0⟩ and must end in it.
        inputs: one-qubit gates that prepare each program qubit from |0⟩; none for |0…0⟩.

    Returns:
        min ‖program − e^{iφ} native‖ over φ.

    Raises:
        StateTooLargeError: if either circuit has too many qubits.
    """
    reference = dense_state(_prepared(inputs, program))
    state = dense_state(_prepared(inputs, native))
    clean, soiled = state[: len(reference)], state[len(reference) :]
    inner = np.vdot(clean, reference)
    phase = inner / abs(inner) if inner else 1.0
    return float(np.hypot(np.linalg.norm(reference - phase * clean), np.linalg.norm(soiled)))


def _prepared(inputs: Sequence[Gate], circuit: QuantumCircuit) -> QuantumCircuit:
    prepared = QuantumCircuit(circuit.num_qubits)
    for qubit, gate in enumerate(inputs):
        prepared.append(gate, [qubit])
    return prepared.compose(circuit)


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
