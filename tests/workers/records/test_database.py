"""Migrations make exactly the tables of the models, once, in any database that lacks them."""

import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import insert, inspect

from compiler.errors import InputError
from workers.records import database
from workers.records.database import MIGRATIONS, NEWEST, open_database
from workers.records.tables import DeviceRow, Record


def tables(engine):
    return set(inspect(engine).get_table_names())


MODELS = {
    "candidates", "circuits", "compilations", "database_origin", "devices", "events", "heartbeats",
    "jobs", "ledger", "matches", "notices", "orders", "peer_results", "provider_health", "scores",
    "observables", "published_records", "spending", "tokens",
}  # fmt: skip


def test_migrations_make_the_tables_of_the_models(each_empty_address):
    engine = open_database(each_empty_address)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Record.metadata) == []
    assert tables(engine) == {*MODELS, "alembic_version"}
    assert set(Record.metadata.tables) == MODELS
    engine.dispose()


def test_the_newest_migration_is_the_one_that_is_looked_for():
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_heads() == [NEWEST]


LATER = """
import sqlalchemy as sa
from alembic import op
revision, down_revision = "9998", "{}"
def upgrade():
    with op.batch_alter_table("devices") as batch:
        batch.add_column(sa.Column("later", sa.Integer(), nullable=False, server_default="7"))
"""


def test_later_migrations_keep_what_is_there(each_empty_address, tmp_path, monkeypatch):
    engine = open_database(each_empty_address)
    with engine.begin() as connection:
        connection.execute(insert(DeviceRow).values(spec="s", content=b"c"))
    engine.dispose()
    shutil.copytree(MIGRATIONS, tmp_path / "migrations")
    (tmp_path / "migrations/versions/9998_later.py").write_text(LATER.format(NEWEST))
    monkeypatch.setattr(database, "MIGRATIONS", tmp_path / "migrations")
    monkeypatch.setattr(database, "NEWEST", "9998")
    engine = open_database(each_empty_address)
    with engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT spec, content, later FROM devices").all()
    assert [(spec, bytes(content), later) for spec, content, later in rows] == [("s", b"c", 7)]
    engine.dispose()


@pytest.mark.parametrize(
    ("revision", "message"),
    [
        ("0040", r"older version of Stichwerk: .* 0040,"),
        ("9999", rf"newer version .* 9999, .* {NEWEST}"),
    ],
)
def test_other_tables_are_refused(each_empty_address, revision, message):
    engine = open_database(each_empty_address)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{revision}'")
    engine.dispose()
    with pytest.raises(InputError, match=message):
        open_database(each_empty_address)


def test_a_new_database_may_be_opened_by_many_at_once(tmp_path):
    def opened(n):
        open_database(str(tmp_path / f"{n % 5}.sqlite")).dispose()

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(opened, range(40)))


def test_a_database_with_other_tables_is_upgraded(tmp_path):
    path = tmp_path / "records.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("create table notes (text)")
        connection.execute("insert into notes values ('mine')")
    engine = open_database(str(path))
    assert tables(engine) == {*MODELS, "alembic_version", "notes"}
    with engine.connect() as connection:
        assert connection.exec_driver_sql("select text from notes").scalar_one() == "mine"


def test_a_file_that_is_no_database_stays_as_it_is(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("no database at all\n" * 100)
    with pytest.raises(InputError, match=r"notes\.txt' cannot be written: file is not a database"):
        open_database(str(path))
    assert path.read_text() == "no database at all\n" * 100
