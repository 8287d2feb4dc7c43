"""Strengths of players from their wins and losses: the Bradley–Terry model."""

from collections.abc import Mapping, Sequence
from math import log

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from scipy.special import expit

SCALE = 400 / log(10)
"""Elo points: 400 of them are odds of ten to one."""
RESAMPLES = 400
LOW, HIGH = 2.5, 97.5
"""Percentiles that bound an interval."""
PRIOR = 0.5
"""Wins that every two players have over each other beforehand, so that no strength is infinite."""
MIN_PRIOR = 0.01
"""The same for the ends of intervals, which have to reach as far as games may go."""
STEPS, LONGEST, SHORTEST = 60, 1.0, 1e-9
"""Newton's steps to the most likely strengths, the longest of them, and that after which to end."""

Wins = NDArray[np.float64]


@frozen
class Rating:
    """Strength of a player.

    Args:
        strength: strength in Elo points; the mean of all players is 0.
        low: lower end of the interval of 95 %.
        high: its upper end.
    """

    strength: float
    low: float
    high: float


def ratings(
    players: Sequence[str], games: Sequence[Mapping[tuple[str, str], float]], seed: int = 0
) -> dict[str, Rating]:
    """Return the maximum-likelihood strengths of the players.

    Intervals are percentiles of a Bayesian bootstrap, whose weights of the groups have a Dirichlet
    distribution. One further group is lost by the player at the lower end and won at the upper
    one, as in `compiler.scores.intervals.mean_interval`.

    Args:
        players: their names.
        games: for each group of dependent games, the number of wins of the first player of a pair
            over the second; a draw is half a win for both.
        seed: seed of the bootstrap.

    References:
        Rubin, Annals of Statistics 9, 1981.
    """
    place = {name: i for i, name in enumerate(players)}
    wins = np.zeros((len(games), len(players), len(players)))
    for group, beaten in enumerate(games):
        for (winner, loser), count in beaten.items():
            wins[group, place[winner], place[loser]] += count
    total = wins.sum(axis=0)
    best = strengths(total)
    weights = np.random.default_rng(seed).dirichlet(np.ones(len(games) + 1), RESAMPLES)
    drawn = (len(games) + 1) * np.tensordot(weights[:, :-1], wins, axes=1)
    result = {}
    for name, i in place.items():
        further = np.zeros_like(total)
        # As many games against each other player as there are in a group.
        further[i] = (total + total.T)[i] / len(games)
        added = (len(games) + 1) * weights[:, -1, None, None]
        low, high = (
            np.percentile(strengths(drawn + added * each, MIN_PRIOR)[:, i], percent)
            for each, percent in ((further.T, LOW), (further, HIGH))
        )
        result[name] = Rating(float(best[i]), float(low), float(high))
    return result


def strengths(wins: Wins, prior: float = PRIOR) -> NDArray[np.float64]:
    """Return the most likely strengths in Elo points, 0 on average.

    Args:
        wins: shape (…, players, players), wins of a row's player over a column's player.
        prior: wins that every two players have over each other beforehand.
    """
    count = wins.shape[-1]
    counted = wins + prior * (1 - np.eye(count))
    games = counted + np.swapaxes(counted, -1, -2)
    values = np.zeros(wins.shape[:-1])
    for _ in range(STEPS):
        chances = expit(values[..., :, None] - values[..., None, :])
        slopes = counted.sum(axis=-1) - (games * chances).sum(axis=-1)
        bends = games * chances * (1 - chances)
        curves = np.eye(count) * bends.sum(axis=-1)[..., None] - bends
        # Strengths are known up to a constant, whose curvature is none.
        steps = np.linalg.solve(curves + 1 / count, slopes[..., None])[..., 0]
        longest = np.abs(steps).max(axis=-1, keepdims=True)
        values = values + steps * np.minimum(1, LONGEST / np.maximum(longest, LONGEST))
        if longest.max() < SHORTEST:
            break
    centred: NDArray[np.float64] = (values - values.mean(axis=-1, keepdims=True)) * SCALE
    return centred
