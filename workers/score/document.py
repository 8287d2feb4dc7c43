"""The file of a score: what is in it, and whether somebody has changed it."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from compiler.errors import InputError
from compiler.scores.game_volume import game_volume
from compiler.scores.intervals import Interval
from compiler.scores.machine_score import NOTHING, bounded, machine_score, part_score
from workers.score.parts import Outcome, PlayedPart
from workers.score.planning import ScoreRun
from workers.score.suite import suite_named, suite_names

FORMAT = "stichwerk-score/2"
LADDER = "card games"
"""The family whose sizes are the game volume."""

CLOSE = 1e-9
"""How far numbers that are computed again may differ."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class PartOfScore(_Strict):
    """A part in a file."""

    name: str
    family: str
    weight: int
    outcome: str
    score: float = Field(ge=0, le=1)
    low: float = Field(ge=0, le=1)
    high: float = Field(ge=0, le=1)
    why: str = Field(max_length=4000)
    shots: int | None
    hellinger_fidelity: float | None = Field(ge=0, le=1.000001)
    fidelity: float | None
    fidelity_low: float | None
    fidelity_high: float | None
    noise: float | None = Field(ge=0, lt=1)
    outcomes: int | None
    legal_fraction: float | None
    cards: int | None
    qubits: int | None
    two_qubit_gates: int | None
    two_qubit_depth: int | None
    verified: str | None
    native_digest: str | None
    job: int | None
    run_seconds: float | None

    @property
    def interval(self) -> Interval:
        """Its score, as it follows from the fidelity."""
        measured = self.fidelity, self.fidelity_low, self.fidelity_high, self.noise
        value, low, high, noise = measured
        if self.outcome != Outcome.PLAYED or None in measured:
            return NOTHING
        assert value is not None
        assert low is not None
        assert high is not None
        assert noise is not None
        return part_score(Interval(value, low, high), noise)


class ScoreFile(_Strict):
    """A result: one backend, scored once by one suite."""

    format: str
    suite: str
    suite_digest: str
    backend: str = Field(max_length=80)
    target: str = Field(max_length=80)
    run: str = Field(max_length=80)
    at: str
    complete: bool
    score: float = Field(ge=0, le=1)
    low: float = Field(ge=0, le=1)
    high: float = Field(ge=0, le=1)
    game_volume: dict[str, int]
    families: dict[str, float]
    parts: list[PartOfScore] = Field(min_length=1, max_length=1000)
    shots: int
    cost_usd: str | None
    versions: dict[str, str]
    revision: str | None
    digest: str


def score_document(
    run: ScoreRun,
    parts: Sequence[PlayedPart],
    at: datetime,
    cost_usd: str | None,
    made_with: tuple[Mapping[str, str], str | None],
) -> dict[str, Any]:
    """Return the result of a run as a JSON object, with a digest of all of it.

    Args:
        run: of the suite.
        parts: what came of each.
        at: when the last of them was measured.
        cost_usd: what providers charge for them; None if none does.
        made_with: versions of packages, and the revision, that compiled the circuits.
    """
    found = machine_score([(one.part.weight, one.score) for one in parts])
    versions, revision = made_with
    content: dict[str, Any] = {
        "format": FORMAT,
        "suite": run.suite.name,
        "suite_digest": run.suite.digest,
        "backend": run.backend,
        "target": run.target,
        "run": run.run,
        "at": at.isoformat(timespec="seconds"),
        "complete": all(one.outcome is not Outcome.FAILED for one in parts),
        "score": found.value,
        "low": found.low,
        "high": found.high,
        "game_volume": _volume(
            [
                (one.figures["cards"], one.score.value)
                for one in parts
                if one.part.family == LADDER and one.outcome is Outcome.PLAYED
            ]
        ),
        "families": _families([(p.part.family, p.part.weight, p.score) for p in parts]),
        "parts": [one.as_json() for one in parts],
        "shots": sum(one.figures["shots"] or 0 for one in parts),
        "cost_usd": cost_usd,
        "versions": dict(versions),
        "revision": revision,
    }
    return {**content, "digest": _digest(content)}


def score_from_json(text: str, name: str) -> dict[str, Any]:
    """Return the result that a file holds.

    Its digest tells slips and edits, not forgeries: whoever can compute it can write any file.

    Args:
        text: of the file.
        name: of the file, for messages.

    Raises:
        InputError: if it is none, was changed by hand, or does not add up.
    """
    try:
        content = json.loads(text)
        said = ScoreFile.model_validate(content)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name}: no result of 'stichwerk score': {_first(error)}") from None
    kept = {key: value for key, value in content.items() if key != "digest"}
    if said.format != FORMAT:
        raise InputError(f"{name}: format '{said.format}' is not known; known: {FORMAT}")
    if said.digest != _digest(kept):
        raise InputError(f"{name}: was changed after it was written: its digest does not fit")
    if said.suite not in suite_names():
        raise InputError(f"{name}: of a suite '{said.suite}' that this version does not have")
    if said.suite_digest != suite_named(said.suite).digest:
        raise InputError(f"{name}: its suite '{said.suite}' is not the one of this name here")
    if (wrong := _wrong(said)) is not None:
        raise InputError(f"{name}: does not add up: {wrong}")
    return dict(content)


def _wrong(said: ScoreFile) -> str | None:
    """Return what does not follow from what was measured, None if all does."""
    suite = suite_named(said.suite)
    told = [(part.name, part.family, part.weight) for part in said.parts]
    if told != [(part.name, part.family, part.weight) for part in suite.parts]:
        return f"its parts are not those of suite {suite.name}"
    for part in said.parts:
        if not _near(bounded(part.interval), Interval(part.score, part.low, part.high)):
            return f"the score of {part.name} is not that of its fidelity"
    found = machine_score([(part.weight, part.interval) for part in said.parts])
    if not _near(found, Interval(said.score, said.low, said.high)):
        return "the score is not the mean of its parts"
    if said.families != _families([(p.family, p.weight, p.interval) for p in said.parts]):
        return "the score of a family is not the mean of its parts"
    try:
        aware = datetime.fromisoformat(said.at).tzinfo is not None
    except ValueError:
        aware = False
    return None if aware else f"'{said.at}' is no time with its zone"


def _near(one: Interval, other: Interval) -> bool:
    pairs = ((one.value, other.value), (one.low, other.low), (one.high, other.high))
    return all(abs(a - b) < CLOSE for a, b in pairs)


def _volume(plays: Sequence[tuple[int, float]]) -> dict[str, int]:
    return {str(threshold): cards for threshold, cards in game_volume(plays).items()}


def _families(parts: Sequence[tuple[str, int, Interval]]) -> dict[str, float]:
    """Return the mean of each family's parts."""
    names = dict.fromkeys(family for family, _, _ in parts)
    return {
        name: machine_score([(w, one) for family, w, one in parts if family == name]).value
        for name in names
    }


def _digest(content: Mapping[str, Any]) -> str:
    written = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return sha256(written.encode()).hexdigest()


def _first(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return f"{place}: {first['msg']}" if place else str(first["msg"])
    return str(error) or type(error).__name__
