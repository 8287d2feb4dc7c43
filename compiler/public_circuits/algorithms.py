"""Textbook algorithms and states."""

from math import acos, asin, pi, sqrt

import numpy as np
from qiskit import QuantumCircuit
from qiskit.synthesis import adder_ripple_c04, synth_mcx_noaux_v24
from qiskit.synthesis.qft import synth_qft_full

from compiler.public_circuits.public_circuit import WIDEST, public_circuit


@public_circuit("dicke")
def dicke(qubits: int, seed: int) -> QuantumCircuit:
    """Dicke state with half of the qubits 1, rounded down, by Bärtschi and Eidenbenz's blocks.

    |0…0⟩ → the equal superposition of all basis states of that weight; nothing is random. A
    rotation with two controls is two Toffoli gates, as it is published, so that compilers have
    something to find.

    References:
        Bärtschi and Eidenbenz, arXiv:1904.07358, figure 2.
    """
    ones = qubits // 2
    circuit = QuantumCircuit(qubits)
    circuit.x(range(qubits - ones, qubits))
    for last in range(qubits - 1, 0, -1):
        size = last + 1
        circuit.cx(last - 1, last)
        circuit.cry(2 * acos(sqrt(1 / size)), last, last - 1)
        circuit.cx(last - 1, last)
        for weight in range(2, min(ones, last) + 1):
            target = last - weight
            circuit.cx(target, last)
            half = acos(sqrt(weight / size))
            circuit.ry(half, target)
            circuit.ccx(last, target + 1, target)
            circuit.ry(-half, target)
            circuit.ccx(last, target + 1, target)
            circuit.cx(target, last)
    return circuit


@public_circuit("ghz")
def ghz(qubits: int, seed: int) -> QuantumCircuit:
    """GHZ state by a ladder of CX.

    |0…0⟩ → (|0…0⟩ + |1…1⟩)/√2 in `qubits` − 1 CX; nothing is random.
    """
    circuit = QuantumCircuit(qubits)
    circuit.h(0)
    circuit.cx(range(qubits - 1), range(1, qubits))
    return circuit


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


@public_circuit("qft", range(5, WIDEST + 1))
def qft(qubits: int, seed: int) -> QuantumCircuit:
    """Quantum Fourier transform, with all rotations and the final swaps.

    |x⟩ → Σ_y exp(2πi·xy/2ⁿ)|y⟩/√2ⁿ in n(n−1)/2 controlled phases; nothing is random.
    """
    return synth_qft_full(qubits)


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
