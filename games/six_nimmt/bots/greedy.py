"""A bot that looks at its own card only, as if nobody else played in this turn."""

from fractions import Fraction
from random import Random

from games.playing.playable import Bot
from games.six_nimmt.rules.cards import FULL
from games.six_nimmt.rules.choices import Choice
from games.six_nimmt.rules.rows import home_row
from games.six_nimmt.view import SeatView


class GreedyBot(Bot[SeatView]):
    """Plays the card that loses it the fewest points at once, nearest to its row, unaltered.

    What a row costs is weighed with the probability of 0 in it.
    """

    def move(self, view: SeatView, random: Random) -> str:
        """Return a legal move; see `Bot`."""
        if view.prompt is not None:
            best = min(view.prompt.rows, key=lambda row: (_price(view, row), row))
            return f"row {best}"
        return str(Choice(min(view.hand, key=lambda card: _cost(view, card))))


def _price(view: SeatView, row: int) -> Fraction:
    points = sum(card.points for card in view.rows[row])
    return points * (1 - view.chances_of_1[row])


def _cost(view: SeatView, card: int) -> tuple[Fraction, int]:
    """Return what a card loses at once, and how far it lies from its row."""
    row = home_row(view.rows, card)
    if row is None:
        return min(_price(view, each) for each in range(len(view.rows))), card
    gap = card - view.rows[row][-1].number
    return _price(view, row) if len(view.rows[row]) == FULL else Fraction(0), gap
