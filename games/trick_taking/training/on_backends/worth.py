"""What each card of a seat would win, from the circuits of parameter shifts."""

from collections.abc import Sequence
from math import pi

import numpy as np

from games.trick_taking.training.learning import own_reach
from games.trick_taking.training.on_backends.angles import Angle, angles_of, turned
from games.trick_taking.training.on_backends.shifts import Distribution, shifted
from games.trick_taking.training.tree import Floats
from games.trick_taking.weighted.layout import Layout, choices_of, won

TINY = 1e-300
"""Stands for 0 where nothing is divided."""


def asked_of(layout: Layout, seat: int, chances: Floats) -> list[Floats]:
    """Return the probabilities of all choices that `worth` is measured with.

    For each play of the seat in which it may have a choice, all its coins up to that play are made
    even, θ = π/2, and each bit of the play is shifted by ±π/2, so that it is 1, or 0, for certain.

    Args:
        layout: the bits of the game.
        seat: whose plays.
        chances: of every choice, by which the seat plays on, and all others play.
    """
    return [one for level, upto in _plays(layout, seat) for one in _shifts(level, upto, chances)]


def worth(layout: Layout, seat: int, chances: Floats, measured: Sequence[Distribution]) -> Floats:
    """Return what every choice of a seat is worth as if the seat played towards it.

    These are the counterfactual values, `value.slopes` with 1 for the choices of the seat. Half
    the difference of two shifts is the slope of P(win) along even coins; told apart by the cards
    that were played, the same shots tell what each card wins, for how probably the seat itself
    plays towards it is known, and never small. A card's value is the share of its games that are
    won; how probable they are is taken from all cards of its information set together.

    Args:
        layout: the bits of the game.
        seat: whose choices; 0 stands for those of others, and where nothing was seen.
        chances: as `asked_of` was given them.
        measured: with what it returned, in its order.
    """
    tree = layout.tree
    wins, own = won(layout), tree.seats == seat
    found, told = np.zeros(tree.choices), iter(measured)
    for level, upto in _plays(layout, seat):
        seen, winning, reached = np.zeros((3, tree.choices))
        asked = _shifts(level, upto, chances)
        for tried in asked:
            towards, here = own_reach(tree, tried, own), np.zeros(tree.choices)
            for bits, chance in next(told).items():
                choices = choices_of(layout, bits)
                assert choices is not None, "only legal values are measured"
                here[choices[level]] += chance
                winning[choices[level]] += chance * wins[bits]
            seen += here
            reached += here / np.where(towards > 0, towards, 1.0) / len(asked)
        # A card that was never seen is thought to be as good as the others.
        together = tree.sums(winning) / np.maximum(tree.sums(seen), TINY)
        share = np.where(seen > 0, winning / np.maximum(seen, TINY), together)
        found += np.where(own, tree.sums(reached) * share, 0.0)
    return found


def _plays(layout: Layout, seat: int) -> list[tuple[int, list[Angle]]]:
    """Return each play in which the seat has coins, with all its coins up to there."""
    angles = angles_of(layout, seat)
    levels = sorted({one.level for one in angles})
    return [(level, [one for one in angles if one.level <= level]) for level in levels]


def _shifts(level: int, upto: Sequence[Angle], chances: Floats) -> list[Floats]:
    even = np.full(len(upto), pi / 2)
    before = turned(upto, even, chances)
    here = [one for one in upto if one.level == level]
    return shifted(here, even[: len(here)], before)
