"""Searches of the mirror router on one circuit: from anywhere, either way, or from half-way.

Searches with weights drawn at random: to and fro, and again from half-way.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from attrs import evolve, frozen

from compiler.circuits.matrices import Integers
from compiler.compiled import cached_njit
from compiler.lowering.draft import Setting
from compiler.lowering.mirror.beam import Weights, search
from compiler.lowering.mirror.problem import Device, Problem, backwards, device_of, problem
from compiler.lowering.mirror.source import Routed, Source, largest_component
from compiler.lowering.mirror.unitaries import Unitaries

FORWARDS, BACKWARDS = 0, 1
NO_STEPS: Integers = np.empty((0, 3), np.int32)
DEAD_END = 2**31 - 1
"""The cost of a search that did not reach the end."""


@frozen(eq=False)
class Route:
    """One way to route the circuit.

    Args:
        steps: shape (n, 3), as `realise` takes them, on indices of qubits.
        start: shape (wires,), the qubit that each wire starts on.
        end: shape (wires,), the qubit that each wire ends on.
        cost: CX after merging.
    """

    steps: Integers
    start: Integers
    end: Integers
    cost: int

    def ends(self, way: int) -> tuple[Integers, Integers]:
        """Return the layouts at which a search that way begins and stops."""
        return (self.end, self.start) if way == BACKWARDS else (self.start, self.end)

    def towards(self, way: int) -> Integers:
        """Return the steps in the order in which a search that way does them."""
        return self.steps[::-1] if way == BACKWARDS else self.steps


@frozen(eq=False)
class RoutingInstance:
    """One circuit on one target.

    Args:
        source: to be routed.
        ways: the whole problem forwards and backwards.
        qubits: the target's qubits in use.
        device: these, by index.
    """

    source: Source
    ways: tuple[Problem, Problem]
    qubits: Integers
    device: Device

    @classmethod
    def of(cls, source: Source, setting: Setting) -> "RoutingInstance":
        """Prepare for a source and a target."""
        qubits, edges = largest_component(setting.target, len(source.gates.ends))
        device = device_of(edges)
        ways = problem(source.gates, device), problem(backwards(source.gates), device)
        return cls(source, ways, qubits, device)

    def route_of(self, routed: Routed) -> Route:
        """Return a routed circuit as a route."""
        steps = routed.steps.copy()
        steps[:, 1:] = np.searchsorted(self.qubits, steps[:, 1:])
        start = np.searchsorted(self.qubits, routed.start).astype(np.int32)
        end, _ = self._replayed(steps, start)
        return Route(steps, start, end, routed.cost)

    def routed(self, route: Route) -> Routed:
        """Return a route as a routed circuit."""
        steps = route.steps.copy()
        steps[:, 1:] = self.qubits[steps[:, 1:]]
        return Routed(self.source, steps, self.qubits[route.start])

    def resume(
        self, prefix: Integers, begin: tuple[Integers, int], weights: Weights, seed: int
    ) -> Route:
        """Search on after some steps.

        Args:
            prefix: shape (n, 3), steps in the order in which a search that way does them.
            begin: the layout before these, and the way.
            weights: how states are compared.
            seed: of the search.
        """
        start, way = begin
        places, touched = self._replayed(prefix, start)
        done = prefix[prefix[:, 0] >= 0, 0]
        left = np.setdiff1d(np.arange(len(self.source.gates.wires)), done)
        added, end = self.steps_of(left, (places, way), touched, weights, seed)
        complete = int((added[:, 0] >= 0).sum()) == len(left)
        steps = np.concatenate([prefix, added])
        route = Route(steps, start, end, DEAD_END)
        if way == BACKWARDS:
            route = Route(steps[::-1].copy(), end, start, DEAD_END)
        return evolve(route, cost=self.routed(route).cost) if complete else route

    def steps_of(
        self,
        gates: Integers,
        begin: tuple[Integers, int],
        touched: Integers,
        weights: Weights,
        seed: int,
    ) -> tuple[Integers, Integers]:
        """Search for a way to do some of the gates.

        Args:
            gates: their indices, rising.
            begin: the layout before these, and the way.
            touched: shape (qubits,), 1 where something has acted before.
            weights: how states are compared.
            seed: of the search.

        Returns:
            The steps in the order in which a search that way does them, and the layout after them.
        """
        places, way = begin
        if not len(gates):
            return NO_STEPS, places
        steps, _, end = search(self._problem(gates, way), places, touched, weights, seed)
        done = steps[:, 0] >= 0
        steps[done, 0] = gates[:: -1 if way == BACKWARDS else 1][steps[done, 0]]
        return steps, end

    def _replayed(self, steps: Integers, start: Integers) -> tuple[Integers, Integers]:
        touched = np.full(len(self.qubits), self.source.start is not None, np.int32)
        return _replay(steps, start, touched)

    def _problem(self, left: Integers, way: int) -> Problem:
        gates = self.source.gates
        if len(left) == len(gates.wires):
            return self.ways[way]
        part = Unitaries(gates.wires[left], gates.unitaries[left], gates.ends)
        return problem(backwards(part) if way == BACKWARDS else part, self.device)


@cached_njit()
def _replay(steps: Integers, start: Integers, touched: Integers) -> tuple[Integers, Integers]:
    """Return the layout after some steps, and 1 for each qubit that something has acted on."""
    places = start.copy()
    held = np.full(len(touched), -1, np.int32)
    held[start] = np.arange(len(start))
    for index in range(len(steps)):
        gate, a, b = steps[index]
        if gate >= 0 or touched[a] or touched[b]:
            touched[a] = touched[b] = 1
        if gate >= 0:
            continue
        held[a], held[b] = held[b], held[a]
        for place in (a, b):
            if held[place] >= 0:
                places[held[place]] = place
    return places, touched


LEGS = 4
"""Searches that follow each other to and fro, each from the layout in which the last one ended."""


@frozen(eq=False)
class Explorer:
    """Searches with weights drawn at random.

    Args:
        instance: gates and target.
        rng: of weights, cuts and seeds.
        windows: numbers of gates that a search may look ahead to; it draws one of them.
    """

    instance: RoutingInstance
    rng: np.random.Generator
    windows: Sequence[int]

    @property
    def fixed(self) -> bool:
        """Return whether the wires have to start where they do."""
        return self.instance.source.start is not None

    def to_and_fro(self, starts: Iterable[Route], beam: int) -> Iterator[Route]:
        """Yield each start, and the searches that begin on its layout, or where they have to."""
        for start in starts:
            yield start
            yield from self.searches_from(start.start, beam)

    def searches_from(self, place: Integers, beam: int) -> Iterator[Route]:
        """Yield searches to and fro, the first from a layout, others from where one ended."""
        for leg in range(LEGS):
            way = FORWARDS if self.fixed else leg % 2
            begin = place, way
            route = self.instance.resume(NO_STEPS, begin, self._weights(beam), self._seed())
            if not self.fixed:
                _, place = route.ends(way)
            yield route

    def refined(self, route: Route, beam: int, searches: int) -> Route:
        """Return a route that is no worse, after searching on from points on its way."""
        for _ in range(searches):
            way = FORWARDS if self.fixed else int(self.rng.integers(2))
            steps = route.towards(way)
            prefix = steps[: self.rng.integers(len(steps))]
            begin = route.ends(way)[0], way
            candidate = self.instance.resume(prefix, begin, self._weights(beam), self._seed())
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


def cheapest(routes: Iterable[Route], count: int) -> list[Route]:
    """Return the cheapest routes, the cheapest first."""
    return sorted(routes, key=lambda route: route.cost)[:count]
