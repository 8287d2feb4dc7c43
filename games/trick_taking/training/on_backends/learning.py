"""Trainings by what backends measure, and beside them the same without one."""

from collections.abc import Callable, Mapping

from attrs import evolve

from games.training import Say
from games.trick_taking.training.on_backends.angles import angles_of
from games.trick_taking.training.on_backends.backend import Backend
from games.trick_taking.training.on_backends.equilibrium import (
    equilibrium_circuits,
    learn_equilibrium,
)
from games.trick_taking.training.on_backends.looks import EXACT, Learned, Look
from games.trick_taking.training.on_backends.response import learn_response, response_circuits
from games.trick_taking.training.on_backends.shifts import Measure, exact_measure
from games.trick_taking.training.on_backends.wanted import Wanted
from games.trick_taking.training.result import BEST_RESPONSE, EQUILIBRIUM
from games.trick_taking.weighted.layout import Layout

Learning = Callable[[Layout, Wanted, Measure, Say], list[Look]]
LEARNINGS: Mapping[str, Learning] = {
    BEST_RESPONSE: learn_response,
    EQUILIBRIUM: learn_equilibrium,
}
"""How each objective is learned."""
CIRCUITS: Mapping[str, Callable[[Layout, Wanted], int]] = {
    BEST_RESPONSE: response_circuits,
    EQUILIBRIUM: equilibrium_circuits,
}


def learn_exactly(layout: Layout, wanted: Wanted) -> Learned:
    """Train as `learn_on` does, with probabilities that are computed."""
    measure = exact_measure(layout)
    looks = LEARNINGS[wanted.objective](layout, wanted, measure, lambda _: None)
    return Learned(EXACT, angle_count(layout, wanted), 0, looks, None, None, 0, 1.0)


def learn_on(backend: Backend, wanted: Wanted) -> Learned:
    """Train weights by what a backend measures. Shots that stand for no game do not count.

    Args:
        backend: where circuits are run.
        wanted: what is trained.
    """

    def say(line: str) -> None:
        backend.say(f"{backend.backend}, {line}")

    layout = backend.layout
    looks = LEARNINGS[wanted.objective](
        layout, evolve(wanted, shots=backend.shots), backend.measure, say
    )
    return Learned(
        backend=backend.backend,
        angles=angle_count(layout, wanted),
        circuits=len(backend.jobs),
        looks=looks,
        jobs=(min(backend.jobs), max(backend.jobs)),
        two_qubit_gates=backend.gates[-1],
        shots=backend.shots,
        legal=sum(backend.legal) / (backend.shots * len(backend.jobs)),
    )


def angle_count(layout: Layout, wanted: Wanted) -> int:
    """Return how many angles are trained: one seat's, or those of all."""
    everybody = range(layout.tree.game.players)
    seats = [wanted.seat] if wanted.objective == BEST_RESPONSE else everybody
    return sum(len(angles_of(layout, one)) for one in seats)


def circuits_of(layout: Layout, wanted: Wanted) -> int:
    """Return how many circuits a training runs, all of which are known beforehand."""
    return CIRCUITS[wanted.objective](layout, wanted)
