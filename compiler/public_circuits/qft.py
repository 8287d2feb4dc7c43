"""The quantum Fourier transform."""

from qiskit import QuantumCircuit
from qiskit.synthesis.qft import synth_qft_full

from compiler.public_circuits.public_circuit import WIDEST, public_circuit


@public_circuit("qft", range(5, WIDEST + 1))
def qft(qubits: int, seed: int) -> QuantumCircuit:
    """Quantum Fourier transform, with all rotations and the final swaps.

    |x⟩ → Σ_y exp(2πi·xy/2ⁿ)|y⟩/√2ⁿ in n(n−1)/2 controlled phases; nothing is random.
    """
    circuit: QuantumCircuit = synth_qft_full(qubits)
    return circuit
