"""How well counts match the exact distribution of a game."""

from collections.abc import Mapping
from math import sqrt

from attrs import frozen

from compiler.games import Game


@frozen
class Score:
    """Figures of merit of one set of counts.

    Args:
        shots: number of shots that were scored.
        hellinger_fidelity: (Σ √(p·q))², 1 for equal distributions.
        normalized_fidelity: (F - F_uniform) / (1 - F_uniform), 0 for uniform noise on the
            possible bitstrings (Lubinski et al., arXiv:2110.03137); None where uniform noise is
            the exact distribution.
        tvd: total variation distance, half the sum of |p - q|.
        legal_fraction: share of the shots that the rules allow.
        p_win: share of the shots with which the party wins.
        p_win_low: lower end of the 95 % Wilson interval of `p_win`.
        p_win_high: its upper end.
        p_win_exact: the exact probability.
        points: mean points of the party over legal shots.
        points_exact: the exact expectation.
    """

    shots: int
    hellinger_fidelity: float
    normalized_fidelity: float | None
    tvd: float
    legal_fraction: float
    p_win: float
    p_win_low: float
    p_win_high: float
    p_win_exact: float
    points: float | None
    points_exact: float


def score(game: Game, counts: Mapping[int, int], bits: int) -> tuple[Score, Score | None]:
    """Score counts, raw and post-selected on legal outcomes.

    Args:
        game: gives the exact distribution.
        counts: shots by outcome.
        bits: number of classical bits.

    Returns:
        The raw score and the post-selected one; the latter is None if no shot was legal.
    """
    legal = {outcome: n for outcome, n in counts.items() if n and game.is_legal(outcome)}
    return (
        _score(game, counts, 1 << bits),
        _score(game, legal, len(game.exact_distribution())) if legal else None,
    )


def _score(game: Game, counts: Mapping[int, int], possible: int) -> Score:
    shots = sum(counts.values())
    exact = {outcome: float(p) for outcome, p in game.exact_distribution().items()}
    fidelity = sum(sqrt(n / shots * exact.get(outcome, 0.0)) for outcome, n in counts.items()) ** 2
    uniform = sum(sqrt(p / possible) for p in exact.values()) ** 2
    legal = {outcome: n for outcome, n in counts.items() if game.is_legal(outcome)}
    wins = sum(n for outcome, n in legal.items() if game.is_win(outcome))
    low, high = wilson_interval(wins, shots)
    total = sum(legal.values())
    points = sum(n * game.points(outcome) for outcome, n in legal.items())
    return Score(
        shots=shots,
        hellinger_fidelity=fidelity,
        normalized_fidelity=(fidelity - uniform) / (1 - uniform) if uniform < 1 - 1e-12 else None,
        tvd=sum(
            abs(counts.get(outcome, 0) / shots - exact.get(outcome, 0.0))
            for outcome in counts.keys() | exact.keys()
        )
        / 2,
        legal_fraction=total / shots,
        p_win=wins / shots,
        p_win_low=low,
        p_win_high=high,
        p_win_exact=float(game.p_win()),
        points=points / total if total else None,
        points_exact=float(game.expected_points()),
    )


def wilson_interval(successes: int, shots: int, z: float = 1.96) -> tuple[float, float]:
    """Return the Wilson score interval of a proportion, 95 % by default.

    Args:
        successes: number of successes.
        shots: number of trials, at least 1.
        z: quantile of the normal distribution.
    """
    p, spread = successes / shots, z * z / shots
    centre = (p + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt(p * (1 - p) / shots + spread / (4 * shots))
    return max(0.0, centre - half), min(1.0, centre + half)
