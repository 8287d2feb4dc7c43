"""Migrations make exactly the tables of the models, once, in any database that lacks them."""

import sqlite3

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, inspect, select
from sqlalchemy.orm import Session

from compiler.errors import InputError
from workers.database import MIGRATIONS, open_database
from workers.records import Compilation, Job, Record, ScoreRow


def tables(engine):
    return set(inspect(engine).get_table_names())


MODELS = {"compilations", "candidates", "jobs", "scores"}


def test_migrations_make_the_tables_of_the_models(tmp_path):
    engine = open_database(str(tmp_path / "records.sqlite"))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Record.metadata) == []
    assert tables(engine) == {*MODELS, "alembic_version"}
    assert set(Record.metadata.tables) == MODELS


def test_scores_of_the_first_version_stay(tmp_path):
    path = tmp_path / "records.sqlite"
    with Session(open_database(str(path))) as session:
        session.add(
            Compilation(
                program="p", source=b"", source_digest="d", target="t", method="m", encoding="e",
                objective="o", seed=1, program_verified="given", versions={},
                jobs=[Job(key="k", backend="b", shots=1, seed=0, scores=[
                    ScoreRow(kind="raw", shots=1, hellinger_fidelity=0.5, tvd=0.25,
                             legal_fraction=1.0, p_win=1.0, p_win_low=0.2, p_win_high=1.0,
                             p_win_exact=0.75, points_exact=14.0),
                    ScoreRow(kind="post_selected", shots=1, legal_fraction=1.0, p_win=1.0,
                             p_win_low=0.2, p_win_high=1.0),
                ])],
            )
        )  # fmt: skip
        session.commit()
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as bound:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = bound
        command.downgrade(config, "0001")
        assert bound.exec_driver_sql("select kind from scores").all() == [("raw",)]
    engine.dispose()
    with Session(open_database(str(path))) as session:
        (row,) = session.scalars(select(ScoreRow))
        assert (row.hellinger_fidelity, row.p_win_exact, row.points) == (0.5, 0.75, None)


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
        assert row.created_at.replace(tzinfo=None) == created.replace(tzinfo=None)


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
