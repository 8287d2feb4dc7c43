"""The file of a score: its contents, and a check for changes."""

import json
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from hashlib import sha256
from typing import ClassVar

from pydantic import Field
from sqlalchemy.orm import Session

from compiler.errors import InputError
from compiler.scores.intervals import Interval
from compiler.scores.machine_score import NOTHING, bounded, game_volume, machine_score
from workers.attributes import attributes
from workers.clock import with_zone
from workers.provenance import revision, versions
from workers.records.tables import MICRO, Job, now
from workers.score.parts import ScoredPart
from workers.score.suite import Outcome, ScoreRun, Strict, Suite, suite_named, suite_names
from workers.suites import json_mistake

FORMAT = "stichwerk-score/3"
LADDER = "card games"
"""The family whose sizes are the game volume."""

CLOSE = 1e-9
"""Tolerance of numbers that are computed again."""


class ScoreCalibration(Strict):
    """Calibration that circuits of a score were compiled for.

    Args:
        digest: of the calibration.
        at: when it was measured; None if unknown.
        age_hours: when the last of its circuits was submitted.
    """

    digest: str
    at: str | None
    age_hours: float | None


class ScoreFile(Strict):
    """A result: one backend, scored once by one suite."""

    schema_version: ClassVar[int] = 3
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
    families: dict[str, float | None]
    parts: list[ScoredPart] = Field(min_length=1, max_length=1000)
    shots: int
    cost_usd: str | None
    versions: dict[str, str]
    revision: str | None
    calibrations: list[ScoreCalibration] = Field([])
    digest: str


def score_document(session: Session, run: ScoreRun, parts: Sequence[ScoredPart]) -> ScoreFile:
    """Return the result of a run of a suite, with a digest of all of it.

    Its time is that of the last measurement, and its versions are those that compiled its
    circuits, so that the same run always has the same result.
    """
    score = _mean(parts) or NOTHING
    jobs = [session.get_one(Job, number) for part in parts for number in part.jobs]
    ended = [with_zone(job.finished_at) for job in jobs if job.finished_at is not None]
    newest = max(jobs, key=lambda job: job.id, default=None)
    compiled = None if newest is None else newest.compiled
    file = ScoreFile(
        **attributes(("backend", "target", "run", "low", "high"), run, score),
        format=FORMAT,
        suite=run.suite.name,
        suite_digest=run.suite.digest,
        at=max(ended, default=now()).isoformat(timespec="seconds"),
        complete=_is_complete(parts),
        score=score.value,
        game_volume=_game_volume(run.suite, parts),
        families=_families(parts),
        parts=list(parts),
        shots=sum(part.shots or 0 for part in parts),
        cost_usd=_cost(jobs),
        versions=dict(versions() if compiled is None else compiled.versions),
        revision=revision() if compiled is None else compiled.revision,
        calibrations=_calibrations(jobs),
        digest="",
    )
    return file.model_copy(update={"digest": _digest(file)})


def _calibrations(jobs: Sequence[Job]) -> list[ScoreCalibration]:
    """Return the calibrations of circuits, by the last job of each."""
    calibrations = {}
    for job in jobs:
        digest, at = job.compiled.calibration_digest, job.compiled.calibrated_at
        if digest is not None:
            calibrations[digest] = ScoreCalibration(
                digest=digest,
                at=None if at is None else with_zone(at).isoformat(timespec="seconds"),
                age_hours=job.calibration_age_hours(at),
            )
    return list(calibrations.values())


def _mean(parts: Sequence[ScoredPart]) -> Interval | None:
    """Return the mean of the parts that count, None if there are none."""
    counted = [(part.weight, part.interval) for part in parts if part.weight]
    scored = [(weight, interval) for weight, interval in counted if interval is not None]
    return machine_score(scored) if scored else None


def _is_complete(parts: Sequence[ScoredPart]) -> bool:
    lost = any(part.outcome == Outcome.ERROR for part in parts)
    return not lost and _mean(parts) is not None


