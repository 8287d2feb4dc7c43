"""The mirror router: many narrow beam searches to and fro, then wide ones from the best."""

from collections.abc import Iterator

import numpy as np
from attrs import evolve, frozen

from compiler.lowering.draft import Draft, Setting
from compiler.lowering.mirror_arrays import Integers
from compiler.lowering.mirror_beam import search
from compiler.lowering.mirror_moves import Weights
from compiler.lowering.mirror_problem import Problem, backwards, problem
from compiler.lowering.mirror_source import (
    Routed,
    Source,
    best_written,
    coupled,
    largest_component,
)
from compiler.lowering.passes import ALL, Pass
from compiler.lowering.sabre_sweep import sweep

LEGS = 4
"""Searches that follow each other to and fro, each from the layout in which the last one ended."""
NARROW = 8
STATES = 12_800
"""States that a wide search looks at for each gate and step, over the number of gates."""
WIDEST = 512
KEPT = 4
"""Routed circuits that are searched again, written, and compared by the objective."""


@frozen(eq=False)
class Attempt:
    """One search: from where, which way, with which weights, and its result.

    Args:
        start: shape (wires,), indices of qubits.
        way: 0 forwards, 1 backwards.
        weights: how states were compared.
        seed: of the search.
        steps: what was found.
        end: shape (wires,), where the wires ended.
        cost: CX after merging.
    """

    start: Integers
    way: int
    weights: Weights
    seed: int
    steps: Integers
    end: Integers
    cost: int


@frozen(eq=False)
class Mirror:
    """Searches for one circuit on one target.

    Args:
        source: what to route.
        ways: the problem forwards and backwards.
        qubits: the target's qubits in use.
    """

    source: Source
    ways: tuple[Problem, Problem]
    qubits: Integers

    @classmethod
    def of(cls, source: Source, setting: Setting) -> "Mirror":
        """Prepare for a source and a target."""
        qubits, edges = largest_component(setting.target, len(source.gates.ends))
        ways = problem(source.gates, edges), problem(backwards(source.gates), edges)
        return cls(source, ways, qubits)

    def attempt(self, start: Integers, way: int, weights: Weights, seed: int) -> Attempt:
        """Search once."""
        steps, _, end = search(self.ways[way], start, weights, seed)
        found = Attempt(start, way, weights, seed, steps, end, 0)
        return evolve(found, cost=self.source.cost(self.routed(found)))

    def routed(self, attempt: Attempt) -> Routed:
        """Return what an attempt found, in the order of time."""
        steps, start = attempt.steps.copy(), attempt.start
        if attempt.way:
            steps, start = steps[::-1].copy(), attempt.end
            gates = steps[:, 0] >= 0
            steps[gates, 0] = len(self.source.gates.wires) - 1 - steps[gates, 0]
        steps[:, 1:] = self.qubits[steps[:, 1:]]
        return Routed(steps, self.qubits[start])

    def narrow(self, setting: Setting) -> Iterator[Attempt]:
        """Search to and fro from what SABRE finds, with weights drawn at random."""
        rng = np.random.default_rng(setting.seed)
        gates = len(self.source.gates.wires)
        journeys = max(2, min(setting.budget, setting.budget * STATES // (200 * gates)) // LEGS)
        starts = sweep(self.source, evolve(setting, budget=2 * journeys), journeys)
        for routed in starts:
            place = np.searchsorted(self.qubits, routed.start).astype(np.int32)
            for leg in range(LEGS):
                attempt = self.attempt(place, leg % 2, _drawn(rng), int(rng.integers(2**31)))
                place = attempt.end
                yield attempt

    def wide(self, attempts: list[Attempt]) -> Iterator[Attempt]:
        """Search again from the best starts, and back, with a wider beam."""
        beam = min(WIDEST, max(2 * NARROW, STATES // len(self.source.gates.wires)))
        for attempt in attempts:
            weights = attempt.weights._replace(beam=beam)
            there = self.attempt(attempt.start, attempt.way, weights, attempt.seed)
            yield there
            yield self.attempt(there.end, 1 - there.way, weights, attempt.seed)


def _drawn(rng: np.random.Generator) -> Weights:
    return Weights(
        beam=NARROW,
        window=30,
        per_swap=rng.uniform(1.0, 2.0),
        decay=rng.uniform(0.5, 0.85),
        per_gate=rng.uniform(4.0, 8.0),
        noise=0.1,
    )


def _route(draft: Draft, setting: Setting) -> Draft:
    source = Source.of(draft, setting.seed)
    mirror = Mirror.of(source, setting)
    if not len(source.gates.wires):
        return best_written(source, sweep(source, setting, 1), setting)
    narrow = _cheapest(list(mirror.narrow(setting)))
    found = _cheapest([*narrow, *mirror.wide(narrow)])
    return best_written(source, map(mirror.routed, found), setting)


def _cheapest(attempts: list[Attempt]) -> list[Attempt]:
    return sorted(attempts, key=lambda attempt: attempt.cost)[:KEPT]


mirror = Pass("mirror", _route, establishes=ALL, suits=coupled)
