"""Barriers within an operator, which cut a large one into segments that are proven one by one.

In a whole program they cross all of its qubits, as its own barriers do, so that each says where
every qubit is at that moment.
"""

from collections.abc import Iterator, Sequence

from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, Qubit

WITHIN = "within"
"""The label of a barrier within an operator."""


def segments(circuit: QuantumCircuit, across: int) -> list[QuantumCircuit]:
    """Return the parts between the barriers across so many qubits, each on all of a circuit's."""
    cut: list[list[CircuitInstruction]] = [[]]
    for item in circuit.data:
        if item.name == "barrier" and len(item.qubits) == across:
            cut.append([])
        else:
            cut[-1].append(item)
    phases = [circuit.global_phase, *(0 for _ in cut[1:])]
    return [
        QuantumCircuit.from_instructions(items, qubits=circuit.qubits, global_phase=phase)
        for items, phase in zip(cut, phases, strict=True)
    ]


def append_segments(
    circuit: QuantumCircuit,
    built: QuantumCircuit,
    qubits: Sequence[Qubit],
    operands: int,
    program: Sequence[Qubit],
) -> None:
    """Append an operator's circuit; barriers across it become barriers across a program.

    Args:
        circuit: to be extended.
        built: on the operator's operands, and perhaps further qubits.
        qubits: where to.
        operands: how many the operator has.
        program: the qubits of the whole program.
    """
    for number, segment in enumerate(segments(built, operands)):
        if number:
            circuit.barrier(program, label=WITHIN)
        circuit.compose(segment, qubits, inplace=True)


def cuts(circuit: QuantumCircuit, across: int) -> Iterator[bool]:
    """Yield whether a barrier across so many qubits is within an operator, for each of them."""
    for item in circuit.data:
        if item.name == "barrier" and len(item.qubits) == across:
            yield item.operation.label == WITHIN
