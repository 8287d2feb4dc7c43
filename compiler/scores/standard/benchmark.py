"""Registry of standard benchmarks, and the couplings on which they are built."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf, sqrt
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
import rustworkx as rx
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.transpiler import Target

from compiler.errors import StichwerkError
from compiler.registry import Registry
from compiler.scores.intervals import Interval, normal_quantile
from compiler.targets.resonator import has_resonator

Pair = tuple[int, int]

benchmarks: Registry[type["Benchmark"]] = Registry("standard benchmark", "compiler.scores.standard")


class NotApplicableError(StichwerkError):
    """A benchmark is not defined on a device, such as for lack of a chain of qubits."""


@frozen
class Figure:
    """A number and its standard error; None if that is unknown."""

    value: float
    uncertainty: float | None = None

    def __pow__(self, exponent: float) -> "Figure":
        """Return a power of a positive number."""
        slope = exponent * self.value ** (exponent - 1) if self.value else 0.0
        return Figure(self.value**exponent, abs(slope) * (self.uncertainty or 0.0))

    @property
    def interval(self) -> Interval:
        """Its 95 % interval, of no width where the standard error is unknown."""
        half = normal_quantile() * (self.uncertainty or 0.0)
        return Interval(self.value, self.value - half, self.value + half)


@frozen
class Figures:
    """Results of a benchmark.

    Args:
        score: from 0 to 1, larger is better; None for a benchmark without such a scale.
        values: by their names in the public record form of Metriq.
    """

    score: Figure | None
    values: Mapping[str, Figure]


@frozen
class Run:
    """Result of one circuit.

    Args:
        counts: shots by measured classical bits.
        seconds: of the device; None if unknown, 0 if those of another circuit include them.
    """

    counts: Mapping[int, int]
    seconds: float | None = None

    @property
    def shots(self) -> int:
        """Number of shots."""
        return sum(self.counts.values())


Runs: TypeAlias = Sequence[Run]
"""Runs of all circuits of a benchmark, in their order."""


@frozen
class Couplings:
    """Qubits of a device, and the pairs that are coupled.

    Args:
        qubits: their number.
        pairs: the coupled pairs, smaller qubit first; None where all are.
    """

    qubits: int
    pairs: tuple[Pair, ...] | None

    @classmethod
    def of(cls, target: Target) -> Self:
        """Return the couplings of a target.

        Raises:
            NotApplicableError: if its qubits meet in a resonator only.
        """
        coupling = target.build_coupling_map()
        if has_resonator(target):
            raise NotApplicableError("its qubits are coupled through a resonator only")
        if coupling is None:
            return cls(target.num_qubits, None)
        return cls(target.num_qubits, tuple(sorted({(min(e), max(e)) for e in coupling})))

    def graph(self, pairs: Iterable[Pair]) -> rx.PyGraph[None, None]:
        """Return the graph of all qubits with edges between some pairs of them."""
        graph: rx.PyGraph[None, None] = rx.PyGraph()
        graph.add_nodes_from([None] * self.qubits)
        graph.add_edges_from_no_data(list(pairs))
        return graph

    def neighbours(self) -> Mapping[int, list[int]]:
        """Return the coupled qubits of each qubit that has any."""
        result: dict[int, list[int]] = {}
        for a, b in self.pairs or ():
            result.setdefault(a, []).append(b)
            result.setdefault(b, []).append(a)
        return result

    def chain(self, length: int, seed: int) -> list[int]:
        """Return the longest of many random paths without repetition, cut to a length.

        A path goes on where the fewest ways lead on, by Warnsdorff's rule.
        """
        if self.pairs is None:
            return list(range(min(length, self.qubits)))
        near, random = self.neighbours(), np.random.default_rng(seed)
        best: list[int] = []
        for _ in range(MAX_PATHS if self.pairs else 0):
            path = list(self.pairs[random.integers(len(self.pairs))])
            while len(path) < length and (steps := _extensions(path, near)):
                at_end, qubit = steps[random.integers(len(steps))]
                path.insert(len(path) if at_end else 0, qubit)
            best = max(best, path, key=len)
            if len(best) >= length:
                break
        return best


MAX_PATHS = 1000
"""Random paths among which the longest is taken."""


def _extensions(path: list[int], near: Mapping[int, list[int]]) -> list[tuple[bool, int]]:
    """Return the qubits with the fewest ways on, each with whether it is at the path's end."""
    used = set(path)
    steps = [
        (sum(other not in used for other in near[qubit]) or inf, at_end, qubit)
        for at_end, end in ((False, path[0]), (True, path[-1]))
        for qubit in near[end]
        if qubit not in used
    ]
    fewest = min(steps, default=(inf,))[0]
    return [(at_end, qubit) for ways, at_end, qubit in steps if ways == fewest]


