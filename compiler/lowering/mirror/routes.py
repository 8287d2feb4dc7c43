"""Searches of the mirror router on one circuit: from anywhere, either way, or from half-way.

Searches with weights drawn at random: to and fro, and again from half-way.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from attrs import frozen

from compiler.circuits.matrices import Integers
from compiler.lowering.mirror.beam import Weights, search
from compiler.lowering.mirror.problem import backwards, problem
from compiler.lowering.mirror.source import Routed, Source
from compiler.lowering.mirror.unitaries import Unitaries

FORWARDS, BACKWARDS = 0, 1
NO_STEPS: Integers = np.empty((0, 3), np.int32)


def resumed(
    source: Source, prefix: Integers, begin: tuple[Integers, int], weights: Weights, seed: int
) -> Routed:
    """Search on after some steps.

    Args:
        source: to be routed.
        prefix: shape (n, 3), steps in the order in which a search that way does them.
        begin: the layout before these, and the way.
        weights: how states are compared.
        seed: of the search.
    """
    start, way = begin
    places, touched = source.replayed(prefix, start)
    left = np.setdiff1d(np.arange(len(source.gates.wires)), prefix[prefix[:, 0] >= 0, 0])
    added, end = steps_of(source, left, (places, touched, way), weights, seed)
    steps = np.concatenate([prefix, added])
    if way == BACKWARDS:
        return Routed(source, steps[::-1].copy(), end)
    return Routed(source, steps, start)


def steps_of(
    source: Source,
    gates: Integers,
    begin: tuple[Integers, Integers, int],
    weights: Weights,
    seed: int,
) -> tuple[Integers, Integers]:
    """Search for a way to do some of the gates.

    Args:
        source: to be routed.
        gates: their indices, rising.
        begin: the layout before these, shape (qubits,) with 1 where something has acted before,
            and the way.
        weights: how states are compared.
        seed: of the search.

    Returns:
        The steps in the order in which a search that way does them, and the layout after them.
    """
    places, touched, way = begin
    if not len(gates):
        return NO_STEPS, places
    remaining, every = source.ways[way], source.gates
    if len(gates) < len(every.wires):
        part = Unitaries(every.wires[gates], every.unitaries[gates], every.ends)
        remaining = problem(backwards(part) if way == BACKWARDS else part, source.device)
    steps, _, end = search(remaining, places, touched, weights, seed)
    done = steps[:, 0] >= 0
    steps[done, 0] = gates[:: -1 if way == BACKWARDS else 1][steps[done, 0]]
    return steps, end


LEGS = 4
"""Searches that follow each other to and fro, each from the layout in which the last one ended."""


@frozen(eq=False)
class Explorer:
    """Searches with weights drawn at random.

    Args:
        source: to be routed.
        rng: of weights, cuts and seeds.
        windows: numbers of gates that a search may look ahead to; it draws one of them.
    """

    source: Source
    rng: np.random.Generator
    windows: Sequence[int]

    @property
    def fixed(self) -> bool:
        """Return whether the wires have to start where they do."""
        return self.source.start is not None

    def to_and_fro(self, starts: Iterable[Routed], beam: int) -> Iterator[Routed]:
        """Yield each start, and the searches that begin on its layout, or where they have to."""
        for start in starts:
            yield start
            yield from self.searches_from(start.start, beam)

    def searches_from(self, place: Integers, beam: int) -> Iterator[Routed]:
        """Yield searches to and fro, the first from a layout, others from where one ended."""
        for leg in range(LEGS):
            way = FORWARDS if self.fixed else leg % 2
            begin = place, way
            route = resumed(self.source, NO_STEPS, begin, self._weights(beam), self._seed())
            if not self.fixed:
                place = route.start if way == BACKWARDS else route.end
            yield route

    def refined(self, route: Routed, beam: int, searches: int) -> Routed:
        """Return a route that is no worse, after searching on from points on its way."""
        for _ in range(searches):
            way = FORWARDS if self.fixed else int(self.rng.integers(2))
            steps, place = route.steps, route.start
            if way == BACKWARDS:
                steps, place = route.steps[::-1], route.end
            prefix, begin = steps[: self.rng.integers(len(steps))], (place, way)
            candidate = resumed(self.source, prefix, begin, self._weights(beam), self._seed())
            route = candidate if candidate.cost <= route.cost else route
        return route

    def _weights(self, beam: int) -> Weights:
        return Weights(
            beam=beam,
            window=self._window(),
            per_swap=self.rng.uniform(1.2, 2.3),
            decay=self.rng.uniform(0.5, 0.8),
            per_gate=self.rng.uniform(5.0, 9.0),
            noise=0.1,
        )

    def _window(self) -> int:
        # One window leaves the random numbers to the weights.
        count = len(self.windows)
        return self.windows[0 if count == 1 else int(self.rng.integers(count))]

    def _seed(self) -> int:
        return int(self.rng.integers(2**31))


def cheapest(routes: Iterable[Routed], count: int) -> list[Routed]:
    """Return the cheapest routes, the cheapest first."""
    return sorted(routes, key=lambda route: route.cost)[:count]
