"""Neighbouring operators that are cheaper together, as the first of them says."""

from qiskit import QuantumCircuit

from compiler.synthesis.operator import Operator


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
