"""Endless Fun among the games that can be played move by move."""

from collections.abc import Mapping
from typing import Any

from compiler.errors import GameError
from games.endless_fun.bots.greedy import GreedyBot
from games.endless_fun.bots.random import RandomBot
from games.endless_fun.match import EndlessMatch
from games.endless_fun.rules.cards import FEWEST_PLAYERS, MOST_PLAYERS, check_players
from games.endless_fun.rules.options import Options
from games.endless_fun.rules.winning import MEASUREMENTS, check_measurements
from games.endless_fun.view import SeatView
from games.playing.playable import Playable, playable

KEYS = ("seats", "seed", "options")
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
        for key in setup:
            if key not in KEYS:
                raise GameError(f"{str(key)[:40]}: unknown; a setup has {', '.join(KEYS)}")
        try:
            seats = check_players(setup.get("seats", USUAL_SEATS))
        except GameError as error:
            raise GameError(f"seats: {error}") from error
        seed, options = setup.get("seed", 0), setup.get("options", {})
        if type(seed) is not int or seed < 0:
            raise GameError(f"seed = {seed!r}: must be a whole number from 0 on")
        if not isinstance(options, Mapping):
            raise GameError(f"options = {options!r}: write an object of names and values")
        chosen = dict(options)
        measurements = check_measurements(_number(chosen.pop("measurements", MEASUREMENTS)))
        return EndlessMatch.begin(seats, Options.from_names(chosen), seed, measurements)


def _number(text: object) -> object:
    """Return a number that was written as a word."""
    if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    return text
