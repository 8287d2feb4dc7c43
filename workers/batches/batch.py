"""Batches: jobs that are run under one parent job, as its row holds them."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from workers.jobs.request import Submission
from workers.score.suite import Outcome, PlannedPart, ScoreRun, suite_named


@frozen
class Batch:
    """Jobs that are run under one parent job.

    Args:
        name: of the batch.
        jobs: that are not parts of a score, with keys.
        scores: runs of score suites, each with its parts.
        mitigation: methods by which the first of its jobs is mitigated with the others; see
            `workers.mitigation.methods`.
    """

    name: str
    jobs: tuple[Submission, ...] = ()
    scores: tuple[tuple[ScoreRun, tuple[PlannedPart, ...]], ...] = ()
    mitigation: tuple[str, ...] = ()

    @property
    def all_jobs(self) -> list[Submission]:
        """All jobs, those of scores last."""
        parts = (part for _, parts in self.scores for part in parts)
        return [*self.jobs, *(job for part in parts for job in part.jobs)]

    def as_json(self) -> dict[str, Any]:
        """Return the batch for the request of a job."""
        mitigation = {"mitigation": list(self.mitigation)} if self.mitigation else {}
        return {
            "name": self.name,
            "jobs": [job.as_json() for job in self.jobs],
            "scores": [_score(run, parts) for run, parts in self.scores],
            **mitigation,
        }


def batch_from_json(document: Mapping[str, Any]) -> Batch:
    """Return the batch that `as_json` has returned.

    Raises:
        UnknownNameError: if it is of a suite that this version does not have.
    """
    return Batch(
        document["name"],
        tuple(map(Submission.from_json, document["jobs"])),
        tuple(map(_planned, document["scores"])),
        tuple(document.get("mitigation", ())),
    )


def targets_of(document: Mapping[str, Any]) -> set[str]:
    """Return the specs of all targets of a batch as it is written down, before it is read."""
    parts = (part for score in document["scores"] for part in score["parts"])
    jobs = (job for part in parts for job in part["jobs"])
    return {job["target"] for job in (*document["jobs"], *jobs)}


def _score(run: ScoreRun, parts: Sequence[PlannedPart]) -> dict[str, Any]:
    return {
        "suite": run.suite.name,
        "backend": run.backend,
        "run": run.run,
        "target": run.target,
        "parts": [
            {
                "jobs": [job.as_json() for job in part.jobs],
                "refused": part.refused,
                "outcome": part.outcome,
            }
            for part in parts
        ],
    }


def _planned(document: Mapping[str, Any]) -> tuple[ScoreRun, tuple[PlannedPart, ...]]:
    suite = suite_named(document["suite"])
    run = ScoreRun(suite, document["backend"], document["run"], document["target"])
    return run, tuple(
        PlannedPart(
            part,
            tuple(map(Submission.from_json, entry["jobs"])),
            entry["refused"],
            Outcome(entry["outcome"]),
        )
        for part, entry in zip(suite.parts, document["parts"], strict=True)
    )
