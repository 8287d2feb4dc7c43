"""Parameters of circuits on the command line."""

import json

import pytest
from qiskit import qasm3

from compiler.formats.circuit_files import circuit_from_qasm

FAST = ("--method", "fast", "--processes", "1")
TEXT = """OPENQASM 3.0;
include "stdgates.inc";
input float[64] theta;
input float[64] phi;
qubit[2] q;
bit[2] c;
rx(theta) q[0];
cx q[0], q[1];
rz(phi) q[1];
c = measure q;
"""
SETS = [{"theta": 0.0, "phi": 1.0}, {"theta": 3.141592653589793, "phi": 0.5}]


@pytest.fixture
def ansatz(folder):
    (folder / "ansatz.qasm").write_text(TEXT)
    (folder / "sets.json").write_text(json.dumps(SETS))
    return "ansatz.qasm"


def test_a_circuit_is_compiled_with_its_parameters_or_with_values(answer_of, ansatz, folder):
    compile_ = ("compile", ansatz, "-t", "star:5:iqm", "-o", "out.qasm", *FAST)
    found = answer_of(*compile_)
    assert (found["verified"], found["parameter_values"]) == ("exact", None)
    assert "for all angles" in found["verified_detail"]
    native = qasm3.loads((folder / "out.qasm").read_text())
    assert {parameter.name for parameter in native.parameters} <= {"theta", "phi"}
    found = answer_of(*compile_, "--bind", "theta=0.3", "--bind", "phi=2")
    assert found["parameter_values"] == {"phi": 2.0, "theta": 0.3}
    assert not circuit_from_qasm((folder / "out.qasm").read_text(), "out.qasm").parameters


def test_many_values_run_as_one_job_of_one_compiled_circuit(answer_of, stichwerk, ansatz):
    run = ("run", ansatz, "-b", "sparse", "--shots", "50", *FAST)
    found = answer_of(*run, "--bind-file", "sets.json")
    assert [each["parameter_values"] for each in found["runs"]] == SETS
    assert [each["counts"] for each in found["runs"]] == [{"00": 50}, {"11": 50}]
    assert found["counts"] == {"00": 50}
    # Only the candidate that was chosen once is bound.
    assert [len(each["candidates"]) for each in found["runs"]] == [1, 1]
    assert len(json.loads(stichwerk("jobs", "--json").out)["jobs"]) == 1
    alone = answer_of(*run, "--bind", "phi=1", "--bind", "theta=0")
    assert (alone["counts"], alone["runs"]) == ({"00": 50}, [])


@pytest.mark.parametrize(
    ("command", "options", "named"),
    [
        ("run", ("--bind", "thet=1"), "did you mean 'theta'"),
        ("run", ("--bind", "phi=1", "--bind", "phi=2"), "given twice: 'phi'"),
        ("submit", ("--bind-file", "sets.json", "--repeat", "2"), "leave out"),
        ("compile", ("--bind-file", "sets.json"), "compile takes one"),
    ],
)
def test_bad_values_are_refused(stichwerk, ansatz, command, options, named):
    backend = () if command == "compile" else ("-b", "sparse")
    said = stichwerk(command, ansatz, *backend, *options)
    assert said.code == 2
    assert named in said.err.splitlines()[-1]
