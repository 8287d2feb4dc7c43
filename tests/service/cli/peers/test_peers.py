"""The command `peers`, on a suite of one circuit and one operator."""

import json

import pytest
from matplotlib.image import imread
from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.formats.circuit_files import circuit_from_qasm
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


def test_json_has_every_result_ratio_and_version(stichwerk, folder):
    answer = json.loads(
        stichwerk("peers", "--suite", "circuits", "--target", "star", *QUICK,
                  "--plot", "peers.png", "--json").out
    )  # fmt: skip
    qiskit, ours = sorted(answer["results"], key=lambda row: row["peer"])
    assert [row["peer"] for row in (qiskit, ours)] == ["qiskit", "stichwerk-any-input"]
    for row in (qiskit, ours):
        assert (row["program"], row["form"], row["target"]) == ("qft:5", "given", "star:5")
        assert (row["verified"], row["holds"]) == ("exact", "any input")
    assert qiskit["ratio"] is None
    assert ours["ratio"] == ours["two_qubit_gates"] / qiskit["two_qubit_gates"] <= 1
    (bar,) = answer["bars"]
    assert bar["met"]
    assert bar["figure"] == pytest.approx(ours["ratio"])
    assert {"qiskit", "stichwerk", "python"} <= answer["versions"].keys()
    assert imread(folder / "peers.png").shape[1] > 600


def test_every_result_of_a_run_is_recorded_together(stichwerk, folder):
    words = ("peers", "--suite", "circuits", "--target", "star", *QUICK, "--json")
    runs = [json.loads(stichwerk(*words).out) for _ in range(2)]
    with Session(open_database(str(folder / "stichwerk.sqlite"))) as session:
        rows = session.scalars(select(PeerResult).order_by(PeerResult.id)).all()
    assert [(row.comparison, row.peer) for row in rows] == [
        (run["comparison"], result["peer"]) for run in runs for result in run["results"]
    ]
    assert runs[0]["comparison"] != runs[1]["comparison"]
    for row, result in zip(rows, (r for run in runs for r in run["results"]), strict=True):
        for name in ("two_qubit_gates", "two_qubit_depth", "depth", "gates", "seconds",
                     "cpu_seconds", "holds", "verified", "variant", "suite", "target", "form",
                     "program"):  # fmt: skip
            assert getattr(row, name) == result[name], name
        assert row.depth >= row.two_qubit_depth > 0
        assert row.gates >= row.two_qubit_gates > 0
        assert row.versions == runs[0]["versions"]


def test_a_run_goes_on_with_what_it_has_kept(stichwerk, folder, monkeypatch):
    words = ("peers", "--suite", "circuits", "--target", "star", *QUICK, "--state", "kept.jsonl",
             "--seconds-plot", "seconds.png", "--json")  # fmt: skip
    first = json.loads(stichwerk(*words).out)
    monkeypatch.setattr("service.cli.peers.command.compare", None)
    again = json.loads(stichwerk(*words).out)
    for answer in (first, again):
        answer.pop("seconds")
    assert again == first
    (cost,) = first["costs"]
    qiskit, ours = sorted(first["results"], key=lambda row: row["peer"])
    assert (cost["peer"], cost["reference"], cost["qubits"]) == (ours["peer"], "qiskit", 5)
    assert cost["cpu_ratio"] == pytest.approx(ours["cpu_seconds"] / qiskit["cpu_seconds"])
    assert cost["gates_ratio"] == ours["ratio"]
    assert imread(folder / "seconds.png").shape[1] > 300
    other = stichwerk(*words, "--seeds", "2")
    assert (other.code, other.out) == (2, "")
    assert other.err == (
        "stichwerk: kept.jsonl: was made with other seeds; delete it or name another\n"
    )


def test_circuits_are_exported(stichwerk, folder):
    answer = stichwerk("peers", "--suite", "circuits", "--export", "circuits", "--json")
    assert json.loads(answer.out) == {"written": ["circuits/qft-5.qasm"]}
    circuit = circuit_from_qasm((folder / "circuits/qft-5.qasm").read_text(), "qft")
    assert circuit.num_qubits == 5
