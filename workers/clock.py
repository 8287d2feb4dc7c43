"""Clocks: the database's for shared times, and a steady one for durations.

Leases, due times and settle times are compared in many processes on many machines. All are the
database's time, so that a machine whose clock is wrong or jumps changes nothing for the others.
Durations on one machine are measured by its steady clock.
"""

import time
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Float, FunctionElement, literal, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import Session

from workers.records.tables.base import UtcTime

MAX_DOUBLINGS = 30


class DatabaseTime(FunctionElement[datetime]):
    """The database's time when the statement runs, some seconds added."""

    type = UtcTime()
    inherit_cache = True


def database_time(seconds: float = 0.0) -> DatabaseTime:
    """Return, for use in statements, the database's time in UTC, some seconds added."""
    return DatabaseTime(literal(float(seconds), Float))


@compiles(DatabaseTime)
def _standard(element: DatabaseTime, compiler: Any, **options: Any) -> str:
    return f"(clock_timestamp() + {compiler.process(element.clauses, **options)} * interval '1 s')"


@compiles(DatabaseTime, "sqlite")
def _sqlite(element: DatabaseTime, compiler: Any, **options: Any) -> str:
    # With as many digits as SQLAlchemy writes: SQLite compares times as texts.
    seconds = compiler.process(element.clauses, **options)
    return f"strftime('%Y-%m-%d %H:%M:%f000', 'now', printf('%+.3f seconds', {seconds}))"


def database_now(session: Session | Connection) -> datetime:
    """Return the database's time in UTC."""
    return session.execute(select(database_time())).scalar_one()


def with_zone(moment: datetime) -> datetime:
    """Return a time with its zone; one that has none is UTC."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def steady() -> float:
    """Return seconds since this machine started, those that it slept included."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


@cache
def steady_name() -> str:
    """Return a name of this machine's steady clock, another one after each start of the machine."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        # Where the kernel tells no name, no other process shares this clock.
        return uuid4().hex


def pause_seconds(failures: int, first_seconds: float, max_seconds: float) -> float:
    """Return the pause after so many failures in a row, doubled with each up to a limit."""
    return min(max_seconds, first_seconds * 2.0 ** min(failures - 1, MAX_DOUBLINGS))
