"""QAOA with a linear ramp of angles, for weighted MaxCut on a line."""

from math import isclose, sqrt
from typing import ClassVar

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit

from compiler.scores.standard import benchmark

WEIGHTS = (0.1, 0.2, 0.3, 0.5, 1.0)
DELTA_BETA, DELTA_GAMMA = 0.3, 0.6


@benchmark.benchmarks.register("lr-qaoa")
@frozen(kw_only=True)
class LinearRampQAOA(benchmark.Benchmark):
    """Approximation ratio r = E(cut)/max(cut), and (r − ½)/½, which is 0 for random bits.

    Layer i of p is exp(−iγ_i Σ w Z⊗Z) on the line's edges and RX(−2β_i), with γ_i = 0.6 i/p and
    β_i = 0.3 (p + 1 − i)/p. The largest cut of a line has all edges. Random bits cut each edge
    with probability ½.

    References:
        Montañez-Barrera et al., arXiv:2502.06471.

    Args:
        qubits: of the line.
        layers: p.
        count: number of equal circuits.
        seed: of the weights, of 0.1, 0.2, 0.3, 0.5 and 1.
    """

    title = "Linear Ramp QAOA"
    parameters: ClassVar = {
        "num_qubits": "qubits", "qaoa_layers": "depths", "trials": "count", "seed": "seed",
    }  # fmt: skip
    constants: ClassVar = {
        "graph_type": "1D", "delta_beta": DELTA_BETA, "delta_gamma": DELTA_GAMMA,
    }  # fmt: skip
    qubits: int
    layers: int
    count: int = 1
    seed: int = 0

    @property
    def depths(self) -> list[int]:
        """All numbers of layers."""
        return [self.layers]

    def weights(self) -> list[float]:
        """Return the weight of each edge (i, i + 1)."""
        chosen = np.random.default_rng(self.seed).integers(len(WEIGHTS), size=self.qubits - 1)
        return [WEIGHTS[place] for place in chosen]

    def cut(self, bits: int) -> float:
        """Return the weight of the edges between qubits of different bits."""
        changes = bits ^ bits >> 1
        return sum(weight for edge, weight in enumerate(self.weights()) if changes >> edge & 1)

    def circuits(self, device: benchmark.Couplings) -> list[QuantumCircuit]:
        """Return the circuit, once for each time that it is run."""
        circuit = QuantumCircuit(self.qubits, self.qubits)
        circuit.h(range(self.qubits))
        edges = list(enumerate(self.weights()))
        for layer in range(1, self.layers + 1):
            ramp = layer / self.layers
            for edge, weight in edges[::2] + edges[1::2]:
                circuit.rzz(2 * DELTA_GAMMA * ramp * weight, edge, edge + 1)
            circuit.rx(-2 * DELTA_BETA * (1 + 1 / self.layers - ramp), range(self.qubits))
        circuit.measure(range(self.qubits), range(self.qubits))
        return [circuit] * self.count

    def figures(self, device: benchmark.Couplings, runs: benchmark.Runs) -> benchmark.Figures:
        """Return ratio and probability of the optimum, with the standard errors of the mean."""
        best = sum(self.weights())
        pairs = [
            (self.cut(bits) / best, shots) for run in runs for bits, shots in run.counts.items()
        ]
        shots = sum(weight for _, weight in pairs)
        ratio = sum(value * weight for value, weight in pairs) / shots
        variance = sum((value - ratio) ** 2 * weight for value, weight in pairs) / shots
        error = sqrt(variance / shots)
        optimal = sum(weight for value, weight in pairs if isclose(value, 1)) / shots
        effective = benchmark.Figure(max(0.0, 2 * ratio - 1), 2 * error)
        values = {
            "approx_ratio": benchmark.Figure(ratio, error),
            "random_approx_ratio": benchmark.Figure(0.5),
            "optimal_probability": benchmark.Figure(optimal, sqrt(optimal * (1 - optimal) / shots)),
            "effective_approx_ratio": effective,
        }
        return benchmark.Figures(effective, values)
