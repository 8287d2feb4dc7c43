"""Readout mitigation: counts as they would be without readout errors.

Zero-noise extrapolation: an observable's value without noise, by its change as noise grows.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from qiskit import QuantumCircuit

from compiler.circuits.matrices import Reals
from compiler.dynamic.pieces import is_dynamic
from compiler.errors import MissingExtraError, MitigationError
from compiler.judge import Kind
from compiler.measurement import final_measurements
from compiler.scores.intervals import normal_quantile
from compiler.scores.scoring import Estimate
from compiler.targets.readout import ReadoutError

MAX_OUTCOMES = 20_000
"""Different outcomes beyond which the matrix of confusions between them takes too long."""


def mitigate(
    counts: Mapping[int, int], native: QuantumCircuit, errors: Mapping[int, ReadoutError]
) -> dict[int, float]:
    """Undo known readout errors, each qubit's independently of the others'.

    The confusion matrix between the outcomes that were measured is inverted by mthree (Nation et
    al., PRX Quantum 2, 040326, 2021), and the quasi-probabilities are replaced by the nearest
    probability distribution (Smolin et al., PRL 108, 070502, 2012), which has no negative ones.

    Args:
        counts: shots by outcome; bit i is the circuit's classical bit i. At least one shot.
        native: the circuit that was run, on physical qubits, with final measurements.
        errors: readout errors by physical qubit.

    Returns:
        Weights by outcome, none negative. Mitigation amplifies statistical noise, so they add up
        to the effective shots: their number divided by mthree's mitigation overhead,
        an upper bound of the growth of a mean's variance.

    Raises:
        MitigationError: If mthree is not installed, if a measured qubit has no known error or
            reads no better than a coin, if nothing is measured, or if there are too many
            different outcomes.
    """
    try:
        # It takes seconds to import, and few jobs are mitigated.
        from mthree import M3Mitigation
    except ModuleNotFoundError as error:
        raise MitigationError(str(MissingExtraError.of(error))) from error
    if is_dynamic(native):
        raise MitigationError(
            "qubits are measured on the way, and their values may have decided later gates"
        )
    measured = final_measurements(native)[1]
    if not measured:
        raise MitigationError("the circuit measures nothing, so there is no readout to mitigate")
    if len(counts) > MAX_OUTCOMES:
        raise MitigationError(
            f"{len(counts)} different outcomes: readout is mitigated for up to {MAX_OUTCOMES}"
        )
    clbits, qubits = list(measured), list(measured.values())
    # mthree writes the first qubit on the right.
    texts = {
        "".join(str(outcome >> clbit & 1) for clbit in reversed(clbits)): n
        for outcome, n in counts.items()
    }
    solver = M3Mitigation()
    solver.cals_from_matrices(
        [_confusion(qubit, errors) if qubit in qubits else None for qubit in range(max(qubits) + 1)]
    )
    quasi = solver.apply_correction(texts, qubits, distance=-1, return_mitigation_overhead=True)
    nearest = quasi.nearest_probability_distribution()
    total = float(sum(nearest.values()))
    worth = sum(counts.values()) / max(1.0, float(quasi.mitigation_overhead))
    return {
        sum(int(bit) << clbit for bit, clbit in zip(reversed(text), clbits, strict=True)): (
            float(share) / total * worth
        )
        for text, share in nearest.items()
    }


def _confusion(qubit: int, errors: Mapping[int, ReadoutError]) -> Reals:
    """Return the matrix of P(read row | prepared column)."""
    if qubit not in errors:
        raise MitigationError(f"the readout error of qubit {qubit} is not known")
    wrong_1, wrong_0 = errors[qubit].one_for_zero, errors[qubit].zero_for_one
    if wrong_1 + wrong_0 >= 1:
        raise MitigationError(
            f"qubit {qubit} reads no better than a coin: 1 for 0 with probability {wrong_1:.3g}, "
            f"0 for 1 with {wrong_0:.3g}"
        )
    return np.array([[1 - wrong_1, wrong_0], [wrong_1, 1 - wrong_0]])


MIN_SPREAD = 1e-3
"""Standard error below which no value is believed: the noise is not known that well."""


def extrapolated(noise: Sequence[int], measured: Sequence[Estimate]) -> Estimate | None:
    """Return an observable's value without noise, by a straight line through noisy ones.

    The least squares are weighed by the intervals, and the interval is that of the line at 0; it
    does not know how far noise is from acting linearly. A probability stays within 0 and 1.

    Args:
        noise: factor of each value's noise over the circuit's own.
        measured: the values, two at least.

    Returns:
        None if a value is missing.
    """
    deviations = normal_quantile()
    points = [
        (n, estimate.measured, (estimate.high - estimate.low) / (2 * deviations))
        for n, estimate in zip(noise, measured, strict=True)
        if estimate.measured is not None and estimate.low is not None and estimate.high is not None
    ]
    if len(points) < len(measured) or len({n for n, _, _ in points}) < 2:
        return None
    x, y, spread = (np.array(column, dtype=float) for column in zip(*points, strict=True))
    weights = 1 / np.maximum(spread, MIN_SPREAD)
    (_, value), covariance = np.polyfit(x, y, 1, w=weights, cov="unscaled")
    half = deviations * float(np.sqrt(covariance[1, 1]))
    limit, low, high = float(value), float(value) - half, float(value) + half
    first = measured[0]
    if first.kind is Kind.EVENT:
        limit, low, high = (min(1.0, max(0.0, p)) for p in (limit, low, high))
    return Estimate(first.kind, limit, low, high, first.exact)
