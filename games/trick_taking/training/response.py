"""The exact best response of one seat, and what each seat could gain by it."""

import numpy as np

from games.trick_taking.training.tree import Floats, Level, Tree, added
from games.trick_taking.training.value import back, reaches, value


def side(tree: Tree, seat: int) -> int:
    """Return 1 for a seat of the party, which wants it to win, and −1 for its opponents."""
    return 1 if seat in tree.game.party else -1


def best_response(tree: Tree, chances: Floats, seat: int) -> Floats:
    """Return the probabilities in which one seat plays its best against all others.

    Backward induction over its information sets: a seat forgets nothing, so what it does later
    is settled when an earlier choice is made. Among equally good cards it takes the first.

    Args:
        tree: the game.
        chances: of every choice, those of the seat of no meaning.
        seat: who responds.
    """
    answered = chances.copy()
    own = tree.seats == seat
    reached = reaches(tree, np.where(own, 1.0, chances))
    values = tree.wins
    for level, before in zip(reversed(tree.levels), reversed(reached[:-1]), strict=True):
        worth = added(level.choices, before[level.parents] * values, tree.choices)
        place, best = _best(tree, level, side(tree, seat) * worth)
        answered[place] = np.where(own[place], best, answered[place])
        values = back(level, answered, values, before.size)
    return answered


def gains(tree: Tree, chances: Floats) -> tuple[float, ...]:
    """Return by how much each seat alone could better its side's P(win).

    Where all of them are 0, the weights are a Nash equilibrium. In a game of two seats they add up
    to the exploitability: the value of the game lies between P(win) minus the gain of the party's
    opponent and P(win) plus the party's gain.
    """
    won = value(tree, chances)
    return tuple(
        side(tree, seat) * (value(tree, best_response(tree, chances, seat)) - won)
        for seat in range(tree.game.players)
    )


def _best(tree: Tree, level: Level, worth: Floats) -> tuple[slice, Floats]:
    """Return which choices a level has, and 1 for the first best of each information set."""
    sizes = tree.sizes[level.information.start : level.information.stop]
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    first = tree.firsts[level.information.start]
    place = slice(int(first), int(first + sizes.sum()))
    here = worth[place]
    sets = np.repeat(np.arange(sizes.size), sizes)
    # Sorted by set, then from the best on, equal ones in the order of the cards.
    order = np.lexsort((-here, sets))
    chances = np.zeros(here.size)
    chances[order[starts]] = 1.0
    return place, chances
