"""Leases: one worker at a time holds a job or an order, and loses it without renewals.

A lease is two columns of the row, its holder and its end, by the database's clock. The holder
renews it from a thread of its own; a worker that was killed renews nothing, and after
`lease_seconds` (of `workers.settings`) another may take the row over. Results of a worker that has
lost its lease are discarded, because taking a job over increments its `version`.

A worker cannot know that it has just been suspended, or cut off from the database. So
`Lease.confirm` precedes every step that must not happen twice: the database itself has confirmed
the lease just now, by a clock that goes on while the machine sleeps.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from uuid import uuid4

from attrs import define, field
from sqlalchemy import Engine, Update, case, or_, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session
from sqlalchemy.sql.elements import ColumnElement

from compiler.errors import StichwerkError
from workers.clock import database_time, steady
from workers.jobs.states import FINAL
from workers.records.database import at_once
from workers.records.tables import Job, Order

BEATS = 3
"""Renewals of a lease in `lease_seconds`."""

SHOW_SECONDS = 1.0
"""Between two lines of progress that are recorded."""

CONFIRMATIONS = 3
"""Seconds between two questions for the holder of a lease, if the database answers late."""

AFTER_ANOTHER = "+"
"""Ends the name of an owner that has taken over from one who had not given the lease back."""


class LeaseLostError(StichwerkError):
    """Another worker has taken over, or the job was cancelled: unsaved results are discarded."""


class UnconfirmedError(StichwerkError):
    """It is unknown whether a lease is held: the database does not answer in time."""


@define(eq=False)
class Lease:
    """The right to work on one row; renewed by `beat`.

    Args:
        engine: of the database.
        table: that has the row.
        of: the row.
        seconds: how long it lasts without being renewed.
    """

    engine: Engine
    table: type[Job] | type[Order]
    of: ColumnElement[bool]
    seconds: float
    owner: str = field(factory=lambda: uuid4().hex, init=False)
    was_left_behind: bool = field(default=False, init=False)
    """True if a worker that died has had it before."""
    given_back: bool = field(default=False, init=False)
    """True if the row already has no holder."""
    _lost: bool = field(default=False, init=False)
    _renewed: float = field(factory=steady, init=False)
    _shown: float = field(factory=steady, init=False)

    def taken(self, owner: str | None) -> None:
        """Note under which name the row was taken, as the row has it now."""
        if owner is None:
            raise LeaseLostError("the row has no holder")
        self.owner, self.was_left_behind = owner, owner.endswith(AFTER_ANOTHER)

    def require(self) -> None:
        """Go on only if the lease is held, as far as this process knows.

        Raises:
            LeaseLostError: if it is not.
        """
        if self._lost or steady() - self._renewed > self.seconds:
            raise LeaseLostError("another worker has taken over, or the job was cancelled")

    def confirm(self) -> None:
        """Go on only if the database says that the lease is held, and has said so just now.

        Raises:
            LeaseLostError: if it is not held.
            UnconfirmedError: if the database does not answer in time.
        """
        for _ in range(CONFIRMATIONS):
            began = steady()
            try:
                self._renew()
            except SQLAlchemyError as error:
                raise UnconfirmedError("the database cannot be asked who has the job") from error
            self.require()
            if steady() - began <= self.seconds / BEATS:
                return
        raise UnconfirmedError("the database takes too long to say who has the job")

    def show(self, progress: str) -> None:
        """Record how far the work on a job is, unless that was recorded just now."""
        if steady() - self._shown < SHOW_SECONDS:
            return
        self._shown = steady()
        with suppress(SQLAlchemyError), at_once(self.engine).connect() as connection:
            connection.execute(update(Job).where(self.of).values(progress=progress))

    def beat(self) -> None:
        """Renew the lease, unless it is lost."""
        # A database that is away may be back before the lease has run out.
        with suppress(SQLAlchemyError):
            self._renew()

    def _renew(self) -> None:
        began = steady()
        with at_once(self.engine).connect() as connection:
            renewed = connection.execute(
                update(self.table)
                .where(self.of, self.table.lease_owner == self.owner)
                .values(lease_until=database_time(self.seconds))
            )
        if renewed.rowcount:
            self._renewed = max(self._renewed, began)
        else:
            self._lost = True


@contextmanager
def job_lease(
    session: Session, job_id: int, seconds: float, resend_seconds: float, *, only_due: bool = False
) -> Iterator[tuple[Job, Lease] | None]:
    """Hold a job, unless it has ended or another worker holds it.

    Args:
        session: without the job in its cache, and without expiry on commit, so that changes by
            other processes are noticed.
        job_id: of the job; it is read as it is taken.
        seconds: how long the lease lasts without being renewed.
        resend_seconds: when the block ends, a job that is due stays so after this pause only:
            its next message is on the way.
        only_due: whether a job that is not due is left alone, too.
    """
    lease = Lease(session.get_bind().engine, Job, Job.id == job_id, seconds)
    # A lease that was not given back tells of a worker that died.
    died = case((Job.lease_owner.is_not(None), Job.failures + 1), else_=Job.failures)
    taking = _taking(lease, Job.state.not_in(FINAL)).values(version=Job.version + 1, failures=died)
    if only_due:
        taking = taking.where(Job.due_at <= database_time())
    session.commit()
    with Session(at_once(lease.engine)) as at_the_door:
        job = at_the_door.scalars(taking.returning(Job)).one_or_none()
        at_the_door.expunge_all()
    if job is None:
        yield None
        return
    session.add(job)
    lease.taken(job.lease_owner)
    with _kept(session, lease, resend_seconds):
        yield job, lease
        # The change that ended the job has given it back.
        lease.given_back = not session.in_transaction() and job.state in FINAL


@contextmanager
def order_lease(session: Session, digest: str, seconds: float) -> Iterator[Lease | None]:
    """Hold an order, or nothing if another worker has it."""
    lease = Lease(session.get_bind().engine, Order, Order.digest == digest, seconds)
    session.commit()
    with at_once(lease.engine).connect() as connection:
        owner = connection.scalar(_taking(lease).returning(Order.lease_owner))
    if owner is None:
        yield None
        return
    lease.taken(owner)
    with _kept(session, lease):
        yield lease


def _taking(lease: Lease, *free: ColumnElement[bool]) -> Update:
    """Return the statement that takes a row: a single one, so that it is atomic."""
    table = lease.table
    owner = case(
        (table.lease_owner.is_not(None), f"{lease.owner}{AFTER_ANOTHER}"), else_=lease.owner
    )
    free = (*free, or_(table.lease_until.is_(None), table.lease_until < database_time()))
    until = database_time(lease.seconds)
    return update(table).where(lease.of, *free).values(lease_owner=owner, lease_until=until)


@contextmanager
def _kept(session: Session, lease: Lease, resend_seconds: float | None = None) -> Iterator[None]:
    done = threading.Event()

    def renew() -> None:
        while not done.wait(lease.seconds / BEATS):
            lease.beat()

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
            if not lease.given_back:
                _give_back(lease, resend_seconds)


def _give_back(lease: Lease, resend_seconds: float | None) -> None:
    values: dict[str, Any] = {"lease_owner": None, "lease_until": None}
    if resend_seconds is not None:
        values["due_at"] = case(
            (Job.due_at <= database_time(), database_time(resend_seconds)), else_=Job.due_at
        )
    with at_once(lease.engine).connect() as connection:
        connection.execute(
            update(lease.table)
            .where(lease.of, lease.table.lease_owner == lease.owner)
            .values(**values)
        )
