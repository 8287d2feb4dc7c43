"""A best response by gradients that are measured."""

from collections.abc import Callable, Sequence

import numpy as np
from attrs import field, frozen

from compiler.scores.scoring import wilson_interval
from games.training import Count, Counted, Say
from games.trick_taking.training.adam import Adam
from games.trick_taking.training.on_backends.angles import angles_of, thetas, turned
from games.trick_taking.training.on_backends.shifts import (
    Distribution,
    Measure,
    exact_measure,
    gradient,
    shifted,
    win_chance,
)
from games.trick_taking.training.policy import uniform
from games.trick_taking.training.response import side
from games.trick_taking.training.tree import Floats
from games.trick_taking.training.value import value
from games.trick_taking.weighted.layout import Layout
from games.trick_taking.weighted.toml import weighted_toml

RATE = 0.4
"""How far, in radians, the first step moves each angle; later ones less and less."""
MARGIN = 0.2
"""Radians that a training which goes on keeps at first from 0 and π, where all slopes are 0."""
EXACT = "exact"
"""Stands for no backend: all probabilities are computed."""


@frozen(eq=False)
class Look:
    """A training after a number of steps.

    Args:
        step: how many.
        chances: of every choice.
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
        return wilson_interval(look.measured * shots, shots) if shots else (0.0, 1.0)


@frozen(eq=False)
class Backend:
    """Runs the game with given weights, and counts what it was asked.

    Args:
        layout: the bits of the game.
        backend: the spec.
        shots: of each circuit.
        count: compiles and runs circuits.
        say: takes a line of progress.
    """

    layout: Layout
    backend: str
    shots: int
    count: Count
    say: Say
    jobs: list[int] = field(factory=list, init=False)
    gates: list[int] = field(factory=list, init=False)
    legal: list[int] = field(factory=list, init=False)

    def measure(self, asked: Sequence[Floats]) -> Sequence[Distribution]:
        """Return the shares of the legal values among the legal shots of each circuit."""
        return [
            self._shares(one)
            for one in self.count([weighted_toml(self.layout.tree, each) for each in asked])
        ]

    def _shares(self, ran: Counted) -> Distribution:
        self.jobs.append(ran.job)
        self.gates.append(ran.two_qubit_gates)
        kept = {bits: n for bits, n in ran.counts.items() if bits in self.layout.ends}
        self.legal.append(sum(kept.values()))
        return {bits: n / self.legal[-1] for bits, n in kept.items()}


def learn_exactly(layout: Layout, seat: int, steps: int, start: Floats | None = None) -> Learned:
    """Train as `learn_on` does, with probabilities that are computed."""
    measure = exact_measure(layout)
    looks, count = _looks(layout, seat, steps, measure, lambda _: None, start=start)
    return Learned(EXACT, count, 0, looks, None, None, 0, 1.0)


def learn_on(backend: Backend, seat: int, steps: int, start: Floats | None = None) -> Learned:
    """Train one seat's weights against those of the others, by measured gradients of P(win).

    It begins with equal weights if there is no start; the angles of the coins (`angles.Angle`) are
    moved by Adam, in steps that shrink to nothing, and stay between 0 and π. Shots that stand for
    no game do not count.

    Args:
        backend: where circuits are run: one to look at P(win) after every step, and those of
            `shifts.gradient`.
        seat: who learns.
        steps: how often the angles are moved.
        start: the probability of every choice at the beginning; the others' stay.
    """

    def say(line: str) -> None:
        backend.say(f"{backend.backend}, {line}")

    looks, count = _looks(backend.layout, seat, steps, backend.measure, say, start=start)
    legal = sum(backend.legal) / (backend.shots * len(backend.jobs))
    jobs = min(backend.jobs), max(backend.jobs)
    return Learned(
        backend=backend.backend,
        angles=count,
        circuits=len(backend.jobs),
        looks=looks,
        jobs=jobs,
        two_qubit_gates=backend.gates[-1],
        shots=backend.shots,
        legal=legal,
    )


def _looks(
    layout: Layout,
    seat: int,
    steps: int,
    measure: Measure,
    say: Callable[[str], None],
    *,
    start: Floats | None,
) -> tuple[list[Look], int]:
    """Return a look after every step, and how many angles were trained."""
    tree, angles = layout.tree, angles_of(layout, seat)
    begun, adam = uniform(tree) if start is None else start, Adam(len(angles))
    values = thetas(angles, begun)
    if start is not None:
        values = np.clip(values, MARGIN, np.pi - MARGIN)

    def look(step: int, measured: Distribution) -> Look:
        chances = turned(angles, values, begun)
        found = win_chance(layout, measured)
        say(f"step {step} of {steps}: P(win) measured {found:.4f}")
        return Look(step, chances, value(tree, chances), found)

    looks = []
    for step in range(steps):
        # Asked for together: none of them depends on what another one measures.
        asked = [turned(angles, values, begun), *shifted(angles, values, begun)]
        first, *rest = measure(asked)
        looks.append(look(step, first))
        slope = side(tree, seat) * gradient(layout, angles, rest)
        rate = RATE * (1 - step / steps)
        values = np.clip(values + rate * adam.direction(slope), 0.0, np.pi)
    (last,) = measure([turned(angles, values, begun)])
    return [*looks, look(steps, last)], len(angles)


def circuits_of(layout: Layout, seat: int, steps: int) -> int:
    """Return how many circuits a training runs, all of which are known beforehand."""
    shifts = 2 * len({(one.level, one.bit) for one in angles_of(layout, seat)})
    return steps * (1 + shifts) + 1
