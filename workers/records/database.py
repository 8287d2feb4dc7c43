"""The database of the records: opening it and bringing its tables up to date."""

import sqlite3
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

from attrs import evolve
from sqlalchemy import URL, Connection, Dialect, Engine, create_engine, event, insert, text
from sqlalchemy.exc import DBAPIError, InvalidatePoolError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from compiler.errors import InputError, StichwerkError
from workers.clock import steady
from workers.logs import redacted
from workers.settings import Settings, settings

MIGRATING = 1_938_270_471
"""Any number, the same one for all who migrate: PostgreSQL lets one of them in at a time."""
POOL_SECONDS = 5.0
TRIED_SECONDS = 1.0
"""For so long a connection that is taken up again is believed to be as well as it was left."""

CONNECT_SECONDS = 5
ANSWER_SECONDS = 10
MIGRATIONS = Path(__file__).parent / "migrations"

IDLE = "idle_in_transaction_session_timeout"
MIGRATION_IDLE_SECONDS = 600
"""Time limit of a migration without progress: it imports modules on the way."""

GAVE_UP = ("55P03", "57014", "25P03")
"""PostgreSQL's codes of timeouts: of a lock, a statement, a transaction."""

LOCKED = "database is locked"
"""Message of SQLite when another process writes."""

DISK_FULL = "53100"
"""PostgreSQL's code for a disk without room."""

NO_ROOM = "database or disk is full"
"""SQLite's message of a locked database."""

OLDEST, NEWEST = "0041", "0041"
"""The revisions of tables that this version upgrades from, and to."""

_ONE_MIGRATES = Lock()
"""Alembic stores its context in globals: two threads of one process would disturb each other."""


class VersionError(StichwerkError):
    """A database whose tables this version cannot upgrade."""


def address_of(engine: Engine) -> str:
    """Return the file or the address of a database, without passwords."""
    sqlite = engine.dialect.name == "sqlite"
    shown = engine.url.database if sqlite else engine.url.render_as_string(hide_password=True)
    return redacted(shown or ":memory:")


def open_database(address: str) -> Engine:
    """Return an engine whose tables are those of this version.

    Args:
        address: a file's path for SQLite, or an SQLAlchemy URL.

    Raises:
        InputError: if the database cannot be opened or written.
    """
    try:
        engine = connected(address)
        engine.connect().close()
    except InputError:
        raise
    except Exception as error:
        # A URL's query goes to the driver, which may raise anything.
        raise _refusal(address, error) from error
    try:
        if not _is_of_this_version(engine):
            migrate(engine)
    except (SQLAlchemyError, VersionError) as error:
        engine.dispose()
        raise _refusal(address, error) from error
    return engine


def _is_of_this_version(engine: Engine) -> bool:
    try:
        with engine.connect() as connection:
            versions = connection.execute(text("SELECT version_num FROM alembic_version")).scalars()
            return versions.all() == [NEWEST]
    except DBAPIError:
        # There is no such table, or the migration reports the fault.
        return False


def bounded_engine(address: str) -> Engine:
    """Return an engine like `open_database`, with short time limits.

    Raises:
        InputError: if the database cannot be opened or written.
        sqlalchemy.exc.TimeoutError: later, if all connections are taken for `POOL_SECONDS`.
        sqlalchemy.exc.OperationalError: later, if PostgreSQL takes longer than `ANSWER_SECONDS`,
            or SQLite is locked for longer.
    """
    # Migrations take as long as they take.
    open_database(address).dispose()
    set_ = settings()
    soon = evolve(set_, lock_seconds=min(set_.lock_seconds, ANSWER_SECONDS))
    engine = connected(address, soon, pool_timeout=POOL_SECONDS)
    if engine.dialect.name == "postgresql":
        event.listen(engine, "do_connect", _connect_soon)
        event.listen(engine, "connect", _answer_soon)
    return engine


def connected(address: str, set_: Settings | None = None, **options: Any) -> Engine:
    """Return an engine that leaves the tables as they are, and asks nothing yet.

    Args:
        address: a file's path for SQLite, or an SQLAlchemy URL.
        set_: how long connections wait; by default the settings of this process.
        options: of the engine.

    Raises:
        InputError: if there is no address.
        sqlalchemy.exc.ArgumentError: if it makes no sense.
        ImportError: if its driver is not installed.
    """
    if not address:
        raise InputError("database '': name a file or an SQLAlchemy URL with --database")
    url = address if "://" in address else URL.create("sqlite", database=address)
    engine = create_engine(url, **options)
    if engine.dialect.name not in PREPARE:
        raise InputError(
            f"database '{redacted(address)}': {engine.dialect.name} is not known here; "
            f"known: {', '.join(PREPARE)}"
        )
    event.listen(engine, "connect", partial(PREPARE[engine.dialect.name], set_ or settings()))
    event.listen(engine, "checkin", _left)
    event.listen(engine, "checkout", partial(_tried, engine.dialect))
    return engine


def at_once(engine: Engine) -> Engine:
    """Return an engine of the same connections that commits each statement by itself.

    A transaction of a single statement would be asked for and committed in questions of their own.
    """
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def _left(_connection: Any, record: ConnectionPoolEntry) -> None:
    record.info["left"] = steady()


def _tried(dialect: Dialect, connection: Any, record: ConnectionPoolEntry, _: Any) -> None:
    """Try a connection that has been idle: it may have died with its server.

    Not one that has just been used, as most are: that would be one more question for each
    transaction.
    """
    left = record.info.get("left")
    # A connection that was never returned is new.
    if left is None or steady() - left < TRIED_SECONDS:
        return
    try:
        dialect.do_ping(connection)
    except dialect.loaded_dbapi.Error as error:
        raise InvalidatePoolError("the connection has died") from error


