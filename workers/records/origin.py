"""Identity of the copy of the database, so that a return to an older state is noticed.

A standby that lags when it is promoted, or a backup that is put back, may hold jobs as never
submitted that have been. The database keeps which copy of it workers have used last:

- PostgreSQL: the cluster's identifier, the numbers of the database and of the file of the table of
  jobs, and the timeline, which counts promotions and recoveries to a point in time.
- SQLite: the numbers of the device and of the file. `stichwerk backup` marks its copy as one.

An image of a whole PostgreSQL cluster that is put back, or of a file in its place, looks the same.
"""

import logging
from functools import lru_cache
from math import inf
from pathlib import Path

from sqlalchemy import Engine, select, text, update
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.orm import Session

from workers.clock import database_time
from workers.records.database import at_once, reason_of
from workers.records.tables import DatabaseOrigin

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
    """Tell whether this is another copy of the database than workers have used last.

    The first copy that this is asked of is kept; the caller commits.
    """
    here = _identity(session)
    kept = session.scalar(select(DatabaseOrigin.identity))
    if here is None or kept == here:
        return False
    if kept == "":
        session.execute(update(DatabaseOrigin).values(identity=here))
    return kept != ""


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
    """Tell whether a server says which copy it is; not all that are rented do."""
    try:
        with at_once(engine).connect() as connection:
            connection.execute(POSTGRESQL)
    except (OperationalError, InterfaceError):
        raise
    except DBAPIError as error:
        LOG.warning("a return to an older state will not be noticed: %s", reason_of(error))
        return False
    return True
