"""Coins: a fresh qubit that becomes 1 with a probability that depends on other qubits.

A coin is Ry(a₀) CZ(c₁) Ry(a₁) … CZ(c_L) Ry(a_L) on |0⟩. A CZ whose control is 1 flips the sign
of every earlier angle, so the qubit ends at the angle Σ ±aₜ, where the sign of aₜ is the parity
of the controls c_{t+1}, …, c_L. With a pattern of control values known to be impossible, or an
angle wanted only up to its sign, fewer gates are needed than for a multiplexed rotation.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product
from math import asin, pi, sqrt

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit

from compiler.circuits.matrices import Reals
from compiler.circuits.tolerances import SAME

Pattern = int
"""Values of the controls, bit i that of control i."""

Probability = Fraction | float


MAX_SEARCHED = 4
"""Patterns up to which all sequences and all signs of the angles are tried."""
SHORT = 2
"""Length of the sequences that are always tried."""


@frozen
class Coin:
    """Method of a controlled rotation.

    Args:
        controls: the control of each CZ, in order.
        angles: of the Ry gates, one more than controls.
    """

    controls: tuple[int, ...]
    angles: tuple[float, ...]


def toss(
    circuit: QuantumCircuit,
    controls: Sequence[int],
    target: int,
    probabilities: Mapping[Pattern, Probability],
) -> None:
    """Turn a |0⟩ qubit to 1 with the probability that belongs to the controls' values.

    Args:
        circuit: to be extended.
        controls: qubits that the probability depends on.
        target: a qubit in |0⟩.
        probabilities: of 1, for every pattern that can occur; others may do anything.
    """
    coin = solve(len(controls), tuple(sorted(probabilities.items())))
    circuit.ry(coin.angles[0], target)
    for control, angle in zip(coin.controls, coin.angles[1:], strict=True):
        circuit.cz(controls[control], target)
        circuit.ry(angle, target)


@lru_cache(maxsize=4096)
def solve(controls: int, probabilities: tuple[tuple[Pattern, Probability], ...]) -> Coin:
    """Find a short sequence for a coin: at most patterns - 1 CZ where no detour is needed.

    Args:
        controls: number of controls.
        probabilities: of 1, by pattern.
    """
    patterns = [pattern for pattern, _ in probabilities]
    angles = np.array([2 * asin(sqrt(p)) for _, p in probabilities])
    few = len(patterns) <= MAX_SEARCHED
    for length in range(len(patterns) - 1 if few else SHORT + 1):
        for sequence in product(range(controls), repeat=length):
            signs = _signs(sequence, patterns)
            fitted = _fit_up_to_sign(signs, angles) if few else _fit(signs, angles)
            if fitted is not None:
                return Coin(sequence, fitted)
    path = _independent_path(controls, patterns)
    sequence = tuple((a ^ b).bit_length() - 1 for a, b in pairwise(reversed(path)))
    fitted = _fit(_signs(sequence, patterns), angles)
    assert fitted is not None, "the signs along a full path span every pattern"
    return Coin(sequence, fitted)


def _fit(signs: Reals, angles: Reals) -> tuple[float, ...] | None:
    solution, *_ = np.linalg.lstsq(signs, angles, rcond=None)
    return tuple(map(float, solution)) if np.abs(signs @ solution - angles).max() < SAME else None


def _fit_up_to_sign(signs: Reals, angles: Reals) -> tuple[float, ...] | None:
    """Fit angles that may be negative or a turn further, which no probability shows."""
    choices = [
        sorted({round(sign * angle + 2 * pi * turn, 12) for sign in (1, -1) for turn in (0, 1)})
        for angle in angles
    ]
    fits = (_fit(signs, np.array(wanted)) for wanted in product(*choices))
    return next((fitted for fitted in fits if fitted is not None), None)


def _signs(sequence: Sequence[int], patterns: Sequence[Pattern]) -> Reals:
    """Return the sign of every angle (columns) for every pattern (rows)."""
    masks = [0]
    for control in reversed(sequence):
        masks.append(masks[-1] ^ 1 << control)
    return np.array(
        [[1.0 - 2 * ((p & mask).bit_count() & 1) for mask in reversed(masks)] for p in patterns]
    )


def _independent_path(controls: int, patterns: Sequence[Pattern]) -> list[int]:
    """Walk from mask to mask, one control a step, until their signs span all patterns."""
    masks, basis = [0], _Basis(len(patterns))
    basis.extend(_column(0, patterns))
    while basis.rank < len(patterns):
        new = (
            way for way in _ways(controls) if basis.extend(_column(masks[-1] ^ sum(way), patterns))
        )
        way = next(new)  # there is one, for the signs of all masks span all patterns
        for bit in way:
            masks.append(masks[-1] ^ bit)
    return masks


class _Basis:
    """An orthonormal basis that grows by vectors it does not span yet."""

    def __init__(self, size: int) -> None:
        self.vectors = np.zeros((size, size))
        self.rank = 0

    def extend(self, vector: Reals) -> bool:
        """Add a vector unless it is spanned; return whether it was added."""
        basis = self.vectors[: self.rank]
        remaining = vector - basis.T @ (basis @ vector)
        remaining -= basis.T @ (basis @ remaining)
        length = float(np.linalg.norm(remaining))
        if length < SAME * len(vector):
            return False
        self.vectors[self.rank] = remaining / length
        self.rank += 1
        return True


def _ways(controls: int) -> Iterator[tuple[int, ...]]:
    """Yield the sets of controls that a walk can step along, the smallest first."""
    for bits in sorted(range(1, 1 << controls), key=lambda bits: (bits.bit_count(), bits)):
        yield tuple(1 << i for i in range(controls) if bits >> i & 1)


def _column(mask: int, patterns: Sequence[Pattern]) -> Reals:
    return np.array([1.0 - 2 * ((p & mask).bit_count() & 1) for p in patterns])
