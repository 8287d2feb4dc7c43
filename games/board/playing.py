"""Five in a Row and Weiqi among the games that can be played move by move."""

from collections.abc import Mapping
from typing import Any

from games.board.bots.greedy import GreedyBot
from games.board.bots.quantum import QuantumBot
from games.board.bots.random_move import RandomBot
from games.board.bots.threats import ThreatBot
from games.board.match import BoardMatch, FiveMatch, WeiqiMatch
from games.board.rules.options import Options
from games.board.rules.points import check_size
from games.board.rules.position import MOST_EXACT, MOST_GAMES
from games.board.view import BoardView
from games.playing.playable import Playable, playable
from games.playing.setup import number_in, read_setup

MORE = ("size", "most_games", "most_exact")
"""Of a setup, besides what all games know."""
SEATS = 2
SERVED_GAMES = 64
SERVED_EXACT = 4096
"""Games that may be superposed in a match of strangers, all of whose moves a server works out."""
FIVE_OPTIONS = {
    "size": ("15", "9", "13", "19"),
    **{name: values for name, values in Options.choices().items() if name != "captures"},
}
WEIQI_OPTIONS = {"size": ("9", "13", "15", "19"), **Options.choices()}


class BoardPlayable(Playable[BoardView]):
    """A game of two on a quantum board; `size` is one of the options people choose."""

    seats = (SEATS, SEATS, SEATS)
    match: type[BoardMatch]

    def start(self, setup: Mapping[str, Any]) -> BoardMatch:
        """Return a match on an empty board.

        Args:
            setup: `seats`, `seed`, `options` (among them `size`), `size`, and `most_games` and
                `most_exact` that may be superposed, see `Position`.

        Raises:
            GameError: naming what is wrong with it.
        """
        found = read_setup(setup, self.seats, MORE)
        chosen = number_in(found.options.pop("size", self.options["size"][0]))
        position = self.match.rules.begin(
            check_size(setup.get("size", chosen)),
            Options.from_names(found.options, besides=("size",)),
            setup.get("most_games", MOST_GAMES),
            setup.get("most_exact", MOST_EXACT),
        )
        return self.match(position, found.seed)

    def served(self, setup: Mapping[str, Any]) -> dict[str, Any]:
        """Let fewer games be superposed; see `Playable`."""
        limits = {"most_games": SERVED_GAMES, "most_exact": SERVED_EXACT}
        fewer = {name: min(most, setup.get(name, most)) for name, most in limits.items()}
        return {**setup, **fewer}


@playable("five-in-a-row")
class FivePlayable(BoardPlayable):
    """Five in a row in any game wins."""

    title = "Quantum Five in a Row"
    match = FiveMatch
    options = FIVE_OPTIONS
    bots = {"random": RandomBot, "threats": ThreatBot, "quantum": QuantumBot}  # noqa: RUF012
    usual_bot = "threats"


@playable("weiqi")
class WeiqiPlayable(BoardPlayable):
    """Black needs more than half of the points on average, when both have passed."""

    title = "Quantum Weiqi (Go)"
    match = WeiqiMatch
    options = WEIQI_OPTIONS
    bots = {"random": RandomBot, "greedy": GreedyBot}  # noqa: RUF012
    usual_bot = "greedy"
