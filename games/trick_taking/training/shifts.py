"""Weights as rotation angles, and the gradient of P(win) by the parameter-shift rule."""

from collections.abc import Callable, Mapping, Sequence
from math import pi

import numpy as np
from attrs import frozen

from games.trick_taking.training.tree import Floats, reaches
from games.trick_taking.weighted.encoding import Layout, choices_of, won

Distribution = Mapping[int, float]
"""Probability by measured bits, of legal values alone."""

Measure = Callable[[Sequence[Floats]], Sequence[Distribution]]
"""Returns the measured distribution for each of several probabilities of all choices."""


@frozen
class Angle:
    """The angle θ of a coin, in one information set: a bit of the card's place is sin²(θ/2).

    Args:
        level: number of the play, from 0.
        bit: bit of the place.
        zero: the choices that agree on all higher bits, and have 0 there.
        one: choices that have 1 there.
    """

    level: int
    bit: int
    zero: range
    one: range


def angles_of(layout: Layout, seat: int) -> list[Angle]:
    """Return the angles of all choices of a seat: one less than cards in each information set."""
    result = []
    for turn in layout.turns:
        for number in sorted(set(turn.sets.values())):
            choice = layout.tree.information[number]
            if choice.seat != seat:
                continue
            end = choice.first + len(choice.cards)
            for bit in reversed(range(turn.bits)):
                for start in range(choice.first, end, 2 << bit):
                    middle = start + (1 << bit)
                    if middle < end:
                        upper = range(middle, min(end, start + (2 << bit)))
                        result.append(Angle(turn.level, bit, range(start, middle), upper))
    return result


def bits_of(angles: Sequence[Angle]) -> list[tuple[int, int]]:
    """Return the plays and bits that have angles; angles of one bit share their circuits."""
    return sorted({(angle.level, angle.bit) for angle in angles})


def thetas(angles: Sequence[Angle], chances: Floats) -> Floats:
    """Return the angles that give probabilities.

    Args:
        angles: angles of a seat.
        chances: probability of every choice.
    """
    zero = np.array([chances[angle.zero.start : angle.zero.stop].sum() for angle in angles])
    angle = np.array([chances[angle.one.start : angle.one.stop].sum() for angle in angles])
    return np.asarray(2 * np.arctan2(np.sqrt(angle), np.sqrt(zero)))


def turned(angles: Sequence[Angle], values: Floats, chances: Floats) -> Floats:
    """Return the probabilities that angles give: Π of cos²(θ/2) and sin²(θ/2).

    Args:
        angles: angles of a seat.
        values: θ of each of them, any number.
        chances: probability of every choice; those of other seats stay.
    """
    result = chances.copy()
    for each in angles:
        result[each.zero.start : each.one.stop] = 1.0
    for each, value in zip(angles, values.tolist(), strict=True):
        result[each.zero.start : each.zero.stop] *= np.cos(value / 2) ** 2
        result[each.one.start : each.one.stop] *= np.sin(value / 2) ** 2
    return result


def exact_measure(layout: Layout) -> Measure:
    """Return a function that computes the exact distribution from the tree."""

    def one(chances: Floats) -> Distribution:
        ends = reaches(layout.tree, chances)[-1].tolist()
        return {bits: ends[node] for bits, node in layout.ends.items()}

    def measure(points: Sequence[Floats]) -> Sequence[Distribution]:
        return [one(chances) for chances in points]

    return measure


def win_chance(layout: Layout, measured: Distribution) -> float:
    """Return the party's P(win) in a measured distribution."""
    wins = won(layout)
    return sum(chance for bits, chance in measured.items() if wins[bits])


def shifted(angles: Sequence[Angle], values: Floats, chances: Floats) -> list[Floats]:
    """Return the probabilities of all choices that `gradient` is measured with.

    Args:
        angles: angles of a seat.
        values: θ of each.
        chances: probability of every choice; those of other seats are kept.
    """
    result = []
    for level_bit in bits_of(angles):
        here = [i for i, angle in enumerate(angles) if (angle.level, angle.bit) == level_bit]
        for sign in (1, -1):
            moved = values.copy()
            moved[here] += sign * pi / 2
            result.append(turned(angles, moved, chances))
    return result


def gradient(
    layout: Layout, angles: Sequence[Angle], measured: Sequence[Distribution]
) -> tuple[Floats, Floats]:
    """Return dP(win)/dθ of every angle, and the variance of each for one shot a circuit.

    No path of the game passes an angle twice, and coins are never undone. So P(win) is
    a + b cos θ + c sin θ in each of them, and its slope is (P(θ + π/2) - P(θ - π/2)) / 2. Angles of
    the same bit of the same play share their two circuits: a game passes at most one of them, the
    measured bits identify it, and all others cancel. On a circuit an angle is the sum, with
    signs, of the angles of several gates (see `compiler.synthesis.coin`), which move with it.

    Args:
        layout: the bits of the game.
        angles: angles of a seat.
        measured: results of the circuits of `shifted`: two for every bit of every play of the seat.
    """
    slopes, spread = np.zeros((2, len(angles)))
    wins = won(layout)
    distributions = iter(measured)
    for level, bit in bits_of(angles):
        here = [i for i, angle in enumerate(angles) if (angle.level, angle.bit) == (level, bit)]
        passed = {
            choice: i for i in here for choice in range(angles[i].zero.start, angles[i].one.stop)
        }
        for sign in (1, -1):
            for bits, chance in next(distributions).items():
                choices = choices_of(layout, bits)
                assert choices is not None, "only legal values are measured"
                if wins[bits] and choices[level] in passed:
                    slopes[passed[choices[level]]] += sign * chance / 2
                    # Wins are rare, so that their number varies by its root.
                    spread[passed[choices[level]]] += chance / 4
    return slopes, spread
