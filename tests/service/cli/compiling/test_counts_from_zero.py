"""Counts that hold from |0…0⟩ only say so wherever they are shown, and others do not."""

import json

import pytest
from attrs import fields

from compiler.lowering.figures import Figures
from compiler.words.held_inputs import COUNTS
from service.cli.compiling.table import compilation_sentence
from service.results.jobs.compilations import CompilationResult

QFT = """OPENQASM 3.0;
include "stdgates.inc";
qubit[3] q;
bit[3] c;
h q[0]; cp(pi/2) q[1], q[0]; h q[1]; cp(pi/4) q[2], q[0]; cp(pi/2) q[2], q[1]; h q[2];
c = measure q;
"""
"""From |000⟩ no two-qubit gate is needed, on any input six."""
HOW = ("qft.qasm", "--method", "fast")


@pytest.fixture(autouse=True)
def qft(folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "250")
    (folder / "qft.qasm").write_text(QFT)


def row_of(text, word):
    """The cells of the first row of a table that begins with a word."""
    rows = [line.strip("│").split("│") for line in text.splitlines() if line.startswith("│")]
    return next(cells for row in rows if (cells := [cell.strip() for cell in row])[0] == word)


def test_all_counts_of_a_circuit_are_marked():
    others = {"qubits", "duration_ns", "expected_fidelity"}
    assert {*COUNTS} | others == {field.name for field in fields(Figures)}


def test_compiling_from_zero(stichwerk):
    done = stichwerk("compile", *HOW, "--target", "all", "--details")
    sentence, *_ = done.out.splitlines()
    assert sentence.startswith("0 two-qubit gates on all:3, proven exact for |0…0⟩; best of ")
    _, *figures = row_of(done.out, "3")
    assert len(figures) == 4
    assert all(figure.endswith(" (from |0…0⟩)") for figure in figures)
    assert figures[0] == "0 (from |0…0⟩)"
    assert row_of(done.out, "record") == ["record", "1"]
    assert row_of(done.out, "synthesise")[1] == "3"
    assert row_of(done.out, "dont-care")[1] == row_of(done.out, "qiskit-level-3")[1] == "0"
    answer = json.loads(stichwerk("compile", *HOW, "--target", "all", "--json").out)
    assert (answer["two_qubit_gates"], answer["from_zero"]) == (0, True)
    for seconds, shown in ((4.26, "4.3"), (431.2, "431")):
        slow = CompilationResult.model_validate(answer | {"compile_seconds": seconds})
        assert compilation_sentence(slow).endswith(f" in {shown} s.")


def test_running_and_what_is_told_of_the_job(stichwerk):
    done = stichwerk("run", *HOW, "--backend", "sparse", "--shots", "10")
    assert "; 0 two-qubit gates on all:3, proven exact for |0…0⟩.\n" in done.out
    job = stichwerk("job", "1")
    for name in ("two-qubit gates", "two-qubit depth"):
        assert row_of(job.out, name)[1] == "0 (from |0…0⟩)"
    answer = json.loads(stichwerk("job", "1", "--json").out)
    assert answer["compilation"]["from_zero"] is True
    assert stichwerk("report", "-o", "report.html").code == 0
    result = json.loads(stichwerk("result", "1", "--json").out)
    assert (result["two_qubit_gates"], result["from_zero"]) == (0, True)
