"""Searches with weights drawn at random: to and fro, and again from half-way."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from attrs import frozen

from compiler.lowering.mirror.moves import Weights
from compiler.lowering.mirror.routes import FORWARDS, Route, RoutingInstance

LEGS = 4
"""Searches that follow each other to and fro, each from the layout in which the last one ended."""


@frozen(eq=False)
class Explorer:
    """Searches with weights drawn at random.

    Args:
        instance: what is routed on which target.
        rng: of weights, cuts and seeds.
        windows: numbers of gates that a search may look ahead to; it draws one of them.
    """

    instance: RoutingInstance
    rng: np.random.Generator
    windows: Sequence[int]

    @property
    def fixed(self) -> bool:
        """Whether the wires have to start where they do."""
        return self.instance.source.start is not None

    def to_and_fro(self, starts: Iterable[Route], beam: int) -> Iterator[Route]:
        """Yield each start, and the searches that begin on its layout, or where they have to."""
        for start in starts:
            yield start
            place = start.start
            for leg in range(LEGS):
                way = FORWARDS if self.fixed else leg % 2
                found = self.instance.search(place, way, self._weights(beam), self._seed())
                if not self.fixed:
                    _, place = found.ends(way)
                yield found

    def refined(self, route: Route, beam: int, searches: int) -> Route:
        """Return a route that is no worse, after searching on from points on its way."""
        for _ in range(searches):
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


def cheapest(routes: Iterable[Route], kept: int) -> list[Route]:
    """Return the cheapest routes, the cheapest first."""
    return sorted(routes, key=lambda route: route.cost)[:kept]
