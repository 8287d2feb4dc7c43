"""Time evolution of the Heisenberg chain."""

from qiskit import QuantumCircuit

from compiler.public_circuits.public_circuit import WIDEST, public_circuit

STEPS = 5
ANGLE = 0.2


@public_circuit("heisenberg", range(5, WIDEST + 1))
def heisenberg(qubits: int, seed: int) -> QuantumCircuit:
    """Heisenberg chain by five Trotter steps, from the Néel state |…0101⟩.

    A step is exp(−iθ(X⊗X + Y⊗Y + Z⊗Z)/2) with θ = 0.2 on all pairs of neighbours, first those
    (0, 1), (2, 3), …, then (1, 2), (3, 4), …; nothing is random.
    """
    circuit = QuantumCircuit(qubits)
    circuit.x(range(0, qubits, 2))
    for _ in range(STEPS):
        for first in (0, 1):
            for a in range(first, qubits - 1, 2):
                circuit.rxx(ANGLE, a, a + 1)
                circuit.ryy(ANGLE, a, a + 1)
                circuit.rzz(ANGLE, a, a + 1)
    return circuit
