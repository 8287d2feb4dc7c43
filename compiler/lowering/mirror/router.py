"""The mirror router: beam searches to and fro, then again from half-way through the best."""

from collections.abc import Iterable, Iterator

import numpy as np
from attrs import evolve, frozen

from compiler.lowering.draft import Draft, Setting
from compiler.lowering.mirror.moves import Weights
from compiler.lowering.mirror.routes import FORWARDS, Route, RoutingInstance
from compiler.lowering.mirror.sabre_sweep import sweep
from compiler.lowering.mirror.source import Source, best_written, coupled
from compiler.lowering.passes import ALL, Pass

LEGS = 4
"""Searches that follow each other to and fro, each from the layout in which the last one ended."""
NARROW, WIDE = 8, 64
"""States that are kept at each step, at first and towards the end."""
SMALL = 64
"""Gates up to which there are as many searches of a kind as the budget says."""
KEPT = 3
"""Routes that are searched again, written, and compared by the objective."""


@frozen(eq=False)
class Explorer:
    """Searches with weights drawn at random.

    Args:
        instance: what is routed on which target.
        rng: of weights, cuts and seeds.
        searches: how many there are of each kind.
    """

    instance: RoutingInstance
    rng: np.random.Generator
    searches: int

    @property
    def fixed(self) -> bool:
        """Whether the wires have to start where they do."""
        return self.instance.source.start is not None

    def to_and_fro(self, starts: Iterable[Route]) -> Iterator[Route]:
        """Yield each start, and the searches that begin on its layout, or where they have to."""
        for start in starts:
            yield start
            place = start.start
            for leg in range(LEGS):
                way = FORWARDS if self.fixed else leg % 2
                found = self.instance.search(place, way, self._weights(NARROW), self._seed())
                if not self.fixed:
                    _, place = found.ends(way)
                yield found

    def refined(self, route: Route, beam: int) -> Route:
        """Return a route that is no worse, after searching on from points on its way."""
        for _ in range(self.searches):
            way = FORWARDS if self.fixed else int(self.rng.integers(2))
            steps = route.towards(way)
            kept = steps[: self.rng.integers(len(steps))]
            begin = route.ends(way)[0], way
            found = self.instance.resume(kept, begin, self._weights(beam), self._seed())
            route = found if found.cost <= route.cost else route
        return route

    def _weights(self, beam: int) -> Weights:
        return Weights(
            beam=beam,
            window=30,
            per_swap=self.rng.uniform(1.2, 2.3),
            decay=self.rng.uniform(0.5, 0.8),
            per_gate=self.rng.uniform(5.0, 9.0),
            noise=0.1,
        )

    def _seed(self) -> int:
        return int(self.rng.integers(2**31))


def _route(draft: Draft, setting: Setting) -> Draft:
    source = Source.of(draft, setting)
    gates = len(source.gates.wires)
    if not gates:
        return best_written(source, sweep(source, setting, 1), setting)
    instance = RoutingInstance.of(source, setting)
    searches = max(LEGS, min(setting.budget, setting.budget * SMALL // gates))
    explorer = Explorer(instance, np.random.default_rng(setting.seed), searches)
    swept = sweep(source, evolve(setting, budget=searches), max(1, searches // LEGS))
    first = _cheapest(explorer.to_and_fro(map(instance.route_of, swept)))
    better = _cheapest(explorer.refined(route, NARROW) for route in first)
    final = [explorer.refined(better[0], WIDE), *better[1:]]
    return best_written(source, map(instance.routed, _cheapest(final)), setting)


def _cheapest(routes: Iterable[Route]) -> list[Route]:
    return sorted(routes, key=lambda route: route.cost)[:KEPT]


mirror = Pass("mirror", _route, establishes=ALL, takes_start=True, suits=coupled)
