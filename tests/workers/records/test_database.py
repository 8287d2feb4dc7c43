"""Migrations make exactly the tables of the models, once, in any database that lacks them."""

import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import insert, inspect
from sqlalchemy.orm import Session

from compiler.errors import InputError
from workers.records import database
from workers.records.database import MIGRATIONS, NEWEST, open_database
from workers.records.tables import DeviceRow, Job, Record
from workers.score.document import ScoreFile


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


LATER_COLUMNS = {
    33: [("jobs", name) for name in ("executed", "executed_detail", "executed_program")],
    34: [("compilations", "calibration_digest"), ("compilations", "calibrated_at"),
         ("jobs", "max_calibration_hours")],
    38: [("compilations", "parameter_values")],
    40: [("jobs", "progress")],
    41: [("observables", "bound"), ("observables", "sigmas")],
}  # fmt: skip
"""Columns that migrations after the first revision add, by the number of the migration."""


def test_tables_of_the_first_revision_become_those_of_the_models(each_empty_address):
    engine = open_database(each_empty_address)
    with engine.begin() as connection:
        operations = Operations(MigrationContext.configure(connection))
        operations.drop_index("ix_jobs_leader_id", "jobs")
        with operations.batch_alter_table("jobs") as jobs:
            jobs.drop_column("leader_id")  # with its foreign key
        for table, name in chain.from_iterable(LATER_COLUMNS.values()):
            connection.exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN {name}")
        for table in ("published_records", "notices"):
            connection.exec_driver_sql(f"DROP TABLE {table}")
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0032'")
    engine.dispose()
    engine = open_database(each_empty_address)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Record.metadata) == []
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


def test_scores_of_before_are_read(tmp_path):
    path = str(tmp_path / "records.sqlite")
    part = {
        "name": "skat-4", "family": "card games", "weight": 3, "outcome": "played", "score": 0.5,
        "low": 0.4, "high": 0.6, "why": "", "job": 2,
    }  # fmt: skip
    score = {
        "format": "stichwerk-score/2", "suite": "v1", "suite_digest": "d", "backend": "sparse",
        "target": "all", "run": "a", "at": "2026-01-01T00:00:00+00:00", "complete": True,
        "score": 0.5, "low": 0.4, "high": 0.6, "game_volume": {"0.1": 4}, "shots": 10,
        "families": {"card games": 0.5}, "cost_usd": None, "versions": {}, "revision": None,
        "digest": "old", "parts": [part, {**part, "outcome": "failed", "job": None}],
    }  # fmt: skip
    planned = {"suite": "v1", "parts": [{"job": {"shots": 1}, "refused": ""}]}
    with Session(open_database(path)) as session:
        job = Job(
            program="p",
            target="t",
            backend="sparse",
            shots=1,
            seed=0,
            state="done",
            kind="batch",
            request={"scores": [planned]},
            result={"scores": [score]},
        )
        session.add(job)
        session.commit()
        later = (columns for number, columns in LATER_COLUMNS.items() if number > 38)
        for table, name in chain.from_iterable(later):
            session.connection().exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN {name}")
        session.connection().exec_driver_sql("UPDATE alembic_version SET version_num = '0038'")
        session.commit()
    with Session(open_database(path)) as session:
        job = session.get_one(Job, 1)
        (read,) = map(ScoreFile.model_validate, job.result["scores"])
        assert [one.outcome for one in read.parts] == ["completed", "error"]
        assert [one.jobs for one in read.parts] == [[2], []]
        assert job.request["scores"][0]["parts"][0]["jobs"] == [{"shots": 1}]


@pytest.mark.parametrize(
    ("revision", "message"),
    [
        ("0031", r"older version of Stichwerk: .* 0031,"),
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
