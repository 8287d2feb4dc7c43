"""The gradient of P(win) by the parameter-shift rule, from what circuits measure."""

from collections.abc import Callable, Mapping, Sequence
from math import pi

import numpy as np

from games.trick_taking.training.on_backends.angles import Angle, turned
from games.trick_taking.training.tree import Floats
from games.trick_taking.training.value import reaches
from games.trick_taking.weighted.layout import Layout, choices_of, won

Distribution = Mapping[int, float]
"""Probability by measured bits, of legal values alone."""

Measure = Callable[[Floats], Distribution]
"""What is measured with given probabilities of all choices."""


def exact_measure(layout: Layout) -> Measure:
    """Return what tells the exact distribution, from the tree."""

    def measure(chances: Floats) -> Distribution:
        ends = reaches(layout.tree, chances)[-1].tolist()
        return {bits: ends[node] for bits, node in layout.ends.items()}

    return measure


def win_chance(layout: Layout, measured: Distribution) -> float:
    """Return the party's P(win) in what was measured."""
    wins = won(layout)
    return sum(chance for bits, chance in measured.items() if wins[bits])


def gradient(
    layout: Layout,
    angles: Sequence[Angle],
    values: Floats,
    chances: Floats,
    measure: Measure,
) -> Floats:
    """Return dP(win)/dθ of every angle.

    No path of the game passes an angle twice, and coins are never undone, so that P(win) is
    a + b cos θ + c sin θ in each of them, and its slope is (P(θ + π/2) - P(θ - π/2)) / 2. Angles of
    the same bit of the same play share their two circuits: a game passes one of them at most,
    the measured bits tell which, and all others cancel. On a circuit an angle is the sum, with
    signs, of the angles of several gates (see `compiler.synthesis.coin`), which move with it.

    Args:
        layout: the bits of the game.
        angles: of a seat.
        values: θ of each.
        chances: of every choice; those of other seats are kept.
        measure: called twice for every bit of every play of the seat.
    """
    found = np.zeros(len(angles))
    wins = won(layout)
    for level, bit in sorted({(one.level, one.bit) for one in angles}):
        here = [i for i, one in enumerate(angles) if (one.level, one.bit) == (level, bit)]
        passed = {
            choice: i for i in here for choice in range(angles[i].zero.start, angles[i].one.stop)
        }
        for sign in (1, -1):
            shifted = values.copy()
            shifted[here] += sign * pi / 2
            for bits, chance in measure(turned(angles, shifted, chances)).items():
                choices = choices_of(layout, bits)
                assert choices is not None, "only legal values are measured"
                if wins[bits] and choices[level] in passed:
                    found[passed[choices[level]]] += sign * chance / 2
    return found
