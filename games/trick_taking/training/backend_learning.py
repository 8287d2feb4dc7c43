"""A best response by gradients that are measured."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from attrs import evolve, field, frozen

from compiler.errors import InputError
from compiler.scores.intervals import proportion_interval
from games.training import CircuitRun, RunGames, Say
from games.trick_taking.training.document import BackendResult, MeasuredStep
from games.trick_taking.training.learning import (
    BEST_RESPONSE,
    EQUILIBRIUM,
    Adam,
    Look,
    Task,
    look_at,
    side,
)
from games.trick_taking.training.shifts import (
    Angle,
    Distribution,
    Measure,
    angles_of,
    bits_of,
    exact_measure,
    gradient,
    learn_equilibrium,
    shifted,
    thetas,
    turned,
    win_chance,
)
from games.trick_taking.training.tree import Floats, uniform
from games.trick_taking.weighted.encoding import Layout
from games.trick_taking.weighted.toml import weighted_toml

RATE = 0.4
"""Size of the first step of each angle, in radians; later steps are smaller and smaller."""
MARGIN = 0.2
"""Radians that a training which goes on keeps at first from 0 and π, where all slopes are 0."""
SURE = 3.0
"""Standard deviations by which a measured slope must differ from 0."""


def learn_response(layout: Layout, task: Task, measure: Measure, say: Say) -> list[Look]:
    """Train one seat's weights against those of the others, by measured gradients of P(win).

    It begins with equal weights if there is no start. Adam moves the angles of the coins
    (`angles.Angle`), in steps that shrink to nothing, and keeps them between 0 and π. An angle
    rests until the sum of its slopes over the steps exceeds the noise of the shots: a weight
    without evidence stays equal, and takes no gate.

    Args:
        layout: the bits of the game.
        task: the training task; only the learning seat's weights change.
        measure: runs circuits: one to look at P(win) after every step, and those of
            `shifts.gradient`.
        say: takes a line of progress.
    """
    tree, seat, steps, start = layout.tree, task.seat, task.steps, task.start
    angles = angles_of(layout, seat)
    together, spread = np.zeros((2, len(angles)))
    moves = np.zeros(len(angles), dtype=bool)
    begun, adam = uniform(tree) if start is None else start, Adam(len(angles))
    values = thetas(angles, begun)
    if start is not None:
        values = np.clip(values, MARGIN, np.pi - MARGIN)

    def look(step: int, measured: Distribution) -> Look:
        chances = turned(angles, values, begun)
        chance = win_chance(layout, measured)
        say(f"step {step} of {steps}: P(win) measured {chance:.4f}")
        return look_at(tree, step, chances, chance)

    looks = []
    for step in range(steps):
        # One batch: no circuit depends on the result of another one.
        points = [turned(angles, values, begun), *shifted(angles, values, begun)]
        first, *remaining = measure(points)
        looks.append(look(step, first))
        slopes, noise = gradient(layout, angles, remaining)
        together, spread = together + slopes, spread + noise
        # A computed slope has no noise.
        error = np.sqrt(spread / task.shots) if task.shots else 0.0
        moves |= np.abs(together) > SURE * error
        direction = adam.direction(side(tree, seat) * np.where(moves, slopes, 0.0))
        rate = RATE * (1 - step / steps)
        values = np.clip(values + rate * direction, 0.0, np.pi)
    (last,) = measure([turned(angles, values, begun)])
    return [*looks, look(steps, last)]


Learning = Callable[[Layout, Task, Measure, Say], list[Look]]
LEARNINGS: Mapping[str, Learning] = {BEST_RESPONSE: learn_response, EQUILIBRIUM: learn_equilibrium}
"""For each objective a function that trains."""
MAX_STEPS = 1_000
EXACT = "exact"
"""Name for no backend: all probabilities are computed."""


@frozen(eq=False)
class Backend:
    """Backend that runs a game with different weights.

    Args:
        layout: the bits of the game.
        backend: the spec.
        shots: shots of each circuit.
        run: compiles and runs circuits.
        say: takes a line of progress.
    """

    layout: Layout
    backend: str
    shots: int
    run: RunGames
    say: Say
    jobs: list[int] = field(factory=list, init=False)
    gates: list[int] = field(factory=list, init=False)
    legal: list[int] = field(factory=list, init=False)

    def measure(self, weights: Sequence[Floats]) -> Sequence[Distribution]:
        """Return the shares of the legal values among the legal shots of each circuit."""
        return [
            self._shares(counts)
            for counts in self.run([weighted_toml(self.layout.tree, each) for each in weights])
        ]

    def _shares(self, ran: CircuitRun) -> Distribution:
        self.jobs.append(ran.job)
        self.gates.append(ran.two_qubit_gates)
        legal = {bits: n for bits, n in ran.counts.items() if bits in self.layout.ends}
        self.legal.append(sum(legal.values()))
        return {bits: n / self.legal[-1] for bits, n in legal.items()}


def learn_exactly(layout: Layout, task: Task) -> tuple[list[Look], BackendResult]:
    """Train as `learn_on` does, with probabilities that are computed."""
    looks = LEARNINGS[task.objective](layout, task, exact_measure(layout), lambda _: None)
    return looks, _result(EXACT, layout, task, looks)


def learn_on(backend: Backend, task: Task) -> tuple[list[Look], BackendResult]:
    """Train weights by the measurements of a backend. Shots that stand for no game do not count.

    Args:
        backend: backend that runs the circuits.
        task: the training task.

    Returns:
        A look for each step, the last one the result, and the result for people and files.
    """

    def say(line: str) -> None:
        backend.say(f"{backend.backend}, {line}")

    layout, learn = backend.layout, LEARNINGS[task.objective]
    looks = learn(layout, evolve(task, shots=backend.shots), backend.measure, say)
    legal = sum(backend.legal) / len(backend.jobs)
    result = _result(backend.backend, layout, task, looks, legal)
    more = {
        "circuits": len(backend.jobs),
        "jobs": (min(backend.jobs), max(backend.jobs)),
        "two_qubit_gates": backend.gates[-1],
        "legal_fraction": legal / backend.shots,
    }
    return looks, result.model_copy(update=more)


def _result(
    backend: str, layout: Layout, task: Task, looks: Sequence[Look], legal: float | None = None
) -> BackendResult:
    """Return the result of a training without circuits; see `measured_step` for `legal`."""
    return BackendResult(
        backend=backend, angles=angle_count(layout, task), circuits=0, jobs=None,
        two_qubit_gates=None, legal_fraction=1.0, p_win=looks[-1].won,
        training=[measured_step(look, legal) for look in looks],
    )  # fmt: skip


def measured_step(look: Look, shots: float | None) -> MeasuredStep:
    """Return a step with the 95 % interval of its measured P(win), assuming no bias.

    Args:
        look: the look at the step.
        shots: average number of legal shots; None if probabilities are computed.
    """
    low, high = look.measured, look.measured
    if shots is not None:
        low, high = proportion_interval(look.measured * shots, shots) if shots else (0.0, 1.0)
    return MeasuredStep(
        step=look.step, p_win=look.won, gains=look.gains, measured=look.measured, low=low, high=high
    )


def _learning(layout: Layout, task: Task) -> list[list[Angle]]:
    """Return the angles of each seat that learns: of one, or of all."""
    everybody = range(layout.tree.game.players)
    seats = [task.seat] if task.objective == BEST_RESPONSE else everybody
    return [angles_of(layout, seat) for seat in seats]


def angle_count(layout: Layout, task: Task) -> int:
    """Return the number of trained angles."""
    return sum(map(len, _learning(layout, task)))


def circuit_count(layout: Layout, task: Task) -> int:
    """Return the number of circuits that a training runs, which is known beforehand."""
    shifts = sum(2 * len(bits_of(angles)) for angles in _learning(layout, task))
    return task.steps * (1 + shifts) + 1


def check(layout: Layout, task: Task) -> None:
    """Check a training on backends before it begins.

    Raises:
        InputError: if it has too many steps, or no seat that learns ever has a choice.
    """
    if task.steps > MAX_STEPS:
        raise InputError(
            f"steps {task.steps}: on backends at most {MAX_STEPS:,}, each takes a few circuits"
        )
    if not angle_count(layout, task):
        seat = f"seat {task.seat}: it never has"
        who = seat if task.objective == BEST_RESPONSE else "no seat ever has"
        raise InputError(f"{who} a choice, so that there is nothing to train")
