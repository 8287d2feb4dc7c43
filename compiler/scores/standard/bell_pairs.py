"""Bell state effective qubits: connected qubits whose pairs violate the CHSH inequality."""

from collections.abc import Iterator, Sequence
from math import hypot, pi, sqrt
from operator import attrgetter
from typing import ClassVar

import rustworkx as rx
from attrs import frozen
from qiskit import QuantumCircuit

from compiler.scores.intervals import normal_quantile
from compiler.scores.standard import benchmark

BASES = ("zz", "zx", "xz", "xx")
"""Basis of a pair's first qubit, then of its second."""

SIGNS = (1, -1, 1, 1)
"""Bases of S = ⟨ZZ⟩ − ⟨ZX⟩ + ⟨XZ⟩ + ⟨XX⟩, at most 2 classically and 2√2 at all."""


@benchmark.benchmarks.register("bseq")
@frozen(kw_only=True)
class BellPairs(benchmark.Benchmark):
    """Largest set of qubits connected by coupled pairs with S > 2, as a share of all qubits.

    Each pair is brought to RY(π/4) ⊗ I (|00⟩ + |11⟩)/√2. Pairs without a common qubit run in one
    circuit for each of the four bases.

    References:
        Clauser et al., Phys. Rev. Lett. 23, 880 (1969); Metriq Score 1.0, "BSEQ".

    Args:
        qubits: where the target has no size of its own.
        max_colours: sets of pairs, where all qubits are coupled; of a lattice all are measured.
    """

    title = "BSEQ"
    placed = True
    parameters: ClassVar = {"max_colors": "max_colours"}
    qubits: int
    max_colours: int = 4

    def circuits(self, device: benchmark.Couplings) -> list[QuantumCircuit]:
        """Return the circuits of the first set of pairs, one a basis, then of the next."""
        return [
            _circuit(device.qubits, pairs, basis)
            for pairs in self.colours(device)
            for basis in BASES
        ]

    def colours(self, device: benchmark.Couplings) -> list[list[benchmark.Pair]]:
        """Return the coupled pairs in sets without a common qubit."""
        if device.pairs is None:
            return list(_rounds(device.qubits, self.max_colours))
        if not device.pairs:
            raise benchmark.NotApplicableError("no two of its qubits are coupled")
        graph = device.graph(device.pairs)
        try:
            colours = rx.graph_bipartite_edge_color(graph)
        except rx.GraphNotBipartite:
            colours = rx.graph_misra_gries_edge_color(graph)
        pairs: dict[int, list[benchmark.Pair]] = {}
        for edge, pair in enumerate(device.pairs):
            pairs.setdefault(colours[edge], []).append(pair)
        return [pairs[colour] for colour in sorted(pairs)]

    def figures(self, device: benchmark.Couplings, runs: benchmark.Runs) -> benchmark.Figures:
        """Return the size of the largest connected set, its share, and the mean of S.

        The standard error of the size is by the sets of pairs whose S is above 2 by more than
        its error, or not below 2 by more than that.
        """
        chsh: dict[benchmark.Pair, benchmark.Figure] = {}
        for place, pairs in enumerate(self.colours(device)):
            four = runs[len(BASES) * place : len(BASES) * (place + 1)]
            for number, pair in enumerate(pairs):
                chsh[pair] = chsh_value(four, number)
        least, size, most = (
            _connected(device, [pair for pair, s in chsh.items() if bound(s.interval) > 2])
            for bound in (attrgetter("low"), attrgetter("value"), attrgetter("high"))
        )
        error = (most - least) / (2 * normal_quantile())
        mean = sum(figure.value for figure in chsh.values()) / len(chsh)
        spread = hypot(*(figure.uncertainty or 0.0 for figure in chsh.values())) / len(chsh)
        share = benchmark.Figure(size / device.qubits, error / device.qubits)
        values = {
            "largest_connected_size": benchmark.Figure(size, error),
            "fraction_connected": share,
            "mean_chsh": benchmark.Figure(mean, spread),
        }
        return benchmark.Figures(share, values)


def chsh_value(runs: benchmark.Runs, number: int) -> benchmark.Figure:
    """Return S of the pair whose bits are 2·number and 2·number + 1, from the four bases."""
    total = variance = 0.0
    for sign, run in zip(SIGNS, runs, strict=True):
        odd = sum(n for bits, n in run.counts.items() if (bits >> 2 * number & 3) in (1, 2))
        mean = 1 - 2 * odd / run.shots
        total += sign * mean
        variance += (1 - mean**2) / run.shots
    return benchmark.Figure(total, sqrt(variance))


def _connected(device: benchmark.Couplings, pairs: Sequence[benchmark.Pair]) -> int:
    return max(map(len, rx.connected_components(device.graph(pairs)))) if pairs else 0


def _rounds(qubits: int, count: int) -> Iterator[list[benchmark.Pair]]:
    """Yield rounds of a tournament in which every two of an even number of qubits meet once."""
    even = qubits - qubits % 2
    for turn in range(min(count, even - 1)):
        ring = [(turn + step) % (even - 1) for step in range(even - 1)]
        yield [(ring[0], even - 1), *((ring[i], ring[-i]) for i in range(1, even // 2))]


def _circuit(qubits: int, pairs: Sequence[benchmark.Pair], basis: str) -> QuantumCircuit:
    circuit = QuantumCircuit(qubits, 2 * len(pairs))
    for number, pair in enumerate(pairs):
        circuit.h(pair[0])
        circuit.cx(*pair)
        circuit.ry(pi / 4, pair[0])
        for bit, (axis, qubit) in enumerate(zip(basis, pair, strict=True)):
            if axis == "x":
                circuit.h(qubit)
            circuit.measure(qubit, 2 * number + bit)
    return circuit
