"""Error per layered gate: fidelities of simultaneous gates on a chain of qubits."""

from collections.abc import Iterable, Sequence
from itertools import product
from math import exp, hypot, inf, log, prod, sqrt
from typing import ClassVar

import numpy as np
from attrs import field, frozen
from qiskit import QuantumCircuit
from qiskit.quantum_info import Clifford

from compiler.scores.standard import benchmark

SHORTEST = 4
"""Qubits of the shortest chain."""

REPORTED = (10, 20, 50, 100)
"""Lengths of the chains whose error per layered gate is reported."""

Group = tuple[int, ...]
"""Places in the chain of qubits that a gate of the layer acts on together, or of an idle one."""


def _as_tuple(lengths: Iterable[int]) -> tuple[int, ...]:
    return tuple(lengths)


@benchmark.benchmarks.register("eplg")
@frozen(kw_only=True)
class LayerFidelity(benchmark.Benchmark):
    """Layer fidelity LF of a chain, and the error per layered gate, 1 − LF^(1/(n−1)).

    CZ on the chain's pairs (0, 1), (2, 3), … are one layer, those on (1, 2), (3, 4), … the other.
    Direct randomised benchmarking of a layer: ℓ times a random Clifford gate on every qubit and
    the layer, then the inverse on each pair, and random flips, so that the probability of the
    right bits of a group of k qubits is (1 − 2⁻ᵏ)·A·αˡ + 2⁻ᵏ. The process fidelity of the group in
    the layer is 1 − (1 − α)(4ᵏ − 1)/4ᵏ, and LF the product over the groups of both layers.

    References:
        McKay et al., arXiv:2311.05933.

    Args:
        qubits: of the chain; the longest of random paths, if the device has none of this length.
        lengths: ℓ.
        samples: random circuits of each length and layer.
        seed: of the chain and the random gates.
    """

    title = "EPLG"
    placed = True
    parameters: ClassVar = {
        "num_qubits_in_chain": "qubits", "lengths": "lengths", "num_samples": "samples",
        "seed": "seed",
    }  # fmt: skip
    constants: ClassVar = {"two_qubit_gate": "cz"}
    qubits: int
    lengths: tuple[int, ...] = field(converter=_as_tuple)
    samples: int
    seed: int = 0

    def chain(self, device: benchmark.Couplings) -> list[int]:
        """Return the chain's qubits.

        Raises:
            NotApplicableError: if the device has no chain of four qubits.
        """
        chain = device.chain(self.qubits, self.seed)
        if len(chain) < SHORTEST:
            raise benchmark.NotApplicableError(f"it has no chain of {SHORTEST} coupled qubits")
        return chain

    def circuits(self, device: benchmark.Couplings) -> list[QuantumCircuit]:
        """Return the circuits by layer, length and sample."""
        chain = self.chain(device)
        return [
            self._circuit(device.qubits, chain, layer, length, sample)
            for layer, length, sample in self._places()
        ]

    def _places(self) -> list[tuple[int, int, int]]:
        return list(product((0, 1), self.lengths, range(self.samples)))

    def _flips(self, layer: int, length: int, sample: int, qubits: int) -> list[int]:
        random = np.random.default_rng([self.seed, layer, length, sample, 1])
        return [int(flip) for flip in random.integers(2, size=qubits)]

    def _circuit(
        self, qubits: int, chain: Sequence[int], layer: int, length: int, sample: int
    ) -> QuantumCircuit:
        groups = layer_groups(len(chain), layer)
        random = np.random.default_rng([self.seed, layer, length, sample])
        circuit = QuantumCircuit(qubits, len(chain))
        parts = [(group, QuantumCircuit(len(group))) for group in groups]
        for _ in range(length):
            for group, part in parts:
                for place, own in enumerate(group):
                    names = benchmark.random_clifford(random)
                    benchmark.append_named(circuit, chain[own], names)
                    benchmark.append_named(part, place, names)
            circuit.barrier(chain)
            for group, part in parts:
                if len(group) == 2:
                    circuit.cz(chain[group[0]], chain[group[1]])
                    part.cz(0, 1)
            circuit.barrier(chain)
        for group, part in parts:
            inverse = Clifford(part).adjoint().to_circuit()
            circuit.compose(inverse, [chain[place] for place in group], inplace=True)
        for qubit, flip in zip(chain, self._flips(layer, length, sample, len(chain)), strict=True):
            if flip:
                circuit.x(qubit)
        circuit.barrier(chain)
        circuit.measure(chain, range(len(chain)))
        return circuit

    def figures(self, device: benchmark.Couplings, runs: benchmark.Runs) -> benchmark.Figures:
        """Return the layer fidelity of the best chain of ten qubits, and all errors per gate."""
        size = len(self.chain(device))
        fidelities: dict[Group, benchmark.Figure] = {}
        for layer in (0, 1):
            own = [
                (length, self._flips(layer, length, sample, size), run)
                for (at, length, sample), run in zip(self._places(), runs, strict=True)
                if at == layer
            ]
            for group in layer_groups(size, layer):
                fidelities[group] = group_fidelity(group, own)
        links = [
            fidelities[(0,)] ** 2,
            *(fidelities[place, place + 1] for place in range(size - 1)),
            fidelities[(size - 1,)] ** 2,
        ]
        lengths = [length for length in REPORTED if length <= size] or [size]
        layers = {length: best_window(links, length) for length in lengths}
        values = {
            f"eplg_{length}": per_gate(fidelity, length) for length, fidelity in layers.items()
        }
        values[f"layer_fidelity_{lengths[0]}"] = layers[lengths[0]]
        return benchmark.Figures(layers[lengths[0]], values)


