"""Weights of cards as angles of the coins that choose them on a circuit."""

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from games.trick_taking.training.tree import Floats
from games.trick_taking.weighted.layout import Layout


@frozen
class Angle:
    """The angle θ of a coin, in one information set: a bit of the card's place is sin²(θ/2).

    Args:
        level: which play it is, from 0.
        bit: of the place.
        zero: the choices that agree on all higher bits, and have 0 there.
        one: those that have 1 there.
    """

    level: int
    bit: int
    zero: range
    one: range


def angles_of(layout: Layout, seat: int) -> list[Angle]:
    """Return the angles of all choices of a seat: one less than cards in each information set."""
    found = []
    for turn in layout.turns:
        for number in sorted(set(turn.sets.values())):
            one = layout.tree.information[number]
            if one.seat != seat:
                continue
            end = one.first + len(one.cards)
            for bit in reversed(range(turn.bits)):
                for start in range(one.first, end, 2 << bit):
                    middle = start + (1 << bit)
                    if middle < end:
                        there = range(middle, min(end, start + (2 << bit)))
                        found.append(Angle(turn.level, bit, range(start, middle), there))
    return found


def bits_of(angles: Sequence[Angle]) -> list[tuple[int, int]]:
    """Return the plays and bits that have angles; those of one bit share their circuits."""
    return sorted({(one.level, one.bit) for one in angles})


def thetas(angles: Sequence[Angle], chances: Floats) -> Floats:
    """Return the angles that give probabilities.

    Args:
        angles: of a seat.
        chances: of every choice.
    """
    zero = np.array([chances[one.zero.start : one.zero.stop].sum() for one in angles])
    one = np.array([chances[one.one.start : one.one.stop].sum() for one in angles])
    return np.asarray(2 * np.arctan2(np.sqrt(one), np.sqrt(zero)))


def turned(angles: Sequence[Angle], values: Floats, chances: Floats) -> Floats:
    """Return the probabilities that angles give: Π of cos²(θ/2) and sin²(θ/2).

    Args:
        angles: of a seat.
        values: θ of each of them, any number.
        chances: of every choice; those of other seats stay.
    """
    found = chances.copy()
    for each in angles:
        found[each.zero.start : each.one.stop] = 1.0
    for each, value in zip(angles, values.tolist(), strict=True):
        found[each.zero.start : each.zero.stop] *= np.cos(value / 2) ** 2
        found[each.one.start : each.one.stop] *= np.sin(value / 2) ** 2
    return found
