"""A circuit as arrays: unitaries on two wires, then one-qubit gates on each wire."""

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction
from qiskit.circuit.library import CXGate, UnitaryGate
from qiskit.quantum_info import Operator
from qiskit.synthesis import TwoQubitBasisDecomposer
from qiskit.synthesis.two_qubit.two_qubit_decompose import decompose_two_qubit_product_gate

from compiler.dynamic.pieces import of_items
from compiler.errors import LoweringError
from compiler.lowering.arrays import Complex, Integers

Item: TypeAlias = tuple[tuple[int, ...], Complex]
"""Wires and the matrix on them; the first wire is the high bit."""


@frozen(eq=False)
class Unitaries:
    """Two-qubit unitaries with nothing in between, then one-qubit gates.

    Args:
        wires: shape (n, 2), in the order of time; the first wire is the high bit of its unitary.
        unitaries: shape (n, 4, 4).
        ends: shape (wires, 2, 2), the one-qubit gate that ends each wire.
    """

    wires: Integers
    unitaries: Complex
    ends: Complex


def unitaries_of(circuit: QuantumCircuit) -> Unitaries:
    """Push all one-qubit gates of a circuit to its end.

    Args:
        circuit: gates on one or two qubits, and barriers, which are dropped.

    Raises:
        LoweringError: if a gate is wider.
    """
    index = {qubit: i for i, qubit in enumerate(circuit.qubits)}
    items = [
        (tuple(index[qubit] for qubit in reversed(item.qubits)), Operator(item.operation).data)
        for item in circuit.data
        if item.operation.name != "barrier"
    ]
    ends = np.tile(np.eye(2, dtype=np.complex128), (circuit.num_qubits, 1, 1))
    ends[0] *= np.exp(1j * float(circuit.global_phase))
    return _pushed(items, ends)


def without_local(found: Unitaries, costs: Integers) -> Unitaries:
    """Push unitaries that cost no CX to the end, as the one-qubit gates that they are.

    Args:
        found: some of whose unitaries may be local.
        costs: shape (n,), the CX of each unitary.
    """
    items: list[Item] = []
    for wires, unitary, cost in zip(found.wires.tolist(), found.unitaries, costs, strict=True):
        if cost:
            items.append((tuple(wires), unitary))
        else:
            high, low, phase = decompose_two_qubit_product_gate(unitary)
            items += [((wires[0],), high * np.exp(1j * phase)), ((wires[1],), low)]
    items += [((wire,), end) for wire, end in enumerate(found.ends)]
    return _pushed(items, np.tile(np.eye(2, dtype=np.complex128), (len(found.ends), 1, 1)))


def _pushed(items: Iterable[Item], ends: Complex) -> Unitaries:
    wires, unitaries = [], []
    for places, matrix in items:
        match places:
            case (wire,):
                ends[wire] = matrix @ ends[wire]
            case (high, low):
                frame = np.kron(ends[high], ends[low])
                wires.append(places)
                unitaries.append(frame.conj().T @ matrix @ frame)
            case _:
                raise LoweringError(f"a gate acts on {len(places)} qubits; write it in CX first")
    return Unitaries(
        np.array(wires, np.int32).reshape(-1, 2),
        np.array(unitaries, np.complex128).reshape(-1, 4, 4),
        ends,
    )


def as_circuit(found: Unitaries, costs: Integers, qubits: int) -> QuantumCircuit:
    """Return the circuit in CX and one-qubit unitaries.

    Args:
        found: what to write.
        costs: shape (n,), the CX that each unitary takes at least.
        qubits: width of the circuit.

    Raises:
        LoweringError: if a unitary takes more CX than its cost.
    """
    circuit = QuantumCircuit(qubits)
    wires, phase = circuit.qubits, 0.0
    items: list[CircuitInstruction] = []
    decomposer = TwoQubitBasisDecomposer(CXGate())
    for (high, low), unitary, cost in zip(found.wires, found.unitaries, costs, strict=True):
        written = decomposer(unitary, _num_basis_uses=int(cost))
        if np.abs(_matrix_of(written) - unitary).max() > 1e-7:
            raise LoweringError(f"a two-qubit unitary takes more than {cost} CX")
        place = dict(zip(written.qubits, (wires[low], wires[high]), strict=True))
        items += [item.replace(qubits=[place[q] for q in item.qubits]) for item in written.data]
        phase += written.global_phase
    circuit = of_items(items, circuit)
    circuit.global_phase = phase
    for qubit, end in enumerate(found.ends):
        if not np.allclose(end, np.eye(2), rtol=0, atol=1e-12):
            circuit.append(UnitaryGate(end), [qubit])
    return circuit


def _matrix_of(circuit: QuantumCircuit) -> Complex:
    """Return the matrix of a circuit on two qubits in CX and one-qubit gates.

    Qiskit's `Operator` takes twenty times as long for these few.
    """
    low = circuit.qubits[0]
    whole = np.eye(4, dtype=np.complex128) * np.exp(1j * circuit.global_phase)
    for item in circuit.data:
        match item.qubits:
            case (qubit,):
                halves = whole.reshape((2, 2, 4) if qubit == low else (2, 8))
                whole = (item.matrix @ halves).reshape(4, 4)
            case (control, _):
                whole = whole[[0, 3, 2, 1] if control == low else [0, 1, 3, 2]]
    return whole