def layer_groups(qubits: int, layer: int) -> list[Group]:
    """Return the pairs of a layer of a chain, and the qubits at its ends that are idle."""
    pairs: list[Group] = [(place, place + 1) for place in range(layer, qubits - 1, 2)]
    paired = {place for pair in pairs for place in pair}
    return [*pairs, *((place,) for place in (0, qubits - 1) if place not in paired)]


def group_fidelity(
    group: Group, runs: Sequence[tuple[int, Sequence[int], benchmark.Run]]
) -> benchmark.Figure:
    """Return the process fidelity of a group in its layer.

    log((P − 2⁻ᵏ)/(1 − 2⁻ᵏ)) = log A + ℓ·log α is fitted by least squares, each length weighted
    by the binomial error of its shots.

    Args:
        group: places in the chain.
        runs: length, right bit of each place, and result of each circuit.
    """
    noise, dimension = 2.0 ** -len(group), 4 ** len(group)
    right: dict[int, int] = {}
    shots: dict[int, int] = {}
    for length, flips, run in runs:
        hits = sum(
            n
            for bits, n in run.counts.items()
            if all((bits >> place & 1) == flips[place] for place in group)
        )
        right[length] = right.get(length, 0) + hits
        shots[length] = shots.get(length, 0) + run.shots
    logs, errors = [], []
    for length, hits in right.items():
        share = hits / shots[length]
        shrunk = (hits + 2) / (shots[length] + 4)
        error = sqrt(shrunk * (1 - shrunk) / shots[length])
        signal = share - noise
        # Signals below their error tell nothing of the slope.
        logs.append(log(signal / (1 - noise)) if signal > error else 0.0)
        errors.append(error / signal if signal > error else inf)
    usable = sum(error < inf for error in errors)
    if usable < 2:
        return benchmark.Figure(1 / dimension, None)
    weights = [1 / error for error in errors]
    (slope, _), covariance = np.polyfit(list(right), logs, 1, w=weights, cov="unscaled")
    alpha = min(1.0, exp(slope))
    lost = (dimension - 1) / dimension
    return benchmark.Figure(1 - (1 - alpha) * lost, alpha * lost * sqrt(covariance[0, 0]))


def best_window(links: Sequence[benchmark.Figure], length: int) -> benchmark.Figure:
    """Return the largest layer fidelity of neighbouring qubits of a chain.

    Gates that cross the ends of the window count by their root.

    Args:
        links: squared fidelity of the first qubit, idle; of each pair; of the last qubit.
        length: number of qubits.
    """
    powers = [0.5, *([1.0] * (length - 1)), 0.5]
    fidelities = []
    for start in range(len(links) - length):
        factors = [link**power for link, power in zip(links[start:], powers, strict=False)]
        value = prod(factor.value for factor in factors)
        relative = hypot(*((factor.uncertainty or 0.0) / factor.value for factor in factors))
        fidelities.append(benchmark.Figure(value, value * relative))
    return max(fidelities, key=lambda fidelity: fidelity.value)


def per_gate(fidelity: benchmark.Figure, length: int) -> benchmark.Figure:
    """Return the error per layered gate of a chain: 1 − LF^(1/(n−1))."""
    root = fidelity ** (1 / (length - 1))
    return benchmark.Figure(1 - root.value, root.uncertainty)
