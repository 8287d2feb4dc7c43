"""The suites of `stichwerk bench`: what is compiled, and where it runs."""

from collections.abc import Mapping

from attrs import evolve, frozen

from compiler.compilation import Options
from compiler.lowering.pipeline import passes_from_zero, pipelines
from compiler.lowering.portfolio import SEEDS
from games.sources import Source
from workers.compilation.orders import CompileOrder


@frozen
class Case:
    """One program on one target, run on some backends.

    Args:
        program: a game's name.
        target: spec of the target.
        runs: backend and shots of each run.
        method: `literal`, as the papers build it and with other people's passes, or `best`.
        seeds: how many each seeded pipeline tries.
    """

    program: str
    target: str
    runs: tuple[tuple[str, int], ...]
    method: str = "best"
    seeds: int = SEEDS

    def order(self, seed: int, batch: str) -> CompileOrder:
        """Return what is to be compiled."""
        options = Options(self.method, seed=seed, seeds=self.seeds)
        if self.method == "literal":
            stock = tuple(one.name for one in pipelines.values() if one.stock)
            options = evolve(options, pipelines=stock, without=passes_from_zero())
        return CompileOrder(Source(self.program), self.target, options, batch=batch)


EXACT = ("sparse", 4096)
NOISY = ("aer:torino", 24)

LITERAL = (
    Case("skat-4", "all:17", (EXACT,), "literal"),
    Case("skat-4", "star:17", (EXACT,), "literal"),
    Case("skat-4", "heavy-hex:torino", (EXACT,), "literal"),
)

QUICK = (
    Case("skat-4", "all:17", (EXACT,), seeds=1),
    Case("skat-4", "star:17", (EXACT,), seeds=1),
    Case("skat-4", "heavy-hex:torino", (EXACT, ("aer:torino", 200)), seeds=1),
    *LITERAL,
)
"""The quickest first."""

FULL = (
    Case("skat-4", "all:17", (EXACT,)),
    Case("skat-4", "star:17", (EXACT,)),
    Case("skat-4", "heavy-hex:torino", (EXACT, ("aer:torino", 200))),
    Case("skat-9", "all", (EXACT,)),
    *LITERAL[:2],
    Case("skat-4", "heavy-hex:torino", (EXACT, NOISY), "literal"),
    Case("skat-32", "all", ()),
    Case("skat-4", "star:17:iqm", (EXACT,), "literal"),
    Case("skat-4", "heavy-hex:marrakesh", (EXACT, ("aer:marrakesh", 24))),
    Case("skat-4", "heavy-hex:30", (EXACT,)),
    Case("skat-32:known", "all", (("sparse", 100),)),
    Case("skat-32:paper", "all", (("sparse", 100),)),
)

SUITES: Mapping[str, tuple[Case, ...]] = {"quick": QUICK, "full": FULL}
