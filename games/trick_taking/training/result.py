"""What a training has come to: the weights of a seat, what they win, and how good they can be."""

from fractions import Fraction
from functools import cached_property

import numpy as np
from attrs import frozen

from games.trick_taking.training.learning import Look
from games.trick_taking.training.policy import uniform
from games.trick_taking.training.response import best_response
from games.trick_taking.training.tree import Floats, Information, Tree, added
from games.trick_taking.training.value import (
    exact_value,
    reaches,
    slopes,
    value,
    where_it_matters,
)

BEST_RESPONSE, EQUILIBRIUM = "best-response", "equilibrium"
OBJECTIVES = (BEST_RESPONSE, EQUILIBRIUM)


@frozen
class Weighted:
    """The weights of one information set.

    Args:
        information: what the seat sees.
        reach: how probable it is to be seen.
        weights: of its cards, in order.
        won: the party's P(win) after each of them; None if it is never seen.
    """

    information: Information
    reach: float
    weights: tuple[float, ...]
    won: tuple[float | None, ...]


@frozen(eq=False)
class Training:
    """A training that has ended.

    Args:
        tree: the game.
        objective: one of `OBJECTIVES`.
        seat: who has learned a best response, or whose weights are shown of an equilibrium.
        steps: of the training.
        seed: of its beginning.
        looks: the training on its way, the last one its result.
        start: the probabilities of all choices that it has gone on from; None for equal ones.
    """

    tree: Tree
    objective: str
    seat: int
    steps: int
    seed: int
    looks: list[Look]
    start: Floats | None = None

    @property
    def last(self) -> Look:
        """The result."""
        return self.looks[-1]

    @cached_property
    def equal(self) -> Fraction:
        """P(win) if everybody plays legal cards at random, as the papers' circuits do."""
        return exact_value(self.tree, self._equal_weights())

    @cached_property
    def best(self) -> Fraction | float:
        """P(win) if the seat plays its best, and all others as at the beginning.

        A fraction if they play legal cards at random.
        """
        if self.start is not None:
            return value(self.tree, best_response(self.tree, self.start, self.seat))
        answered = best_response(self.tree, uniform(self.tree), self.seat)
        return exact_value(
            self.tree,
            [
                Fraction(int(card)) if seat == self.seat else equal
                for card, seat, equal in zip(
                    answered, self.tree.seats, self._equal_weights(), strict=True
                )
            ],
        )

    @cached_property
    def weighted(self) -> list[Weighted]:
        """Where the seat has a choice: earlier plays first, of equal ones what is likelier seen."""
        tree, chances = self.tree, self.last.chances
        reach = _reach(tree, chances)
        worth = slopes(tree, chances, chances)
        found = []
        for one in tree.information:
            if one.seat == self.seat and len(one.cards) > 1:
                places = range(one.first, one.first + len(one.cards))
                seen = float(reach[one.first])
                found.append(
                    Weighted(
                        one,
                        seen,
                        tuple(float(chances[place]) for place in places),
                        tuple(float(worth[place]) / seen if seen else None for place in places),
                    )
                )
        return sorted(found, key=lambda one: (len(one.information.seen), -one.reach))

    def _equal_weights(self) -> list[Fraction]:
        return [Fraction(1, int(self.tree.sizes[owner])) for owner in self.tree.owners]


def to_save(tree: Tree, objective: str, seat: int, chances: Floats) -> Floats:
    """Return the probabilities that a file of a training has.

    Equal ones where all cards of a best response win as much, which take no gates; those of an
    equilibrium hold it together wherever they are.
    """
    return where_it_matters(tree, chances, seat) if objective == BEST_RESPONSE else chances


def _reach(tree: Tree, chances: Floats) -> Floats:
    """Return how probable it is that each choice is offered."""
    found = np.zeros(tree.choices)
    for level, before in zip(tree.levels, reaches(tree, chances)[:-1], strict=True):
        found += added(level.choices, before[level.parents], tree.choices)
    return found
