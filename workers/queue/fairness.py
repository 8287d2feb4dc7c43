"""The next job: of the tenant with the fewest jobs in work, its oldest.

Messages wait in the order in which they came, so a client that sends thousands would let all
others wait. Therefore a message is only a ticket, "there is work in this queue": its worker takes
the job that is chosen here. As many tickets as jobs that are due serve all of them.

A tenant is a token, or everything that is submitted without one on the command line.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from random import choice
from time import monotonic
from typing import Any

from attrs import define, frozen
from sqlalchemy import (
    CTE,
    ColumnElement,
    CompoundSelect,
    Connection,
    Engine,
    ScalarSelect,
    Select,
    and_,
    bindparam,
    literal,
    null,
    or_,
    select,
    true,
    tuple_,
    union_all,
    update,
)
from sqlalchemy.orm import Session

from compiler.errors import StichwerkError
from workers.clock import database_time
from workers.jobs.states import Queue, State, queue_of
from workers.queue.leases import Lease, job_lease
from workers.records.database import at_once
from workers.records.tables import Job, Token


def waiting_groups(*states: State) -> CTE:
    """Return a table of the states and backends of jobs that the queue is to take on.

    Its columns are `state` and `backend`; a row of each state ends with no backend.

    Args:
        states: those that count.
    """
    firsts = union_all(*map(_first, states)).subquery()
    groups = select(firsts).cte("groups", recursive=True)
    here = groups.c.state, groups.c.backend
    following = _backend(
        select(Job.backend).where(tuple_(Job.state, Job.backend) > tuple_(*here)), groups.c.state
    )
    return groups.union_all(select(here[0], following).where(here[1].is_not(None)))


def _first(state: State) -> Select[str, str | None]:
    name = literal(state.value)
    return select(
        name.label("state"),
        _backend(select(Job.backend).where(Job.state >= name), name).label("backend"),
    )


def _backend(after: Select[str], state: ColumnElement[str]) -> ScalarSelect[str]:
    """Return the first backend in a state, by the one index that is in this order.

    Were the state asked to be equal, PostgreSQL might as well go through all jobs by an index of
    their backends, when it does not know yet how many have ended.
    """
    waiting = after.where(Job.state <= state, Job.due_at.is_not(None))
    return waiting.order_by(Job.state, Job.backend).limit(1).scalar_subquery()


TRIES = 5
"""Limit of new choices because another worker was faster."""

FRESH_SECONDS = 1.0
"""Seconds for which a worker uses the same list of backends."""

Tenant = int | None

STATES: Mapping[Queue, Sequence[State]] = {
    queue: [
        state
        for state in State
        if queue in (queue_of(state, local=True), queue_of(state, local=False))
    ]
    for queue in Queue
}
"""States in which jobs wait for a queue, at least those of some backends."""

MIXED = [s for s in State if queue_of(s, local=True) != queue_of(s, local=False)]
"""States in which the backend decides about the queue."""


@define
class _Seen:
    """The backends of jobs in mixed states, as they were a moment ago."""

    at: float = -math.inf
    specs: Collection[str] = ()


_seen = _Seen()
_MIXED_GROUPS = waiting_groups(*MIXED)
_IN_MIXED_STATES = (
    select(_MIXED_GROUPS.c.backend).where(_MIXED_GROUPS.c.backend.is_not(None)).distinct()
)


@contextmanager
def fairest(
    session: Session, queue: Queue, seconds: float, resend_seconds: float
) -> Iterator[tuple[Job, Lease] | None]:
    """Hold a job that is due for a queue, or nothing if there is none.

    It is one of the tenant with the fewest jobs of the queue in work, at random of one of several,
    and of its jobs the one that has been due longest.

    Args:
        session: see `job_lease`.
        queue: whose work is to be done.
        seconds: how long the lease lasts without being renewed.
        resend_seconds: see `job_lease`.
    """
    # Taking it alone decides: the row may have changed since it was read.
    for _ in range(TRIES):
        job_id = _chosen(session.get_bind().engine, queue)
        if job_id is None:
            break
        with job_lease(session, job_id, seconds, resend_seconds, only_due=True) as held:
            if held is not None:
                yield held
                return
    yield None


def _chosen(engine: Engine, queue: Queue) -> int | None:
    with at_once(engine).connect() as connection:
        waiting = _waiting(connection, queue)
        if not waiting.jobs:
            return None
        jobs = waiting.jobs[_least_busy(connection, queue, waiting)]
        # A worker that takes a job of another queue passes it on.
        return jobs[0] if len(jobs) == 1 else connection.scalar(_OLDEST, {"jobs": jobs})


def pass_on(engine: Engine, job_id: int) -> None:
    """Let a job that another worker can go on with be due at once, and not after a pause."""
    with at_once(engine).connect() as connection:
        connection.execute(
            update(Job)
            .where(Job.id == job_id, Job.due_at > database_time(), Job.lease_until.is_(None))
            .values(due_at=database_time())
        )


NOW = bindparam("now", type_=Job.due_at.type)


def is_due(at: ColumnElement[datetime]) -> ColumnElement[bool]:
    """Return the condition that a job is due by then and has no lease."""
    return and_(Job.due_at <= at, or_(Job.lease_until.is_(None), Job.lease_until < at))


IS_DUE = is_due(NOW)
"""Condition that a job is due now and has no lease."""


@cache
def is_local(spec: str) -> bool:
    """Return whether a backend runs in the worker itself."""
    from backends import LocalBackend
    from workers.stages.context import shared_backend

    try:
        return isinstance(shared_backend(spec), LocalBackend)
    except StichwerkError:
        # A backend of another version, which only its worker knows.
        return False


@frozen
class _Waiting:
    """The due jobs of a queue.

    Args:
        jobs: of each tenant that has any, the oldest in each state.
        at: the database's time.
    """

    jobs: Mapping[Tenant, list[int]]
    at: datetime | None


def _waiting(connection: Connection, queue: Queue) -> _Waiting:
    """Return the due jobs of a queue."""
    mine, others = _backends(connection, queue)
    states = tuple(state for state in STATES[queue] if mine or state not in MIXED)
    if not states:
        return _Waiting({}, None)
    rows = connection.execute(_firsts(states, bool(others)), {"mine": mine}).all()
    by_tenant = {tenant: [job for job in jobs if job is not None] for _, tenant, *jobs in rows}
    return _Waiting({tenant: jobs for tenant, jobs in by_tenant.items() if jobs}, rows[0][0])


def _backends(connection: Connection, queue: Queue) -> tuple[list[str], list[str]]:
    """Return the backends whose jobs in mixed states are this queue's, and the others there."""
    if monotonic() - _seen.at > FRESH_SECONDS:
        _seen.specs = set(connection.scalars(_IN_MIXED_STATES))
        _seen.at = monotonic()
    mine: list[str] = []
    others: list[str] = []
    for spec in _seen.specs:
        names = {queue_of(state, local=is_local(spec)) for state in MIXED}
        (mine if queue in names else others).append(spec)
    return mine, others


