"""Counts that hold from |0…0⟩ only say so wherever they are shown, and others do not."""

import json

import pytest
from attrs import fields

from compiler.lowering.figures import Figures
from compiler.words.held_inputs import COUNTS

QFT = """OPENQASM 3.0;
include "stdgates.inc";
qubit[3] q;
bit[3] c;
h q[0]; cp(pi/2) q[1], q[0]; h q[1]; cp(pi/4) q[2], q[0]; cp(pi/2) q[2], q[1]; h q[2];
c = measure q;
"""
"""From |000⟩ no two-qubit gate is needed, on any input six."""
HOW = ("qft.qasm", "--method", "fast")
FIRST = ("two_qubit_gates", "two_qubit_depth", "depth", "gates")


@pytest.fixture(autouse=True)
def qft(folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "250")
    (folder / "qft.qasm").write_text(QFT)


def cells(text, *words):
    """The second cell of each row of a table that begins with a word."""
    rows = [line.strip("│").split("│") for line in text.splitlines() if line.startswith("│")]
    return [row[1].strip() for row in rows if row[0].strip() in words]


def test_all_counts_of_a_circuit_are_marked():
    others = {"qubits", "duration_ns", "expected_fidelity"}
    assert {*COUNTS} | others == {field.name for field in fields(Figures)}


def test_compiling_from_zero(stichwerk):
    done = stichwerk("compile", *HOW, "--target", "all")
    figures = cells(done.out.partition("Passes")[0], *FIRST)
    assert len(figures) == 4
    assert all(figure.endswith(" (from |0…0⟩)") for figure in figures)
    assert figures[0] == "0 (from |0…0⟩)"
    assert cells(done.out, "qubits", "record") == ["3", "1"]
    passes = done.out.partition("Passes")[2]
    assert cells(passes, "synthesise", "dont-care") == ["3", "0 (from |0…0⟩)"]
    assert cells(passes, "qiskit-level-3") == ["0 (from |0…0⟩)"]
    assert ": 0 two-qubit gates (from |0…0⟩) (" in done.err
    answer = json.loads(stichwerk("compile", *HOW, "--target", "all", "--json").out)
    assert (answer["two_qubit_gates"], answer["from_zero"]) == (0, True)


def test_running_and_what_is_told_of_the_job(stichwerk):
    done = stichwerk("run", *HOW, "--backend", "sparse", "--shots", "10")
    assert cells(done.out, "two_qubit_gates") == ["0 (from |0…0⟩)"]
    job = stichwerk("job", "1")
    assert cells(job.out, "two-qubit gates", "two-qubit depth") == ["0 (from |0…0⟩)"] * 2
    answer = json.loads(stichwerk("job", "1", "--json").out)
    assert answer["compilation"]["from_zero"] is True
    assert stichwerk("report", "-o", "report.html").code == 0
    result = json.loads(stichwerk("result", "1", "--json").out)
    assert (result["two_qubit_gates"], result["from_zero"]) == (0, True)
