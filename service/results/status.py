"""Results about the service: its status, health and budgets."""

from collections.abc import Mapping, Sequence
from typing import Self

from pydantic import Field

from service.results.model import ResultModel, Time, Usd
from workers.stages.at_provider.health import Problem
from workers.status.status import Status
from workers.status.waiting import Reason

REASONS = {
    Reason.QUARANTINED: "in quarantine",
    Reason.CREDENTIALS: "their provider refuses the credentials",
    Reason.PROVIDER: "their provider does not answer",
    Reason.DOUBT: "in doubt: their provider may have them",
    Reason.UNATTENDED: "no worker listens to their queue",
    Reason.OVERDUE: "due long ago",
}
"""Reasons why jobs are stuck, for tables."""

PROBLEMS = {None: "answers", Problem.UNAVAILABLE: "away", Problem.CREDENTIALS: "credentials"}
"""States of a provider, for tables."""


class DatabaseStatus(ResultModel):
    """Database of the records."""

    address: str
    kind: str | None = Field(description="Its name and version; null if it does not answer")
    tables: str | None = Field(description="Version of its tables; null if there are none")
    tables_wanted: str | None = Field(description="Version that this program needs")
    bytes: int | None
    free_bytes: int | None = Field(description="Left on its disk, where that is this machine's")
    readable: bool


class BrokerStatus(ResultModel):
    """Redis."""

    address: str
    version: str | None
    role: str | None
    messages: Mapping[str, int] | None = Field(
        description="By queue; null if it does not answer, or takes none"
    )


class QueueStatus(ResultModel):
    """Queue of the workers."""

    queue: str
    jobs: int
    oldest_seconds: float
    messages: int | None
    processes: int = Field(description="Processes of workers that listen")


class RunnerStatus(ResultModel):
    """Worker, sweeper or API, by its heartbeats."""

    kind: str
    host: str
    pid: int
    queues: Sequence[str]
    processes: int
    version: str
    revision: str | None
    started_at: Time
    seen_at: Time
    silent_seconds: float
    alive: bool


class ProviderStatus(ResultModel):
    """Provider, by the calls of the workers."""

    backend: str
    answered_at: Time | None
    failing_since: Time | None
    failing_seconds: float
    problem: str | None
    detail: str | None


class BudgetRow(ResultModel):
    """Budget, and the part that is left."""

    name: str = Field(description="day 2026-01-31 or tag night, and whose")
    limit_usd: Usd | None = Field(description="null if there is no limit")
    reserved_usd: Usd = Field(description="What jobs cost, or are expected to cost")
    spent: bool
    left_usd: Usd | None


class StuckJobs(ResultModel):
    """Jobs that do not go on for one reason."""

    jobs: int
    first: int | None
    oldest_seconds: float


class StatusResult(ResultModel):
    """Status of the service."""

    ok: bool = Field(description="Whether nothing is wrong")
    at: Time | None = Field(description="By the database's clock")
    problems: Sequence[str] = Field(description="What is wrong and what to do, worst first")
    notes: Sequence[str] = Field(description="Notes that are no problems")
    database: DatabaseStatus
    broker: BrokerStatus
    queues: Sequence[QueueStatus]
    workers: Sequence[RunnerStatus]
    providers: Sequence[ProviderStatus]
    budgets: Sequence[BudgetRow]
    stuck: Mapping[str, StuckJobs] = Field(description="By reason")
    versions: Mapping[str, Sequence[str]] = Field(description="Processes of each version")

    @classmethod
    def of(cls, status: Status) -> Self:
        """Return the status that was found."""
        return cls.from_objects(status, ok=status.well, workers=status.runners)


class Holder(ResultModel):
    """Name, scopes and budgets of a token."""

    name: str
    scopes: Sequence[str]
    expires_at: Time | None
    budgets: Sequence[BudgetRow] = Field(
        description="Of today, and the tags of which most is reserved: the token's own, or all"
    )


class Alive(ResultModel):
    """Process that answers."""

    status: str


class Health(ResultModel):
    """Readiness of the service."""

    status: str = Field(description="ok; degraded: jobs are taken and wait for the broker; away")
    database: str = Field(description="ok, away, cannot be written, or disk full")
    broker: str = Field(description="ok, away, or takes no messages")