def _connect_soon(_dialect: Any, _record: Any, _arguments: Any, options: dict[str, Any]) -> None:
    options.setdefault("connect_timeout", CONNECT_SECONDS)


def _answer_soon(connection: Any, _: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET statement_timeout = '{ANSWER_SECONDS}s'")
    connection.commit()


def reason_of(error: Exception) -> str:
    """Return the message of a database, its driver, or Redis, in one line and without secrets."""
    cause = getattr(error, "orig", None) or error
    return redacted((str(cause).splitlines() or [type(cause).__name__])[0])


def _refusal(address: str, error: Exception) -> InputError:
    reason = reason_of(error)
    if isinstance(error, VersionError):
        return InputError(f"database '{redacted(address)}' {reason}")
    if LOCKED in reason:
        advice = f"is busy: {reason}; try again in some seconds"
    else:
        advice = f"cannot be written: {reason}; choose another with --database"
    return InputError(f"database '{redacted(address)}' {advice}")


def _prepare_sqlite(set_: Settings, connection: Any, _: Any) -> None:
    """Let one connection write while others read, and writers wait for each other."""
    connection.execute(f"PRAGMA busy_timeout = {round(set_.lock_seconds * 1000)}")
    latest = time.monotonic() + set_.lock_seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            # Of two who turn a new file's journal into a WAL, one is refused without waiting.
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > latest:
                raise
            time.sleep(0.01)
        else:
            return


def _prepare_postgresql(set_: Settings, connection: Any, _: Any) -> None:
    """Set limits on waiting for suspended processes and for endless statements.

    An idle transaction holds rows that others wait for, and does not end when its process is
    stopped, or its machine is cut off: so PostgreSQL ends it.
    """
    with connection.cursor() as cursor:
        for name, seconds in (
            ("lock_timeout", set_.lock_seconds),
            ("statement_timeout", set_.statement_seconds),
            (IDLE, set_.idle_seconds),
        ):
            cursor.execute("SELECT set_config(%s, %s, false)", (name, f"{round(seconds * 1000)}"))
        # Of a table that it has not analysed yet, PostgreSQL believes that sorting what begins
        # alike costs less than an index that is in order, and goes through all jobs that wait.
        cursor.execute("SELECT set_config('enable_incremental_sort', 'off', false)")
        # A commit must survive a crash, for it may say that a provider was called.
        cursor.execute(
            "SELECT set_config('synchronous_commit', 'on', false) "
            "WHERE current_setting('synchronous_commit') IN ('off', 'local')"
        )
        # Questions here read few rows; where it expects many, compiling one takes 0.2 s.
        cursor.execute("SELECT set_config('jit', 'off', false)")
    connection.commit()


PREPARE: Mapping[str, Callable[[Settings, Any, Any], None]] = {
    "sqlite": _prepare_sqlite,
    "postgresql": _prepare_postgresql,
}
"""Set-up of every new connection, by the kind of database."""


def unhurried(connection: Connection) -> None:
    """Let the questions of this transaction take as long as they need; waits stay bounded."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL statement_timeout = 0"))


def is_busy(error: SQLAlchemyError) -> bool:
    """Return whether another process holds the lock: later it may be free."""
    cause = getattr(error, "orig", None) or error
    return getattr(cause, "sqlstate", None) in GAVE_UP or LOCKED in reason_of(error)


def described(error: SQLAlchemyError) -> str:
    """Return the message of a database in one line, with advice."""
    cause = getattr(error, "orig", None) or error
    reason = reason_of(error)
    if is_busy(error):
        return f"the database is busy: {reason}; try again in some seconds"
    if getattr(cause, "sqlstate", None) == DISK_FULL or NO_ROOM in reason:
        return f"the database has no room: {reason}; nothing is lost, make room on its disk"
    return f"the database failed: {reason}"


def migrate(engine: Engine) -> None:
    """Make the tables of a new database, or apply the migrations that it lacks.

    All of it is one transaction. A new database gets the tables of the models, and the newest
    revision: no migration runs on it.

    Raises:
        VersionError: if its tables are newer than this version's, or too old.
    """
    from alembic import command
    from alembic.config import Config
    from alembic.migration import MigrationContext

    from workers.records.tables import DatabaseOrigin, Record

    with _ONE_MIGRATES, engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        if engine.dialect.name == "sqlite":
            # Its Python driver begins transactions by itself, but only before changes of rows,
            # so that a migration that dies half-way, or two at once, would leave half of them.
            driver.isolation_level = None
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            # Changing tables takes time, also in another process that does it now.
            unhurried(connection)
            connection.execute(text("SET LOCAL lock_timeout = 0"))
            connection.execute(text(f"SET LOCAL {IDLE} = '{MIGRATION_IDLE_SECONDS}s'"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATING})
        revision = MigrationContext.configure(connection).get_current_revision()
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = connection
        if revision is None:
            Record.metadata.create_all(connection, checkfirst=False)
            connection.execute(insert(DatabaseOrigin).values(id=1, identity=""))
            command.stamp(config, "head")
        else:
            _check_revision(revision)
            command.upgrade(config, "head")
        connection.commit()
        if engine.dialect.name == "sqlite":
            driver.isolation_level = ""


def _check_revision(revision: str) -> None:
    if OLDEST <= revision <= NEWEST:
        return
    if revision < OLDEST:
        raise VersionError(
            f"was written by an older version of Stichwerk: its tables have revision {revision}, "
            f"and the oldest supported one is {OLDEST}. Choose another with --database"
        )
    raise VersionError(
        f"was written by a newer version of Stichwerk: its tables have revision {revision}, and "
        f"this version supports {NEWEST}. Update Stichwerk, or choose another with --database"
    )
