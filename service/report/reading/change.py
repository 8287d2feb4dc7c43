"""Whether a run is better or worse than the one before, or the same but for chance."""

from math import sqrt

from attrs import frozen

from service.report.reading.runs import Points

SIGMAS = 1.96
"""Of the difference; chance alone exceeds it in one of twenty comparisons."""


@frozen
class Change:
    """What became of a figure.

    Args:
        difference: the newer minus the older value.
        verdict: `better`, `worse` or `same`.
    """

    difference: float
    verdict: str


def fidelity_change(new: Points, old: Points) -> Change | None:
    """Compare two raw or two post-selected scores; None if one has no fidelity.

    By the delta method the variance of F = (Σ √(p·q))² of N shots is F(1 - F)/N where all
    outcomes of the exact distribution q were seen: ∂F/∂p = √F·√(q/p). Fidelities are told apart
    if they differ by more than 1.96 standard deviations of their difference. The difference
    given is that of normalised fidelities where both have one.
    """
    if new.hellinger_fidelity is None or old.hellinger_fidelity is None:
        return None
    difference = new.hellinger_fidelity - old.hellinger_fidelity
    spread = SIGMAS * sqrt(sum(max(0.0, _variance(one)) for one in (new, old)))
    verdict = "same" if abs(difference) <= spread else "better" if difference > 0 else "worse"
    if new.normalized_fidelity is not None and old.normalized_fidelity is not None:
        difference = new.normalized_fidelity - old.normalized_fidelity
    return Change(difference, verdict)


def gates_change(new: int | None, old: int | None) -> Change | None:
    """Compare two numbers of gates, of which fewer are better; None if one is not known."""
    if new is None or old is None:
        return None
    verdict = "same" if new == old else "better" if new < old else "worse"
    return Change(new - old, verdict)


def _variance(score: Points) -> float:
    fidelity = score.hellinger_fidelity or 0.0
    return fidelity * (1 - fidelity) / max(1, score.shots)
