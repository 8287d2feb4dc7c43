"""How much is looked at when circuits are split."""

from qiskit import QuantumCircuit

from compiler.dynamic import pieces
from compiler.dynamic.pieces import pieces_of

QUBITS, DEPTH = 8, 5


def nested(depth: int) -> QuantumCircuit:
    """Return branches within branches, each of which acts on every qubit."""
    circuit = QuantumCircuit(QUBITS, 1)
    circuit.measure(0, 0)

    def grow(left: int) -> None:
        circuit.x(range(QUBITS))
        if left:
            with circuit.if_test((circuit.clbits[0], 1)):
                grow(left - 1)

    grow(depth)
    return circuit


def test_a_block_is_looked_through_once_from_each_level_above_it(monkeypatch):
    looks = 0
    busy = pieces._busy

    def counted(block):
        nonlocal looks
        looks += 1
        return busy(block)

    monkeypatch.setattr(pieces, "_busy", counted)
    pieces_of(nested(DEPTH))
    assert looks == DEPTH * (DEPTH + 1) // 2
