"""Copies of the records: taken from SQLite while it is used, and what a restored one needs.

A backup is older than what providers know. A job that it holds as never submitted may have been
submitted since, so before anybody goes on with restored records, such jobs are marked as if their
provider had been asked without an answer: they are looked for by their keys first.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from attrs import frozen
from sqlalchemy import Engine, case, select, update
from sqlalchemy.orm import Session

from backends import ProviderBackend
from compiler.errors import InputError, StichwerkError
from workers.clock import database_time
from workers.jobs.journal import note
from workers.jobs.states import FINAL, State
from workers.queue.heartbeats import Kind, runners
from workers.records.tables import Job, Order
from workers.stages.context import shared_backend

RESTORED = "restored from a backup: its provider may have it, and is asked before it is submitted"


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
        # Unlike a copy of the file, this has what still lies in the write-ahead log beside it.
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM INTO ?", (str(part),))
        with closing(sqlite3.connect(part)) as copy:
            (verdict,) = copy.execute("PRAGMA quick_check").fetchone()
        if verdict != "ok":
            raise InputError(f"backup '{path}': is damaged ({verdict}); the database may be, too")
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        # Unlike a renaming, this does not replace what somebody else has just put there.
        path.hardlink_to(part)
    except OSError as error:
        raise InputError(f"backup '{path}': cannot be written: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)


@frozen
class Restored:
    """What has been marked in restored records.

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
    running = [one for one in runners(session) if one.kind == Kind.WORKER and one.alive]
    if running:
        raise InputError(
            f"worker {running[0].pid} on {running[0].host} has been heard of "
            f"{running[0].silent_seconds:.0f} s ago: stop all workers, wait a minute, try again"
        )
    # Whoever held them is gone, and has not died of them.
    for table in (Job, Order):
        session.execute(update(table).values(lease_owner=None, lease_until=None))
    suspects = session.scalars(
        select(Job)
        .where(Job.state != State.DONE, Job.provider_id.is_(None), Job.counts.is_(None))
        .order_by(Job.id)
    ).all()
    marked = [job for job in suspects if _doubt(session, job)]
    session.commit()
    ended = sum(job.state in FINAL for job in marked)
    return Restored(len(marked) - ended, ended)


def _doubt(session: Session, job: Job) -> bool:
    """Mark a job as one that its provider may have, unless it has none."""
    try:
        backend = shared_backend(job.backend)
        if not isinstance(backend, ProviderBackend):
            return False
        address = backend.address()
    except StichwerkError:
        address = None
    if job.asked_at is None:
        job.provider_address = address
    note(session, job, job.state, RESTORED)
    session.execute(
        update(Job)
        .where(Job.id == job.id)
        .values(
            asked_at=database_time(),
            asks=case((Job.asks > 0, Job.asks), else_=1),
            doubtful=True,
            doubted=None,
        )
    )
    return True
