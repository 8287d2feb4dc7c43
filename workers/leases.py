"""Leases: one worker at a time has a job or an order, and a silent one loses it.

A lease is two columns of the row, who has it and until when. Whoever has it says so again and
again from a thread of its own; a worker that was killed falls silent, and after `lease_seconds`
another may take the row over. What a worker that lost its lease still computes is thrown away,
because taking a job over counts up its `version`.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from time import monotonic
from typing import Any
from uuid import uuid4

from sqlalchemy import Engine, case, or_, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session
from sqlalchemy.sql.elements import ColumnElement

from compiler.errors import StichwerkError
from workers.records import Job, Order, now
from workers.states import FINAL

BEATS = 3
"""How often in `lease_seconds` a lease is renewed."""


class LeaseLostError(StichwerkError):
    """Another worker has taken over, or the job was cancelled: what is not stored is void."""


class Lease:
    """The right to work on one row; renewed by `beat`.

    Args:
        owner: what stands in the row while it is held.
        seconds: how long it lasts without being renewed.
    """

    def __init__(self, owner: str, seconds: float) -> None:
        self.owner = owner
        self.seconds = seconds
        self._lost = False
        self._renewed = monotonic()

    def require(self) -> None:
        """Go on only if the lease is held.

        Raises:
            LeaseLostError: if it is not.
        """
        if self._lost or monotonic() - self._renewed > self.seconds:
            raise LeaseLostError("another worker has taken over, or the job was cancelled")

    def beat(self, engine: Engine, of: ColumnElement[bool], table: type[Job] | type[Order]) -> None:
        """Renew the lease, unless it is lost."""
        asked = monotonic()
        until = now() + timedelta(seconds=self.seconds)
        # A database that is away may be back before the lease has run out.
        with suppress(SQLAlchemyError), engine.begin() as connection:
            renewed = connection.execute(
                update(table).where(of, table.lease_owner == self.owner).values(lease_until=until)
            )
            if renewed.rowcount:
                self._renewed = asked
            else:
                self._lost = True


@contextmanager
def job_lease(
    session: Session, job_id: int, seconds: float, resend_seconds: float
) -> Iterator[tuple[Job, Lease] | None]:
    """Hold a job, or nothing if it has ended or another worker has it.

    Args:
        session: one that does not expire what it has committed, so that changes made by others
            are noticed.
        job_id: which job; it is read afresh.
        seconds: how long the lease lasts without being renewed.
        resend_seconds: when the block ends, a job that is due stays so after this pause only:
            its next message is on the way.
    """
    lease = Lease(uuid4().hex, seconds)
    free = [Job.id == job_id, Job.state.not_in(FINAL)]
    # A lease that was not given back tells of a worker that died.
    died = case((Job.lease_owner.is_not(None), Job.failures + 1), else_=Job.failures)
    if not _taken(session, Job, free, lease, version=Job.version + 1, failures=died):
        yield None
        return
    job = session.get_one(Job, job_id, populate_existing=True)
    with _kept(session, Job, Job.id == job_id, lease, resend_seconds):
        yield job, lease


@contextmanager
def order_lease(session: Session, digest: str, seconds: float) -> Iterator[Lease | None]:
    """Hold an order, or nothing if another worker has it."""
    lease = Lease(uuid4().hex, seconds)
    if not _taken(session, Order, [Order.digest == digest], lease):
        yield None
        return
    with _kept(session, Order, Order.digest == digest, lease):
        yield lease


def _taken(
    session: Session,
    table: type[Job] | type[Order],
    free: list[ColumnElement[bool]],
    lease: Lease,
    **values: Any,
) -> bool:
    session.commit()
    found = session.connection().execute(
        update(table)
        .where(*free, or_(table.lease_until.is_(None), table.lease_until < now()))
        .values(
            lease_owner=lease.owner,
            lease_until=now() + timedelta(seconds=lease.seconds),
            **values,
        )
    )
    session.commit()
    return bool(found.rowcount)


@contextmanager
def _kept(
    session: Session,
    table: type[Job] | type[Order],
    of: ColumnElement[bool],
    lease: Lease,
    resend_seconds: float | None = None,
) -> Iterator[None]:
    engine = session.get_bind().engine
    done = threading.Event()

    def renew() -> None:
        while not done.wait(lease.seconds / BEATS):
            lease.beat(engine, of, table)

    thread = threading.Thread(target=renew, name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        # If the database is away now, the lease runs out by itself.
        with suppress(SQLAlchemyError):
            session.rollback()
            values: dict[str, Any] = {"lease_owner": None, "lease_until": None}
            if resend_seconds is not None:
                later = now() + timedelta(seconds=resend_seconds)
                values["due_at"] = case((Job.due_at <= now(), later), else_=Job.due_at)
            session.connection().execute(
                update(table).where(of, table.lease_owner == lease.owner).values(**values)
            )
            session.commit()
