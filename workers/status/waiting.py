"""Work of the service: jobs that wait, processes, providers, and jobs that do not go on."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum

from attrs import define, frozen
from sqlalchemy import and_, case, func, select
from sqlalchemy.orm import Session

from workers.clock import database_now
from workers.jobs.states import OPEN, Queue, State, queue_of
from workers.queue.fairness import is_local
from workers.queue.heartbeats import Runner, listeners, runners
from workers.records.tables import Compilation, Job
from workers.settings import Settings
from workers.stages.at_provider.provider import Answering, Problem, answering

LATE_SECONDS = 60.0
"""Beside the pause after which its message is sent again, a job that is due waits no longer if
anybody looks for it."""


class Reason(StrEnum):
    """Why jobs do not go on."""

    QUARANTINED = "quarantined"
    """Put aside until a person has looked at them."""
    CREDENTIALS = "credentials"
    """Their provider does not accept the workers' credentials."""
    PROVIDER = "provider_away"
    DOUBT = "in_doubt"
    """It is unknown whether their provider has them."""
    UNATTENDED = "no_worker"
    """No worker listens to their queue."""
    OVERDUE = "overdue"
    """Overdue, and no sweeper has found them."""


@frozen
class Waiting:
    """Jobs that are alike.

    Args:
        state: where they are.
        backend: their backend's spec.
        queue: of their next work.
        overdue: whether they should have been looked at long ago.
        held: whether a worker has them now.
        jobs: how many.
        since: when the first of them entered its state.
    """

    state: State
    backend: str
    queue: Queue
    overdue: bool
    held: bool
    jobs: int
    since: datetime


@define
class Stuck:
    """Jobs that do not go on for one reason.

    Args:
        jobs: how many.
        first: the lowest number among them.
        oldest_seconds: since the first of them entered its state.
    """

    jobs: int = 0
    first: int | None = None
    oldest_seconds: float = 0.0

    def add(self, jobs: int, first: int, seconds: float) -> None:
        """Count more jobs."""
        self.jobs += jobs
        self.first = first if self.first is None else min(self.first, first)
        self.oldest_seconds = max(self.oldest_seconds, seconds)


@frozen
class Calibrated:
    """Jobs that have not ended, on one provider's device, with calibrated circuits.

    Args:
        backend: spec.
        jobs: number of jobs.
        oldest_seconds: age of the oldest calibration that one of them is compiled for.
    """

    backend: str
    jobs: int
    oldest_seconds: float


@frozen
class ServiceWork:
    """Work of the service at one time.

    Args:
        at: by the database's clock.
        waiting: jobs that have not ended.
        runners: processes with a recent heartbeat.
        processes: of workers that listen, by queue.
        unattended: queues without a worker.
        providers: answers of providers to the last calls.
        stuck: jobs that do not go on, by reason.
        calibrated: jobs with calibrated circuits, by provider's device.
    """

    at: datetime
    waiting: Sequence[Waiting]
    runners: Sequence[Runner]
    processes: Mapping[Queue, int]
    unattended: frozenset[Queue]
    providers: Sequence[Answering]
    stuck: Mapping[Reason, Stuck]
    calibrated: Sequence[Calibrated]

    def waiting_in(self, queue: Queue, *, held: bool = True) -> tuple[int, float]:
        """Return the number of jobs whose next work is a queue's, and the seconds that one waits.

        Args:
            queue: of them.
            held: whether jobs count that a worker has.

        Returns:
            The number, and the time since the first of them entered its state; 0 without any.
        """
        jobs = [job for job in self.waiting if job.queue is queue and (held or not job.held)]
        oldest = max((_seconds(job.since, self.at) for job in jobs), default=0.0)
        return sum(job.jobs for job in jobs), oldest


def service_work(session: Session, set_: Settings) -> ServiceWork:
    """Read the work of the service.

    Args:
        session: of the database that holds the records.
        set_: with the pause after which messages are sent again.
    """
    # Read once: a database would tell its time anew for every row.
    at = database_now(session)
    waiting, alive, providers = _waiting(session, set_, at), runners(session), answering(session)
    processes = listeners(alive)
    # A worker of a version that has no heartbeat runs, too, if it has a job.
    busy = {job.queue for job in waiting if job.held}
    unattended = frozenset(queue for queue, number in processes.items() if not number) - busy
    stuck = _stuck(session, waiting, providers, unattended, at)
    calibrated = _calibrated(session, at)
    return ServiceWork(at, waiting, alive, processes, unattended, providers, stuck, calibrated)


