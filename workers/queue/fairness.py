"""Whose job is next: the tenant that has the fewest in work, and of its jobs the oldest.

Messages wait in the order in which they came, so whoever sends thousands of them would let all
others wait behind. Therefore a message is but a ticket, "there is work in this queue": whoever
draws it takes the job that is chosen here. As many tickets as jobs that are due serve all of them.

A tenant is a token, or whoever submits without one on the command line.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from random import choice
from time import monotonic
from typing import Any

from attrs import define
from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    Engine,
    ScalarSelect,
    and_,
    bindparam,
    null,
    or_,
    select,
    union_all,
    update,
)

from compiler.errors import StichwerkError
from workers.clock import database_now, database_time
from workers.jobs.states import Queue, State, queue_of
from workers.queue.groups import waiting_groups
from workers.records.database import at_once
from workers.records.tables import Job, Token

TRIES = 5
"""How often a choice is made anew because another worker was faster."""

FRESH_SECONDS = 1.0
"""How long a worker goes by the same list of backends."""

Tenant = int | None

STATES: Mapping[Queue, Sequence[State]] = {
    queue: [
        state
        for state in State
        if queue in (queue_of(state, local=True), queue_of(state, local=False))
    ]
    for queue in Queue
}
"""Where jobs wait whose work a queue does, at least those of some backends."""

MIXED = [s for s in State if queue_of(s, local=True) != queue_of(s, local=False)]
"""States in which the backend decides about the queue."""


@define
class _Seen:
    """The backends of jobs in mixed states, as they were a moment ago."""

    at: float = -math.inf
    specs: Collection[str] = ()


_seen = _Seen()
_MIXED_GROUPS = waiting_groups(*MIXED)
_IN_MIXED_STATES = select(_MIXED_GROUPS.c.backend).distinct()


def fairest(engine: Engine, queue: Queue, seconds: float) -> int | None:
    """Take a job that is due for a queue, so that nobody else takes it by a ticket.

    Args:
        engine: of the database.
        queue: whose work is to be done.
        seconds: after which it is due again, unless somebody has a lease on it by then.

    Returns:
        a job of the tenant with the fewest jobs of the queue in work, at random one of several:
        the one that has been due longest. None if nothing is due.
    """
    # The last statement alone decides: what the others have found may have changed meanwhile.
    with at_once(engine).connect() as connection:
        for _ in range(TRIES):
            at = database_now(connection)
            waiting = _waiting(connection, queue, at)
            if not waiting:
                return None
            jobs = waiting[_least_busy(connection, queue, at, list(waiting))]
            job_id = _oldest(connection, queue, jobs)
            if job_id is not None and _taken(connection, job_id, at, seconds):
                return job_id
    return None


def pass_on(engine: Engine, job_id: int) -> None:
    """Let a job that another worker can go on with be due at once, and not after a pause."""
    with at_once(engine).connect() as connection:
        connection.execute(
            update(Job)
            .where(Job.id == job_id, Job.due_at > database_time(), Job.lease_until.is_(None))
            .values(due_at=database_time())
        )


NOW = bindparam("now", type_=Job.due_at.type)

IS_DUE = and_(Job.due_at <= NOW, or_(Job.lease_until.is_(None), Job.lease_until < NOW))
"""That a job is to be looked at now, and nobody has it."""


@cache
def is_local(spec: str) -> bool:
    """Tell whether a backend runs in the worker itself."""
    from backends import LocalBackend
    from workers.stages.context import shared_backend

    try:
        return isinstance(shared_backend(spec), LocalBackend)
    except StichwerkError:
        # A backend of another version, which only its worker knows.
        return False


def _waiting(connection: Connection, queue: Queue, at: datetime) -> dict[Tenant, list[int]]:
    """Return for each tenant that has something due the oldest job in each state."""
    mine, others = _backends(connection, queue)
    states = tuple(state for state in STATES[queue] if mine or state not in MIXED)
    if not states:
        return {}
    rows = connection.execute(_firsts(states, bool(others)), {"now": at, "mine": mine})
    found = {tenant: [job for job in jobs if job is not None] for tenant, *jobs in rows}
    return {tenant: jobs for tenant, jobs in found.items() if jobs}


def _backends(connection: Connection, queue: Queue) -> tuple[list[str], list[str]]:
    """Return the backends whose jobs in mixed states are this queue's, and the others there."""
    if monotonic() - _seen.at > FRESH_SECONDS:
        _seen.specs = set(connection.scalars(_IN_MIXED_STATES))
        _seen.at = monotonic()
    mine: list[str] = []
    others: list[str] = []
    for spec in _seen.specs:
        known = {queue_of(state, local=is_local(spec)) for state in MIXED}
        (mine if queue in known else others).append(spec)
    return mine, others


@cache
def _firsts(states: Sequence[State], among_others: bool) -> CompoundSelect[Any]:
    """Return the question; to put it together takes longer than to answer it."""

    def first(state: State, of: ColumnElement[bool]) -> ScalarSelect[int]:
        # One state at a time, and by `due_at` alone: the index is in this order, nothing is sorted.
        one = select(Job.id).where(of, Job.state == state, IS_DUE)
        if among_others and state in MIXED:
            one = one.where(Job.backend.in_(bindparam("mine", expanding=True)))
        return one.order_by(Job.due_at).limit(1).correlate(Token).scalar_subquery()

    return union_all(
        select(Token.id, *(first(state, Job.token_id == Token.id) for state in states)),
        select(null(), *(first(state, Job.token_id.is_(None)) for state in states)),
    )


_HELD = select(Job.token_id, Job.state, Job.backend).where(Job.lease_until >= NOW)


def _least_busy(
    connection: Connection, queue: Queue, at: datetime, tenants: list[Tenant]
) -> Tenant:
    if len(tenants) == 1:
        return tenants[0]
    busy = dict.fromkeys(tenants, 0)
    for tenant, state, backend in connection.execute(_HELD, {"now": at}):
        if tenant in busy and queue_of(State(state), local=is_local(backend)) == queue:
            busy[tenant] += 1
    least = min(busy.values())
    return choice([tenant for tenant, number in busy.items() if number == least])


def _oldest(connection: Connection, queue: Queue, jobs: list[int]) -> int | None:
    """Return the job that has been due longest, None if none is for this queue after all."""
    rows = connection.execute(
        select(Job.id, Job.state, Job.backend).where(Job.id.in_(jobs)).order_by(Job.due_at, Job.id)
    )
    for job_id, state, backend in rows:
        if queue_of(State(state), local=is_local(backend)) == queue:
            return int(job_id)
    return None


_TAKE = update(Job).where(Job.id == bindparam("job"), IS_DUE).values(due_at=bindparam("later"))


def _taken(connection: Connection, job_id: int, at: datetime, seconds: float) -> bool:
    given = {"job": job_id, "now": at, "later": at + timedelta(seconds=seconds)}
    return bool(connection.execute(_TAKE, given).rowcount)
