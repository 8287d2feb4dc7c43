"""The same rotation of many qubits, by one rotation for each bit of how many of them are 1.

Rz(θ) on each of m qubits is a phase θw, up to a global one, w of them being 1. So w is added up by
temporary ANDs, m of them less as many as m has bits that are 1, bit j is rotated by 2^j θ, and the
sum is undone.

References:
    Gidney, arXiv:1709.06648, section "Hamming weight phasing".
"""

from collections.abc import Callable, Sequence

from qiskit import QuantumCircuit

from compiler.fault_tolerant.one_hot_rotation import carry


def rotate_equally(
    circuit: QuantumCircuit, qubits: Sequence[int], theta: float, ancilla: Callable[[], int]
) -> None:
    """Rotate qubits by Ry(θ) each, up to a global phase: ⌊log₂ m⌋ + 1 rotations.

    Args:
        circuit: what is appended to.
        qubits: one or more.
        theta: in radians.
        ancilla: gives clean qubits; they come back.
    """
    turned = circuit.copy_empty_like()
    for qubit in qubits:
        # Z becomes Y.
        turned.h(qubit)
        turned.s(qubit)
    adding, bits = circuit.copy_empty_like(), []
    level = list(qubits)
    while level:
        carries = []
        while len(level) > 1:
            level, result = _added(adding, level, ancilla())
            carries.append(result)
        bits += level
        level = carries
    circuit.compose(turned.inverse(), inplace=True)
    circuit.compose(adding, inplace=True)
    for place, bit in enumerate(bits):
        circuit.rz(theta * 2**place, bit)
    circuit.compose(adding.inverse(), inplace=True)
    circuit.compose(turned, inplace=True)


def _added(circuit: QuantumCircuit, level: Sequence[int], result: int) -> tuple[list[int], int]:
    """Add up to three bits; return what is left on their level, the sum last, and the carry."""
    *rest, last = level
    terms = rest[-2:]
    carry(circuit, terms, last, result)
    total = terms[-1]
    # With three bits, the first and the last have been added to the second one.
    for other in (*terms[:-1], last):
        circuit.cx(other, total)
    return [*rest[: -len(terms)], total], result
