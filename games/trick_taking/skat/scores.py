"""Scores of a list: the scores of all players, and the break-even probability of a game."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING

from attrs import frozen

from compiler.errors import GameError
from games.panels import Cell, Grid, Lines, Panel
from games.trick_taking.rules.rules import NULL
from games.trick_taking.skat.values import (
    Contract,
    Outcome,
    Settlement,
    contract_of,
    settled,
    trumps,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


BONUS = 50
AGAINST = {3: 40, 4: 30}
"""Score of each opponent for a lost game, by the number of players at the table."""


class Scoring(StrEnum):
    """Scoring system of a list."""

    CLASSIC = "classic"
    """The declarer's value alone."""
    SEEGER_FABIAN = "seeger-fabian"
    """50 more for a won game, 50 less for a lost one, and 40 or 30 for each opponent."""


def list_scores(
    games: Sequence[tuple[int, Settlement]],
    players: int = 3,
    scoring: Scoring = Scoring.SEEGER_FABIAN,
) -> list[int]:
    """Return the score of each player on a list.

    Args:
        games: declarer's place at the table, 0 to players − 1, and the game value. Games that all
            players have passed are left out.
        players: 3, or 4 with the dealer as a pausing opponent.
        scoring: scoring system.

    References:
        The system of Seeger and Fabian, as the International Skat Order has it for lists.
    """
    scores = [0] * players
    for declarer, game in games:
        scores[declarer] += game.value
        if scoring is Scoring.SEEGER_FABIAN:
            scores[declarer] += BONUS if game.won else -BONUS
            for other in range(players):
                if other != declarer and not game.won:
                    scores[other] += AGAINST[players]
    return scores


def break_even(value: int, scoring: Scoring, players: int | None = None) -> Fraction:
    """Return the least probability of winning with which a game of value V is worth playing.

    With p the probability, p V = (1 − p) 2V is solved by 2/3 for every V. With a bonus of 50,
    p (V + 50) = (1 − p) (2V + 50) is solved by (2V + 50) / (3V + 100). Against the score of each
    opponent, a = 40 at a table of three and 30 at one of four, it is
    (2V + 50 + a) / (3V + 100 + a).

    Args:
        value: V, the game's value if it is won; lost it counts twice that.
        scoring: scoring system.
        players: 3 or 4 to subtract the score of each opponent; None for the declarer's own score.
    """
    if scoring is Scoring.CLASSIC:
        return Fraction(2, 3)
    against = 0 if players is None else AGAINST[players]
    return Fraction(2 * value + BONUS + against, 3 * value + 2 * BONUS + against)


SCORINGS = (
    ("classic; the paper's Eq. 20", Scoring.CLASSIC, None),
    ("Seeger-Fabian, the declarer's own score", Scoring.SEEGER_FABIAN, None),
    ("Seeger-Fabian against each of 3 players", Scoring.SEEGER_FABIAN, 3),
    ("Seeger-Fabian against each of 4 players", Scoring.SEEGER_FABIAN, 4),
)
OVERBID_NULL = (
    "An overbid null counts as the cheapest suit game or grand that covers the bid, here with or "
    "without one; the declarer's own matadors may make it more."
)
DRAWN = range(18, 265)
DEFAULT_TRICKS = 6


@frozen
class GameWorth:
    """Value of a game that was played.

    Args:
        contract: the game and its announcements.
        outcome: points and tricks of the declarer.
        bid: the declarer's highest bid.
        settlement: game value for the declarer.
    """

    contract: Contract
    outcome: Outcome
    bid: int
    settlement: Settlement

    @property
    def game_value(self) -> int:
        """Value of the game if it is won."""
        value = abs(self.settlement.value)
        return value if self.settlement.won else value // 2

    @property
    def scores(self) -> Mapping[str, Sequence[int]]:
        """Score of each player, by the kind of list."""
        return {
            f"{scoring}, {players} players": list_scores([(0, self.settlement)], players, scoring)
            for scoring in Scoring
            for players in (3, 4)
        }

    @property
    def break_even(self) -> Mapping[str, Fraction]:
        """Probability of winning from which the game is worth playing, by the kind of list."""
        return {
            name: break_even(self.game_value, scoring, players)
            for name, scoring, players in SCORINGS
        }


def game_worth(
    contract: str, matadors: int = 1, points: int = 61, tricks: int = -1, bid: int = 18
) -> GameWorth:
    """Return the value of a game.

    Args:
        contract: contract such as `S hand schneider`.
        matadors: number of matadors, negative without them; ignored for a null.
        points: the declarer's points, the skat's included.
        tricks: the declarer's tricks; negative for the default, 6, or none in a null.
        bid: the declarer's highest bid.

    Raises:
        GameError: if the contract, the matadors or the bid are invalid.
    """
    played = contract_of(contract)
    null = played.game == NULL
    if not null and not 1 <= abs(matadors) <= (most := len(trumps(played.game))):
        raise GameError(f"matadors = {matadors}: must be from 1 to {most}, with or without")
    default = 0 if null else DEFAULT_TRICKS
    outcome = Outcome(points, default if tricks < 0 else tricks)
    return GameWorth(played, outcome, bid, settled(played, matadors, outcome, bid))


def worth_panels(worth: GameWorth) -> Sequence[Panel]:
    """Return the tables of a game's value."""
    result, null = worth.settlement, worth.contract.game == NULL
    ended = "won" if result.won else "lost, overbid" if result.overbid else "lost"
    notes = [
        *["Matadors do not count in a null."] * null,
        *[OVERBID_NULL] * (null and result.overbid),
    ]
    lists = [[name, *map(str, scores)] for name, scores in worth.scores.items()]
    least = [[name, str(p), f"{float(p):.4f}"] for name, p in worth.break_even.items()]
    return [
        Lines(
            f"{worth.contract}: {ended}, {result.value}",
            [f"game value {worth.game_value}", *notes],
        ),
        Grid("Scores", ("", "declarer", "others", "", ""), [[*map(Cell, row)] for row in lists]),
        Grid("Break-even P(win)", ("", "exact", ""), [[*map(Cell, row)] for row in least]),
    ]


def draw_break_even(figure: "Figure") -> None:
    """Draw the break-even probability of winning against the value of the game."""
    figure.set_size_inches(7.2, 4.2)
    axes = figure.subplots()
    for name, scoring, players in SCORINGS:
        axes.plot(DRAWN, [float(break_even(v, scoring, players)) for v in DRAWN], label=name)
    axes.set_xlabel("value of the game, if it is won")
    axes.set_ylabel("P(win) from which it is worth playing")
    axes.set_ylim(0.5, 0.7)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
