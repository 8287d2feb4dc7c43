"""Where the records are: opening a database and bringing its tables up to date."""

from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import URL, Engine, create_engine, event, text
from sqlalchemy.exc import SQLAlchemyError

from compiler.errors import InputError
from workers.redaction import redacted

MIGRATING = 1_938_270_471
"""Any number, the same one for all who migrate: PostgreSQL lets one of them in at a time."""
POOL_SECONDS = 5.0
CONNECT_SECONDS = 5
ANSWER_SECONDS = 10
DIALECTS = ("sqlite", "postgresql")
MIGRATIONS = Path(__file__).parent / "migrations"


def open_database(address: str) -> Engine:
    """Return an engine whose tables are those of this version.

    Args:
        address: a file's path for SQLite, or an SQLAlchemy URL.

    Raises:
        InputError: if the database cannot be opened or written.
    """
    if not address:
        raise InputError("database '': name a file or an SQLAlchemy URL with --database")
    try:
        engine = _engine(address)
        engine.connect().close()
    except InputError:
        raise
    except Exception as error:
        # A URL's query goes to the driver, which may raise anything at what it says.
        raise _refusal(address, error) from error
    try:
        migrate(engine)
    except (SQLAlchemyError, CommandError) as error:
        raise _refusal(address, error) from error
    return engine


def bounded_engine(address: str) -> Engine:
    """Return an engine like `open_database`, of which nobody waits long for anything.

    Raises:
        InputError: if the database cannot be opened or written.
        sqlalchemy.exc.TimeoutError: later, if all connections are taken for `POOL_SECONDS`.
        sqlalchemy.exc.OperationalError: later, if PostgreSQL takes longer than `ANSWER_SECONDS`.
    """
    # Migrations take as long as they take.
    open_database(address).dispose()
    engine = _engine(address, pool_timeout=POOL_SECONDS)
    if engine.dialect.name == "postgresql":
        event.listen(engine, "do_connect", _connect_soon)
        event.listen(engine, "connect", _answer_soon)
    return engine


def _engine(address: str, **options: Any) -> Engine:
    url = address if "://" in address else URL.create("sqlite", database=address)
    # A connection may have died with its server; one that is taken up again is tried first.
    engine = create_engine(url, pool_pre_ping=True, **options)
    if engine.dialect.name not in DIALECTS:
        raise InputError(
            f"database '{redacted(address)}': {engine.dialect.name} is not known here; "
            f"known: {', '.join(DIALECTS)}"
        )
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _connect_soon(_dialect: Any, _record: Any, _arguments: Any, options: dict[str, Any]) -> None:
    options.setdefault("connect_timeout", CONNECT_SECONDS)


def _answer_soon(connection: Any, _: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET statement_timeout = '{ANSWER_SECONDS}s'")
    connection.commit()


def _refusal(address: str, error: Exception) -> InputError:
    cause = getattr(error, "orig", None) or error
    reason = redacted((str(cause).splitlines() or [type(cause).__name__])[0])
    if isinstance(error, CommandError):
        return InputError(
            f"database '{redacted(address)}' was written by another version of Stichwerk, newer "
            f"than this one ({reason}); update this one, or choose another with --database"
        )
    return InputError(
        f"database '{redacted(address)}' cannot be written: {reason}; choose another with "
        "--database"
    )


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
