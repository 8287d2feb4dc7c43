"""Scores of a list: what games count for all at the table, and when one is worth playing."""

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction

from compiler.errors import GameError
from games.trick_taking.skat.values import Settlement

BONUS = 50
AGAINST = {3: 40, 4: 30}
"""What each opponent gets for a lost game, by the number of players at the table."""


class Scoring(StrEnum):
    """How a list is kept."""

    CLASSIC = "classic"
    """The declarer's value alone."""
    SEEGER_FABIAN = "seeger-fabian"
    """50 more for a won game, 50 less for a lost one, and 40 or 30 for each opponent."""


def list_scores(
    games: Sequence[tuple[int, Settlement]],
    players: int = 3,
    scoring: Scoring = Scoring.SEEGER_FABIAN,
) -> list[int]:
    """Return what each player has on a list.

    Args:
        games: declarer's place at the table, 0 to players − 1, and what the game counts. Games
            that all have passed are left out.
        players: 3, or 4 of whom the dealer pauses and counts as an opponent.
        scoring: how the list is kept.

    Raises:
        GameError: if there are not 3 or 4 players, or a declarer is not among them.

    References:
        The system of Seeger and Fabian, as the International Skat Order has it for lists.
    """
    if players not in AGAINST:
        raise GameError(f"players = {players}: a table has 3 or 4")
    scores = [0] * players
    for declarer, game in games:
        if not 0 <= declarer < players:
            raise GameError(f"declarer {declarer}: must be from 0 to {players - 1}")
        scores[declarer] += game.value
        if scoring is Scoring.SEEGER_FABIAN:
            scores[declarer] += BONUS if game.won else -BONUS
            for other in range(players):
                if other != declarer and not game.won:
                    scores[other] += AGAINST[players]
    return scores


def break_even(value: int, scoring: Scoring, players: int | None = None) -> Fraction:
    """Return the least probability of winning with which a game of value V is worth playing.

    With p the probability, p V = (1 − p) 2V is solved by 2/3, whatever V is; with 50 more or less,
    p (V + 50) = (1 − p) (2V + 50) by (2V + 50) / (3V + 100). Against what each opponent gets,
    a = 40 at a table of three and 30 at one of four, it is (2V + 50 + a) / (3V + 100 + a).

    Args:
        value: V, the game's value if it is won; lost it counts twice that.
        scoring: how the list is kept.
        players: 3 or 4 to count what each opponent gets; None for the declarer's own score.

    Raises:
        GameError: if the value is not positive, or a table has other than 3 or 4 players.
    """
    if value <= 0:
        raise GameError(f"value = {value}: must be positive")
    if players is not None and players not in AGAINST:
        raise GameError(f"players = {players}: a table has 3 or 4")
    if scoring is Scoring.CLASSIC:
        return Fraction(2, 3)
    against = 0 if players is None else AGAINST[players]
    return Fraction(2 * value + BONUS + against, 3 * value + 2 * BONUS + against)
