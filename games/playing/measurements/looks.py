"""Looks at a match whose state a machine holds: what a job measured, beside what is exact."""

from collections.abc import Mapping
from typing import Any, TypeGuard

from attrs import asdict, frozen

from compiler.errors import GameError
from games.playing.measurements.origins import LONGEST

MOST_SEEN = 2000
"""Observables in a look."""


@frozen
class Seen:
    """An observable, as it was measured and as it should be; None where nobody knows.

    Args:
        name: of the observable.
        kind: whether it is an `event` or a `number`.
        measured: its average over the shots.
        low: lower end of its interval of 95 %.
        high: its upper end.
        exact: the exact average.
    """

    name: str
    kind: str
    measured: float | None
    low: float | None
    high: float | None
    exact: float | None


@frozen
class Look:
    """What a job has measured of the moves so far.

    Args:
        backend: that ran it.
        job: its number; 0 if there is none.
        shots: that were run.
        scores: which of its scores these are, such as `mitigated`; empty if there are none.
        fidelity: the Hellinger fidelity of the measured distribution with the exact one.
        seen: all observables.
        reason: why nothing was measured; empty if something was.
    """

    backend: str
    job: int = 0
    shots: int = 0
    scores: str = ""
    fidelity: float | None = None
    seen: tuple[Seen, ...] = ()
    reason: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return what is not empty; a row for each observable."""
        found = {name: value for name, value in asdict(self, recurse=False).items() if value}
        return found | ({"seen": [list(asdict(one).values()) for one in self.seen]})

    def told(self) -> str:
        """Return for people how it was got."""
        if self.reason:
            return f"not measured on {self.backend}: {self.reason}"
        undone = ", readout errors undone" if self.scores.startswith("mitigated") else ""
        close = "" if self.fidelity is None else f", fidelity {self.fidelity:.3f}"
        return f"{self.shots:,} shots on {self.backend}, job {self.job}{undone}{close}"


def look_from_json(table: Mapping[str, Any]) -> Look:
    """Return what `Look.as_json` has written.

    Raises:
        GameError: if it has not.
    """
    match dict(table):
        case {"backend": str(backend), "seen": [*rows], **rest} if (
            len(rows) <= MOST_SEEN
            and _is_line(backend)
            and all(name in _CHECKS and _CHECKS[name](value) for name, value in rest.items())
        ):
            return Look(backend, seen=tuple(map(_seen, rows)), **rest)
    raise GameError(
        f"look: {str(dict(table))[:80]}: write backend, seen (a list of rows), and what else is "
        f"known of {', '.join(_CHECKS)}"
    )


def _seen(row: object) -> Seen:
    match row:
        case [str(name), str(kind), *values] if _is_line(name) and _is_line(kind):
            numbers = [one for one in values if one is None or _is_number(one)]
            if len(values) == len(numbers) == 4:
                return Seen(name, kind, *numbers)
    raise GameError(f"look: {str(row)[:80]}: a row has name, kind, measured, low, high and exact")


def _is_line(text: object) -> bool:
    return isinstance(text, str) and text.isprintable() and len(text) <= LONGEST


def _is_number(value: object) -> TypeGuard[float]:
    return (
        isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < float("inf")
    )


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


_CHECKS = {
    "job": _is_count,
    "shots": _is_count,
    "scores": _is_line,
    "fidelity": _is_number,
    "reason": _is_line,
}
