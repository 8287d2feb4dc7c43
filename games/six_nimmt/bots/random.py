"""A bot that knows the rules and nothing else."""

from random import Random

from games.playing.playable import Bot
from games.six_nimmt.view import SeatView


class RandomBot(Bot[SeatView]):
    """Takes any legal move."""

    def move(self, view: SeatView, random: Random) -> str:
        """Return a legal move; see `Bot`."""
        return random.choice(view.legal_moves)
