"""A circuit as arrays: unitaries on two wires, then one-qubit gates on each wire."""

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit.library import UnitaryGate
from qiskit.quantum_info import Operator

from compiler.circuits.tolerances import ROUNDING
from compiler.circuits.weyl import local_gates
from compiler.errors import LoweringError
from compiler.lowering.arrays import Complex, Integers
from compiler.lowering.interactions.in_cx import gates_around_cx

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
            high, low = local_gates(unitary)
            items += [((wires[0],), high), ((wires[1],), low)]
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


def as_circuit(found: Unitaries, qubits: int) -> QuantumCircuit:
    """Return the circuit in CX and one-qubit unitaries.

    Args:
        found: what to write.
        qubits: width of the circuit.
    """
    circuit = QuantumCircuit(qubits)
    phase = 0.0
    nothing = np.eye(2, dtype=np.complex128)
    waiting = np.tile(nothing, (qubits, 1, 1))

    def turn(qubit: int) -> None:
        if np.abs(waiting[qubit] - nothing).max() > ROUNDING:
            circuit.append(UnitaryGate(waiting[qubit], check_input=False), [qubit])
        waiting[qubit] = nothing

    for (high, low), unitary in zip(found.wires.tolist(), found.unitaries, strict=True):
        gates, global_phase = gates_around_cx(unitary)
        phase += global_phase
        for layer in range(0, len(gates), 2):
            if layer:
                turn(low)
                turn(high)
                circuit.cx(low, high)
            waiting[low] = gates[layer] @ waiting[low]
            waiting[high] = gates[layer + 1] @ waiting[high]
    circuit.global_phase = phase
    for qubit, end in enumerate(found.ends):
        waiting[qubit] = end @ waiting[qubit]
        turn(qubit)
    return circuit
