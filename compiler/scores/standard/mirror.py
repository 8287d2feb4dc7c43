"""Mirror circuits: random Clifford layers, Pauli gates, and the layers' inverse."""

from collections.abc import Iterator
from typing import ClassVar

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.quantum_info import Clifford, Pauli

from compiler.scores.standard import benchmark


@benchmark.benchmarks.register("mirror-circuits")
@frozen(kw_only=True)
class MirrorCircuits(benchmark.Benchmark):
    """Polarisation of mirror circuits on a line of qubits.

    A layer is a random Pauli gate on every qubit, then CX on half of the pairs of a random
    matching, in random direction, and a random Clifford gate on every other qubit. U being all
    layers, U†PU with random Pauli gates P gives one bit string.

    References:
        Proctor et al., Nature Physics 18, 75 (2022), arXiv:2008.11294.

    Args:
        qubits: of the line.
        layers: of U.
        count: number of circuits.
        seed: of the random choices.
    """

    title = "Mirror Circuits"
    parameters: ClassVar = {
        "width": "qubits", "num_layers": "layers", "num_circuits": "count", "seed": "seed",
    }  # fmt: skip
    constants: ClassVar = {"two_qubit_gate_name": "CNOT", "two_qubit_gate_prob": 0.5}
    qubits: int
    layers: int
    count: int
    seed: int = 0

    def circuits(self, device: benchmark.Couplings) -> list[QuantumCircuit]:
        """Return the circuits, with a barrier after each layer."""
        return [circuit for circuit, _ in self._circuits()]

    def figures(self, device: benchmark.Couplings, runs: benchmark.Runs) -> benchmark.Figures:
        """Return success probability and polarisation of all circuits together."""
        expected = [bits for _, bits in self._circuits()]
        return benchmark.point_figures(expected, self.qubits, runs, "polarization")

    def _circuits(self) -> Iterator[tuple[QuantumCircuit, int]]:
        for number in range(self.count):
            yield self._circuit(np.random.default_rng([self.seed, number]))

    def _circuit(self, random: np.random.Generator) -> tuple[QuantumCircuit, int]:
        qubits = range(self.qubits)
        forward = QuantumCircuit(self.qubits)
        for qubit in qubits:
            benchmark.append_named(forward, qubit, benchmark.random_clifford(random))
        forward.barrier()
        for _ in range(self.layers):
            self._append_layer(forward, random)
        middle = QuantumCircuit(self.qubits)
        letters = [benchmark.PAULIS[random.integers(4)] for _ in qubits]
        for qubit, letter in enumerate(letters):
            benchmark.append_named(middle, qubit, letter)
        middle.barrier()
        circuit = QuantumCircuit(self.qubits, self.qubits)
        for part in (forward, middle, forward.inverse()):
            circuit.compose(part, inplace=True)
        circuit.measure(qubits, qubits)
        label = "".join(letter.upper() or "I" for letter in reversed(letters))
        flips = Pauli(label).evolve(Clifford(forward), frame="h").x
        return circuit, sum(int(flip) << qubit for qubit, flip in enumerate(flips))

    def _append_layer(self, circuit: QuantumCircuit, random: np.random.Generator) -> None:
        for qubit in range(self.qubits):
            benchmark.append_named(circuit, qubit, benchmark.PAULIS[random.integers(4)])
        line = [(a, a + 1) for a in range(self.qubits - 1)]
        free = set(range(self.qubits))
        for pair in benchmark.random_matching(line, random):
            if random.integers(2):
                circuit.cx(*(pair if random.integers(2) else pair[::-1]))
                free.difference_update(pair)
        for qubit in sorted(free):
            benchmark.append_named(circuit, qubit, benchmark.random_clifford(random))
        circuit.barrier()
