"""Circuits that measure on the way."""

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit import ClassicalRegister, QuantumRegister


def teleported() -> QuantumCircuit:
    """Return the teleportation of a state, with corrections, and a fresh use of a qubit."""
    circuit = QuantumCircuit(3, 3, name="teleported")
    circuit.u(0.3, 0.4, 0.5, 0)
    teleport(circuit)
    circuit.reset(0)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.measure(2, 2)
    return circuit


def teleport(circuit: QuantumCircuit) -> None:
    """Bring the state of qubit 0 to qubit 2, by a Bell pair, two measurements and corrections."""
    circuit.h(1)
    circuit.cx(1, 2)
    circuit.cx(0, 1)
    circuit.h(0)
    circuit.measure([0, 1], [0, 1])
    with circuit.if_test((circuit.clbits[1], 1)):
        circuit.x(2)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.z(2)


def random_dynamic(seed: int, qubits: int = 3, size: int = 14) -> QuantumCircuit:
    """Return gates, measurements, resets and branches at random."""
    rng = np.random.default_rng(seed)
    register = ClassicalRegister(2, "r")
    circuit = QuantumCircuit(QuantumRegister(qubits, "q"), register, ClassicalRegister(2, "s"))
    circuit.name = f"random-{seed}"
    _grow(circuit, rng, size, depth=0)
    for qubit in range(int(rng.integers(qubits + 1))):
        circuit.measure(qubit, circuit.clbits[int(rng.integers(4))])
    return circuit


def _grow(circuit: QuantumCircuit, rng: np.random.Generator, size: int, depth: int) -> None:
    register, bits = circuit.cregs[0], circuit.clbits
    for _ in range(size):
        a, b = rng.permutation(circuit.num_qubits)[:2].tolist()
        match rng.integers(10):
            case 0 | 1:
                circuit.u(*rng.uniform(-3, 3, 3).tolist(), a)
            case 2 | 3:
                circuit.cx(a, b)
            case 4:
                circuit.crx(float(rng.uniform(-3, 3)), a, b)
            case 5 | 6:
                circuit.measure(a, bits[int(rng.integers(len(bits)))])
            case 7:
                circuit.reset(a)
            case 8 if depth < 2:
                with circuit.if_test((bits[int(rng.integers(4))], int(rng.integers(2)))) as other:
                    _grow(circuit, rng, 3, depth + 1)
                with other:
                    _grow(circuit, rng, 2, depth + 1)
            case 9 if depth < 2:
                with circuit.switch(register) as case:
                    with case(0, 3):
                        _grow(circuit, rng, 2, depth + 1)
                    with case(2):
                        _grow(circuit, rng, 2, depth + 1)
                    if rng.integers(2):
                        with case(case.DEFAULT):
                            _grow(circuit, rng, 2, depth + 1)
