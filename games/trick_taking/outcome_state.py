"""The toy game's outcomes as one state, without the game."""

from math import sqrt

from qiskit import QuantumCircuit, transpile
from qiskit.circuit.library import StatePreparation

from compiler.public_circuits.public_circuit import public_circuit
from games import named_game


@public_circuit("outcomes", sizes=range(4, 5))
def outcomes(qubits: int, seed: int) -> QuantumCircuit:
    """The toy's exact distribution on its owner register, written as one real state.

    No deal, no play and no trick: the result of `skat-4` without its operators. It is a lower
    bound for the cost of the game, not a way to play it.
    """
    exact = named_game("skat-4").exact_distribution()
    amplitudes = [sqrt(exact.get(owners, 0)) for owners in range(1 << qubits)]
    circuit = QuantumCircuit(qubits)
    circuit.append(StatePreparation(amplitudes), range(qubits))
    return transpile(circuit, basis_gates=["cx", "u"], optimization_level=0)