def _calibrated(session: Session, at: datetime) -> list[Calibrated]:
    rows = session.execute(
        select(Job.backend, func.count(), func.min(Compilation.calibrated_at))
        .join(Compilation, Job.compilation_id == Compilation.id)
        .where(Job.state.in_(OPEN), Compilation.calibrated_at.is_not(None))
        .group_by(Job.backend)
        .order_by(Job.backend)
    )
    return [
        Calibrated(backend, jobs, _seconds(oldest, at))
        for backend, jobs, oldest in rows
        if oldest is not None and not is_local(backend)
    ]


def _waiting(session: Session, set_: Settings, at: datetime) -> list[Waiting]:
    """Return all jobs that have not ended and that the queue is to take on, like ones together."""
    held = and_(Job.lease_until.is_not(None), Job.lease_until > at)
    late = Job.due_at < at - timedelta(seconds=set_.resend_seconds + LATE_SECONDS)
    # Below, so that PostgreSQL, too, groups by the selected values. All of it is in an
    # index, however many jobs there are.
    jobs_ = (
        select(
            Job.state,
            Job.backend,
            Job.state_since,
            case((late, 1), else_=0).label("late"),
            case((held, 1), else_=0).label("held"),
        )
        .where(Job.state.in_(OPEN), Job.due_at.is_not(None))
        .subquery()
        .c
    )
    alike = (jobs_.state, jobs_.backend, jobs_.late, jobs_.held)
    rows = session.execute(
        select(*alike, func.count(), func.min(jobs_.state_since)).group_by(*alike).order_by(*alike)
    )
    result = []
    for state, backend, is_late, is_held, jobs, since in rows:
        queue = queue_of(State(state), local=is_local(backend))
        assert queue is not None
        overdue = bool(is_late and not is_held)
        result.append(Waiting(State(state), backend, queue, overdue, bool(is_held), jobs, since))
    return result


def _stuck(
    session: Session,
    waiting: Sequence[Waiting],
    providers: Sequence[Answering],
    unattended: Collection[Queue],
    at: datetime,
) -> Mapping[Reason, Stuck]:
    """Return how many jobs do not go on, and why.

    Of being in doubt and the reasons that are not a person's, more than one may hold.
    """
    result = {reason: Stuck() for reason in Reason}
    for reason, some in (
        (Reason.QUARANTINED, Job.quarantined.is_not(None)),
        (Reason.DOUBT, and_(Job.state == State.SUBMITTING, Job.doubtful, Job.due_at.is_not(None))),
    ):
        jobs, first, since = session.execute(
            select(func.count(), func.min(Job.id), func.min(Job.state_since)).where(some)
        ).one()
        if jobs:
            result[reason].add(jobs, first, _seconds(since, at))
    problems = {provider.backend: provider.problem for provider in providers}
    for group in waiting:
        reason_ = _reason(group, problems, unattended)
        if reason_ is not None:
            # In the order of an index of states and numbers, of which but the beginning is read.
            lowest = session.scalar(
                select(Job.id)
                .where(
                    Job.state >= group.state, Job.state <= group.state, Job.backend == group.backend
                )
                .order_by(Job.state, Job.id)
                .limit(1)
            )
            result[reason_].add(group.jobs, lowest or 0, _seconds(group.since, at))
    return result


def _seconds(since: datetime, at: datetime) -> float:
    return max(0.0, (at - since).total_seconds())


def _reason(
    group: Waiting, problems: Mapping[str, Problem | None], unattended: Collection[Queue]
) -> Reason | None:
    problem = problems.get(group.backend) if group.queue in (Queue.SUBMIT, Queue.POLL) else None
    if problem is Problem.CREDENTIALS:
        return Reason.CREDENTIALS
    if problem is Problem.UNAVAILABLE:
        return Reason.PROVIDER
    if group.held:
        return None
    if group.queue in unattended:
        return Reason.UNATTENDED
    return Reason.OVERDUE if group.overdue else None
