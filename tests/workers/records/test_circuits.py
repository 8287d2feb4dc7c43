"""Circuits are stored once each, of chosen candidates only."""

import zlib

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from compiler.formats.circuit_files import read_qpy
from workers.records.tables import Candidate, CircuitRow

NATIVE, LOGICAL = b"native" * 9, b"logical" * 9


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
