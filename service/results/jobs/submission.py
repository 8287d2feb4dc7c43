"""Results of submitting, cancelling and retrying jobs."""

from collections.abc import Mapping, Sequence
from typing import Self

from service.results.jobs.runs import Score
from service.results.model import ResultModel, Usd
from workers.records.tables import Job


class SubmittedJobs(ResultModel, commands="campaign, score, submit"):
    """Jobs of a submission."""

    jobs: list[int]
    new: list[int]
    """Jobs that were not recorded before"""
    least_cost_usd: Usd
    """Minimum total cost of the new jobs"""


class JobLinks(ResultModel):
    """Job that has been recorded."""

    id: int
    job: str
    """Path of the job"""
    result: str
    """Path of its result"""


class AcceptedJobs(ResultModel):
    """Jobs of a request."""

    jobs: Sequence[JobLinks]
    least_cost_usd: Usd
    """Minimum total cost of the jobs; 0 for simulators of the service"""


class ChangedJob(ResultModel):
    """Job that has been changed, or the new one in its place."""

    id: int
    state: str
    error: str | None
    cancel_requested: bool
    retry_of: int | None

    @classmethod
    def of(cls, job: Job) -> Self:
        """Return the present state of a job."""
        return cls.from_objects(job)


class ChangedJobs(ResultModel, commands="cancel, retry"):
    """Jobs that have been changed, without those that refused the change."""

    jobs: Sequence[ChangedJob]


class RescoredJob(ChangedJob):
    """Job with its scores before and after they were computed again."""

    before: Mapping[str, Score]
    """Scores by kind: raw, post_selected, …"""
    scores: Mapping[str, Score]


class RescoredJobs(ChangedJobs, commands="rescore"):
    """Jobs that were scored again."""

    jobs: Sequence[RescoredJob]
