"""A training by what backends have measured, step by step."""

from attrs import frozen

from compiler.scores.intervals import proportion_interval
from games.trick_taking.training.tree import Floats

EXACT = "exact"
"""Stands for no backend: all probabilities are computed."""


@frozen(eq=False)
class Look:
    """A training after a number of steps.

    Args:
        step: how many.
        chances: of every choice; in an equilibrium the mean of all steps.
        won: the exact P(win) with them.
        measured: P(win) among the legal shots.
    """

    step: int
    chances: Floats
    won: float
    measured: float


@frozen(eq=False)
class Learned:
    """A training by what one backend has measured.

    Args:
        backend: its spec, or `EXACT`.
        angles: how many were trained.
        circuits: that were run, those of the looks included.
        looks: one for each step, the last one the result.
        jobs: numbers of the first and the last record; None for `EXACT`.
        two_qubit_gates: of the last circuit; None for `EXACT`.
        shots: of each circuit.
        legal: share of legal shots of all circuits.
    """

    backend: str
    angles: int
    circuits: int
    looks: list[Look]
    jobs: tuple[int, int] | None
    two_qubit_gates: int | None
    shots: int
    legal: float

    @property
    def last(self) -> Look:
        """The result."""
        return self.looks[-1]

    def interval(self, look: Look) -> tuple[float, float]:
        """Return the ends of the 95 % interval of what was measured, if that were unbiased."""
        if self.jobs is None:
            return look.measured, look.measured
        shots = self.shots * self.legal
        return proportion_interval(look.measured * shots, shots) if shots else (0.0, 1.0)
