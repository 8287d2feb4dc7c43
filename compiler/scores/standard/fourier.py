"""Quantum Fourier transform that adds 1, by its method 1 of the QED-C's benchmarks."""

from math import pi
from typing import ClassVar

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.synthesis.qft import synth_qft_full

from compiler.scores.standard import benchmark


@benchmark.benchmarks.register("qft")
@frozen(kw_only=True)
class FourierTransform(benchmark.Benchmark):
    """Fidelity of |s⟩ → QFT† · phases · QFT |s⟩ = |s + 1 mod 2ⁿ⟩, for random s.

    References:
        Lubinski et al., arXiv:2110.03137, section IV, method 1.

    Args:
        qubits: n.
        count: number of values s.
        seed: of the values.
    """

    title = "Quantum Fourier Transform"
    parameters: ClassVar = {"num_qubits": "qubits", "max_circuits": "count"}
    constants: ClassVar = {"method": 1, "use_midcircuit_measurement": False}
    qubits: int
    count: int
    seed: int = 0

    def circuits(self, device: benchmark.Couplings) -> list[QuantumCircuit]:
        """Return the circuits, with barriers between their four parts."""
        return [self._circuit(value) for value in self._values()]

    def figures(self, device: benchmark.Couplings, runs: benchmark.Runs) -> benchmark.Figures:
        """Return the mean polarisation, `accuracy_score`, of all values together."""
        expected = [(value + 1) % (1 << self.qubits) for value in self._values()]
        return benchmark.point_figures(expected, self.qubits, runs, "accuracy_score")

    def _values(self) -> list[int]:
        random = np.random.default_rng(self.seed)
        return [int(value) for value in random.choice(1 << self.qubits, self.count, replace=False)]

    def _circuit(self, value: int) -> QuantumCircuit:
        qubits = range(self.qubits)
        transform = synth_qft_full(self.qubits, do_swaps=False)
        circuit = QuantumCircuit(self.qubits, self.qubits)
        for qubit in qubits:
            if value >> qubit & 1:
                circuit.x(qubit)
        circuit.barrier()
        circuit.compose(transform, inplace=True)
        circuit.barrier()
        for qubit in qubits:
            # Without swaps, qubit q holds bit n − 1 − q of the transform's index.
            circuit.p(2 * pi / 2 ** (qubit + 1), qubit)
        circuit.barrier()
        circuit.compose(transform.inverse(), inplace=True)
        circuit.measure(qubits, qubits)
        return circuit
