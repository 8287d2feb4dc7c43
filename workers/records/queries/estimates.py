"""Finished estimates as the records hold them."""

from datetime import datetime
from types import SimpleNamespace
from typing import Any

from attrs import frozen
from sqlalchemy import Row, and_, null, select
from sqlalchemy.orm import Session

from workers.attributes import build
from workers.jobs.states import JobKind
from workers.records.tables import Job

COLUMNS = (
    Job.id, Job.created_at, Job.finished_at, Job.program, Job.target, Job.backend, Job.request,
    Job.result,
)  # fmt: skip


@frozen
class RecordedEstimate:
    """An estimate by rounds on a backend.

    Args:
        job: its number.
        at: its end.
        program: of the rounds.
        target: of the circuits.
        method: of compilation.
        encoding: of the program.
        variant: options of the compilation that are not the default; empty if there are none.
        backend: of the rounds.
        observable: the event whose probability was estimated, or the number whose expected value.
        title: of the estimated value.
        estimator: its name.
        confidence: of the interval.
        value: the estimate.
        low: end of its interval.
        high: end of its interval.
        exact: the value by the rules; None if it is unknown.
        calls: runs of the program or its inverse.
        sampling_calls: runs that a perfect machine takes without iterates for the same interval.
        deepest: the most iterates.
        reached: whether the interval is as narrow as requested.
    """

    job: int
    at: datetime
    program: str
    target: str
    method: str
    encoding: str
    variant: str
    backend: str
    observable: str
    title: str
    estimator: str
    confidence: float
    value: float
    low: float
    high: float
    exact: float | None
    calls: int
    sampling_calls: int | None
    deepest: int
    reached: bool

    @property
    def half_width(self) -> float:
        """Half of the interval's width."""
        return (self.high - self.low) / 2

    @property
    def error(self) -> float | None:
        """Difference of the estimate from the exact value; None if that is unknown."""
        return None if self.exact is None else abs(self.value - self.exact)

    @property
    def holds(self) -> bool | None:
        """Return whether the interval holds the exact value; None if that is not known."""
        return None if self.exact is None else self.low <= self.exact <= self.high

    @property
    def worth(self) -> float | None:
        """Number of calls of perfect sampling that a call is worth; None if unknown."""
        return None if self.sampling_calls is None else self.sampling_calls / self.calls


def finished_estimates(session: Session, limit: int) -> list[RecordedEstimate]:
    """Return the newest finished estimates, the newest first."""
    finished = and_(Job.kind == JobKind.ESTIMATION, Job.result.is_not(null()))
    rows = select(*COLUMNS).where(finished).order_by(Job.id.desc()).limit(limit)
    return [_recorded(row) for row in session.execute(rows)]


def _recorded(row: Row[*tuple[Any, ...]]) -> RecordedEstimate:
    request, result = SimpleNamespace(**row.request), SimpleNamespace(**row.result)
    at = row.finished_at or row.created_at
    return build(RecordedEstimate, row, request, result, job=row.id, at=at, value=result.estimate)
