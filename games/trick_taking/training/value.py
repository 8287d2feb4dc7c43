"""The party's exact P(win) for given weights of all plays, and its slopes.

P(win) = Σ over deals and plays of (1/deals) · Π p(choice) · [the party wins]: a polynomial that is
linear in each seat's probability of a choice, so that its slopes are exact, too.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from games.trick_taking.training.tree import Floats, Level, Tree, added

SAME = 1e-12
"""What is won is told apart down to this."""


def reaches(tree: Tree, chances: Floats) -> list[Floats]:
    """Return the probability of every node, level by level, from the deals on.

    Args:
        tree: the game.
        chances: of every choice; with 1 for those of a seat, the *counterfactual* reach: as if
            that seat played towards the node.
    """
    found = [np.full(tree.deals, 1.0 / tree.deals)]
    for level in tree.levels:
        found.append(found[-1][level.parents] * chances[level.choices])
    return found


def back(level: Level, chances: Floats, values: Floats, parents: int) -> Floats:
    """Return the values of the nodes before a play, from those of the nodes after it."""
    return added(level.parents, chances[level.choices] * values, parents)


def slopes(tree: Tree, chances: Floats, towards: Floats) -> Floats:
    """Return what every choice is worth: Σ over its nodes of (reach before it) · (value after it).

    Args:
        tree: the game.
        chances: of every choice, by which the rest of the game is played.
        towards: of every choice, by which nodes are reached. With `chances` itself, the result is
            dV/dp; with 1 for the choices of a seat, the counterfactual values of these choices.
    """
    reached = reaches(tree, towards)
    values = tree.wins
    found = np.zeros(tree.choices)
    for level, before in zip(reversed(tree.levels), reversed(reached[:-1]), strict=True):
        found += added(level.choices, before[level.parents] * values, tree.choices)
        values = back(level, chances, values, before.size)
    return found


def value(tree: Tree, chances: Floats) -> float:
    """Return the party's P(win)."""
    return float(reaches(tree, chances)[-1] @ tree.wins)


def where_it_matters(tree: Tree, chances: Floats, seat: int) -> Floats:
    """Return probabilities that win as much, equal ones wherever all cards of a seat do.

    Those that are 0 but for the rounding of floats become 0.

    What a seat has played before is common to all nodes that it cannot tell apart, so that nothing
    changes what its other choices are worth.

    Args:
        tree: the game.
        chances: of every choice.
        seat: whose choices may change.
    """
    own = tree.seats == seat
    # As if the seat played towards each of them: also what is never reached now may be, then.
    worth = slopes(tree, chances, np.where(own, 1.0, chances))
    even = 1.0 / tree.sizes[tree.owners]
    apart = np.abs(worth - tree.sums(worth) * even) > SAME
    chances = np.where(chances < SAME, 0.0, chances)
    return np.where(own & (tree.sums(apart.astype(float)) == 0), even, chances)


def exact_value(tree: Tree, chances: Sequence[Fraction]) -> Fraction:
    """Return the party's P(win) as a fraction.

    Args:
        tree: the game.
        chances: of every choice.
    """
    values = [Fraction(int(win)) for win in tree.wins]
    before = [tree.deals, *(level.parents.size for level in tree.levels[:-1])]
    for level, nodes in zip(reversed(tree.levels), reversed(before), strict=True):
        earlier = [Fraction(0)] * nodes
        for parent, choice, won in zip(
            level.parents.tolist(), level.choices.tolist(), values, strict=True
        ):
            earlier[parent] += chances[choice] * won
        values = earlier
    return sum(values, Fraction(0)) / tree.deals
