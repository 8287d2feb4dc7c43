"""Pruning: records that are not needed any longer, and the space that they free.

Records of open jobs, and of jobs with reservations, are never removed: budgets are the sums of
their ledger.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from attrs import frozen
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Update,
    and_,
    delete,
    exists,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.orm import Session, aliased

from workers.clock import database_now
from workers.jobs.states import FINAL
from workers.records.database import at_once, unhurried
from workers.records.tables import (
    Candidate,
    CircuitRow,
    Compilation,
    Event,
    Job,
    LedgerEntry,
    ObservableRow,
    Order,
    ScoreRow,
)

CHUNK = 500
"""Rows that one statement names."""

ABANDONED = timedelta(days=1)
"""Age after which no worker is still busy with a compilation without jobs."""

SIZED = (Candidate, CircuitRow, Compilation, Event, Job, ObservableRow, Order, ScoreRow)


@frozen
class Pruned:
    """Removed records, or those that would be removed.

    Args:
        jobs: with their scores and events.
        compilations: with all that was tried.
        orders: that no job has.
        lost: candidates whose circuits were still stored, though no record needs them.
        circuits: to which no candidate points.
        freed_bytes: of the database; of PostgreSQL's the rows' own, which it uses again.
    """

    jobs: int
    compilations: int
    orders: int
    lost: int
    circuits: int
    freed_bytes: int


def prune(engine: Engine, older_than: timedelta | None, *, dry_run: bool) -> Pruned:
    """Remove records that are not needed, and free their space.

    Args:
        engine: of the records.
        older_than: jobs that ended before that, without having cost anything, go too, and with
            them the compilations and orders that no job has; None for none of them.
        dry_run: whether to remove nothing.
    """
    with Session(engine) as session:
        connection = session.connection()
        unhurried(connection)
        if engine.dialect.name == "postgresql":
            # A worker that chooses a circuit meanwhile waits, or is waited for.
            session.execute(text("LOCK TABLE circuits IN SHARE ROW EXCLUSIVE MODE"))
        else:
            # Its driver would begin no transaction before the first change.
            session.execute(delete(CircuitRow).where(CircuitRow.digest.is_(None)))
        before = _taken(connection)
        jobs = compilations = orders = 0
        if older_than is not None:
            end = database_now(session) - older_than
            jobs = _forget_jobs(session, _removable(session, Job.finished_at < end))
            compilations = _forget_compilations(session, Compilation.created_at < end)
            orders = _changed(session, delete(Order).where(Order.created_at < end, *UNUSED_ORDER))
        lost = _changed(session, _losers(session))
        circuits = _changed(session, delete(CircuitRow).where(UNUSED_CIRCUIT))
        result = Pruned(jobs, compilations, orders, lost, circuits, _freed(connection, before))
        if dry_run:
            session.rollback()
        else:
            session.commit()
    if not dry_run and engine.dialect.name == "sqlite":
        with at_once(engine).connect() as alone:
            alone.execute(text("VACUUM"))
            alone.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
    return result


UNUSED_CIRCUIT = ~exists().where(
    or_(Candidate.native_sha256 == CircuitRow.digest, Candidate.logical_sha256 == CircuitRow.digest)
)
UNUSED_ORDER = (
    ~exists().where(Job.order_digest == Order.digest),
    Order.lease_owner.is_(None),
    Order.quarantined_at.is_(None),
)
WAITED_FOR = exists().where(
    Job.state.not_in(FINAL),
    or_(Job.compilation_id == Compilation.id, Job.order_digest == Compilation.order_digest),
)
"""True if an open job may go on with a compilation."""

COSTS_NOTHING = and_(
    ~exists().where(LedgerEntry.job_id == Job.id),
    Job.provider_id.is_(None),
    Job.asked_at.is_(None),
    Job.charged_microusd.is_(None),
)


def _removable(session: Session, old: ColumnElement[bool]) -> Sequence[int]:
    """Return jobs that ended and cost nothing; rounds, retries and groups go together, or stay."""
    ids = set(
        session.scalars(
            select(Job.id).where(old, Job.state.in_(FINAL), COSTS_NOTHING, Job.doubtful.is_(False))
        )
    )
    pairs = [
        (row.id, other)
        for row in session.execute(
            select(Job.id, Job.parent_id, Job.retry_of, Job.leader_id).where(
                or_(
                    Job.parent_id.is_not(None),
                    Job.retry_of.is_not(None),
                    Job.leader_id.is_not(None),
                )
            )
        )
        for other in (row.parent_id, row.retry_of, row.leader_id)
        if other is not None
    ]
    while torn := {id_ for pair in pairs if len(ids & set(pair)) == 1 for id_ in pair} & ids:
        ids -= torn
    return sorted(ids)


def _forget_jobs(session: Session, jobs: Sequence[int]) -> int:
    connection = session.connection()
    for some in _chunks(jobs):
        # One may be in another chunk than the row that it refers to.
        connection.execute(
            update(Job).where(Job.id.in_(some)).values(parent_id=None, retry_of=None)
        )
    for some in _chunks(jobs):
        scores = select(ScoreRow.id).where(ScoreRow.job_id.in_(some))
        connection.execute(delete(ObservableRow).where(ObservableRow.score_id.in_(scores)))
        for table in (ScoreRow, Event):
            connection.execute(delete(table).where(table.job_id.in_(some)))
        connection.execute(delete(Job).where(Job.id.in_(some)))
    return len(jobs)


def _forget_compilations(session: Session, old: ColumnElement[bool]) -> int:
    unused = ~exists().where(Job.compilation_id == Compilation.id)
    ids = session.scalars(select(Compilation.id).where(old, unused, ~WAITED_FOR)).all()
    for some in _chunks(ids):
        session.connection().execute(delete(Candidate).where(Candidate.compilation_id.in_(some)))
        session.connection().execute(delete(Compilation).where(Compilation.id.in_(some)))
    return len(ids)


def _losers(session: Session) -> Update:
    """Return the statement that removes circuits of candidates that cannot be chosen any more."""
    winner = aliased(Candidate)
    decided = exists().where(winner.compilation_id == Compilation.id, winner.chosen)
    abandoned = and_(Compilation.created_at < database_now(session) - ABANDONED, ~WAITED_FOR)
    over = select(Compilation.id).where(or_(decided, abandoned))
    return (
        update(Candidate)
        .where(
            Candidate.chosen.is_(False),
            or_(Candidate.pending_native.is_not(None), Candidate.pending_logical.is_not(None)),
            Candidate.compilation_id.in_(over),
        )
        .values(pending_native=None, pending_logical=None)
    )


def _changed(session: Session, statement: object) -> int:
    return session.connection().execute(statement).rowcount  # type: ignore[call-overload]


def _chunks(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(ids), CHUNK):
        yield ids[start : start + CHUNK]


def _freed(connection: Connection, before: int) -> int:
    """Return how many bytes a database has to spare, of SQLite also those that it had before."""
    if connection.dialect.name == "postgresql":
        return before - _taken(connection)
    pages = connection.scalar(text("PRAGMA freelist_count")) or 0
    return int(pages * (connection.scalar(text("PRAGMA page_size")) or 0))


def _taken(connection: Connection) -> int:
    """Return how many bytes PostgreSQL's rows take that may be removed; 0 for SQLite."""
    if connection.dialect.name != "postgresql":
        return 0
    taken = 0
    for table in SIZED:
        rows = f"SELECT coalesce(sum(pg_column_size(one.*)), 0) FROM {table.__tablename__} one"
        taken += int(connection.scalar(text(rows)) or 0)
    return taken
