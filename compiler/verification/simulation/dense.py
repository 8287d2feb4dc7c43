"""Dense states: circuits on few qubits, whose states may have every amplitude."""

from collections.abc import Sequence

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit import Gate

from compiler.circuits.gate_basis import in_basis
from compiler.circuits.matrices import Matrix
from compiler.errors import StateTooLargeError
from compiler.formats.plain_gates import plain

MAX_QUBITS = 24
"""Qubits up to which dense states are compared, in double precision: 256 MiB for each state."""

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
    simulator = AerSimulator(method="statevector", precision="double")
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
