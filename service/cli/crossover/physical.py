"""Physical qubits and hours of a computation, by Microsoft's resource estimator, offline.

The estimator is part of the Quantum Development Kit (`qdk`). It chooses a code distance and
factories of T states for an error budget, and gives the frontier of qubits against time.

References:
    Beverland et al., "Assessing requirements to scale to practical quantum advantage",
    arXiv:2211.07629, for its models of qubits, codes and factories.
"""

import os
from collections.abc import Mapping
from math import isclose
from typing import Any

from attrs import frozen
from qdk.estimator import EstimatorError, LogicalCounts

from compiler.fault_tolerant import Estimation
from compiler.fault_tolerant.resources import T_PER_TOFFOLI
from service.results.crossover import Frontier, Machine

NANOSECONDS_PER_HOUR = 3.6e12

ERROR_BUDGET = 0.01
"""Probability that anything goes wrong in the whole computation."""

MAX_T_GATES = 2**62
"""T gates and cycles beyond which the estimator's own numbers run over."""


@frozen
class QubitModel:
    """A model of qubits.

    Args:
        name: in the estimator.
        code: for error correction.
        title: for people.
    """

    name: str
    code: str
    title: str


MODELS: Mapping[str, QubitModel] = {
    f"{name}-1e-{digits}": QubitModel(f"{model}_e{digits}", code, f"{title}, errors 1e-{digits}")
    for name, model, code, title, errors in (
        ("superconducting", "qubit_gate_ns", "surface_code", "gates 50 ns, measurement 100 ns",
         (3, 4)),
        ("ions", "qubit_gate_us", "surface_code", "gates and measurement 100 µs", (3, 4)),
        ("majorana", "qubit_maj_ns", "floquet_code", "measurements 100 ns", (4, 6)),
    )
    for digits in errors
}  # fmt: skip
"""Qubit models by their names in results."""


def frontier(needed: Estimation, model: QubitModel) -> Frontier:
    """Return the frontier of physical qubits and hours.

    Rotations are T gates already, so that the estimator has none to synthesise. An AND counts as
    a CCZ gate, four T states in three cycles, and its uncomputation as a measurement.

    Args:
        needed: of the whole computation.
        model: of the qubits.
    """
    if needed.t_gates > MAX_T_GATES:
        return Frontier((), f"{needed.t_gates:.2g} T gates: more than can be estimated")
    answer = _estimate(
        {
            "numQubits": needed.qubits,
            "tCount": needed.t_gates - T_PER_TOFFOLI * needed.toffolis,
            "rotationCount": 0,
            "rotationDepth": 0,
            "cczCount": needed.toffolis,
            "ccixCount": 0,
            "measurementCount": needed.measurements,
        },
        {
            "qubitParams": {"name": model.name},
            "qecScheme": {"name": model.code},
            "errorBudget": ERROR_BUDGET,
            "estimateType": "frontier",
        },
    )
    if isinstance(answer, str):
        return Frontier((), answer)
    machines = []
    for entry in answer["frontierEntries"]:
        counts, qubit = entry["physicalCounts"], entry["logicalQubit"]
        # Nanoseconds are 64 bits there, 584 years, and begin again at 0 beyond.
        runtime = counts["breakdown"]["logicalDepth"] * qubit["logicalCycleTime"]
        if not isclose(runtime, counts["runtime"], rel_tol=0.01):
            return Frontier((), "more than 500 years")
        hours = runtime / NANOSECONDS_PER_HOUR
        factories = counts["breakdown"]["numTfactories"]
        qubits, distance = counts["physicalQubits"], qubit["codeDistance"]
        machines.append(Machine(qubits, hours, distance, factories))
    return Frontier.of(machines)


def _estimate(counts: Mapping[str, int], parameters: Mapping[str, Any]) -> Any:
    """Return the estimator's answer, or why there is none."""
    # It would tell its maker that it was used; it is asked when it is imported.
    os.environ["QDK_PYTHON_TELEMETRY"] = "none"

    try:
        return LogicalCounts(dict(counts)).estimate(dict(parameters))
    except EstimatorError as error:
        return str(error.message)
