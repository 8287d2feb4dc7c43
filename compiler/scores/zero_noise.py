"""Zero-noise extrapolation: what an observable would be, by how it changes as noise grows."""

from collections.abc import Sequence

import numpy as np

from compiler.judge import Kind
from compiler.scores.intervals import normal_quantile
from compiler.scores.scoring import Estimate

LEAST_SPREAD = 1e-3
"""Standard error below which no value is believed: the noise is not known that well."""


def extrapolated(noise: Sequence[int], measured: Sequence[Estimate]) -> Estimate | None:
    """Return an observable's value without noise, by a straight line through noisy ones.

    The least squares are weighed by the intervals, and the interval is that of the line at 0; it
    does not know how far noise is from acting linearly. A probability stays within 0 and 1.

    Args:
        noise: by what factor each value's noise is larger than the circuit's own.
        measured: the values, two at least.

    Returns:
        None if a value is missing.
    """
    deviations = normal_quantile()
    points = [
        (n, one.measured, (one.high - one.low) / (2 * deviations))
        for n, one in zip(noise, measured, strict=True)
        if one.measured is not None and one.low is not None and one.high is not None
    ]
    if len(points) < len(measured) or len({n for n, _, _ in points}) < 2:
        return None
    x, y, spread = (np.array(column, dtype=float) for column in zip(*points, strict=True))
    weights = 1 / np.maximum(spread, LEAST_SPREAD)
    (_, value), covariance = np.polyfit(x, y, 1, w=weights, cov="unscaled")
    half = deviations * float(np.sqrt(covariance[1, 1]))
    found, low, high = float(value), float(value) - half, float(value) + half
    first = measured[0]
    if first.kind is Kind.EVENT:
        found, low, high = (min(1.0, max(0.0, one)) for one in (found, low, high))
    return Estimate(first.kind, found, low, high, first.exact)
