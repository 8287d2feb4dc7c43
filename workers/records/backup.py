"""Backups of the records: copies of a SQLite database in use, and repairs after a restore.

A backup is older than the providers' records. A job that is not submitted in the backup may have
been submitted since. So before restored records are used, such jobs are marked as submitted without
an answer: workers search for them by their keys first. Workers do the same when the database turns
out to be another copy than before, such as a standby that lagged when it was promoted. The database
stores which copy workers have used last:

- PostgreSQL: the cluster's identifier, the numbers of the database and of the file of the table of
  jobs, and the timeline, which counts promotions and recoveries to a point in time.
- SQLite: the numbers of the device and of the file. `stichwerk backup` marks its copy as one.

An image of a whole PostgreSQL cluster that is put back, or of a file in its place, looks the same.
"""

import logging
import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import lru_cache
from math import inf
from pathlib import Path

from attrs import frozen
from sqlalchemy import Engine, case, null, or_, select, text, update
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.orm import Session

from compiler.errors import InputError, StichwerkError
from workers.clock import database_time
from workers.jobs.states import FINAL, JobKind, State
from workers.queue.heartbeats import Kind, runners
from workers.records.database import at_once, reason_of
from workers.records.tables import DatabaseOrigin, Event, Job, Order

LOG = logging.getLogger("stichwerk.records")

COPY = "a copy made by stichwerk backup"
"""The identity of a database that no worker has used yet, but its original."""

POSTGRESQL = text(
    "SELECT concat_ws('-', (SELECT system_identifier FROM pg_control_system()), "
    "(SELECT oid FROM pg_database WHERE datname = current_database()), "
    "pg_relation_filenode('jobs'), left(pg_walfile_name(pg_current_wal_lsn()), 8))"
)
"""The last eight digits are the timeline that is written now; a checkpoint's may be the last one's
for minutes."""


def is_older_state(session: Session) -> bool:
    """Return whether this is another copy of the database than workers have used last.

    The first copy that is checked becomes the known one; the caller commits.
    """
    here = _identity(session)
    recorded = session.scalar(select(DatabaseOrigin.identity))
    if here is None or recorded == here:
        return False
    if recorded == "":
        session.execute(update(DatabaseOrigin).values(identity=here))
    return recorded != ""


def keep_origin(session: Session, *, only_another: bool = False) -> bool:
    """Keep that this copy, perhaps an older state, is used from now on; the caller commits.

    Args:
        session: of the database.
        only_another: whether nothing is changed if it was this copy already.

    Returns:
        whether anything was changed.
    """
    here = _identity(session) or ""
    row = update(DatabaseOrigin).values(identity=here, since=database_time())
    if only_another:
        row = row.where(DatabaseOrigin.identity != here)
    return session.connection().execute(row).rowcount > 0


def older_for_seconds(session: Session) -> float:
    """Return for how long it has been known that the database may be an older state.

    Infinity if it never was one.
    """
    since, at = session.execute(select(DatabaseOrigin.since, database_time())).one()
    return inf if since is None else (at - since).total_seconds()


def _identity(session: Session) -> str | None:
    engine = session.get_bind().engine
    if engine.dialect.name == "sqlite":
        try:
            file = Path(engine.url.database or ":memory:").stat()
        except OSError:
            return None
        return f"{file.st_dev}-{file.st_ino}"
    return str(session.scalar(POSTGRESQL)) if _tells(engine) else None


@lru_cache(maxsize=2)
def _tells(engine: Engine) -> bool:
    """Return whether a server identifies its copy; some hosted ones do not."""
    try:
        with at_once(engine).connect() as connection:
            connection.execute(POSTGRESQL)
    except (OperationalError, InterfaceError):
        raise
    except DBAPIError as error:
        LOG.warning("a return to an older state will not be noticed: %s", reason_of(error))
        return False
    return True


LOG = logging.getLogger("stichwerk.records")

RESTORED = (
    "restored from a backup or a standby: its provider may have it, and is asked before it is "
    "submitted"
)


