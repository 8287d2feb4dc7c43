"""Databases of tests: migrated once a test process, copied for each test, and left unsynced.

Nor is a statement compiled anew for each of them.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any
from unittest import mock

import pytest
from sqlalchemy import Engine, create_engine
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

from workers.records import database
from workers.settings import Settings

from .postgres import PostgresServer

really_migrate = database.migrate
really_prepare = database.PREPARE["sqlite"]

TEMPLATE = "migrated"

_ONE_COPIES = Lock()
"""Else of two threads the second one would copy over what the first has written."""


@cache
def _migrated() -> sqlite3.Connection:
    """Return a SQLite in memory that the migrations have made."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "migrated.sqlite"
        engine = database.connected(str(path))
        really_migrate(engine)
        engine.dispose()
        in_memory = sqlite3.connect(":memory:", check_same_thread=False)
        with closing(sqlite3.connect(path)) as file:
            file.backup(in_memory)
        return in_memory


def _migrate_or_copy(engine: Engine) -> None:
    """Migrate a database; the tables of an empty SQLite are copied."""
    if engine.dialect.name != "sqlite" or not _copied(engine):
        really_migrate(engine)


def _copied(engine: Engine) -> bool:
    """Make the tables of a SQLite that has none; tell whether it had none."""
    with _ONE_COPIES, engine.connect() as connection:
        if connection.exec_driver_sql("SELECT 1 FROM sqlite_master").first() is not None:
            return False
        driver: Any = connection.connection.driver_connection
        _migrated().backup(driver)
        return True


@pytest.fixture(autouse=True)
def migrated_once() -> Iterator[None]:
    """Let no test wait for all migrations of a SQLite that this process has just made."""
    with mock.patch.object(database, "migrate", _migrate_or_copy):
        yield


def _prepare_unsynced(set_: Settings, connection: Any, record: Any) -> None:
    connection.execute("PRAGMA synchronous = OFF")
    really_prepare(set_, connection, record)


@pytest.fixture(scope="session", autouse=True)
def left_unsynced() -> Iterator[None]:
    """Let no test wait until a disk has a SQLite: what a process has written outlives it anyway."""
    with mock.patch.dict(database.PREPARE, sqlite=_prepare_unsynced):
        yield


@pytest.fixture(scope="session", autouse=True)
def statements_compiled_once() -> Iterator[None]:
    """Let all engines of a kind share the statements that SQLAlchemy has compiled.

    It looks for them by the dialect, of which each engine has one of its own.
    """
    shared = {"compiled_cache": LRUCache(1000)}
    alike = {
        "__eq__": lambda self, other: type(self) is type(other),
        "__hash__": lambda self: hash(type(self)),
    }
    with ExitStack() as stack:
        for dialect in (PGDialect_psycopg, SQLiteDialect_pysqlite):
            for name, method in alike.items():
                stack.enter_context(mock.patch.object(dialect, name, method))
        creating = partial(create_engine, execution_options=shared)
        stack.enter_context(mock.patch.object(database, "create_engine", creating))
        yield


def migrated_template(server: PostgresServer) -> str:
    """Return the name of a database with the tables of this version, to be copied."""
    if not server.has(TEMPLATE):
        engine = database.connected(server.create(TEMPLATE))
        really_migrate(engine)
        # Who is still connected keeps others from copying it.
        engine.dispose()
    return TEMPLATE
