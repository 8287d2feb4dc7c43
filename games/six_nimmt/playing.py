"""Quantum 6 Nimmt! among the games that can be played move by move."""

from collections.abc import Mapping
from typing import Any

from compiler.errors import GameError
from games.playing.playable import Playable, RandomBot, playable
from games.playing.setup import read_setup
from games.six_nimmt.bots.expectation import ExpectationBot
from games.six_nimmt.bots.greedy import GreedyBot
from games.six_nimmt.match import SixNimmtMatch
from games.six_nimmt.rules.cards import FEWEST_PLAYERS, MOST_PLAYERS, checked_deck
from games.six_nimmt.rules.options import Options
from games.six_nimmt.view import SeatView

MOST_DECKS = 1000


@playable("six-nimmt")
class SixNimmt(Playable[SeatView]):
    """Rounds of ten turns, until somebody has no points left."""

    title = "Quantum 6 Nimmt!"
    seats = (FEWEST_PLAYERS, MOST_PLAYERS, 3)
    options = Options.choices()
    bots = {"random": RandomBot, "greedy": GreedyBot, "expectation": ExpectationBot}  # noqa: RUF012
    usual_bot = "greedy"

    def start(self, setup: Mapping[str, Any]) -> SixNimmtMatch:
        """Return a match whose first round is dealt.

        Args:
            setup: `seats`, `seed`, `options`, and `decks`: those of the first rounds.

        Raises:
            GameError: naming what is wrong with it.
        """
        found, decks = read_setup(setup, self.seats, ("decks",)), setup.get("decks", [])
        if not isinstance(decks, list) or len(decks) > MOST_DECKS:
            raise GameError(f"decks: give a list of at most {MOST_DECKS} decks")
        return SixNimmtMatch.begin(
            found.seats,
            Options.from_names(found.options),
            found.seed,
            tuple(checked_deck(deck) for deck in decks),
        )
