"""Training by what backends measure, and beside it the same training without a backend."""

from collections.abc import Callable, Mapping, Sequence

from attrs import evolve, field, frozen

from compiler.errors import InputError
from compiler.scores.intervals import proportion_interval
from games.training import CircuitRun, RunGames, Say
from games.trick_taking.training.learning import BEST_RESPONSE, EQUILIBRIUM, Look, Task
from games.trick_taking.training.on_backends.equilibrium import (
    equilibrium_circuits,
    learn_equilibrium,
)
from games.trick_taking.training.on_backends.response import learn_response, response_circuits
from games.trick_taking.training.on_backends.shifts import (
    Distribution,
    Measure,
    angles_of,
    exact_measure,
)
from games.trick_taking.training.tree import Floats
from games.trick_taking.weighted.layout import Layout
from games.trick_taking.weighted.toml import weighted_toml

Learning = Callable[[Layout, Task, Measure, Say], list[Look]]
LEARNINGS: Mapping[str, Learning] = {
    BEST_RESPONSE: learn_response,
    EQUILIBRIUM: learn_equilibrium,
}
"""How each objective is learned."""
CIRCUITS: Mapping[str, Callable[[Layout, Task], int]] = {
    BEST_RESPONSE: response_circuits,
    EQUILIBRIUM: equilibrium_circuits,
}
MAX_STEPS = 1_000
EXACT = "exact"
"""Stands for no backend: all probabilities are computed."""


@frozen(eq=False)
class BackendTraining:
    """Training by what one backend has measured.

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


@frozen(eq=False)
class Backend:
    """Backend that runs a game with different weights.

    Args:
        layout: the bits of the game.
        backend: the spec.
        shots: of each circuit.
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
            self._shares(one)
            for one in self.run([weighted_toml(self.layout.tree, each) for each in weights])
        ]

    def _shares(self, ran: CircuitRun) -> Distribution:
        self.jobs.append(ran.job)
        self.gates.append(ran.two_qubit_gates)
        legal = {bits: n for bits, n in ran.counts.items() if bits in self.layout.ends}
        self.legal.append(sum(legal.values()))
        return {bits: n / self.legal[-1] for bits, n in legal.items()}


def learn_exactly(layout: Layout, task: Task) -> BackendTraining:
    """Train as `learn_on` does, with probabilities that are computed."""
    measure = exact_measure(layout)
    looks = LEARNINGS[task.objective](layout, task, measure, lambda _: None)
    return BackendTraining(EXACT, angle_count(layout, task), 0, looks, None, None, 0, 1.0)


def learn_on(backend: Backend, task: Task) -> BackendTraining:
    """Train weights by what a backend measures. Shots that stand for no game do not count.

    Args:
        backend: where circuits are run.
        task: what is trained.
    """

    def say(line: str) -> None:
        backend.say(f"{backend.backend}, {line}")

    layout = backend.layout
    looks = LEARNINGS[task.objective](
        layout, evolve(task, shots=backend.shots), backend.measure, say
    )
    return BackendTraining(
        backend=backend.backend,
        angles=angle_count(layout, task),
        circuits=len(backend.jobs),
        looks=looks,
        jobs=(min(backend.jobs), max(backend.jobs)),
        two_qubit_gates=backend.gates[-1],
        shots=backend.shots,
        legal=sum(backend.legal) / (backend.shots * len(backend.jobs)),
    )


def angle_count(layout: Layout, task: Task) -> int:
    """Return how many angles are trained: one seat's, or those of all."""
    everybody = range(layout.tree.game.players)
    seats = [task.seat] if task.objective == BEST_RESPONSE else everybody
    return sum(len(angles_of(layout, one)) for one in seats)


def circuit_count(layout: Layout, task: Task) -> int:
    """Return the number of circuits that a training runs, which is known beforehand."""
    return CIRCUITS[task.objective](layout, task)


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
