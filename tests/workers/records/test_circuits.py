"""Circuits are kept once each, of the chosen only, also those that an older version kept."""

import zlib

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from compiler.formats.circuit_files import read_qpy
from workers.records.database import MIGRATIONS, open_database
from workers.records.tables import Candidate, CircuitRow, Compilation

NATIVE, LOGICAL, LOST = b"native" * 9, b"logical" * 9, b"lost" * 9


def compilation(**chosen):
    return Compilation(
        program="p", source=b"", source_digest="d", target="t", method="m", encoding="e",
        objective="o", seed=1, program_verified="given", versions={},
        candidates=[
            Candidate(synthesis="s", pipeline="p", seed=0, native=NATIVE, logical=LOGICAL),
            Candidate(synthesis="s", pipeline="p", seed=1, native=LOST, logical=LOGICAL, **chosen),
        ],
    )  # fmt: skip


def downgraded(engine, revision):
    with engine.begin() as bound:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = bound
        command.downgrade(config, revision)


def test_the_same_circuits_are_kept_once_and_of_the_chosen_only(session, compiled, ghz):
    first, second = compiled(ghz), compiled(ghz)
    assert len(first.candidates) > 1
    for made in (first, second):
        kept = [one for one in made.candidates if one.native or one.logical]
        assert kept == [made.chosen]
        assert (made.chosen.pending_native, made.chosen.pending_logical) == (None, None)
        read_qpy(made.chosen.native, "native")
        read_qpy(made.chosen.logical, "logical")
    assert first.chosen.native_sha256 == second.chosen.native_sha256
    assert session.scalar(select(func.count()).select_from(CircuitRow)) == 2


def test_circuits_of_the_version_before_are_moved(each_empty_address):
    engine = open_database(each_empty_address)
    with Session(engine) as session:
        session.add_all([compilation(chosen=True), compilation(chosen=True), compilation()])
        session.commit()
    downgraded(engine, "0019")
    with engine.connect() as connection:
        kept = connection.exec_driver_sql("SELECT native FROM candidates ORDER BY id").scalars()
        assert [bytes(one) for one in kept] == [NATIVE, LOST] * 3
    engine.dispose()
    engine = open_database(each_empty_address)
    with Session(engine) as session:
        rows = session.scalars(select(Candidate).order_by(Candidate.id)).all()
        assert [one.native for one in rows] == [None, LOST, None, LOST, NATIVE, LOST]
        assert [one.logical for one in rows] == [None, LOGICAL, None, LOGICAL, LOGICAL, LOGICAL]
        assert [one.native_sha256 is None for one in rows[4:]] == [True, True]
        assert {one.content for one in session.scalars(select(CircuitRow))} == {LOST, LOGICAL}
    downgraded(engine, "0019")
    with engine.connect() as connection:
        kept = connection.exec_driver_sql("SELECT logical FROM candidates ORDER BY id").scalars()
        assert [one and bytes(one) for one in kept] == [None, LOGICAL] * 2 + [LOGICAL] * 2
    engine.dispose()


def test_circuits_are_compressed(each_engine):
    with Session(each_engine) as session:
        session.add(CircuitRow(digest="d", content=NATIVE * 100))
        session.commit()
        kept = session.connection().exec_driver_sql("SELECT content FROM circuits").scalar_one()
        assert zlib.decompress(bytes(kept)) == NATIVE * 100
        assert len(bytes(kept)) < len(NATIVE)


@pytest.mark.parametrize("kind", ["native", "logical"])
def test_a_candidate_forgets_its_circuit(kind):
    one = Candidate(native=NATIVE, logical=LOGICAL)
    setattr(one, kind, None)
    assert (one.native is None, one.logical is None) == (kind == "native", kind == "logical")
