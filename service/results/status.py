"""Results about the service: its status, health and budgets."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Self

from service.results.model import ResultModel, Table, Time, Value
from workers.queue.heartbeats import Runner
from workers.stages.at_provider.provider import Answering, Problem
from workers.status.budgets import Budget, spoken
from workers.status.status import BrokerState, DatabaseState, QueueState, Status
from workers.status.waiting import Reason, ServiceWork, Stuck

REASONS = {
    Reason.QUARANTINED: "in quarantine",
    Reason.CREDENTIALS: "the provider refuses the credentials",
    Reason.PROVIDER: "the provider does not answer",
    Reason.DOUBT: "in doubt: the provider may have accepted them",
    Reason.UNATTENDED: "no worker serves their queue",
    Reason.OVERDUE: "overdue",
}
"""Reasons why jobs are stuck, for tables."""

PROBLEMS = {
    None: "answers",
    Problem.UNAVAILABLE: "unavailable",
    Problem.CREDENTIALS: "credentials refused",
}
"""States of a provider, for tables."""


BudgetValue = Annotated[Budget, Value("left_usd")]


class StatusResult(ResultModel, commands="status"):
    """Status of the service."""

    ok: bool
    """True if there are no problems"""
    at: Time | None
    """Time by the clock of the database"""
    problems: Sequence[str]
    """Problems with their remedies, worst first"""
    notes: Sequence[str]
    """Notes that need no action"""
    database: Annotated[DatabaseState, Value("readable")]
    broker: Annotated[BrokerState, Value()]
    queues: Sequence[Annotated[QueueState, Value()]]
    workers: Sequence[Annotated[Runner, Value()]]
    providers: Sequence[Annotated[Answering, Value()]]
    budgets: Sequence[BudgetValue]
    stuck: Mapping[str, Annotated[Stuck, Value()]]
    """By reason"""
    versions: Mapping[str, Sequence[str]]
    """Processes of each version"""

    @classmethod
    def of(cls, status: Status) -> Self:
        """Return the status that was found."""
        return cls.from_objects(status, ok=status.well, workers=status.runners)


def work_tables(work: Status | ServiceWork) -> Iterable[Table]:
    """Yield the processes, the state of the providers, and the blocked jobs."""
    yield Table(
        "Processes (times in UTC)",
        ("process", "last heartbeat", "queues", "jobs in parallel", "host", "pid", "since",
         "version", "revision"),
        [
            (row.kind, f"{spoken(row.silent_seconds)} ago{'' if row.alive else ', silent'}",
             ", ".join(row.queues), row.processes,
             row.host, row.pid, _time(row.started_at), row.version, (row.revision or "")[:10])
            for row in work.runners
        ],
    )  # fmt: skip
    yield Table(
        "Providers, by the calls of the workers (times in UTC)",
        ("backend", "state", "last answer", "failing since", "reason"),
        [
            (row.backend, PROBLEMS[row.problem], _time(row.answered_at), _time(row.failing_since),
             row.detail)
            for row in work.providers
        ],
    )  # fmt: skip
    yield Table(
        "Blocked jobs",
        ("reason", "jobs", "oldest", "first job"),
        [
            (REASONS[reason], row.jobs, spoken(row.oldest_seconds), row.first)
            for reason, row in work.stuck.items()
            if row.jobs
        ],
    )


def _time(at: datetime | None) -> str:
    return "" if at is None else f"{at.astimezone(UTC):%m-%d %H:%M}"


class Holder(ResultModel):
    """Name, scopes and budgets of a token."""

    name: str
    scopes: Sequence[str]
    expires_at: Time | None
    budgets: Sequence[BudgetValue]
    """Today's budget, and the tags with the largest reserved amounts: the token's own, or all"""


class Alive(ResultModel):
    """Process that answers."""

    status: str


class Health(ResultModel):
    """Readiness of the service."""

    status: str
    """ok; degraded: jobs are accepted and wait for the broker; away: no database"""
    database: str
    """ok, away, cannot be written, or disk full"""
    broker: str
    """ok, away, or takes no messages"""
