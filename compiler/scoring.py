"""How well counts match the exact distribution of a game."""

from collections.abc import Mapping
from math import sqrt
from typing import Any

from attrs import frozen

from compiler.encodings import encodings
from compiler.errors import GameError, GameTooLargeError
from compiler.games import Game
from compiler.workload import Workload

MOST_BITS = 16
"""Classical bits up to which uniform noise is decoded value by value."""


@frozen
class Score:
    """Figures of merit of one set of counts.

    Args:
        shots: number of shots that were scored, or that the scored weights are worth.
        hellinger_fidelity: (Σ √(p·q))² over outcomes, 1 for equal distributions; None, like all
            that needs the exact distribution, where that is too large to be enumerated.
        normalized_fidelity: (F - F_uniform) / (1 - F_uniform), 0 for uniform noise on the
            measured bits, or on the legal outcomes (Lubinski et al., arXiv:2110.03137); None
            where uniform noise is the exact distribution, and where there are too many bits to
            find out what uniform noise means.
        tvd: total variation distance, half the sum of |p - q|; illegal bits are one outcome.
        legal_fraction: share of the shots that the rules allow.
        p_win: share of the shots with which the party wins.
        p_win_low: lower end of the 95 % Wilson interval of `p_win`.
        p_win_high: its upper end.
        p_win_exact: the exact probability.
        points: mean points of the party over legal shots.
        points_exact: the exact expectation.
    """

    shots: int
    hellinger_fidelity: float | None
    normalized_fidelity: float | None
    tvd: float | None
    legal_fraction: float
    p_win: float
    p_win_low: float
    p_win_high: float
    p_win_exact: float | None
    points: float | None
    points_exact: float | None


def score(work: Workload, counts: Mapping[int, float]) -> tuple[Score, Score | None]:
    """Score counts, raw and post-selected on legal outcomes.

    Args:
        work: a game and its program.
        counts: shots by measured classical bits, at least one. Where they are not counted but
            computed, such as mitigated ones, weights that add up to the number of shots they are
            worth: that number decides how wide the interval of `p_win` is, and nothing else.

    Returns:
        The raw score and the post-selected one; the latter is None if no shot was legal.

    Raises:
        GameError: if the workload is a circuit.
    """
    if work.game is None:
        raise GameError(f"{work.program.name}: a circuit has no score")
    game, outcomes = work.game, work.outcomes(counts)
    legal = {outcome: n for outcome, n in outcomes.items() if outcome is not None and n}
    exact = exact_distribution(game)
    noise = uniform_noise(work)
    noise_fidelity = None if exact is None or noise is None else _fidelity(noise, exact)
    selected_noise = None if exact is None else _fidelity(dict.fromkeys(exact, 1.0), exact)
    return (
        _score(game, outcomes, exact, noise_fidelity),
        _score(game, legal, exact, selected_noise) if legal else None,
    )


def exact_distribution(game: Game) -> dict[int, float] | None:
    """Return the exact distribution of outcomes, None if it is too large to be enumerated."""
    try:
        return {outcome: float(p) for outcome, p in game.exact_distribution().items()}
    except GameTooLargeError:
        return None


def uniform_noise(work: Workload) -> dict[int | None, float] | None:
    """Return the distribution of outcomes if all measured bits are equally likely.

    None collects the illegal ones. Returns None if there are too many bits to go through all
    their values, unless the bits are the outcome itself.
    """
    game, bits = work.game, work.program.num_clbits
    if game is None:
        return None
    if bits <= MOST_BITS:
        return work.outcomes(dict.fromkeys(range(1 << bits), 2.0**-bits))
    exact = exact_distribution(game)
    judges = work.encoding in encodings and encodings[work.encoding].judges
    if exact is None or judges:
        return None
    share = 2.0**-bits
    return {**dict.fromkeys(exact, share), None: 1 - len(exact) * share}


def register_noise_fidelity(game: Game, bits: int) -> float | None:
    """Return the Hellinger fidelity of uniform noise on a register that holds the outcome.

    Unlike `uniform_noise` it does not depend on the encoding, so that figures which are
    normalised with it can be compared between encodings.

    Args:
        game: the game.
        bits: size of the register; each of its 2^bits values is equally likely.
    """
    exact = exact_distribution(game)
    if exact is None:
        return None
    share = 2.0**-bits
    return _fidelity({**dict.fromkeys(exact, share), None: 1 - len(exact) * share}, exact)


def normalized(fidelity: float, noise: float) -> float | None:
    """Return (F - F_noise) / (1 - F_noise), None where noise itself is the exact distribution."""
    return None if noise > 1 - 1e-12 else (fidelity - noise) / (1 - noise)


def _fidelity(got: Mapping[Any, float], exact: Mapping[int, float]) -> float:
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
    game: Game,
    counts: Mapping[Any, float],
    exact: Mapping[int, float] | None,
    noise: float | None,
) -> Score:
    shots = sum(counts.values())
    legal = {outcome: n for outcome, n in counts.items() if outcome is not None}
    wins = sum(n for outcome, n in legal.items() if game.is_win(outcome))
    low, high = wilson_interval(wins, shots)
    total = sum(legal.values())
    points = sum(n * game.points(outcome) for outcome, n in legal.items())
    fidelity = None if exact is None else _fidelity(counts, exact)
    return Score(
        shots=round(shots),
        hellinger_fidelity=fidelity,
        normalized_fidelity=None
        if fidelity is None or noise is None
        else normalized(fidelity, noise),
        tvd=None if exact is None else _distance(counts, exact),
        legal_fraction=total / shots,
        p_win=wins / shots,
        p_win_low=low,
        p_win_high=high,
        p_win_exact=None if exact is None else float(game.p_win()),
        points=points / total if total else None,
        points_exact=None if exact is None else float(game.expected_points()),
    )


def wilson_interval(successes: float, shots: float, z: float = 1.96) -> tuple[float, float]:
    """Return the Wilson score interval of a proportion, 95 % by default.

    Args:
        successes: number of successes.
        shots: number of trials, more than 0.
        z: quantile of the normal distribution.
    """
    p, spread = successes / shots, z * z / shots
    centre = (p + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt(p * (1 - p) / shots + spread / (4 * shots))
    return max(0.0, min(p, centre - half)), min(1.0, max(p, centre + half))