def back_up(engine: Engine, path: Path) -> None:
    """Copy an SQLite database, as it is at one moment, to a new file; others may go on writing.

    Args:
        engine: of the database.
        path: of the copy, which appears when it is complete.

    Raises:
        InputError: if the database is no file of SQLite, or the copy cannot be written.
    """
    if engine.dialect.name != "sqlite":
        raise InputError(
            "only records in SQLite are copied by this command: take pg_dump for PostgreSQL, see "
            "docs/operating.md"
        )
    if path.exists():
        raise InputError(f"backup '{path}': is there already; choose another name")
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        # Unlike a copy of the file, this includes the write-ahead log beside it.
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM INTO ?", (str(part),))
        with closing(sqlite3.connect(part)) as copy:
            (verdict,) = copy.execute("PRAGMA quick_check").fetchone()
            copy.execute("UPDATE database_origin SET identity = ?", (COPY,))
            copy.commit()
        if verdict != "ok":
            raise InputError(f"backup '{path}': is damaged ({verdict}); the database may be, too")
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        # Unlike a renaming, this does not replace a file that has just appeared there.
        path.hardlink_to(part)
    except OSError as error:
        raise InputError(f"backup '{path}': cannot be written: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)


@frozen
class Restored:
    """Marked jobs of restored records.

    Args:
        open: jobs that have not ended, and are looked for at their provider.
        ended: failed or cancelled ones, which are looked for if they are retried.
    """

    open: int
    ended: int


def doubt_restored(session: Session) -> Restored:
    """Let every job that its provider may have, though the records do not say so, be looked for.

    Raises:
        InputError: if workers run: they might submit meanwhile.
    """
    running = [runner for runner in runners(session) if runner.kind == Kind.WORKER and runner.alive]
    if running:
        raise InputError(
            f"worker {running[0].pid} on {running[0].host} runs (heartbeat "
            f"{running[0].silent_seconds:.0f} s ago): stop all workers, wait a minute, try again"
        )
    # Their holders are gone, and have not died of them.
    for table in (Job, Order):
        session.execute(update(table).values(lease_owner=None, lease_until=None))
    keep_origin(session)
    states = _doubt_all(session)
    session.commit()
    ended = sum(state in FINAL for state in states)
    return Restored(len(states) - ended, ended)


def doubt_older_state(session: Session) -> bool:
    """Mark jobs if the database is an older state of the one that workers have used last.

    Workers may run: a worker that has read a job before it was marked cannot change it any longer.
    Jobs stay with their holders until their leases run out.

    Returns:
        whether it is an older state.
    """
    if not is_older_state(session):
        session.commit()
        return False
    # Of those who notice it at once, one changes the row, and the others wait for that.
    if keep_origin(session, only_another=True):
        states = _doubt_all(session)
        LOG.warning(
            "the database is another copy than before, perhaps an older state: %d jobs are looked "
            "for at their providers before they are submitted",
            len(states),
        )
    session.commit()
    return True


def _doubt_all(session: Session) -> Sequence[str]:
    """Mark all jobs that their provider may have, and return their states."""
    # A sweeper, which compiles nothing, comes here only where the database is an older state.
    from backends import ProviderBackend
    from workers.stages.at_provider.place import LOOKED
    from workers.stages.context import shared_backend

    suspect = (
        Job.state != State.DONE,
        Job.provider_id.is_(None),
        Job.counts.is_(None),
        # Parent jobs are never submitted themselves, nor are circuits that a leader submits.
        Job.kind == JobKind.CIRCUIT,
        or_(Job.leader_id.is_(None), Job.leader_id == Job.id),
    )
    marked: list[tuple[int, str]] = []
    for spec in session.scalars(select(Job.backend).where(*suspect).distinct()).all():
        try:
            backend = shared_backend(spec)
            if not isinstance(backend, ProviderBackend):
                continue
            address = backend.address()
        except StichwerkError:
            address = None
        place = case((Job.asked_at.is_(None), address), else_=Job.provider_address)
        account = case((Job.asked_at.is_(None), null()), else_=Job.provider_account)
        rows = session.connection().execute(
            update(Job)
            .where(*suspect, Job.backend == spec)
            .values(
                asked_at=database_time(),
                asks=case((Job.asks > 0, Job.asks), else_=1),
                provider_address=place,
                provider_account=account,
                doubtful=True,
                # Also where an account is recorded: a later one may have been forgotten.
                doubt_clocks={LOOKED: []},
                version=Job.version + 1,
            )
            .returning(Job.id, Job.state)
        )
        marked += [(row.id, row.state) for row in rows]
    session.add_all(Event(job_id=id, state=state, detail=RESTORED) for id, state in marked)
    return [state for _, state in marked]
