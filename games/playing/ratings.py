"""Strengths of players from who beat whom: the model of Bradley and Terry."""

from collections.abc import Mapping, Sequence
from math import log

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, log_expit

SCALE = 400 / log(10)
"""Elo points: 400 of them are odds of ten to one."""
RESAMPLES = 400
LOW, HIGH = 2.5, 97.5
"""Percentiles that bound an interval."""
PRIOR = 0.5
"""Wins that every two players have over each other beforehand, so that no strength is infinite."""

Wins = NDArray[np.float64]


@frozen
class Rating:
    """How strong a player is.

    Args:
        strength: in Elo points; the mean of all players is 0.
        low: lower end of the interval of 95 %.
        high: its upper end.
    """

    strength: float
    low: float
    high: float


def ratings(
    players: Sequence[str], games: Sequence[Mapping[tuple[str, str], float]], seed: int = 0
) -> dict[str, Rating]:
    """Return the strengths under which what has happened is the most likely.

    Args:
        players: their names.
        games: for each group of games that stand and fall together, how often the first player
            of a pair beat the second; a draw is half a win for both.
        seed: of the bootstrap, which draws groups anew.
    """
    place = {name: i for i, name in enumerate(players)}
    wins = np.zeros((len(games), len(players), len(players)))
    for group, beaten in enumerate(games):
        for (winner, loser), count in beaten.items():
            wins[group, place[winner], place[loser]] += count
    best = strengths(wins.sum(axis=0))
    random = np.random.default_rng(seed)
    drawn = random.integers(len(games), size=(RESAMPLES, len(games)))
    resampled = np.array([strengths(wins[groups].sum(axis=0)) for groups in drawn])
    low, high = np.percentile(resampled, [LOW, HIGH], axis=0)
    return {
        name: Rating(float(best[i]), float(low[i]), float(high[i])) for name, i in place.items()
    }


def strengths(wins: Wins) -> NDArray[np.float64]:
    """Return the most likely strengths in Elo points, 0 on average.

    Args:
        wins: how often the player of a row beat that of a column.
    """
    counted = wins + PRIOR * (1 - np.eye(len(wins)))

    def loss(x: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        ahead = x[:, None] - x[None, :]
        surprise = counted * expit(-ahead)
        return -float((counted * log_expit(ahead)).sum()), surprise.sum(0) - surprise.sum(1)

    found = minimize(loss, np.zeros(len(wins)), jac=True, method="BFGS").x
    centred: NDArray[np.float64] = (found - found.mean()) * SCALE
    return centred
