"""Endless Fun among the games that can be played move by move."""

from collections.abc import Mapping
from typing import Any

from games.endless_fun.greedy_bot import GreedyBot
from games.endless_fun.match import EndlessMatch
from games.endless_fun.rules.cards import FEWEST_PLAYERS, MOST_PLAYERS
from games.endless_fun.rules.options import Options
from games.endless_fun.rules.winning import MEASUREMENTS, check_measurements
from games.endless_fun.view import SeatView
from games.playing.playable import Playable, RandomBot, playable
from games.playing.setup import number_in, read_setup

USUAL_SEATS = 4


@playable("endless-fun")
class EndlessFun(Playable[SeatView]):
    """Three rounds of cards beneath qudits."""

    title = "Endless Fun"
    seats = (FEWEST_PLAYERS, MOST_PLAYERS, USUAL_SEATS)
    options = {  # noqa: RUF012
        **Options.choices(),
        "measurements": (str(MEASUREMENTS), "1", "10", "30", "300"),
    }
    bots = {"random": RandomBot, "greedy": GreedyBot}  # noqa: RUF012
    usual_bot = "greedy"

    def start(self, setup: Mapping[str, Any]) -> EndlessMatch:
        """Return a match in which the cards are dealt.

        Args:
            setup: `seats`, `seed`, and `options`, among them `measurements`, which may be any
                number from 1 to 500.

        Raises:
            GameError: naming what is wrong with it.
        """
        found = read_setup(setup, self.seats)
        wanted = found.options.pop("measurements", MEASUREMENTS)
        measurements = check_measurements(number_in(wanted))
        options = Options.from_names(found.options, besides=("measurements",))
        return EndlessMatch.begin(found.seats, options, found.seed, measurements)
