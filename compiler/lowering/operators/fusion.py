"""Neighbouring operators that are cheaper together, as the first of them says."""

from random import Random

from qiskit import QuantumCircuit

from compiler.synthesis.operator import Operator


def arranged(circuit: QuantumCircuit, seed: int) -> QuantumCircuit:
    """Return a circuit that differs in branch phases and histories only.

    Args:
        circuit: gates and operators.
        seed: of the arrangement; 0 leaves everything as it is.
    """
    if seed == 0:
        return circuit
    random = Random(seed)
    result = circuit.copy_empty_like()
    for item in circuit.data:
        places = list(range(len(item.qubits)))
        gate = item.operation
        for group in gate.interchangeable() if isinstance(gate, Operator) else ():
            for old, new in zip(group, random.sample(group, len(group)), strict=True):
                for to, place in zip(old, new, strict=True):
                    places[to] = place
        result.append(item.operation, [item.qubits[place] for place in places])
    return result


def fuse_neighbours(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit in which operators are fused with those after them where they say so.

    Distributions of what is measured stay what they are; phases are branch phases.
    """
    fused = circuit.copy_empty_like()
    items = list(circuit.data)
    place = 0
    while place < len(items):
        first = items[place].operation
        fusion = first.fused(items[place:]) if isinstance(first, Operator) else None
        for item in [items[place]] if fusion is None else fusion.items:
            fused.append(item)
        place += 1 if fusion is None else fusion.replaced
    return fused