def _game_volume(suite: Suite, parts: Sequence[ScoredPart]) -> dict[str, int]:
    """Return the largest game by threshold; nothing for a suite without card games."""
    if all(part.family != LADDER for part in suite.parts):
        return {}
    plays = [
        (part.cards, part.interval.value)
        for part in parts
        if part.family == LADDER and part.cards is not None and part.interval is not None
    ]
    return {str(threshold): cards for threshold, cards in game_volume(plays).items()}


def _cost(jobs: Sequence[Job]) -> str | None:
    """Return the charge, or else the estimated cost, of all jobs together; None if unknown."""
    costs = [
        job.estimated_cost_microusd if job.charged_microusd is None else job.charged_microusd
        for job in jobs
    ]
    usd = [cost for cost in costs if cost is not None]
    return f"{Decimal(sum(usd)) / MICRO:f}" if usd else None


def score_from_json(text: str, name: str) -> ScoreFile:
    """Return the result in a file.

    Its digest reveals slips and edits, but no forgery: the algorithm is public.

    Args:
        text: of the file.
        name: of the file, for messages.

    Raises:
        InputError: if it is no score, was changed by hand, or does not add up.
    """
    try:
        document = ScoreFile.model_validate(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name}: no result of 'stichwerk score': {json_mistake(error)}") from None
    if document.format != FORMAT:
        raise InputError(f"{name}: format '{document.format}' is not known; known: {FORMAT}")
    if document.digest != _digest(document):
        raise InputError(f"{name}: was changed after it was written: its digest does not fit")
    if document.suite not in suite_names():
        raise InputError(f"{name}: of a suite '{document.suite}' that this version does not have")
    if document.suite_digest != suite_named(document.suite).digest:
        raise InputError(f"{name}: its suite '{document.suite}' is not the one of this name here")
    if (wrong := _wrong(document)) is not None:
        raise InputError(f"{name}: does not add up: {wrong}")
    return document


def _wrong(document: ScoreFile) -> str | None:
    """Return the first figure that does not follow from the measured ones, None if all do."""
    suite = suite_named(document.suite)
    parts = [(part.name, part.family, part.weight) for part in document.parts]
    if parts != [(part.name, part.family, part.weight) for part in suite.parts]:
        return f"its parts are not those of suite {suite.name}"
    for part in document.parts:
        if not _is_score_of(part):
            return f"the score of {part.name} is not that of its figures"
    if not _near(
        _mean(document.parts) or NOTHING, Interval(document.score, document.low, document.high)
    ):
        return "the score is not the mean of its parts"
    if document.families != _families(document.parts):
        return "the score of a family is not the mean of its parts"
    try:
        aware = datetime.fromisoformat(document.at).tzinfo is not None
    except ValueError:
        aware = False
    return None if aware else f"'{document.at}' is no time with its zone"


def _is_score_of(part: ScoredPart) -> bool:
    interval = part.interval
    if interval is None or part.score is None or part.low is None or part.high is None:
        return interval is None and part.score is part.low is part.high is None
    return _near(bounded(interval), Interval(part.score, part.low, part.high))


def _near(first: Interval, other: Interval) -> bool:
    pairs = ((first.value, other.value), (first.low, other.low), (first.high, other.high))
    return all(abs(a - b) < CLOSE for a, b in pairs)


def _families(parts: Sequence[ScoredPart]) -> dict[str, float | None]:
    """Return the mean of each family's parts that count, None if none does."""
    names = dict.fromkeys(part.family for part in parts)
    averages = {name: _mean([part for part in parts if part.family == name]) for name in names}
    return {name: None if mean is None else mean.value for name, mean in averages.items()}


def _digest(file: ScoreFile) -> str:
    content = file.model_dump(exclude={"digest"})
    written = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return sha256(written.encode()).hexdigest()
