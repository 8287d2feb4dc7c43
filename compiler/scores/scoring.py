"""Scores of counts against a judge's exact distribution."""

from collections.abc import Mapping
from math import inf, sqrt
from typing import Any

from attrs import frozen

from compiler.arguments import checked
from compiler.circuits.tolerances import ROUNDING
from compiler.errors import InputError
from compiler.judge import Enumerable, Judge, Kind, Number, Observable, enumerated
from compiler.program import Program
from compiler.scores.intervals import excess_sigmas, mean_interval, proportion_interval

CERTAIN = 1 - ROUNDING
"""A fidelity above it is 1, but for rounding."""

MAX_BITS = 16
"""Classical bits up to which uniform noise is decoded value by value."""


@frozen
class Estimate:
    """One observable, as it was measured and as it should be.

    Args:
        kind: whether it is a probability or a mean.
        measured: the average; None where no shot was legal.
        low: lower end of its 95 % interval, of Clopper and Pearson for a probability, of
            `mean_interval` for a mean; None where no shot was legal, and for the mean of a number
            whose range is not known.
        high: its upper end.
        exact: the exact average; None where the distribution cannot be enumerated.
        bound: the largest probability without entanglement; None if there is no such bound.
        sigmas: by how much counted shots exceed it; see `excess_sigmas`. None without a bound, and
            for counts that are computed.
    """

    kind: Kind
    measured: float | None
    low: float | None
    high: float | None
    exact: float | None
    bound: float | None = None
    sigmas: float | None = None

    @property
    def error(self) -> float | None:
        """Absolute difference from the exact value; None if either is unknown."""
        if self.measured is None or self.exact is None:
            return None
        return abs(self.measured - self.exact)


@frozen
class Score:
    """Figures of merit of one set of counts.

    Args:
        shots: number of shots that were scored, or that the scored weights are worth.
        hellinger_fidelity: (Σ √(p·q))² over outcomes, 1 for equal distributions; None, like all
            that needs the exact distribution, where that is too large to be enumerated.
        normalized_fidelity: (F - F_uniform) / (1 - F_uniform), with F_uniform of uniform noise on
            the measured bits, also post-selected, so that both are on one scale (Lubinski et al.,
            arXiv:2110.03137); None where uniform noise, post-selected if the score is, is the
            exact distribution, and where there are too many bits to compute it.
        tvd: total variation distance, half the sum of |p - q|; illegal bits are one outcome.
        legal_fraction: share of the shots that are legal.
        observables: the judge's observables by name, in its order.
    """

    shots: int
    hellinger_fidelity: float | None
    normalized_fidelity: float | None
    tvd: float | None
    legal_fraction: float
    observables: Mapping[str, Estimate]


@checked
def score(
    program: Program, counts: Mapping[int, float], *, counted: bool = True
) -> tuple[Score, Score | None]:
    """Score counts, raw and post-selected on legal outcomes.

    Args:
        program: with its judge.
        counts: shots by measured classical bits, at least one. Where they are not counted but
            computed, such as mitigated ones, weights that add up to the number of shots they are
            worth: that number decides how wide intervals are, and nothing else.
        counted: whether they are counts, from which the excess of a bound is computed.

    Returns:
        The raw score and the post-selected one; the latter is None if no shot was legal, or if the
        judge does not allow to leave out shots.

    Raises:
        InputError: if the program has no judge, or an outcome or a number of shots cannot be.
    """
    judge, measured = program.judge, program.circuit.num_clbits
    for bits, shots in counts.items():
        if not (0 <= bits < 1 << measured and 0 <= shots < inf):
            problem = f"counts: {shots} shots of outcome {bits}"
            raise InputError(f"{problem}; give 0 or more, of outcomes from 0 to 2^{measured} - 1")
    if not sum(counts.values()):
        raise InputError(f"counts: {len(counts)} outcomes with no shot; give one shot or more")
    if judge is None:
        raise InputError(f"{program.name}: it has no exact result, and so no score")
    outcomes = program.outcomes(counts)
    legal = {outcome: n for outcome, n in outcomes.items() if outcome is not None and n}
    exact = enumerated(judge)
    noise = uniform_noise(program)
    noise_fidelity = None if exact is None or noise is None else fidelity_to(noise, exact)
    # A zero of its own would stretch the error of few shots: a run without illegal shots would
    # score less post-selected than raw. Where legal noise is right, legal shots prove nothing.
    selected_noise = noise_fidelity
    if exact is not None and fidelity_to(dict.fromkeys(exact, 1.0), exact) > CERTAIN:
        selected_noise = None
    return (
        _score(judge, outcomes, exact, noise_fidelity, counted=counted),
        _score(judge, legal, exact, selected_noise) if legal and judge.selects else None,
    )


