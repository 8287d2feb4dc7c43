"""Quantum counting: one circuit that measures the phase of the iterate."""

from collections.abc import Mapping
from math import ceil, log2
from typing import Protocol

from attrs import field, frozen

from compiler.amplification.counting import MOST_BITS, counted
from compiler.estimation.estimate import LEAST_ERROR, Asked, Estimate, between


class PhaseOracle(Protocol):
    """A program whose iterate's phase is measured."""

    def __call__(self, bits: int, shots: int, /) -> Mapping[int, int]:
        """Return shots by measured phase, of so many bits; see `counting_program`."""
        ...


@frozen(kw_only=True)
class Counting:
    """Phase estimation of the iterate, with so many bits that a hundred shots mostly suffice.

    Args:
        error: half the width of the interval that is wanted.
        confidence: with which the interval holds the probability.
        shots: of the one circuit.

    Raises:
        InputError: if a number is out of its range.

    References:
        Brassard, Høyer, Mosca, Tapp, arXiv quant-ph/0005055.
    """

    error: float = field(validator=between(LEAST_ERROR, 0.5))
    confidence: float = field(default=0.95, validator=between(0.5, 0.9999))
    shots: int = field(default=100, validator=between(1, 1_000_000))

    @property
    def bits(self) -> int:
        """How many bits of the phase are measured."""
        return min(MOST_BITS, max(1, ceil(log2(0.5 / self.error))))

    def estimate(self, oracle: PhaseOracle) -> Estimate:
        """Return the probability for which the phases speak."""
        bits = self.bits
        value, low, high = counted(oracle(bits, self.shots), bits, self.confidence)
        asked = Asked((1 << bits) - 1, self.shots)
        return Estimate(value, low, high, [asked], (high - low) / 2 <= self.error)
