"""Where the records are: opening a database and bringing its tables up to date."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, create_engine
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError

from compiler.errors import InputError

MIGRATIONS = Path(__file__).parent / "migrations"


def open_database(address: str) -> Engine:
    """Return an engine whose tables are those of this version.

    Args:
        address: a file's path for SQLite, or an SQLAlchemy URL.

    Raises:
        InputError: if the database cannot be opened or written.
    """
    url = address if "://" in address else f"sqlite:///{address}"
    try:
        engine = create_engine(url)
        migrate(engine)
    except (ArgumentError, NoSuchModuleError, ImportError, DatabaseError) as error:
        cause = getattr(error, "orig", None) or error
        reason = str(cause).splitlines()[0]
        raise InputError(
            f"database '{address}' cannot be written: {reason}; choose another with --database"
        ) from error
    return engine


def migrate(engine: Engine) -> None:
    """Apply the migrations that a database lacks, in one transaction."""
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
