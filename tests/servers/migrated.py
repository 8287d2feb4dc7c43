"""Databases of tests: migrated once a test process, copied for each test, and left unsynced."""

import sqlite3
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import pytest
from sqlalchemy import Engine

from workers.records import database
from workers.settings import Settings

from .postgres import PostgresServer

really_migrate = database.migrate
really_prepare = database.PREPARE["sqlite"]

TEMPLATE = "migrated"


@cache
def _statements() -> tuple[str, ...]:
    """Return what makes SQLite's tables as the migrations do."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "migrated.sqlite"
        engine = database.connected(str(path))
        really_migrate(engine)
        engine.dispose()
        made = sqlite3.connect(path)
        try:
            return tuple(made.iterdump())[1:-1]  # Without its BEGIN and COMMIT.
        finally:
            made.close()


def _migrate_or_copy(engine: Engine) -> None:
    """Migrate a database; the tables of an empty SQLite are copied."""
    if engine.dialect.name != "sqlite" or not _copied(engine):
        really_migrate(engine)


def _copied(engine: Engine) -> bool:
    """Make the tables of a SQLite that has none; tell whether it had none."""
    with engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        driver.isolation_level = None
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            if connection.exec_driver_sql("SELECT 1 FROM sqlite_master").first() is not None:
                return False
            for statement in _statements():
                connection.exec_driver_sql(statement)
            connection.commit()
            return True
        finally:
            connection.rollback()
            driver.isolation_level = ""


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


def migrated_template(server: PostgresServer) -> str:
    """Return the name of a database with the tables of this version, to be copied."""
    if not server.has(TEMPLATE):
        engine = database.connected(server.create(TEMPLATE))
        really_migrate(engine)
        # Who is still connected keeps others from copying it.
        engine.dispose()
    return TEMPLATE
