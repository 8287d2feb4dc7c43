"""The database: whether it is there, takes what is written, and has the tables of this version."""

import os
import shutil
from pathlib import Path

from alembic.runtime.migration import MigrationContext
from attrs import frozen
from sqlalchemy import Connection, Engine, delete, insert, text
from sqlalchemy.exc import SQLAlchemyError

from workers.clock import database_time
from workers.records.database import NEWEST, reason_of
from workers.records.tables import Heartbeat
from workers.redaction import redacted
from workers.status.problems import Problems

LEAST_FREE_BYTES = 64 * 10**6
"""With less room on its disk, a database is as good as full."""

PROBE = "probe"


@frozen
class DatabaseState:
    """What is known of the database.

    Args:
        address: without its password.
        kind: its name and version; None if it does not answer.
        tables: version of its tables; None if there are none.
        tables_wanted: that of this program's.
        bytes: that it takes.
        free_bytes: left on its disk, where that is this machine's.
    """

    address: str
    kind: str | None = None
    tables: str | None = None
    tables_wanted: str | None = None
    bytes: int | None = None
    free_bytes: int | None = None

    @property
    def readable(self) -> bool:
        """Whether this program can read what is in it."""
        return self.tables is not None and self.tables == self.tables_wanted


def database_state(engine: Engine, found: Problems) -> DatabaseState:
    """Look at a database, and write to it what is gone before anybody sees it."""
    sqlite = engine.dialect.name == "sqlite"
    shown = engine.url.database if sqlite else engine.url.render_as_string(hide_password=True)
    address = redacted(shown or ":memory:")
    try:
        with engine.connect() as connection:
            state = _looked_at(connection, address)
    except SQLAlchemyError as error:
        found.problems.append(f"the database does not answer: {reason_of(error)}")
        return DatabaseState(address)
    if not state.readable:
        found.problems.append(_other_tables(state))
    elif (refused := _refused(engine)) is not None:
        found.problems.append(f"the database cannot be written: {refused}")
    elif state.free_bytes is not None and state.free_bytes < LEAST_FREE_BYTES:
        found.problems.append(
            f"the database's disk is full but for {state.free_bytes / 10**6:.0f} MB: make room"
        )
    return state


def too_full(engine: Engine) -> bool:
    """Tell whether the disk of a database on this machine is as good as full."""
    file = engine.url.database if engine.dialect.name == "sqlite" else None
    return file is not None and _free_bytes(file) < LEAST_FREE_BYTES


def _looked_at(connection: Connection, address: str) -> DatabaseState:
    tables = MigrationContext.configure(connection).get_current_revision()
    if connection.dialect.name == "sqlite":
        kind = f"SQLite {connection.scalar(text('SELECT sqlite_version()'))}"
        return DatabaseState(address, kind, tables, NEWEST, *_file_and_disk(connection))
    words = str(connection.scalar(text("SELECT version()"))).split()
    size = connection.scalar(text("SELECT pg_database_size(current_database())"))
    return DatabaseState(address, " ".join(words[:2]), tables, NEWEST, size)


def _file_and_disk(connection: Connection) -> tuple[int | None, int | None]:
    """Return the bytes of the database's files, and those left beside them."""
    file = connection.engine.url.database
    if not file:
        return None, None
    # What has not been moved into the file yet lies beside it.
    files = [Path(file), Path(f"{file}-wal")]
    size = sum(one.stat().st_size for one in files if one.exists())
    return size, _free_bytes(file)


def _free_bytes(file: str) -> int:
    return shutil.disk_usage(Path(file).resolve().parent).free


def _refused(engine: Engine) -> str | None:
    """Return why the database does not take what is written to it, None if it does."""
    row = {
        "id": f"{PROBE}-{os.getpid()}", "kind": PROBE, "host": "", "pid": os.getpid(),
        "version": "", "started_at": database_time(), "seen_at": database_time(),
    }  # fmt: skip
    try:
        # Only what is committed reaches a disk that may be full.
        with engine.begin() as connection:
            connection.execute(insert(Heartbeat).values(row))
            connection.execute(delete(Heartbeat).where(Heartbeat.id == row["id"]))
    except SQLAlchemyError as error:
        return reason_of(error)
    return None


def _other_tables(state: DatabaseState) -> str:
    if state.tables is None:
        return "the database has no tables: make them with 'stichwerk migrate'"
    if state.tables < (state.tables_wanted or ""):
        return (
            f"the database has tables of version {state.tables}, and this program needs "
            f"{state.tables_wanted}: run 'stichwerk migrate'"
        )
    return (
        f"the database has tables of version {state.tables}, and this program knows "
        f"{state.tables_wanted} at most: use the newer program"
    )
