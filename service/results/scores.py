"""Scores of a job's counts."""

from collections.abc import Mapping
from typing import Self

from pydantic import Field

from service.results.model import ResultModel
from workers.records.tables import Job, ScoreRow


class Observable(ResultModel):
    """Observable of a score."""

    kind: str = Field(description="event: a probability; number: a mean over the legal shots")
    measured: float | None
    low: float | None = Field(description="Lower end of the 95 % interval")
    high: float | None
    exact: float | None = Field(description="null where the distribution is too large")


class Score(ResultModel):
    """Score of a job's counts."""

    shots: int
    hellinger_fidelity: float | None
    normalized_fidelity: float | None
    tvd: float | None
    legal_fraction: float
    observables: Mapping[str, Observable] = Field(description="By name, such as win and points")

    @classmethod
    def of(cls, row: ScoreRow) -> Self:
        """Return a recorded score."""
        return cls(
            shots=row.shots,
            hellinger_fidelity=row.hellinger_fidelity,
            normalized_fidelity=row.normalized_fidelity,
            tvd=row.tvd,
            legal_fraction=row.legal_fraction,
            observables={one.name: Observable.model_validate(one) for one in row.observables},
        )


def scores_of(job: Job) -> dict[str, Score]:
    """Return a job's scores by kind; none before it is scored, and none without a reference."""
    return {row.kind: Score.of(row) for row in job.scores}
