"""Costs of results: two-qubit gates and CPU seconds against those of Qiskit and tket, by size."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from math import exp, log
from statistics import median

from attrs import frozen

from workers.peers.comparison import Result
from workers.peers.own_circuits import OWN
from workers.peers.subjects import Form, Kind

REFERENCES = ("qiskit", "tket")

SIZES = ((1, 16), (17, 59), (60, 2000))
"""Qubits from and to, for means."""


@frozen
class Cost:
    """One compiler against another on one circuit.

    Args:
        program: the circuit.
        target: a complete spec.
        qubits: of the circuit.
        peer: the compiler.
        reference: the other compiler; neither's result is refuted.
        proven: whether the compiler's result is.
        gates_ratio: its two-qubit gates over the other's.
        depth_ratio: its two-qubit depth over the other's.
        fidelity_ratio: its expected fidelity over the other's; None where either is not known.
        cpu_ratio: its CPU seconds over the other's, of all calls of either.
        gates_won_per_cpu_second: two-qubit gates fewer than the other's; negative if more.
    """

    program: str
    target: str
    qubits: int
    peer: str
    reference: str
    proven: bool
    gates_ratio: float
    depth_ratio: float
    fidelity_ratio: float | None
    cpu_ratio: float
    gates_won_per_cpu_second: float

    @classmethod
    def of(cls, result: Result, reference: Result) -> "Cost":
        """Compare two results that have gates and took CPU seconds."""
        gates, others = result.two_qubit_gates or 0, reference.two_qubit_gates or 1
        return cls(
            result.case.subject.name,
            result.case.target,
            result.case.subject.program().num_qubits,
            result.peer,
            reference.peer,
            result.counts,
            gates / others,
            (result.two_qubit_depth or 0) / (reference.two_qubit_depth or 1),
            _ratio(result.expected_fidelity, reference.expected_fidelity),
            result.cpu_seconds / reference.cpu_seconds,
            (others - gates) / result.cpu_seconds,
        )


def _ratio(value: float | None, reference: float | None) -> float | None:
    return value / reference if value is not None and reference else None


def costs(results: Iterable[Result]) -> list[Cost]:
    """Return the costs of public circuits and the user's own, smaller circuits first.

    Each is told against each reference.
    Results without a circuit, or whose circuit is refuted, are left out on both sides, and those
    of compilers that are the reference.
    """
    lowered = [
        result
        for result in results
        if (result.case.subject.kind is Kind.CIRCUIT or result.case.suite == OWN)
        and result.case.form is Form.GIVEN
        and result.two_qubit_gates
        and result.cpu_seconds
    ]
    references = {(r.case, r.peer): r for r in lowered if r.peer in REFERENCES}
    compared = [
        Cost.of(result, references[result.case, name])
        for result in lowered
        for name in REFERENCES
        if (result.case, name) in references and result.peer != name
    ]
    return sorted(compared, key=lambda cost: cost.qubits)


@frozen
class MeanCost:
    """Geometric means over circuits of like size on one target.

    Args:
        target: a spec, without the size if that is the circuit's.
        sizes: qubits from and to.
        peer: the compiler.
        reference: the other.
        gates: of the ratios of two-qubit gates.
        depth: of the ratios of two-qubit depths.
        fidelity: of the ratios of expected fidelities, where all are known and none is 0.
        cpu: of the ratios of CPU seconds.
        cpu_median: their median.
        cpu_worst: the largest of them.
        circuits: how many.
    """

    target: str
    sizes: tuple[int, int]
    peer: str
    reference: str
    gates: float
    depth: float
    fidelity: float | None
    cpu: float
    cpu_median: float
    cpu_worst: float
    circuits: int


def geometric_mean(values: Sequence[float]) -> float:
    """Return the geometric mean of positive numbers; 0 if one of them is 0."""
    return exp(sum(map(log, values)) / len(values)) if all(values) else 0.0


def mean_costs(rows: Sequence[Cost]) -> list[MeanCost]:
    """Return the means of costs by target, size, compiler and reference."""

    def group(cost: Cost) -> tuple[str, tuple[int, int], str, str]:
        family, _, size = cost.target.partition(":")
        target = family if size.isdigit() else cost.target
        sizes = next(each for each in SIZES if each[0] <= cost.qubits <= each[1])
        return target, sizes, cost.peer, cost.reference

    averages = []
    for key, members in groupby(sorted(rows, key=group), key=group):
        alike = list(members)
        gates = geometric_mean([cost.gates_ratio for cost in alike])
        depth = geometric_mean([cost.depth_ratio for cost in alike])
        fidelities = [cost.fidelity_ratio for cost in alike if cost.fidelity_ratio]
        fidelity = geometric_mean(fidelities) if len(fidelities) == len(alike) else None
        cpu = [cost.cpu_ratio for cost in alike]
        averages.append(
            MeanCost(
                *key, gates, depth, fidelity, geometric_mean(cpu), median(cpu), max(cpu), len(alike)
            )
        )
    return averages
