"""Confidence intervals from shots: of a probability, of a bounded mean, of a fidelity.

They hold for few shots and rare values, too. Counts have few possible values, so that an
interval that never holds with less than its confidence mostly holds with more.
"""

from collections.abc import Mapping
from functools import cache
from math import hypot, pi, sqrt
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike
from scipy.special import betaincinv, gammaln, ndtri, ndtri_exp, rel_entr

from compiler.circuits.matrices import Reals
from compiler.circuits.tolerances import ROUNDING

CONFIDENCE = 0.95
"""Default confidence of an interval."""


NODES = np.linspace(-7.0, 7.0, 81)
"""Points of the contour integral of a mean: its length is their hyperbolic sine."""
STEEPEST = 0.5
"""Slope of the contour at most, against the imaginary axis."""
UNSEEN = 0.26
"""The least c with E √(X + c) ≥ √μ for every Poisson variable X of mean μ."""
SEEN = 0.25
"""The c with E √(X + c) = √μ + O(μ^(-3/2))."""
MAX_MEAN = 40.0
"""Mean from which on E √X of a Poisson variable is computed by its series in 1/μ."""

FLAT = 1e-3
"""Angle below which a prior is not larger: noise gives 0 some likelihood, with any counts."""


@frozen
class Interval:
    """A number, and the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def normal_quantile(confidence: float = CONFIDENCE) -> float:
    """Return how many standard deviations a normal interval reaches to either side."""
    return float(ndtri((1 + confidence) / 2))


def proportion_interval(
    successes: float, trials: float, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Return the interval of Clopper and Pearson of a probability.

    Args:
        successes: of the trials; no whole number if trials are weighted.
        trials: how many, or the effective number of weighted ones; more than 0.
        confidence: with which the interval holds the probability, at least.

    References:
        Korn and Graubard, Survey Methodology 24, 1998, of weighted trials.
    """
    missed, failures = (1 - confidence) / 2, trials - successes
    low = float(betaincinv(successes, failures + 1, missed)) if successes > 0 else 0.0
    high = float(betaincinv(successes + 1, failures, 1 - missed)) if failures > 0 else 1.0
    return low, high


def excess_sigmas(share: float, trials: float, bound: float) -> float:
    """Return how significantly wins exceed a bound, in standard deviations of a normal variable.

    The p-value is exp(−N·D(w‖ω)), with the share w of N wins, the bound ω and the relative entropy
    D of two coins. It holds for trials that depend on all earlier ones, if the winning
    probabilities given the past have a mean of at most ω: exp(λ Σx − Σ log(1 + p(e^λ − 1))) is a
    supermartingale, and the second sum is at most N log(1 + ω(e^λ − 1)). So it holds with drift.

    References:
        Hoeffding, J. Am. Stat. Assoc. 58, 1963; Elkouss and Wehner, npj Quantum Information 2,
        16026, 2016, of win rates of nonlocal games.
    """
    if share <= bound:
        return 0.0
    entropy = float(rel_entr(share, bound) + rel_entr(1 - share, 1 - bound))
    return max(0.0, -float(ndtri_exp(-trials * entropy)))


