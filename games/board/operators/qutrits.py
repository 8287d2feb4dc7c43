"""The paper's qutrit gates on a few points, as a specification that can be executed."""

from collections.abc import Callable, Mapping, Sequence
from enum import IntFlag
from math import sqrt

from attrs import frozen

OWN, EMPTY, OTHER = 0, 1, 2
"""Levels of a point, as whoever moves calls them."""

Digits = tuple[int, ...]
Amplitudes = Mapping[Digits, float]
When = Callable[[Digits], bool]


class Presence(IntFlag):
    """Which stones may ever be on a point; a qubit for each of them, the mover's first."""

    OWN = 1
    OTHER = 2


BOTH = Presence.OWN | Presence.OTHER


def qubits_of(presences: Sequence[int]) -> int:
    """Return the number of qubits of points."""
    return sum(presence.bit_count() for presence in presences)


def decoded(basis_state: int, presences: Sequence[int]) -> Digits:
    """Return the levels of points, from the first operand on.

    Raises:
        ValueError: if a point has two stones.
    """
    digits = []
    for presence in presences:
        own = bool(presence & Presence.OWN) and basis_state & 1
        basis_state >>= bool(presence & Presence.OWN)
        other = bool(presence & Presence.OTHER) and basis_state & 1
        basis_state >>= bool(presence & Presence.OTHER)
        if own and other:
            raise ValueError("a point has two stones")
        digits.append(OWN if own else OTHER if other else EMPTY)
    return tuple(digits)


def encoded(digits: Sequence[int], presences: Sequence[int]) -> int:
    """Return the basis state of points.

    Raises:
        ValueError: if one has a stone that it never has.
    """
    state, place = 0, 0
    for digit, presence in zip(digits, presences, strict=True):
        if digit != EMPTY and not presence & (Presence.OWN if digit == OWN else Presence.OTHER):
            raise ValueError("a point has a stone that it never has")
        state |= (digit == OWN) << place
        place += bool(presence & Presence.OWN)
        state |= (digit == OTHER) << place
        place += bool(presence & Presence.OTHER)
    return state


def levels(presence: int) -> tuple[int, ...]:
    """Return the levels of a point, empty first."""
    own, other = bool(presence & Presence.OWN), bool(presence & Presence.OTHER)
    return (EMPTY, *[OWN] * own, *[OTHER] * other)


@frozen
class Arm:
    """A counter move on the operands of an operator.

    Args:
        control: place of the point that is asked.
        targets: places of one or two points.
        sign: 1 or −1.
    """

    control: int
    targets: tuple[int, ...]
    sign: int = 1


def placed(amplitudes: Amplitudes, point: int, when: When = lambda _: True) -> Amplitudes:
    """Apply X of the mover's colour."""
    exchanged = {OWN: EMPTY, EMPTY: OWN, OTHER: OTHER}
    return {
        _with(digits, point, exchanged[digits[point]]) if when(digits) else digits: amplitude
        for digits, amplitude in amplitudes.items()
    }


def split(amplitudes: Amplitudes, point: int, when: When = lambda _: True) -> Amplitudes:
    """Apply H of the mover's colour."""
    found: dict[Digits, float] = {}
    for digits, amplitude in amplitudes.items():
        if digits[point] == OTHER or not when(digits):
            found[digits] = found.get(digits, 0) + amplitude
            continue
        sign = 1 if digits[point] == OWN else -1
        for level, factor in ((OWN, 1), (EMPTY, sign)):
            after = _with(digits, point, level)
            found[after] = found.get(after, 0) + factor * amplitude / sqrt(2)
    return {digits: amplitude for digits, amplitude in found.items() if abs(amplitude) > 1e-12}


def superposed(
    amplitudes: Amplitudes, first: int, second: int, sign: int, when: When = lambda _: True
) -> Amplitudes:
    """Apply S± of the mover's colour: X for +, H, and B to the second point."""
    if sign > 0:
        amplitudes = placed(amplitudes, first, when)
    amplitudes = split(amplitudes, first, when)
    return placed(amplitudes, second, lambda digits: digits[first] == EMPTY and when(digits))


def countered(amplitudes: Amplitudes, arm: Arm, asked: Sequence[int]) -> Amplitudes:
    """Apply C or D±, where the control has one of some levels."""

    def when(digits: Digits) -> bool:
        return digits[arm.control] in asked

    if len(arm.targets) == 1:
        return placed(amplitudes, arm.targets[0], when)
    first, second = arm.targets
    return superposed(amplitudes, first, second, arm.sign, when)


def _with(digits: Digits, point: int, level: int) -> Digits:
    return (*digits[:point], level, *digits[point + 1 :])
