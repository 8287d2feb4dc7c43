"""Distance of the states that two circuits prepare, dense or as a matrix product.

Dense states: circuits on few qubits, whose states may have every amplitude.
"""

from collections.abc import Sequence

import numpy as np
from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.circuit import Gate
from qiskit.circuit.library import UnitaryGate
from qiskit.quantum_info import Statevector

from compiler.circuits.gate_basis import in_basis
from compiler.circuits.matrices import Integers, Matrix
from compiler.circuits.tolerances import SAME_STATE
from compiler.compiled import cached_njit
from compiler.errors import StateTooLargeError, VerificationError
from compiler.formats.plain_gates import plain
from compiler.lowering.draft import Draft
from compiler.measurement import final_measurements
from compiler.verification.layouts import undo_layout
from compiler.verification.program import Verdict
from compiler.verification.simulation.matrix_product import matrix_product_distance

MAX_QUBITS = 24
"""Qubits up to which dense states are compared, in double precision: 256 MiB for each state."""

THREADED_QUBITS = 20
"""Qubits from which Aer's threads share a state; on fewer they wait longer than they work."""

FEW_QUBITS = 12
"""Qubits up to which states are evolved here: that takes less time than to call Aer."""

BASIS = ["cx", "cz", "swap", "u"]


def dense_state(circuit: QuantumCircuit) -> Matrix:
    """Return the state that a circuit prepares from |0…0⟩, in double precision.

    On many qubits Aer simulates it.

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
    few = circuit.num_qubits <= FEW_QUBITS
    if few and all(len(item.qubits) in (1, 2) and item.is_standard_gate() for item in circuit.data):
        return _state_on_few(circuit)
    # Qiskit goes by names.
    written = all(
        isinstance(item.operation, UnitaryGate) or (item.is_standard_gate() and item.name in BASIS)
        for item in circuit.data
    )
    narrow = circuit.copy() if written else in_basis(plain(circuit), BASIS)
    if few and any(len(item.qubits) > 2 and item.name != "barrier" for item in narrow.data):
        # Matrices on more qubits are applied as they are.
        return np.asarray(Statevector(narrow).data)
    if few:
        return _state_on_few(narrow)
    # It takes half as long to import as all of Qiskit, and few circuits are compared densely.
    from qiskit_aer import AerSimulator

    narrow.save_statevector()
    simulator = AerSimulator(
        method="statevector",
        precision="double",
        statevector_parallel_threshold=THREADED_QUBITS - 1,
    )
    return np.asarray(simulator.run(narrow).result().get_statevector(), dtype=complex)


def _state_on_few(circuit: QuantumCircuit) -> Matrix:
    """Return the state of a circuit of standard gates on one and two qubits."""
    index = {qubit: place for place, qubit in enumerate(circuit.qubits)}
    items = [item for item in circuit.data if item.name != "barrier"]
    places = [(*(index[qubit] for qubit in item.qubits), -1)[:2] for item in items]
    on_one, on_two = (
        np.array([item.matrix for item in items if len(item.qubits) == width], complex)
        for width in (1, 2)
    )
    state = _evolved(
        np.array(places, np.int32).reshape(-1, 2),
        on_one.reshape(-1, 2, 2),
        on_two.reshape(-1, 4, 4),
        circuit.num_qubits,
    )
    return np.asarray(np.exp(1j * float(circuit.global_phase)) * state)


@cached_njit()
def _evolved(places: Integers, on_one: Matrix, on_two: Matrix, qubits: int) -> Matrix:
    """Return the state after gates from |0…0⟩.

    Args:
        places: shape (gates, 2), qubits in the order of time; -1 after that of a gate on one.
        on_one: shape (n, 2, 2), the gates on one qubit.
        on_two: shape (m, 4, 4), the gates on two; the first qubit is the low bit.
        qubits: their number.
    """
    state = np.zeros(1 << qubits, np.complex128)
    state[0] = 1
    before = np.empty(4, np.complex128)
    one = two = 0
    for low, high in places:
        first, second = 1 << low, 0 if high < 0 else 1 << high
        corners = (0, first, second, first | second)
        if high < 0:
            gate = on_one[one]
            one += 1
        else:
            gate = on_two[two]
            two += 1
        for index in range(len(state)):
            if index & (first | second):
                continue
            for column in range(len(gate)):
                before[column] = state[index | corners[column]]
            for row in range(len(gate)):
                amplitude = 0j
                for column in range(len(gate)):
                    amplitude += gate[row, column] * before[column]
                state[index | corners[row]] = amplitude
    return state


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


def state_distance(program: QuantumCircuit, lowered: Draft, inputs: Sequence[Gate] = ()) -> float:
    """Return how far the state that a native circuit prepares is from its program's.

    Qubits of the target that no gate touches are ignored; those that are not the program's
    start in |0⟩ and must end in it.

    Args:
        program: the circuit that was lowered; its final measurements are ignored.
        lowered: the result, on the target's qubits; its initial layout matters for `inputs` only.
        inputs: one-qubit gates that prepare each program qubit from |0⟩ before either circuit;
            none for |0…0⟩.

    Returns:
        min ‖program − e^{iφ} native‖ over φ, or an upper bound on many qubits.

    Raises:
        StateTooLargeError: if the states have too many qubits and too much entanglement, or a
            circuit measures on the way.
    """
    wanted, _ = final_measurements(program)
    start = lowered.initial_layout if inputs else lowered.final_layout
    narrow = undo_layout(evolve(lowered, initial_layout=start))
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