def mean_interval(
    values: ArrayLike, weights: ArrayLike, least: float, most: float, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Return the interval of the mean of numbers between two bounds.

    Its upper end is a quantile of Σ wᵢvᵢ, where w has the Dirichlet distribution whose parameters
    are the counts of the values, with one more count of the largest possible value. The lower end
    is the same with the least possible value. Of values 0 and 1 this is the interval of Clopper
    and Pearson. No distribution is known for which it holds with less than its confidence.

    Args:
        values: that occurred, at least one.
        weights: how often each did; no whole numbers if shots are weighted.
        least: the least value that is possible.
        most: the largest one.
        confidence: with which the interval holds the mean.

    References:
        Gaffke, Mathematical Methods of Statistics 14, 2005; Learned-Miller and Thomas,
        arXiv:1905.06208.
    """
    numbers, counts = np.asarray(values, dtype=float), np.asarray(weights, dtype=float)
    missed = (1 - confidence) / 2
    low = -_upper_end(-numbers, counts, -least, missed)
    return low, _upper_end(numbers, counts, most, missed)


def _upper_end(values: Reals, counts: Reals, most: float, missed: float) -> float:
    """Return the value that Σ wᵢvᵢ exceeds with the probability `missed`; see `mean_interval`."""
    points, places = np.unique([*values, most], return_inverse=True)
    shapes: Reals = np.bincount(places, [*counts, 1.0]).astype(float)
    points, shapes = points[shapes > 0], shapes[shapes > 0]
    width = float(points[-1] - points[0])
    if len(points) == 1:
        return float(points[0])
    if len(points) == 2:
        return float(points[0] + width * betaincinv(shapes[1], shapes[0], 1 - missed))
    # Takes long to import, and most observables are events.
    from scipy.optimize import brentq

    scaled = (points - points[0]) / width
    mean = float(scaled @ shapes / shapes.sum())

    def off(x: float) -> float:
        return _exceeded(scaled - x, shapes) - missed if x < 1 else -missed

    return float(points[0] + width * brentq(off, mean, 1.0, xtol=1e-10))


def _exceeded(scales: Reals, shapes: Reals) -> float:
    """Return P(Σ λᵢgᵢ > 0) of independent gamma variables g.

    It is ∫ e^K(s)/s ds/2πi, K(s) = −Σ aᵢ log(1 − λᵢs), on a contour that crosses the real axis
    between 0 and 1/max λ where the integrand is least, and bends as the steepest descent does.

    Args:
        scales: λ, some below and some above 0.
        shapes: a, of the gamma variables.
    """
    from scipy.optimize import brentq

    right = 1 / float(scales.max())

    def slope(s: float) -> float:
        return float((shapes * scales / (1 - scales * s)).sum()) - 1 / s

    saddle = brentq(slope, ROUNDING * right, (1 - ROUNDING) * right)
    ratios = scales / (1 - scales * saddle)
    second = float((shapes * ratios**2).sum()) + saddle**-2
    third = 2 * float((shapes * ratios**3).sum()) - 2 * saddle**-3
    bend = min(STEEPEST, max(-STEEPEST, third / (3 * second**1.5)))
    along, beside = np.sinh(NODES), np.cosh(NODES)
    s = saddle + (1j * along + bend * (beside - 1)) / sqrt(second)
    steps = (1j * beside + bend * along) * (NODES[1] - NODES[0]) / sqrt(second)
    exponents = -(shapes[:, None] * np.log1p(-scales[:, None] * s)).sum(axis=0)
    return float((np.exp(exponents) / s * steps).sum().imag) / (2 * pi)


def angle_interval(
    angles: Reals, log_likelihood: Reals, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Return the interval of an angle θ whose sin² is a probability p, 0 ≤ θ ≤ π/2.

    The lower end is a quantile of the posterior of the prior dp/p, the upper one that of
    dp/(1 − p): of plain counts this is the interval of Clopper and Pearson. It ends at 0 or at 1
    where that is likeliest.

    Args:
        angles: rising, in equal steps, with all that are likely.
        log_likelihood: of each, up to a constant.
        confidence: with which the interval holds the angle.
    """
    missed, likeliest = (1 - confidence) / 2, int(np.argmax(log_likelihood))
    likelihood = np.exp(log_likelihood - log_likelihood[likeliest])
    low, high = 0.0, pi / 2
    if likeliest or angles[0] > 0:
        below = np.cumsum(likelihood / np.tan(np.maximum(angles, FLAT)))
        low = float(angles[int(np.searchsorted(below, missed * below[-1]))])
    if likeliest < len(angles) - 1 or angles[-1] < pi / 2:
        above = np.cumsum((likelihood * np.tan(np.minimum(angles, pi / 2 - FLAT)))[::-1])
        high = float(angles[::-1][int(np.searchsorted(above, missed * above[-1]))])
    return low, high


def fidelity_interval(counts: Mapping[Any, float], exact: Mapping[Any, float]) -> Interval:
    """Return the Hellinger fidelity (Σ √(p·q))² of measured counts, and its interval.

    Shots make the plain fidelity of counts too low, for E √X < √μ. The value here is the f for
    which p = f·q leads to the counts. Its ends come from √(X + c), which is right in the
    mean if an outcome is to be expected twice or more; of an outcome that never came nothing is
    known, so that it is left out below and taken as `UNSEEN` shots above. To either side there is
    room for chance as of a proportion, and as of K outcomes whose shares are right, √(K/8)/N. The
    value and the upper end exceed 1 by chance, so that means of several have no bias.

    Args:
        counts: shots by outcome; others than the exact outcomes are wrong.
        exact: probability by outcome.
    """
    shots = float(sum(counts.values()))
    shares = np.array([float(p) for p in exact.values()])
    seen = np.array([float(counts.get(outcome, 0)) for outcome in exact])
    roots = np.sqrt(shares / shots)
    value = unbiased_fidelity(float(roots @ np.sqrt(seen)) ** 2, shots, exact)
    low = float(roots @ np.where(seen > 0, np.sqrt(seen + SEEN), 0)) ** 2
    high = float(roots @ np.sqrt(seen + UNSEEN)) ** 2
    chance = normal_quantile() * sqrt(len(shares) / 8) / shots
    below = min(low, 1) - proportion_interval(min(low, 1) * shots, shots)[0]
    above = proportion_interval(min(high, 1) * shots, shots)[1] - min(high, 1)
    low, high = low - hypot(below, chance), high + hypot(above, chance)
    return Interval(value, min(low, value), max(high, value))


def unbiased_fidelity(measured: float, shots: float, exact: Mapping[Any, float]) -> float:
    """Return the fidelity f for which p = f·q leads to a measured one, more than 1 by chance.

    Args:
        measured: Hellinger fidelity of the counts.
        shots: how many there were.
        exact: probability by outcome, q.
    """
    if measured <= 0:
        return 0.0
    from scipy.optimize import brentq

    shares = np.array([float(p) for p in exact.values()])
    roots, root = np.sqrt(shares / shots), sqrt(measured)

    def off(f: float) -> float:
        return float(roots @ _mean_root(f * shots * shares)) - root

    most = 1.0
    while off(most) < 0:
        most *= 2
    return float(brentq(off, 0.0, most, xtol=1e-9))


def _mean_root(x: Reals) -> Reals:
    """Return E √X of Poisson variables."""
    table_means, table_roots = _mean_roots()
    large = np.maximum(x, MAX_MEAN)
    series = np.sqrt(large) * (1 - 1 / (8 * large) - 7 / (128 * large**2))
    return np.where(x < MAX_MEAN, np.interp(x, table_means, table_roots), series)


@cache
def _mean_roots() -> tuple[Reals, Reals]:
    """Return means up to `MAX_MEAN`, and E √X of a Poisson variable of each."""
    x = np.linspace(0, sqrt(MAX_MEAN), 2001) ** 2
    counts = np.arange(1, 4 * int(MAX_MEAN))
    with np.errstate(divide="ignore"):
        logs = counts * np.log(x)[:, None] - x[:, None] - gammaln(counts + 1)
    return x, np.exp(logs) @ np.sqrt(counts)
