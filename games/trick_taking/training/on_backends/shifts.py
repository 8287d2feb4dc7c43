"""The gradient of P(win) by the parameter-shift rule, from what circuits measure."""

from collections.abc import Callable, Mapping, Sequence
from math import pi

import numpy as np

from games.trick_taking.training.on_backends.angles import Angle, bits_of, turned
from games.trick_taking.training.tree import Floats
from games.trick_taking.training.value import reaches
from games.trick_taking.weighted.layout import Layout, choices_of, won

Distribution = Mapping[int, float]
"""Probability by measured bits, of legal values alone."""

Measure = Callable[[Sequence[Floats]], Sequence[Distribution]]
"""What is measured with each of several probabilities of all choices."""


def exact_measure(layout: Layout) -> Measure:
    """Return what tells the exact distribution, from the tree."""

    def one(chances: Floats) -> Distribution:
        ends = reaches(layout.tree, chances)[-1].tolist()
        return {bits: ends[node] for bits, node in layout.ends.items()}

    def measure(asked: Sequence[Floats]) -> Sequence[Distribution]:
        return [one(chances) for chances in asked]

    return measure


def win_chance(layout: Layout, measured: Distribution) -> float:
    """Return the party's P(win) in what was measured."""
    wins = won(layout)
    return sum(chance for bits, chance in measured.items() if wins[bits])


def shifted(angles: Sequence[Angle], values: Floats, chances: Floats) -> list[Floats]:
    """Return the probabilities of all choices that `gradient` is measured with.

    Args:
        angles: of a seat.
        values: θ of each.
        chances: of every choice; those of other seats are kept.
    """
    found = []
    for level_bit in bits_of(angles):
        here = [i for i, one in enumerate(angles) if (one.level, one.bit) == level_bit]
        for sign in (1, -1):
            moved = values.copy()
            moved[here] += sign * pi / 2
            found.append(turned(angles, moved, chances))
    return found


def gradient(
    layout: Layout, angles: Sequence[Angle], measured: Sequence[Distribution]
) -> tuple[Floats, Floats]:
    """Return dP(win)/dθ of every angle, and the variance of each for one shot a circuit.

    No path of the game passes an angle twice, and coins are never undone, so that P(win) is
    a + b cos θ + c sin θ in each of them, and its slope is (P(θ + π/2) - P(θ - π/2)) / 2. Angles of
    the same bit of the same play share their two circuits: a game passes one of them at most,
    the measured bits tell which, and all others cancel. On a circuit an angle is the sum, with
    signs, of the angles of several gates (see `compiler.synthesis.coin`), which move with it.

    Args:
        layout: the bits of the game.
        angles: of a seat.
        measured: with what `shifted` returns: two for every bit of every play of the seat.
    """
    found, spread = np.zeros((2, len(angles)))
    wins = won(layout)
    told = iter(measured)
    for level, bit in bits_of(angles):
        here = [i for i, one in enumerate(angles) if (one.level, one.bit) == (level, bit)]
        passed = {
            choice: i for i in here for choice in range(angles[i].zero.start, angles[i].one.stop)
        }
        for sign in (1, -1):
            for bits, chance in next(told).items():
                choices = choices_of(layout, bits)
                assert choices is not None, "only legal values are measured"
                if wins[bits] and choices[level] in passed:
                    found[passed[choices[level]]] += sign * chance / 2
                    # Wins are rare, so that their number varies by its root.
                    spread[passed[choices[level]]] += chance / 4
    return found, spread
