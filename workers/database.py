"""Where the records are: opening a database and bringing its tables up to date."""

from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import Engine, create_engine, event, text
from sqlalchemy.exc import SQLAlchemyError

from compiler.errors import InputError
from workers.redaction import redacted

MIGRATING = 1_938_270_471
"""Any number, the same one for all who migrate: PostgreSQL lets one of them in at a time."""
MIGRATIONS = Path(__file__).parent / "migrations"


def open_database(address: str) -> Engine:
    """Return an engine whose tables are those of this version.

    Args:
        address: a file's path for SQLite, or an SQLAlchemy URL.

    Raises:
        InputError: if the database cannot be opened or written.
    """
    try:
        engine = connected(address)
        migrate(engine)
    except (SQLAlchemyError, CommandError, ImportError, ValueError) as error:
        raise InputError(
            f"database '{redacted(address)}' cannot be written: {reason_of(error)}; choose "
            "another with --database"
        ) from error
    return engine


def connected(address: str) -> Engine:
    """Return an engine that leaves the tables as they are, and asks nothing yet.

    Args:
        address: a file's path for SQLite, or an SQLAlchemy URL.

    Raises:
        InputError: if there is no address.
        sqlalchemy.exc.ArgumentError: if it makes no sense.
        ImportError: if its driver is not installed.
    """
    if not address:
        raise InputError("database '': name a file or an SQLAlchemy URL with --database")
    url = address if "://" in address else f"sqlite:///{address}"
    # A connection may have died with its server; one that is taken up again is tried first.
    engine = create_engine(url, pool_pre_ping=True)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
    return engine


def reason_of(error: Exception) -> str:
    """Return in one line what a database, or its driver, has said, without secrets."""
    cause = getattr(error, "orig", None) or error
    if isinstance(cause, CommandError) and "locate revision" in str(cause):
        return "its tables are newer than this program, which may have been replaced: use the newer"
    return redacted((str(cause).splitlines() or [type(cause).__name__])[0])


def _prepare_sqlite(connection: Any, _: Any) -> None:
    """Let one connection write while others read, and writers wait for each other."""
    connection.execute("PRAGMA busy_timeout = 30000")
    connection.execute("PRAGMA journal_mode = WAL")


def migrate(engine: Engine) -> None:
    """Apply the migrations that a database lacks, in one transaction."""
    with engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        if engine.dialect.name == "sqlite":
            # Its Python driver begins transactions by itself, but only before changes of rows,
            # so that a migration that dies half-way, or two at once, would leave half of them.
            driver.isolation_level = None
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATING})
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        connection.commit()
        if engine.dialect.name == "sqlite":
            driver.isolation_level = ""
