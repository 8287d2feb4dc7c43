"""Circuit layer operations per second."""

from collections.abc import Sequence
from math import sqrt
from statistics import stdev
from typing import ClassVar

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit

from compiler.scores.standard import benchmark


@benchmark.benchmarks.register("clops")
@frozen(kw_only=True)
class Throughput(benchmark.Benchmark):
    """Layers times shots over the seconds that the provider reports for all circuits.

    A layer is CZ on a random matching of the couplings, then a random Clifford gate on every
    qubit in place of the random rotations of the definition, so that simulators keep up.

    References:
        Wack et al., arXiv:2110.14108.

    Args:
        qubits: connected ones.
        layers: of a circuit.
        count: number of circuits.
        seed: of the random choices.
    """

    title = "CLOPS"
    placed = True
    timed = True
    parameters: ClassVar = {
        "num_qubits": "qubits", "num_layers": "layers", "num_circuits": "count", "seed": "seed",
    }  # fmt: skip
    constants: ClassVar = {"two_qubit_gate": "cz", "mode": "instantiated"}
    qubits: int
    layers: int
    count: int
    seed: int = 0

    def circuits(self, device: benchmark.Couplings) -> list[QuantumCircuit]:
        """Return the circuits, with a barrier after the CZ of each layer."""
        qubits = self._connected(device)
        own = set(qubits)
        if device.pairs is None:
            pairs = [(a, b) for a in qubits for b in qubits if a < b]
        else:
            pairs = [pair for pair in device.pairs if own.issuperset(pair)]
        return [
            self._circuit(device.qubits, qubits, pairs, np.random.default_rng([self.seed, number]))
            for number in range(self.count)
        ]

    def _connected(self, device: benchmark.Couplings) -> list[int]:
        if device.pairs is None:
            reached = list(range(min(self.qubits, device.qubits)))
        else:
            near = device.neighbours()
            reached = [max(near, key=lambda qubit: (len(near[qubit]), -qubit))]
            for qubit in reached:
                reached += [other for other in near[qubit] if other not in reached]
        if len(reached) < self.qubits:
            raise benchmark.NotApplicableError(f"it is defined on {self.qubits} connected qubits")
        return reached[: self.qubits]

    def _circuit(
        self,
        size: int,
        qubits: Sequence[int],
        pairs: Sequence[tuple[int, int]],
        random: np.random.Generator,
    ) -> QuantumCircuit:
        circuit = QuantumCircuit(size, len(qubits))
        for _ in range(self.layers):
            for pair in benchmark.random_matching(pairs, random):
                circuit.cz(*pair)
            circuit.barrier(qubits)
            for qubit in qubits:
                benchmark.append_named(circuit, qubit, benchmark.random_clifford(random))
        circuit.barrier(qubits)
        circuit.measure(qubits, range(len(qubits)))
        return circuit

    def figures(self, device: benchmark.Couplings, runs: benchmark.Runs) -> benchmark.Figures:
        """Return the operations per second, with the standard error of the circuits' mean.

        That is unknown where one provider job ran several circuits. There is no value if the
        provider reports no seconds.
        """
        seconds = sum(run.seconds or 0.0 for run in runs)
        if not seconds or any(run.seconds is None for run in runs):
            return benchmark.Figures(None, {})
        rates = [self.layers * run.shots / run.seconds for run in runs if run.seconds]
        total = self.layers * sum(run.shots for run in runs) / seconds
        error = stdev(rates) / sqrt(len(rates)) if len(rates) == len(runs) > 1 else None
        return benchmark.Figures(None, {"clops_score": benchmark.Figure(total, error)})
