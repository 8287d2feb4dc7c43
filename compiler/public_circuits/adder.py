"""A ripple-carry adder."""

from math import pi

import numpy as np
from qiskit import QuantumCircuit
from qiskit.synthesis import adder_ripple_c04

from compiler.public_circuits.public_circuit import public_circuit


@public_circuit("adder")
def adder(qubits: int, seed: int) -> QuantumCircuit:
    """Ripple-carry adder with one ancilla, on operands in superposition.

    Every operand qubit is first turned by RY of a random angle from [0, 2π), so that the sum is
    not trivial from |0…0⟩. An even number of qubits has a carry out, an odd one adds modulo 2ⁿ.

    References:
        Cuccaro, Draper, Kutin and Moulton, arXiv:quant-ph/0410184; Qiskit's `adder_ripple_c04`.
    """
    bits = (qubits - 1) // 2
    circuit = QuantumCircuit(qubits)
    for qubit, angle in enumerate(np.random.default_rng(seed).uniform(0, 2 * pi, 2 * bits)):
        circuit.ry(float(angle), qubit)
    kind = "fixed" if qubits % 2 else "half"
    circuit.compose(adder_ripple_c04(bits, kind).decompose(["MAJ", "UMA"]), inplace=True)
    return circuit