def uniform_noise(program: Program) -> dict[int | None, float] | None:
    """Return the distribution of outcomes if all measured bits are equally likely.

    None collects the illegal ones. Returns None if there are too many bits to go through all
    their values, unless the bits are the outcome itself.
    """
    judge, bits = program.judge, program.circuit.num_clbits
    if judge is None:
        return None
    if bits <= MAX_BITS:
        return program.outcomes(dict.fromkeys(range(1 << bits), 2.0**-bits))
    exact = enumerated(judge)
    if exact is None or not judge.measures_outcome:
        return None
    return _uniform(exact, bits)


def _uniform(exact: Mapping[int, float], bits: int) -> dict[int | None, float]:
    """Return the distribution of outcomes that are equally likely values of some bits."""
    share = 2.0**-bits
    return {**dict.fromkeys(exact, share), None: 1 - len(exact) * share}


def register_noise_fidelity(judge: Enumerable, bits: int) -> float | None:
    """Return the Hellinger fidelity of uniform noise on a register that holds the outcome.

    Unlike `uniform_noise` it does not depend on the encoding, so that figures which are
    normalised with it can be compared between encodings.

    Args:
        judge: gives the exact distribution.
        bits: size of the register; each of its 2^bits values is equally likely.
    """
    exact = enumerated(judge)
    return None if exact is None else fidelity_to(_uniform(exact, bits), exact)


def normalized(fidelity: float, noise: float) -> float | None:
    """Return (F - F_noise) / (1 - F_noise), None where noise itself is the exact distribution."""
    return None if noise > CERTAIN else (fidelity - noise) / (1 - noise)


def fidelity_to(got: Mapping[Any, float], exact: Mapping[int, float]) -> float:
    """Return the Hellinger fidelity of shares or counts to a distribution."""
    total = sum(got.values())
    roots = (sqrt(n / total * exact.get(o, 0.0)) for o, n in got.items() if o is not None)
    return sum(roots) ** 2


def _distance(counts: Mapping[Any, float], exact: Mapping[int, float]) -> float:
    """Return the total variation distance of counts to a distribution."""
    shots = sum(counts.values())
    outcomes = counts.keys() | exact.keys()
    return sum(abs(counts.get(o, 0) / shots - exact.get(o, 0.0)) for o in outcomes) / 2


def _score(
    judge: Judge,
    counts: Mapping[Any, float],
    exact: Mapping[int, float] | None,
    noise: float | None,
    *,
    counted: bool = False,
) -> Score:
    shots = sum(counts.values())
    legal = {outcome: n for outcome, n in counts.items() if outcome is not None}
    fidelity = None if exact is None else fidelity_to(counts, exact)
    distribution = None if exact is None else judge.exact_distribution()
    return Score(
        shots=round(shots),
        hellinger_fidelity=fidelity,
        normalized_fidelity=None
        if fidelity is None or noise is None
        else normalized(fidelity, noise),
        tvd=None if exact is None else _distance(counts, exact),
        legal_fraction=sum(legal.values()) / shots,
        observables={
            observable.name: _estimate(observable, legal, shots, distribution, counted=counted)
            for observable in judge.observables
        },
    )


def _estimate(
    observable: Observable,
    legal: Mapping[int, float],
    shots: float,
    distribution: Mapping[int, Number] | None,
    *,
    counted: bool,
) -> Estimate:
    exact = observable.exact if distribution is None else observable.average(distribution)
    exact = None if exact is None else float(exact)
    values = [float(observable.value(outcome)) for outcome in legal]
    weights = list(legal.values())
    happened = sum(value * n for value, n in zip(values, weights, strict=True))
    if observable.kind is Kind.EVENT:
        low, high = proportion_interval(happened, shots)
        share, bound = happened / shots, observable.bound
        sigmas = excess_sigmas(share, shots, bound) if counted and bound is not None else None
        return Estimate(observable.kind, share, low, high, exact, bound, sigmas)
    total = sum(weights)
    if not total:
        return Estimate(observable.kind, None, None, None, exact)
    bounds = observable.bounds
    if distribution is not None:
        possible = [float(observable.value(outcome)) for outcome in distribution]
        bounds = min(possible), max(possible)
    if bounds is None:
        return Estimate(observable.kind, happened / total, None, None, exact)
    low, high = mean_interval(values, weights, *bounds)
    return Estimate(observable.kind, happened / total, low, high, exact)
