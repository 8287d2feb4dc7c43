"""Which operand is which inside operators that treat some of them alike.

Constructions give equal operands, such as cards, unequal parts: one of them is the hub of a star
of gates, another one a leaf. On a device it matters who is who, so different seeds try different
arrangements.
"""

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
