"""A bot that knows the rules and nothing else."""

from random import Random

from games.endless_fun.view import SeatView
from games.playing.playable import Bot


class RandomBot(Bot[SeatView]):
    """Takes any legal move."""

    def move(self, view: SeatView, random: Random) -> str:
        """Return a legal move; see `Bot`."""
        return random.choice(view.legal_moves)
