"""Exit 1: the answer is no, in one line, and the records say why."""

import json
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.lowering.qiskit_level_3 import level_3
from workers.records.database import open_database
from workers.records.tables import Compilation, Job

LITERAL = ("--method", "literal", "--processes", "1")


def right(draft, setting):
    return level_3(draft.circuit, setting.target, setting.seed)


def raises(draft, setting):
    raise RuntimeError(f"no route for {draft.circuit.num_qubits} qubits\nhere")


def drops_a_gate(draft, setting):
    lowered = right(draft, setting)
    last = max(i for i, item in enumerate(lowered.circuit.data) if len(item.qubits) == 2)
    del lowered.circuit.data[last]
    return lowered


def leaves_the_edges(draft, setting):
    lowered = right(draft, setting)
    lowered.circuit.cx(1, 2)
    lowered.circuit.cx(1, 2)
    return lowered


ASYMMETRIC = Path(__file__).with_name("asymmetric.qasm").read_text()


@pytest.fixture
def circuit(folder):
    """A circuit in whose outcomes every qubit plays another part."""
    (folder / "circuit.qasm").write_text(ASYMMETRIC)
    return "circuit.qasm"


@pytest.fixture
def records(folder):
    """The records of the current folder."""
    with Session(open_database(str(folder / "stichwerk.sqlite"))) as session:
        yield session


def refusal(answer):
    """Return the line that says no; everything else on stderr is progress."""
    assert answer.code == 1
    assert answer.out == ""
    lines = answer.err.splitlines()
    (line,) = [line for line in lines if line.startswith("stichwerk: ")]
    assert line == lines[-1]
    return line


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (drops_a_gate, "the state's fidelity to the program's is 0."),
        (leaves_the_edges, "is not native"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_wrong_circuit_is_never_handed_out(
    stichwerk, only_pipelines, circuit, records, folder, wrong, reason
):
    only_pipelines(wrong=wrong)
    line = refusal(stichwerk("compile", circuit, "-t", "star", "-o", "out.qasm", *LITERAL))
    assert "every candidate is proven wrong" in line
    assert reason in line
    assert not (folder / "out.qasm").exists()
    (compilation,) = records.scalars(select(Compilation))
    (candidate,) = compilation.candidates
    assert candidate.verified == "refuted"
    assert reason in candidate.detail
    assert not candidate.chosen


def test_a_wrong_circuit_is_never_run(stichwerk, only_pipelines, circuit, records):
    only_pipelines(wrong=drops_a_gate)
    refusal(stichwerk("run", circuit, "--backend", "sparse", *LITERAL))
    assert records.scalars(select(Job)).all() == []


def test_the_right_pipeline_wins_over_wrong_and_failing_ones(
    stichwerk, only_pipelines, circuit, records
):
    only_pipelines(shorter=drops_a_gate, broken=raises, right=right)
    answer = stichwerk("compile", circuit, *LITERAL, "--json")
    assert answer.code == 0
    result = json.loads(answer.out)
    assert result["pipeline"] == "right"
    assert result["verified"] == "exact"
    verdicts = {one["pipeline"]: one["verified"] for one in result["candidates"]}
    assert verdicts == {"shorter": "refuted", "broken": "failed", "right": "exact"}
    figures = {one["pipeline"]: one["two_qubit_gates"] for one in result["candidates"]}
    assert figures["shorter"] < figures["right"]
    (compilation,) = records.scalars(select(Compilation))
    by_name = {candidate.pipeline: candidate for candidate in compilation.candidates}
    assert by_name["broken"].detail == "no route for 3 qubits here"
    assert by_name["broken"].two_qubit_gates is None
    assert {name for name, one in by_name.items() if one.native} == {"right"}


def test_no_pipeline_gets_through(stichwerk, only_pipelines, circuit, records):
    only_pipelines(one=raises, two=raises)
    line = refusal(stichwerk("compile", circuit, *LITERAL))
    assert "no pipeline could lower circuit.qasm: no route for 3 qubits here" in line
    (compilation,) = records.scalars(select(Compilation))
    assert [candidate.verified for candidate in compilation.candidates] == ["failed", "failed"]
