"""The file of a score: what is in it, and whether somebody has changed it."""

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
from compiler.scores.machine_score import bounded, game_volume, machine_score
from workers.bundles.metriq import with_zone
from workers.provenance import revision, versions
from workers.records.tables import MICRO, Job, now
from workers.score.parts import Outcome, ScoredPart
from workers.score.planning import ScoreRun
from workers.score.suite import Strict, suite_named, suite_names
from workers.suites import json_mistake

FORMAT = "stichwerk-score/2"
LADDER = "card games"
"""The family whose sizes are the game volume."""

CLOSE = 1e-9
"""How far numbers that are computed again may differ."""


class ScoreFile(Strict):
    """A result: one backend, scored once by one suite."""

    schema_version: ClassVar[int] = 2
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
    parts: list[ScoredPart] = Field(min_length=1, max_length=1000)
    shots: int
    cost_usd: str | None
    versions: dict[str, str]
    revision: str | None
    digest: str


def score_document(session: Session, run: ScoreRun, parts: Sequence[ScoredPart]) -> ScoreFile:
    """Return the result of a run of a suite, with a digest of all of it.

    Its time is that of the last measurement, and its versions are those that compiled its
    circuits, so that the same run always has the same result.
    """
    score = machine_score([(part.weight, part.interval) for part in parts])
    jobs = [session.get_one(Job, part.job) for part in parts if part.job is not None]
    ended = [with_zone(job.finished_at) for job in jobs if job.finished_at is not None]
    newest = max(jobs, key=lambda job: job.id, default=None)
    compiled = None if newest is None else newest.compiled
    file = ScoreFile(
        format=FORMAT,
        suite=run.suite.name,
        suite_digest=run.suite.digest,
        backend=run.backend,
        target=run.target,
        run=run.run,
        at=max(ended, default=now()).isoformat(timespec="seconds"),
        complete=all(part.outcome != Outcome.FAILED for part in parts),
        score=score.value,
        low=score.low,
        high=score.high,
        game_volume={
            str(threshold): cards
            for threshold, cards in game_volume(
                [
                    (part.cards, part.interval.value)
                    for part in parts
                    if part.family == LADDER and part.cards is not None
                ]
            ).items()
        },
        families=_families(parts),
        parts=list(parts),
        shots=sum(part.shots or 0 for part in parts),
        cost_usd=_cost(jobs),
        versions=dict(versions() if compiled is None else compiled.versions),
        revision=revision() if compiled is None else compiled.revision,
        digest="",
    )
    return file.model_copy(update={"digest": _digest(file)})


def _cost(jobs: Sequence[Job]) -> str | None:
    """Return the charge, or else the estimated cost, of all jobs together; None if unknown."""
    costs = [
        job.estimated_cost_microusd if job.charged_microusd is None else job.charged_microusd
        for job in jobs
    ]
    known = [cost for cost in costs if cost is not None]
    return f"{Decimal(sum(known)) / MICRO:f}" if known else None


def score_from_json(text: str, name: str) -> ScoreFile:
    """Return the result that a file holds.

    Its digest tells slips and edits, not forgeries: whoever can compute it can write any file.

    Args:
        text: of the file.
        name: of the file, for messages.

    Raises:
        InputError: if it is none, was changed by hand, or does not add up.
    """
    try:
        said = ScoreFile.model_validate(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name}: no result of 'stichwerk score': {json_mistake(error)}") from None
    if said.format != FORMAT:
        raise InputError(f"{name}: format '{said.format}' is not known; known: {FORMAT}")
    if said.digest != _digest(said):
        raise InputError(f"{name}: was changed after it was written: its digest does not fit")
    if said.suite not in suite_names():
        raise InputError(f"{name}: of a suite '{said.suite}' that this version does not have")
    if said.suite_digest != suite_named(said.suite).digest:
        raise InputError(f"{name}: its suite '{said.suite}' is not the one of this name here")
    if (wrong := _wrong(said)) is not None:
        raise InputError(f"{name}: does not add up: {wrong}")
    return said


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
    if said.families != _families(said.parts):
        return "the score of a family is not the mean of its parts"
    try:
        aware = datetime.fromisoformat(said.at).tzinfo is not None
    except ValueError:
        aware = False
    return None if aware else f"'{said.at}' is no time with its zone"


def _near(one: Interval, other: Interval) -> bool:
    pairs = ((one.value, other.value), (one.low, other.low), (one.high, other.high))
    return all(abs(a - b) < CLOSE for a, b in pairs)


def _families(parts: Sequence[ScoredPart]) -> dict[str, float]:
    """Return the mean of each family's parts."""
    names = dict.fromkeys(part.family for part in parts)
    return {
        name: machine_score([(p.weight, p.interval) for p in parts if p.family == name]).value
        for name in names
    }


def _digest(file: ScoreFile) -> str:
    content = file.model_dump(exclude={"digest"})
    written = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return sha256(written.encode()).hexdigest()
