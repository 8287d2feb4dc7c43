"""Numbers of jobs by state, times in states, failures and costs."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from itertools import groupby
from operator import itemgetter

from attrs import frozen
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from compiler.words.machine_names import machine_of
from workers.jobs.states import FINAL, State
from workers.records.queries.runs import MAX_RUNS
from workers.records.tables import MICRO, Event, Job

MAX_TIMED = 2000
"""Newest jobs whose times are read."""

MAX_FAILED = 500
"""Newest failed jobs that are read."""

MAX_PAID = 50 * MAX_RUNS
"""Newest paid jobs whose cost is added up by day."""


@frozen
class Stay:
    """Seconds of a job in a state that it has left."""

    job: int
    backend: str
    state: str
    seconds: float


@frozen
class Ended:
    """A job that has ended, and how long that took from its submission."""

    job: int
    program: str
    backend: str
    state: str
    at: datetime
    seconds: float


@frozen
class Failure:
    """Failures of jobs on one backend: their number, and the newest of them."""

    backend: str
    error: str
    jobs: int
    newest: int
    at: datetime


@frozen
class Queueing:
    """Numbers, times, failures and costs of jobs.

    Args:
        numbers: of all jobs, by state and backend, which all calibrations of a device are.
        oldest: when the oldest job in each state that is not final was submitted.
        stays: of the newest jobs.
        ended: the newest jobs that have ended.
        failures: of the newest failed jobs, the most frequent first.
        costs_usd: estimated, by backend and day of submission in UTC.
    """

    numbers: dict[tuple[str, str], int]
    oldest: dict[str, datetime]
    stays: Sequence[Stay]
    ended: Sequence[Ended]
    failures: Sequence[Failure]
    costs_usd: dict[tuple[str, date], float]

    def in_state(self, state: str) -> int:
        """Return how many jobs are in a state."""
        return sum(number for (key, _), number in self.numbers.items() if key == state)

    @property
    def jobs(self) -> int:
        """Number of jobs."""
        return sum(self.numbers.values())


def read_queueing(session: Session) -> Queueing:
    """Read numbers, times, failures and costs of all jobs."""
    numbers, oldest = count_jobs(session)
    return Queueing(
        numbers, oldest, _stays(session), _ended(session), _failures(session), _costs(session)
    )


def count_jobs(session: Session) -> tuple[Counter[tuple[str, str]], dict[str, datetime]]:
    """Count the jobs.

    Returns:
        Their numbers by state and backend, which all calibrations of a device are; and the time
        at which the oldest job in each state that is not final was submitted.
    """
    rows = select(Job.state, Job.backend, func.count(), func.min(Job.created_at))
    rows = rows.group_by(Job.state, Job.backend).order_by(Job.state)
    numbers: Counter[tuple[str, str]] = Counter()
    oldest: dict[str, datetime] = {}
    for state, backend, number, first in session.execute(rows):
        numbers[state, machine_of(backend)] += number
        if state not in FINAL:
            oldest[state] = min(first, oldest.get(state, first))
    return numbers, oldest


def stages_of(
    events: Iterable[tuple[datetime, str]], until: datetime | None = None
) -> list[tuple[str, datetime, float]]:
    """Return the states of a job, when it entered each, and the seconds it was there.

    Args:
        events: times and states of its events, the oldest first; several may be of one state.
        until: time up to which the last state is counted; None to leave it out.
    """
    begun = [next(group) for _, group in groupby(events, key=itemgetter(1))]
    ends = [at for at, _ in begun[1:]] + ([] if until is None else [until])
    return [
        (state, at, (end - at).total_seconds())
        for (at, state), end in zip(begun, ends, strict=False)
    ]


def stays_of(events: Iterable[tuple[datetime, str]]) -> list[tuple[str, float]]:
    """Return the states that a job has left and the seconds it was in each; see `stages_of`."""
    return [(state, seconds) for state, _, seconds in stages_of(events) if state not in FINAL]


def _stays(session: Session) -> list[Stay]:
    newest = select(Job.id, Job.backend).order_by(Job.id.desc())
    jobs = newest.limit(MAX_TIMED).subquery()
    rows = (
        select(Event.job_id, jobs.c.backend, Event.at, Event.state)
        .join(jobs, jobs.c.id == Event.job_id)
        .order_by(Event.job_id.desc(), Event.id)
    )
    events: defaultdict[tuple[int, str], list[tuple[datetime, str]]] = defaultdict(list)
    for job, backend, at, state in session.execute(rows):
        events[job, machine_of(backend)].append((at, state))
    return [
        Stay(job, backend, state, seconds)
        for (job, backend), changes in events.items()
        for state, seconds in stays_of(changes)
    ]


def _ended(session: Session) -> list[Ended]:
    columns = (Job.id, Job.program, Job.backend, Job.state, Job.finished_at, Job.created_at)
    rows = select(*columns).where(Job.finished_at.is_not(None))
    return [
        Ended(
            row.id,
            row.program,
            machine_of(row.backend),
            row.state,
            row.finished_at,
            (row.finished_at - row.created_at).total_seconds(),
        )
        for row in session.execute(rows.order_by(Job.id.desc()).limit(MAX_TIMED))
    ]


def _failures(session: Session) -> list[Failure]:
    columns = (Job.id, Job.backend, Job.error, Job.finished_at, Job.created_at)
    rows = select(*columns).where(Job.state == State.FAILED)
    newest: dict[tuple[str, str], tuple[int, datetime]] = {}
    numbers: Counter[tuple[str, str]] = Counter()
    for row in session.execute(rows.order_by(Job.id.desc()).limit(MAX_FAILED)):
        key = (machine_of(row.backend), row.error or "")
        newest.setdefault(key, (row.id, row.finished_at or row.created_at))
        numbers[key] += 1
    return [Failure(*key, number, *newest[key]) for key, number in numbers.most_common()]


def _costs(session: Session) -> dict[tuple[str, date], float]:
    columns = (Job.backend, Job.submitted_at, Job.estimated_cost_microusd)
    rows = (
        select(*columns)
        .where(Job.estimated_cost_microusd > 0)
        .order_by(Job.id.desc())
        .limit(MAX_PAID)
    )
    costs: Counter[tuple[str, date]] = Counter()
    for backend, at, cost in session.execute(rows):
        if at is not None and cost is not None:
            costs[machine_of(backend), at.astimezone(UTC).date()] += cost
    return {key: cost / MICRO for key, cost in costs.items()}
