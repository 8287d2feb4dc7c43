"""Entries of a match's log: moves, measured outcomes with their origin, and looks at a machine."""

import json
from enum import StrEnum
from typing import Annotated, Any, NamedTuple, cast

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)
from pydantic.dataclasses import dataclass

from compiler.errors import GameError

LONGEST = 400
"""Characters of a text in an origin."""
CONFIG = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("is no printable line")
    return text


Line = Annotated[str, StringConstraints(max_length=LONGEST), AfterValidator(_printable)]
Count = Annotated[int, Field(ge=0)]


class Measurement(StrEnum):
    """The ways in which outcomes are got."""

    EXACT = "exact"
    """Drawn from the exact probabilities."""
    CERTAIN = "certain"
    """Nothing else could be measured, so nothing was."""
    SELECTED = "post-selected"
    """Drawn from the shots of the circuit so far that reproduce all known outcomes."""
    AFRESH = "prepared afresh"
    """Drawn from shots that prepare the collapsed state by itself, and measure it."""


@dataclass(frozen=True, config=CONFIG)
class Origin:
    """Source of outcomes.

    Args:
        how: method.
        backend: backend that has run shots for it; empty if none has.
        job: job that ran them.
        agreeing: number of shots among which one was drawn.
        shots: number of shots of the job.
        reason: reason why the methods tried before this one failed; empty for the first method.
    """

    how: Measurement
    backend: Line = ""
    job: Count = 0
    agreeing: Count = 0
    shots: Count = 0
    reason: Line = ""

    def told(self) -> str:
        """Return the source as text."""
        drawn = (
            f"one of {self.agreeing:,} of {self.shots:,} shots on {self.backend}, job {self.job}"
        )
        text = {
            Measurement.EXACT: "drawn from the exact probabilities",
            Measurement.CERTAIN: "certain, so nothing was run",
            Measurement.SELECTED: f"post-selected, {drawn}",
            Measurement.AFRESH: f"state prepared afresh, {drawn}",
        }[self.how]
        return text + (f" ({self.reason})" if self.reason else "")


MAX_SEEN = 2000
"""Observables in a look."""


class Seen(NamedTuple):
    """An observable: measured and exact average; None for an unknown value.

    Args:
        name: name of the observable.
        kind: whether it is an `event` or a `number`.
        measured: its average over the shots.
        low: lower end of its interval of 95 %.
        high: its upper end.
        exact: the exact average.
    """

    name: Line
    kind: Line
    measured: float | None
    low: float | None
    high: float | None
    exact: float | None


@dataclass(frozen=True, config=CONFIG)
class Look:
    """Result of a job that measured the moves so far.

    Args:
        backend: backend of the job.
        job: its number; 0 if there is none.
        shots: number of shots.
        scores: kind of these scores, such as `mitigated`; empty if there are none.
        fidelity: the Hellinger fidelity of the measured distribution with the exact one.
        seen: all observables.
        reason: reason why nothing was measured; empty if a measurement succeeded.
    """

    backend: Line
    job: Count = 0
    shots: Count = 0
    scores: Line = ""
    fidelity: float | None = None
    seen: Annotated[tuple[Seen, ...], Field(max_length=MAX_SEEN)] = ()
    reason: Line = ""

    def told(self) -> str:
        """Return the measurement as text."""
        if self.reason:
            return f"not measured on {self.backend}: {self.reason}"
        undone = ", readout errors undone" if self.scores.startswith("mitigated") else ""
        close = "" if self.fidelity is None else f", fidelity {self.fidelity:.3f}"
        return f"{self.shots:,} shots on {self.backend}, job {self.job}{undone}{close}"


@dataclass(frozen=True, config=CONFIG)
class Moved:
    """A seat has moved; `move` is in the notation of the game."""

    seat: int
    move: str


@dataclass(frozen=True, config=CONFIG)
class Measured:
    """Results of the measurements that the match was waiting for, in order.

    Args:
        outcomes: 0 or 1 each.
        origin: source of the outcomes; None if it is unknown.
    """

    outcomes: tuple[int, ...]
    origin: Origin | None = None


@dataclass(frozen=True, config=CONFIG)
class Looked:
    """A look at the state that a machine holds; the match is unchanged."""

    look: Look


Entry = Moved | Measured | Looked

_ENTRIES: dict[str, TypeAdapter[Any]] = {
    "seat": TypeAdapter(Moved),
    "outcomes": TypeAdapter(Measured),
    "look": TypeAdapter(Looked),
}
"""Types of entries by the key that identifies them."""


def as_json(entry: Entry) -> dict[str, Any]:
    """Return an entry in a record of a match, without default values."""
    values = TypeAdapter(type(entry)).dump_python(entry, mode="json", exclude_defaults=True)
    return cast(dict[str, Any], values)


def entry_from_json(entry: object) -> Entry:
    """Return the entry that `as_json` has written.

    Raises:
        GameError: naming the first mistake.
    """
    kinds = [kind for kind in _ENTRIES if isinstance(entry, dict) and kind in entry]
    if not kinds:
        raise GameError(
            f"{str(entry)[:80]}: write an object with seat and move, or one with outcomes"
        )
    try:
        return cast(Entry, _ENTRIES[kinds[0]].validate_json(json.dumps(entry)))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise GameError(f"{where}: {str(first['input'])[:80]}: {first['msg']}") from error
