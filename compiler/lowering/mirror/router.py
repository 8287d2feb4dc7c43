"""The mirror router: beam searches to and fro, then again from half-way through the best."""

import numpy as np

from compiler.lowering.draft import Draft, Setting
from compiler.lowering.mirror.routes import LEGS, Explorer, RoutingInstance, cheapest
from compiler.lowering.mirror.source import MANY, Source, best_written, coupled
from compiler.lowering.passes import ALL, Pass
from compiler.lowering.sweep.sabre_sweep import searches_for, swept

NARROW, WIDE = 8, 64
"""States that are kept at each step, at first and towards the end."""
WINDOW = 30
"""Gates that a search looks ahead to."""
KEPT = 3
"""Routes that are searched again, written, and compared by the objective."""


def _route(draft: Draft, setting: Setting) -> Draft:
    source = Source.in_blocks(draft, setting)
    if len(source.gates.wires) <= MANY and source.parametrised is None:
        source = Source.of(draft, setting)
    gates = len(source.gates.wires)
    if not gates:
        return best_written(swept(source, setting, 1), setting)
    instance = RoutingInstance.of(source, setting)
    searches = max(LEGS, searches_for(gates, setting.budget))
    explorer = Explorer(instance, np.random.default_rng(setting.seed), [WINDOW])
    begun = swept(source, setting, searches)[: max(1, searches // LEGS)]
    starts = map(instance.route_of, begun)
    first = cheapest(explorer.to_and_fro(starts, NARROW), KEPT)
    better = cheapest((explorer.refined(route, NARROW, searches) for route in first), KEPT)
    final = [explorer.refined(better[0], WIDE, searches), *better[1:]]
    return best_written(map(instance.routed, cheapest(final, KEPT)), setting)


mirror = Pass(
    "mirror", _route, establishes=ALL, takes_start=True, suits=coupled, takes_parameters=True
)
