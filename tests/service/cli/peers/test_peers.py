"""The command `peers`, on a suite of one circuit and one operator."""

import json

import pytest
from matplotlib.image import imread
from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.lowering import pipelines
from workers.peers import suites
from workers.peers.subjects import Kind, Subject
from workers.records.database import open_database
from workers.records.tables import PeerResult


@pytest.fixture(autouse=True)
def two_programs(monkeypatch):
    deal = (Subject(Kind.OPERATOR, "D(4,2)"), suites.BOTH)
    qft = (Subject(Kind.CIRCUIT, "qft:5"), suites.GIVEN)
    monkeypatch.setattr(suites, "SUITES", {"operators": (deal,), "circuits": (qft,)})
    quick = {"qiskit": pipelines["qiskit"]}
    monkeypatch.setattr("workers.peers.compilers.stichwerk.pipelines", quick)


QUICK = ("--seeds", "1", "--processes", "1", "--peer", "qiskit", "--peer", "stichwerk-any-input")


@pytest.mark.full
def test_a_run_is_told_and_recorded_and_goes_on_with_what_it_has_kept(
    stichwerk, folder, monkeypatch
):
    words = ("peers", "--suite", "circuits", "--target", "star", *QUICK, "--state", "kept.jsonl",
             "--plot", "peers.png", "--seconds-plot", "seconds.png", "--json")  # fmt: skip
    first = json.loads(stichwerk(*words).out)
    _is_recorded(first, folder)
    for name, width in (("peers", 600), ("seconds", 300)):
        assert imread(folder / f"{name}.png").shape[1] > width
    monkeypatch.setattr("service.cli.peers.command.compare", None)
    again = json.loads(stichwerk(*words).out)
    for answer in (first, again):
        answer.pop("seconds")
    assert again == first
    other = stichwerk(*words, "--seeds", "2")
    assert (other.code, other.out) == (2, "")
    assert other.err.startswith("stichwerk: kept.jsonl: was made with other seeds")


def _is_recorded(answer, folder):
    with Session(open_database(str(folder / "stichwerk.sqlite"))) as session:
        rows = session.scalars(select(PeerResult).order_by(PeerResult.id)).all()
    for row, result in zip(rows, answer["results"], strict=True):
        for name in ("peer", "two_qubit_gates", "two_qubit_depth", "depth", "gates", "seconds",
                     "cpu_seconds", "holds", "verified", "variant", "suite", "target", "form",
                     "program"):  # fmt: skip
            assert getattr(row, name) == result[name], name
        assert (row.comparison, row.versions) == (answer["comparison"], answer["versions"])
        assert row.depth >= row.two_qubit_depth > 0
        assert row.gates >= row.two_qubit_gates > 0
