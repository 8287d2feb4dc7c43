"""The command `peers` on the user's own circuits."""

import json
import sys
from types import SimpleNamespace

import pytest
from qiskit import QuantumCircuit

from compiler.lowering import pipelines
from tests.service.cli.compiling.test_counts_from_zero import QFT

QUICK = ("--seeds", "1", "--processes", "1", "--limit", "0",
         "--peer", "qiskit", "--peer", "stichwerk-any-input",
         "--peer", "stichwerk")  # fmt: skip


@pytest.fixture(autouse=True)
def one_pipeline(monkeypatch):
    quick = {"qiskit": pipelines["qiskit"]}
    monkeypatch.setattr("workers.peers.compilers.stichwerk.pipelines", quick)


def test_files_of_a_folder_that_cannot_be_compared_are_left_out(stichwerk, folder):
    (folder / "mine").mkdir()
    head = 'OPENQASM 3.0; include "stdgates.inc"; '
    (folder / "mine/good.qasm").write_text(f"{head}qubit[2] q; cx q[0], q[1];")
    (folder / "mine/bad.qasm").write_text(f"{head}nope")
    (folder / "mine/free.qasm").write_text(f"{head}input float a; qubit q; rx(a) q;")
    words = ("peers", "mine", "-t", "star", "--seeds", "1", "--processes", "1", "--peer", "qiskit")
    done = stichwerk(*words, "--json")
    answer = json.loads(done.out)
    (row,) = answer["results"]
    assert (row["program"], row["two_qubit_gates"], row["first_call"]) == ("mine/good.qasm", 1, 1)
    assert done.code == 2
    assert ["bad.qasm" in answer["left_out"][0], "free.qasm" in answer["left_out"][1]] == [True] * 2
    assert stichwerk("peers", "mine/bad.qasm", *words[2:]).code == 2
    said = stichwerk("peers", "mine", "-t", "map.graphml")
    assert (said.code, "'map.graphml'" in said.err.splitlines()[-1]) == (2, True)


def test_compilers_are_compared_by_an_objective(answer_of, stichwerk, folder):
    head = 'OPENQASM 3.0; include "stdgates.inc"; qubit[3] q;'
    (folder / "mine.qasm").write_text(f"{head} cx q[0], q[1]; cx q[1], q[2]; cx q[0], q[2];")
    words = ("peers", "mine.qasm", "--seeds", "1", "--processes", "1", "--limit", "0",
             "--peer", "qiskit", "--peer", "stichwerk-fast", "--objective")  # fmt: skip
    answer = answer_of(*words, "two_qubit_depth", "-t", "heavy-hex:boston")
    qiskit, ours = answer["results"]
    assert answer["objective"] == "two_qubit_depth"
    assert ours["ratio"] == pytest.approx(ours["two_qubit_depth"] / qiskit["two_qubit_depth"])
    assert ours["two_qubit_depth"] <= qiskit["two_qubit_depth"]
    (mean,) = answer["mean_costs"]
    assert mean["cpu_median"] == mean["cpu_worst"] == pytest.approx(mean["cpu"])
    unknown = stichwerk(*words, "t_count", "-t", "all")
    without_errors = stichwerk(*words, "expected_fidelity", "-t", "star")
    assert [(unknown.code, "'t_count'" in unknown.err),
            (without_errors.code, "'star:3'" in without_errors.err)] == [(2, True)] * 2  # fmt: skip


def test_circuits_of_mqt_bench(answer_of, stichwerk, monkeypatch):
    def circuit(name, qubits):
        if (name == "odd" and qubits % 2 == 0) or name == "none":
            raise ValueError(f"{qubits} qubits")
        circuit = QuantumCircuit(qubits)
        circuit.cx(0, 1)
        circuit.measure_all()
        return circuit

    monkeypatch.setitem(sys.modules, "mqt.bench", None)
    said = stichwerk("peers", "--suite", "mqt-bench")
    assert (said.code, "pip install mqt.bench" in said.err) == (2, True)
    monkeypatch.setitem(sys.modules, "mqt.bench", SimpleNamespace(get_benchmark_alg=circuit))
    names = SimpleNamespace(get_available_benchmark_names=lambda: ["even", "odd", "none"])
    monkeypatch.setitem(sys.modules, "mqt.bench.benchmarks", names)
    answer = answer_of("peers", "--suite", "mqt-bench:4", "-t", "all", "--seeds", "1",
                       "--processes", "1", "--peer", "qiskit")  # fmt: skip
    found = [(row["program"], row["verified"], row["two_qubit_gates"]) for row in answer["results"]]
    assert found == [
        ("mqt-bench/even-4.qpy", "exact", 1), ("mqt-bench/odd-3.qpy", "exact", 1),
    ]  # fmt: skip
    assert answer["left_out"] == ["mqt-bench/none: 4 qubits"]
    assert stichwerk("peers", "--suite", "mqt-bench:x").code == 2


@pytest.fixture
def with_dont_care(monkeypatch):
    quick = {name: pipelines[name] for name in ("qiskit", "window-qiskit")}
    monkeypatch.setattr("workers.peers.compilers.stichwerk.pipelines", quick)


@pytest.mark.usefixtures("with_dont_care")
def test_all_compilers_assume_the_same_input_of_a_users_circuit(answer_of, folder):
    (folder / "qft.qasm").write_text(QFT)
    answer = answer_of("peers", "qft.qasm", "-t", "all", *QUICK)
    found = {row["peer"]: row for row in answer["results"]}
    assert found.keys() == {"qiskit", "stichwerk", "stichwerk-any-input"}
    assert {(row["two_qubit_gates"], row["holds"], row["verified"]) for row in found.values()} == {
        (6, "any input", "exact")
    }
    assert [row["ratio_from_zero_only"] for row in found.values()] == [None, False, False]


def test_what_does_not_fit_is_left_out(stichwerk):
    done = stichwerk("peers", "ghz2.qasm", "-t", "all:2", "-t", "star", *QUICK, "--json")
    assert done.code == 0
    assert "left out: ghz2.qasm needs 3 qubits, target 'all:2' has 2" in done.err
    assert {row["target"] for row in json.loads(done.out)["results"]} == {"star:3"}
