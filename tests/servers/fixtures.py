"""Fixtures with real servers: one of each a test process, empty for every test."""

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import TypeVar

import pytest
from sqlalchemy import Engine

from workers.records.database import open_database

from .migrated import migrated_template
from .postgres import PostgresServer
from .process import LocalServer, MissingServerError
from .redis import RedisServer

S = TypeVar("S", bound=LocalServer)

REQUIRED = ("CI", "STICHWERK_REQUIRE_SERVERS")
"""If one of these variables is set, a missing server fails a test instead of skipping it."""


def present(server: Callable[[], S]) -> S:
    """Return a server whose program is installed; else skip the test, or fail it."""
    try:
        return server()
    except MissingServerError as error:
        if any(os.environ.get(name, "0") not in ("", "0", "false") for name in REQUIRED):
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """A Redis that all tests of this process share; it forgets all when it stops."""
    with present(RedisServer) as server:
        yield server


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A PostgreSQL that all tests of this process share."""
    with present(PostgresServer) as server:
        yield server


@pytest.fixture
def redis_url(redis_server: RedisServer) -> str:
    """The address of an empty Redis."""
    redis_server.flush()
    return redis_server.url


@pytest.fixture(params=["sqlite", "postgresql"])
def each_empty_address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database without tables, of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "records.sqlite")
    return str(request.getfixturevalue("empty_postgres_url"))


def new_engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """Yield a database with the tables of this version and nothing in them.

    Args:
        request: of a fixture whose parameter is the kind of the database.
        tmp_path: where a file may be made.
    """
    address = str(tmp_path / "records.sqlite")
    if request.param == "postgresql":
        address = str(request.getfixturevalue("postgres_url"))
    engine = open_database(address)
    yield engine
    engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def each_engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """A new database of each kind."""
    yield from new_engine(request, tmp_path)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.full)])
def any_engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """A new database, for what does not depend on its kind; `EACH_DATABASE` tries both."""
    yield from new_engine(request, tmp_path)


EACH_DATABASE = pytest.mark.parametrize("any_engine", ["sqlite", "postgresql"], indirect=True)
"""Marks a test of what databases do differently: it is for both in `make test` too."""


_databases = count(1)


@pytest.fixture
def empty_postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """The address of a PostgreSQL database without tables, which goes when the test ends."""
    name = f"test_{next(_databases)}"
    yield postgres_server.create(name)
    postgres_server.drop(name)


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """The address of one with the tables of this version and nothing in them."""
    name = f"test_{next(_databases)}"
    yield postgres_server.create(name, migrated_template(postgres_server))
    postgres_server.drop(name)
