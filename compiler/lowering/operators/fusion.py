"""Neighbouring operators that are cheaper together, as the first of them says."""

from qiskit import QuantumCircuit

from compiler.synthesis.operator import Operator


def fuse_neighbours(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit in which operators are fused with those after them where they say so.

    Distributions of what is measured stay what they are; phases are branch phases.
    """
    fused = circuit.copy_empty_like()
    items = list(circuit.data)
    while items:
        first = items[0].operation
        fusion = first.fused(items) if isinstance(first, Operator) else None
        if fusion is None:
            fused.append(items.pop(0))
            continue
        for item in fusion.items:
            fused.append(item)
        del items[: fusion.replaced]
    return fused
