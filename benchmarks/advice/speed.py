"""What advice costs in a position."""

from argparse import Namespace
from time import process_time, thread_time
from typing import Any

from games.trick_taking.advice.adviser import choices_of
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.open_play import open_play
from games.trick_taking.advice.stakes import Stakes, stakes_of
from games.trick_taking.advice.superposition import superposed
from games.trick_taking.game import TrickTakingGame


def speed(game: TrickTakingGame, options: Namespace) -> dict[str, Any]:
    """Return what one thread does in a second of processor time."""
    cards = choices_of(game)
    # What is not compiled yet is not what is measured.
    once = Effort(1, 1, 1.0, options.seed, 1, thread_time)
    found = stakes_of(game, None, 18, 0)
    stakes = found if isinstance(found, Stakes) else None
    superposed(game, cards, once), open_play(game, cards, once, stakes)
    effort = Effort(options.playouts, options.deals, float(options.seconds), options.seed, 1,
                    thread_time)  # fmt: skip
    began = process_time()
    played = superposed(game, cards, effort).playouts
    between = process_time()
    solved = open_play(game, cards, effort).shares.deals
    then = process_time()
    valued = None if stakes is None else open_play(game, cards, effort, stakes).shares.deals
    return {
        "game": game.name,
        "cards": len(cards),
        "deals": solved,
        "processor_seconds_a_deal": (then - between) / solved,
        "processor_seconds_a_deal_with_value": valued and (process_time() - then) / valued,
        "playouts": played,
        "playouts_a_processor_second": played / (between - began),
    }
