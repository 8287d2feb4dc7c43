"""Grover's search."""

from math import asin, pi, sqrt

import numpy as np
from qiskit import QuantumCircuit
from qiskit.synthesis import synth_mcx_noaux_v24

from compiler.public_circuits.public_circuit import public_circuit


@public_circuit("grover", range(5, 9))
def grover(qubits: int, seed: int) -> QuantumCircuit:
    """Grover's search for one basis state, with the best number of rounds.

    The marked basis state is random. Multi-controlled Z gates are built without ancillas, as in
    Qiskit's `synth_mcx_noaux_v24`.
    """
    marked = int(np.random.default_rng(seed).integers(1 << qubits))
    flips = [qubit for qubit in range(qubits) if not marked >> qubit & 1]
    everywhere = range(qubits)
    circuit = QuantumCircuit(qubits)
    circuit.h(everywhere)
    for _ in range(int(pi / (4 * asin(1 / sqrt(1 << qubits))))):
        _flip_sign(circuit, flips)
        circuit.h(everywhere)
        _flip_sign(circuit, list(everywhere))
        circuit.h(everywhere)
    return circuit


def _flip_sign(circuit: QuantumCircuit, zeros: list[int]) -> None:
    """Flip the sign of the basis state that is 0 on the qubits `zeros` and 1 on all others."""
    last = circuit.num_qubits - 1
    if zeros:
        circuit.x(zeros)
    circuit.h(last)
    circuit.compose(synth_mcx_noaux_v24(last), inplace=True)
    circuit.h(last)
    if zeros:
        circuit.x(zeros)