@cache
def _firsts(states: Sequence[State], among_others: bool) -> CompoundSelect[Any]:
    """Return the question; to put it together takes longer than to answer it."""
    # A table of its own, so that the time is asked for once, and the index is searched by it.
    clock = select(database_time().label("now")).subquery("clock")
    due = is_due(clock.c.now)

    def first(state: State, of: ColumnElement[bool]) -> ScalarSelect[int]:
        # One state at a time, and by `due_at` alone: the index is in this order, nothing is sorted.
        query = select(Job.id).where(of, Job.state == state, due)
        if among_others and state in MIXED:
            query = query.where(Job.backend.in_(bindparam("mine", expanding=True)))
        return query.order_by(Job.due_at).limit(1).correlate(Token, clock).scalar_subquery()

    return union_all(
        select(clock.c.now, null(), *(first(state, Job.token_id.is_(None)) for state in states)),
        select(
            clock.c.now, Token.id, *(first(state, Job.token_id == Token.id) for state in states)
        ).select_from(clock.join(Token, true())),
    )


_HELD = select(Job.token_id, Job.state, Job.backend).where(Job.lease_until >= NOW)
_OLDEST = (
    select(Job.id)
    .where(Job.id.in_(bindparam("jobs", expanding=True)))
    .order_by(Job.due_at, Job.id)
    .limit(1)
)


def _least_busy(connection: Connection, queue: Queue, waiting: _Waiting) -> Tenant:
    tenants = list(waiting.jobs)
    if len(tenants) == 1:
        return tenants[0]
    busy = dict.fromkeys(tenants, 0)
    for tenant, state, backend in connection.execute(_HELD, {"now": waiting.at}):
        if tenant in busy and queue_of(State(state), local=is_local(backend)) == queue:
            busy[tenant] += 1
    least = min(busy.values())
    return choice([tenant for tenant, number in busy.items() if number == least])
