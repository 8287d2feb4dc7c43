"""Circuits on the command line: those that are written, and those of one's own."""

import json
import re
from functools import cache
from math import sqrt

import pytest
from qiskit import qasm3, qpy
from qiskit_ibm_runtime.fake_provider import FakeTorino

from compiler.measurement import final_measurements
from compiler.verification.program import outcome_distribution
from compiler.verification.simulation.exact import simulate
from games.toml import game_from_toml
from service.cli.compiling import recorded

FAST = ("--method", "fast", "--budget", "5", "--processes", "1")


NATIVE = {
    "all": {"cx", "rz", "sx", "x"},
    "star:17:iqm": {"cz", "r"},
    "heavy-hex:torino": {"cz", "rz", "sx", "x", "id", "rx", "rzz"},
}


@cache
def torino():
    return frozenset(tuple(edge) for edge in FakeTorino().coupling_map)


def coupled(target, pair):
    """Tell whether a target couples two qubits, without asking Stichwerk."""
    if target.startswith("star"):
        return 0 in pair
    return target == "all" or pair in torino()


def places_in_qasm(text):
    """Yield the name and the physical qubits of every statement of an OpenQASM 3 program."""
    for name, operands in re.findall(
        r"^(\w+)(?:\(.*?\))? (\$\d+(?:, \$\d+)*);", text, re.MULTILINE
    ):
        yield name, tuple(int(qubit) for qubit in re.findall(r"\$(\d+)", operands))


def places_in(circuit):
    """Yield the name and the qubits of every gate of a circuit."""
    index = {qubit: i for i, qubit in enumerate(circuit.qubits)}
    for item in circuit.data:
        if item.operation.name not in ("measure", "barrier"):
            yield item.operation.name, tuple(index[qubit] for qubit in item.qubits)


PAIR = 'game = "skat"\nplayers = 2\nhand = 1\ndeck = ["CA", "C10"]\n'


"""Two cards and no skat: small enough for every target."""


@pytest.fixture
def pair(folder):
    """The name of the game of two cards."""
    (folder / "pair.toml").write_text(PAIR)
    return "pair.toml"


def test_what_a_run_prints_is_also_written_and_its_job_found_by_its_tag(stichwerk, pair, folder):
    run = ("run", pair, "--backend", "sparse", *FAST, "--tag", "first", "-o", "said.json", "--json")
    said = stichwerk(*run)
    written = json.loads((folder / "said.json").read_text())
    assert written == json.loads(said.out)
    assert sum(written["counts"].values()) == 1000
    (job,) = json.loads(stichwerk("jobs", "--tag", "first", "--json").out)["jobs"]
    assert job["id"] == written["job"]


@pytest.mark.parametrize("target", NATIVE)
def test_written_circuits_are_native_and_measure_the_game(folder, answer_of, pair, target):
    game = game_from_toml(PAIR, pair)
    exact = {outcome: pytest.approx(float(p)) for outcome, p in game.exact_distribution().items()}
    for name in ("out.qasm", "out.qpy"):
        figures = answer_of("compile", pair, "--target", target, "-o", name, *FAST)
        path = folder / name
        if name == "out.qasm":
            circuit = qasm3.loads(path.read_text())
            places = list(places_in_qasm(path.read_text()))
        else:
            with path.open("rb") as file:
                (circuit,) = qpy.load(file)
            places = list(places_in(circuit))
        assert len(places) == figures["gates"]
        assert sum(len(qubits) == 2 for _, qubits in places) == figures["two_qubit_gates"]
        assert {gate for gate, _ in places} <= NATIVE[target]
        assert all(coupled(target, pair) for _, pair in places if len(pair) == 2)
        assert [(r.name, r.size) for r in circuit.cregs] == [("owner", 2)]
        gates, measured = final_measurements(circuit)
        assert list(measured) == [0, 1]
        got = outcome_distribution(circuit, simulate(gates))
        assert {outcome: p for outcome, p in got.items() if p > 1e-12} == exact