class Benchmark(ABC):
    """A benchmark with its parameters: attributes of a frozen class.

    Attributes:
        title: name of the benchmark in the public record form of Metriq.
        placed: whether its circuits are written on the device's own qubits, which they keep.
        timed: whether it measures the time of a device, which a simulator does not have.
        qubits: of its circuits, or of targets that have no size of their own.
        parameters: its attributes by their names in the public record form of Metriq.
        constants: further entries of that form.
    """

    title: ClassVar[str]
    placed: ClassVar[bool] = False
    timed: ClassVar[bool] = False
    qubits: int
    parameters: ClassVar[Mapping[str, str]]
    constants: ClassVar[Mapping[str, Any]] = {}

    @abstractmethod
    def circuits(self, device: Couplings) -> list[QuantumCircuit]:
        """Return the circuits, the same ones for the same device, measured at their end.

        Raises:
            NotApplicableError: if the benchmark is not defined on the device.
        """

    @abstractmethod
    def figures(self, device: Couplings, runs: Runs) -> Figures:
        """Return the results from the runs of all circuits, in their order."""

    def metriq_parameters(self) -> dict[str, Any]:
        """Return the parameters by their names in the public record form of Metriq."""
        own = {name: getattr(self, attribute) for name, attribute in self.parameters.items()}
        return {**own, **self.constants}


COSETS = ("", "h", "s", "hs", "sh", "hsh")
PAULIS = ("", "x", "y", "z")
"""Each coset followed by each Pauli gate is one of the 24 Clifford gates on one qubit."""


def random_clifford(random: np.random.Generator) -> str:
    """Return one of the 24 Clifford gates on one qubit as names of gates, all equally likely."""
    return COSETS[random.integers(6)] + PAULIS[random.integers(4)]


def append_named(circuit: QuantumCircuit, qubit: int, names: str) -> None:
    """Append gates on one qubit whose names are one letter each."""
    for name in names:
        getattr(circuit, name)(qubit)


def random_matching(pairs: Sequence[Pair], random: np.random.Generator) -> Iterator[Pair]:
    """Yield pairs in random order, each unless one of its qubits was in a pair before."""
    used: set[int] = set()
    for place in random.permutation(len(pairs)):
        if used.isdisjoint(pairs[place]):
            used.update(pairs[place])
            yield pairs[place]


def point_figures(expected: Sequence[int], bits: int, runs: Runs, name: str) -> Figures:
    """Return the figures of circuits that each have one right outcome.

    With the share s of right shots of all circuits together, the polarisation is
    max(0, (s − 2⁻ᵇ)/(1 − 2⁻ᵇ)), and its standard error that of the binomial s.

    Args:
        expected: the right outcome of each circuit.
        bits: b, their classical bits.
        runs: of the circuits.
        name: of the polarisation.
    """
    shots = sum(run.shots for run in runs)
    right = sum(run.counts.get(outcome, 0) for outcome, run in zip(expected, runs, strict=True))
    # Of no right shot, or right shots only, Agresti and Coull's share keeps the error above 0.
    share, shrunk = right / shots, (right + 2) / (shots + 4)
    error = sqrt(shrunk * (1 - shrunk) / shots)
    noise = 2.0**-bits
    polarization = Figure(max(0.0, (share - noise) / (1 - noise)), error / (1 - noise))
    return Figures(polarization, {"success_probability": Figure(share, error), name: polarization})
