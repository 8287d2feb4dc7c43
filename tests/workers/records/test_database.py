"""Migrations make exactly the tables of the models, once, in any database that lacks them."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, select
from sqlalchemy.orm import Session

from compiler.errors import InputError
from workers.records.database import MIGRATIONS, NEWEST, open_database
from workers.records.tables import Compilation, Event, Job, ObservableRow, Record, ScoreRow


def tables(engine):
    return set(inspect(engine).get_table_names())


MODELS = {
    "candidates", "circuits", "compilations", "database_origin", "devices", "events", "heartbeats",
    "jobs", "ledger", "matches", "orders", "peer_results", "provider_health", "scores",
    "observables", "spending", "tokens",
}  # fmt: skip


def migrated(engine, revision):
    with engine.begin() as bound:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = bound
        command.downgrade(config, revision)


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


def test_every_migration_can_be_undone(each_empty_address):
    engine = open_database(each_empty_address)
    migrated(engine, "base")
    assert tables(engine) == {"alembic_version"}
    engine.dispose()
    again = open_database(each_empty_address)
    assert tables(again) == {*MODELS, "alembic_version"}
    again.dispose()


def test_what_an_older_version_kept_stays(each_empty_address):
    engine = open_database(each_empty_address)
    with Session(engine) as session:
        made = Compilation(
            program="p",
            source=b"",
            source_digest="d",
            target="t",
            method="m",
            encoding="e",
            objective="o",
            seed=1,
            program_verified="given",
            versions={},
            any_input=True,
        )
        win = {"place": 0, "name": "win", "kind": "event", "measured": 1.0, "low": 0.2, "high": 1.0}
        points = ObservableRow(place=1, name="points", kind="number", exact=14.0)
        session.add(
            Job(compilation=made, program="p", target="t", key="k", backend="b", shots=1, seed=0,
                state="done", estimated_cost_microusd=1_250_000, scores=[
                    ScoreRow(kind="raw", shots=1, hellinger_fidelity=0.5, tvd=0.25,
                             legal_fraction=1.0,
                             observables=[ObservableRow(**win, exact=0.75), points]),
                    ScoreRow(kind="post_selected", shots=1, legal_fraction=1.0,
                             observables=[ObservableRow(**win)]),
                ])
        )  # fmt: skip
        session.commit()
    migrated(engine, "0001")
    with engine.connect() as connection:
        assert connection.exec_driver_sql("select kind from scores").all() == [("raw",)]
        (cost,) = connection.exec_driver_sql("select estimated_cost_usd from jobs").one()
        assert float(cost) == 1.25
    engine.dispose()
    engine = open_database(each_empty_address)
    with Session(engine) as session:
        (row,) = session.scalars(select(ScoreRow))
        assert row.hellinger_fidelity == 0.5
        win, points = row.observables
        assert (win.name, win.measured, win.low, win.high) == ("win", 1.0, 0.2, 1.0)
        assert (win.exact, points.name, points.measured) == (0.75, "points", None)
        (job,) = session.scalars(select(Job))
        assert (job.program, job.target, job.state) == ("p", "t", "done")
        assert job.estimated_cost_microusd == 1_250_000
        assert job.compiled.any_input is False
    engine.dispose()


def test_jobs_of_an_older_version_are_in_their_state_since_their_last_event(each_empty_address):
    engine = open_database(each_empty_address)
    hours = [datetime(2026, 1, 31, hour, tzinfo=UTC) for hour in range(4)]
    with Session(engine) as session:
        for key, finished, at in (
            ("ended", hours[3], hours[:2]),
            ("on", None, hours[1:3]),
            ("old", None, []),
        ):
            session.add(
                Job(
                    program="p",
                    target="t",
                    key=key,
                    backend="b",
                    shots=1,
                    seed=0,
                    created_at=hours[0],
                    finished_at=finished,
                    events=[Event(state="queued", at=hour) for hour in at],
                )
            )
        session.commit()
    migrated(engine, "0004")
    engine.dispose()
    engine = open_database(each_empty_address)
    with Session(engine) as session:
        since = {job.key: job.state_since for job in session.scalars(select(Job))}
    assert since == {"ended": hours[3], "on": hours[2], "old": hours[0]}
    engine.dispose()


def test_opening_twice_keeps_what_is_there(tmp_path, compiled, session, toy):
    path = str(tmp_path / "records.sqlite")
    kept = Compilation(
        program="p", source=b"\0\xff", source_digest="d", target="t", method="m", encoding="e",
        objective="o", seed=1, program_verified="given", versions={"python": "3"},
    )  # fmt: skip
    with Session(open_database(path)) as first:
        first.add(kept)
        first.commit()
        created = kept.created_at
    with Session(open_database(path)) as second:
        row = second.get_one(Compilation, 1)
        assert row.source == b"\0\xff"
        assert row.versions == {"python": "3"}
        assert row.created_at == created


def test_a_new_database_may_be_opened_by_many_at_once(tmp_path):
    def opened(n):
        open_database(str(tmp_path / f"{n % 5}.sqlite")).dispose()

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(opened, range(40)))


def test_an_empty_file_becomes_a_database(tmp_path):
    path = tmp_path / "records.sqlite"
    path.touch()
    assert tables(open_database(str(path))) >= MODELS


def test_a_database_with_other_tables_is_upgraded(tmp_path):
    path = tmp_path / "records.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("create table notes (text)")
        connection.execute("insert into notes values ('mine')")
    engine = open_database(str(path))
    assert tables(engine) == {*MODELS, "alembic_version", "notes"}
    with engine.connect() as connection:
        assert connection.exec_driver_sql("select text from notes").scalar_one() == "mine"


def test_an_address_is_a_path_or_a_url(tmp_path):
    path = tmp_path / "records.sqlite"
    assert str(open_database(str(path)).url) == f"sqlite:///{path}"
    assert str(open_database(f"sqlite:///{path}").url) == f"sqlite:///{path}"


def test_a_file_that_is_no_database_stays_as_it_is(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("no database at all\n" * 100)
    with pytest.raises(InputError, match=r"notes\.txt' cannot be written: file is not a database"):
        open_database(str(path))
    assert path.read_text() == "no database at all\n" * 100