@pytest.mark.parametrize("backend", ["sparse", pytest.param("aer", marks=pytest.mark.full)])
@pytest.mark.parametrize("name", ["ghz2.qasm", "ghz3.qasm", "ghz.qpy"])
def test_circuits_of_ones_own_run_in_every_format(answer_of, name, backend):
    answer = answer_of("run", name, "--backend", backend, "--shots", "300", *FAST)
    assert answer["program"] == name
    assert answer["verified"] == "exact"
    assert answer["two_qubit_gates"] == 2
    assert answer["counts"].keys() == {"000", "111"}
    assert sum(answer["counts"].values()) == 300
    halves = [n / 300 for n in answer["counts"].values()]
    even = sum(sqrt(half / 2) for half in halves) ** 2
    assert answer["scores"]["hellinger_fidelity"] == pytest.approx(even)
    assert (answer["scores"]["post_selected"], answer["outcomes"]) == (None, None)
    assert answer["unscored"] is None


def test_what_a_run_has_measured_can_be_expected_of_the_next(folder, answer_of):
    asked = ("run", "ghz3.qasm", "--backend", "sparse", "--shots", "300", *FAST)
    first = answer_of(*asked)
    for name, expected in (("all.json", first), ("counts.json", first["counts"])):
        (folder / name).write_text(json.dumps(expected))
        again = answer_of(*asked, "--expect", name)
        assert again["counts"] == first["counts"]
        assert again["scores"]["hellinger_fidelity"] == pytest.approx(1)
        assert again["scores"]["tvd"] == pytest.approx(0, abs=1e-12)
    (folder / "wrong.json").write_text('{"001": 1}')
    wrong = answer_of(*asked, "--expect", "wrong.json")["scores"]
    assert (wrong["hellinger_fidelity"], wrong["tvd"], wrong["legal_fraction"]) == (0, 1, 1)


def test_a_circuit_that_measures_nothing_is_compiled_for_any_input(stichwerk, answer_of, folder):
    """From |0…0⟩ nothing of it would be left."""
    (folder / "part.qasm").write_text(
        'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[2] q;\nswap q[0], q[1];\ncz q[0], q[1];\n'
    )
    found = {
        words: answer_of("compile", "part.qasm", *words, *FAST)
        for words in ((), ("--any-input",), ("--from-zero",))
    }
    assert {words: answer["any_input"] for words, answer in found.items()} == {
        (): True,
        ("--any-input",): True,
        ("--from-zero",): False,
    }
    assert [answer["two_qubit_gates"] for answer in found.values()] == [1, 1, 0]
    assert [answer["verified"] for answer in found.values()] == ["exact"] * 3
    shown = stichwerk("compile", "part.qasm", *FAST).out
    assert "any input" in shown


def test_invalid_files_of_a_folder_are_listed_and_the_others_compiled(stichwerk, folder):
    (folder / "mine").mkdir()
    (folder / "native").mkdir()
    good = 'OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; cx q[0], q[1];'
    texts = {"bad": "nope", "good": good, "worse": "OPENQASM 3.0; qubit"}
    for name, text in texts.items():
        (folder / f"mine/{name}.qasm").write_text(text)
    done = stichwerk("compile", "mine", "pair.qasm", *FAST, "--json", "-o", "native")
    result = json.loads(done.out)
    assert done.code == 2
    assert [of["program"] for of in result["compilations"]] == ["good.qasm"]
    bad = ["mine/bad.qasm", "mine/worse.qasm", "pair.qasm"]
    assert list(result["failures"]) == bad
    lines = [line for line in done.err.splitlines() if line.startswith("stichwerk: ")]
    assert [line.split(": ")[1] for line in lines] == bad
    assert [file.name for file in (folder / "native").iterdir()] == ["mine-good.qasm"]


@pytest.mark.parametrize(("method", "processes"), [("fast", 1), ("best", 3)])
def test_small_programs_start_no_process_by_fast(stichwerk, monkeypatch, method, processes):
    numbers = []
    pool = recorded.process_pool

    def counting_pool(number):
        numbers.append(number)
        return pool(1)

    monkeypatch.setattr(recorded, "process_pool", counting_pool)
    done = stichwerk(
        *("compile", "skat-4", "--encoding", "lean", "-t", "all", "--pipeline", "qiskit"),
        *("--seeds", "3", "--method", method, "--budget", "5", "--processes", "3"),
    )
    assert done.code == 0
    assert numbers == [processes]
