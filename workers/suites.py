"""The benchmark's suites: what is compiled, and where it runs."""

from collections.abc import Mapping

from attrs import frozen


@frozen
class Case:
    """One program on one target, run on some backends.

    Args:
        program: a game's name.
        target: spec of the target.
        runs: backend and shots of each run.
    """

    program: str
    target: str
    runs: tuple[tuple[str, int], ...]


EXACT = ("sparse", 4096)

QUICK = (
    Case("skat-4", "all:17", (EXACT,)),
    Case("skat-4", "star:17", (EXACT,)),
    Case("skat-4", "heavy-hex:torino", (EXACT, ("aer:torino", 24))),
)

FULL = (
    *QUICK,
    Case("skat-4", "star:17:iqm", (EXACT,)),
    Case("skat-4", "heavy-hex:marrakesh", (EXACT, ("aer:marrakesh", 24))),
    Case("skat-4", "heavy-hex:30", (EXACT,)),
)

SUITES: Mapping[str, tuple[Case, ...]] = {"quick": QUICK, "full": FULL}
