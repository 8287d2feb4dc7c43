"""A database that was copied is one that was migrated."""

import sqlite3

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from workers.records.database import NEWEST, connected, open_database
from workers.records.tables import Record

from .migrated import really_migrate


def test_it_has_the_tables_of_the_models_and_their_version(each_engine):
    with each_engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Record.metadata) == []
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    assert found == [NEWEST]


def test_its_tables_are_those_of_the_migrations(tmp_path):
    def tables(name):
        with sqlite3.connect(tmp_path / name) as file:
            # Alembic writes what it found of a table in any order.
            return {
                name: sorted(line.strip(",) ") for line in (sql or "").splitlines())
                for name, sql in file.execute("SELECT name, sql FROM sqlite_master")
            }

    migrated = connected(str(tmp_path / "migrated"))
    really_migrate(migrated)
    migrated.dispose()
    open_database(str(tmp_path / "copied")).dispose()
    assert tables("copied") == tables("migrated") != {}


def test_what_is_there_already_stays(tmp_path):
    path = tmp_path / "taken"
    with sqlite3.connect(path) as file:
        file.execute("CREATE TABLE theirs (number INTEGER)")
        file.execute("INSERT INTO theirs VALUES (7)")
    with open_database(str(path)).connect() as connection:
        assert connection.execute(text("SELECT number FROM theirs")).scalars().all() == [7]
        assert connection.execute(text("SELECT count(*) FROM jobs")).scalar() == 0
