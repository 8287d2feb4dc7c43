"""The exact state of all qudits after a round."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from games.endless_fun.rules.amplitude import Amplitude
from games.endless_fun.rules.gates import Gate, matrix
from games.endless_fun.rules.round import Round, Step

KEPT_ROUNDS = 64
"""Number of rounds whose end states are cached."""

Values = tuple[int, ...]
"""A basis state: the value of each qudit, from left to right."""


@cache
def _whole_matrix(gate: Gate, dimension: int, pauli: bool) -> tuple[NDArray[np.int64], int]:
    """Return a gate as a matrix of integers on (index, [1, ζ]), and the power of √d below it."""
    entries = matrix(gate, dimension, pauli)
    size = len(entries)
    blocks = np.zeros((size, 2, size, 2), np.int64)
    for y, x in product(range(size), repeat=2):
        p, q = entries[y][x].whole, entries[y][x].turned
        # ζ² = −1 − ζ for d = 3, and −1 for d = 2.
        blocks[y, :, x, :] = [[p, -q], [q, p - q if dimension == 3 else p]]
    power = max(entry.power for row in entries for entry in row)
    return blocks, power


@frozen(eq=False)
class State:
    """Σ (aₓ + bₓζ) |x⟩ / √d^power; see `Amplitude`.

    Gates of the game map products of Pauli operators to such products, so that all states reached
    from a basis state are stabilizer states: their numbers stay small, and all measured values
    that are possible are equally likely.

    Args:
        dimension: d.
        numbers: aₓ and bₓ on the last axis, a qudit on each axis before it.
        power: exponent of √d.
    """

    dimension: int
    numbers: NDArray[np.int64] = field(repr=False)
    power: int = 0

    @classmethod
    def basis(cls, dimension: int, values: Values) -> "State":
        """Return |values⟩."""
        numbers = np.zeros((dimension,) * len(values) + (2,), np.int64)
        numbers[(*values, 0)] = 1
        return cls(dimension, numbers)

    @property
    def qudits(self) -> int:
        """Number of qudits."""
        return self.numbers.ndim - 1

    def applied(self, step: Step, pauli: bool = False) -> "State":
        """Return the state after a gate."""
        blocks, more = _whole_matrix(step.gate, self.dimension, pauli)
        on, d = len(step.qudits), self.dimension
        shape = ((d,) * on + (2,)) * 2
        axes = (*step.qudits, self.qudits)
        numbers = np.tensordot(
            blocks.reshape(shape), self.numbers, axes=(range(on + 1, 2 * on + 2), axes)
        )
        numbers = np.moveaxis(numbers, range(on + 1), axes)
        power = self.power + more
        while power >= 2 and not (numbers % d).any():
            numbers, power = numbers // d, power - 2
        return State(d, numbers, power)

    def amplitude(self, values: Values) -> Amplitude:
        """Return the exact amplitude of a basis state."""
        whole, turned = self.numbers[values]
        return Amplitude(self.dimension, int(whole), int(turned), self.power)

    def measurable(self) -> Iterator[Values]:
        """Yield the possible outcomes, in lexical order; all of them are equally likely."""
        for row in np.argwhere(self.numbers.any(axis=-1)).tolist():
            yield tuple(row)

    def amplitudes(self) -> Mapping[Values, Amplitude]:
        """Return the exact amplitudes that are not 0, in lexical order of the basis states."""
        return {values: self.amplitude(values) for values in self.measurable()}

    def probabilities(self) -> Mapping[Values, Fraction]:
        """Return the exact probabilities of the possible outcomes, in lexical order."""
        possible = list(self.measurable())
        return dict.fromkeys(possible, Fraction(1, len(possible)))


@lru_cache(KEPT_ROUNDS)
def end_state(played: Round) -> State:
    """Return the exact state of the qudits after all cards of a round."""
    state = State.basis(played.dimension, played.start)
    for step in played.steps():
        state = state.applied(step, played.pauli)
    return state


SMALL = Fraction(1, 10**6)


def state_text(values: Values) -> str:
    """Return a digit for each qudit, such as `2122`."""
    return "".join(map(str, values))


def ket(values: Values) -> str:
    """Return a basis state, such as `|2122⟩`."""
    return f"|{state_text(values)}⟩"


def percent(chance: Fraction) -> str:
    """Return a probability as text; only an exact 0 or 1 is written as 0 or 1."""
    if 0 < chance < SMALL:
        return f"{float(chance):.1e}"
    if 1 - SMALL < chance < 1:
        return ">99.9999%"
    return f"{float(chance):.4%}"
