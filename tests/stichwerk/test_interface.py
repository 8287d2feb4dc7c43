"""The public names, and what hides the packages behind them."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from qiskit import QuantumCircuit, generate_preset_pass_manager
from qiskit.circuit import Gate, Measure, Parameter
from qiskit.circuit.library import CXGate, GlobalPhaseGate, UGate
from qiskit.transpiler import Target

import stichwerk

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", stichwerk.__all__)
def test_every_public_name_is_there_and_documented(name):
    assert getattr(stichwerk, name).__doc__


@pytest.mark.parametrize("hidden", ["compiler", "backends"])
def test_a_folder_of_the_users_that_hides_a_package_is_named(tmp_path, hidden):
    (tmp_path / hidden).mkdir()
    (tmp_path / hidden / "__init__.py").touch()
    ran = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.append({str(ROOT)!r}); import stichwerk"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 1
    last = ran.stderr.splitlines()[-1]
    assert last.startswith("ImportError")
    assert str(tmp_path / hidden) in last


def test_the_import_loads_no_package_that_only_some_need():
    code = "import stichwerk, sys; print(*{name.partition('.')[0] for name in sys.modules})"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    optional = {"celery", "fastapi", "matplotlib", "plotly", "qiskit_ibm_runtime", "sqlalchemy"}
    assert optional.isdisjoint(ran.stdout.split())


def test_games_come_by_name_by_file_and_as_text(tmp_path):
    text = 'game = "skat"\nplayers = 2\nhand = 1\ndeck = ["CA", "C10", "CK"]\n'
    file = tmp_path / "mine.toml"
    file.write_text(text)
    games = [stichwerk.game(text), stichwerk.game(file), stichwerk.game(str(file))]
    distributions = [dict(game.exact_distribution()) for game in games]
    assert distributions[0] == distributions[1] == distributions[2]
    assert stichwerk.game("skat-4").name == "skat-4"


def test_a_circuit_of_qiskits_is_proven_and_a_wrong_one_refused():
    star = stichwerk.target("star:6")
    original = stichwerk.public_circuit("qft:5", 0)
    native = generate_preset_pass_manager(3, target=star, seed_transpiler=1).run(original)
    assert stichwerk.verify(original, native, star) == "exact"
    native.x(0)
    with pytest.raises(stichwerk.VerificationError):
        stichwerk.verify(original, native, star)


def target_of(measures, places=None, u_name="u"):
    target = Target()
    target.add_instruction(UGate(*map(Parameter, "abc")), name=u_name)
    target.add_instruction(CXGate(), places)
    target.add_instruction(Gate("other", 2, []), places)
    if measures is not False:
        target.add_instruction(Measure(), measures)
    return target


@pytest.mark.parametrize("target", [target_of(None), target_of({(0,): None, (1,): None})])
@pytest.mark.parametrize("bits", [0, 2])
def test_targets_need_no_number_of_qubits_and_phases_no_qubit(target, bits):
    circuit = QuantumCircuit(2, bits)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.append(GlobalPhaseGate(0.5), [])
    circuit.measure(range(bits), range(bits))
    compiled = stichwerk.compile(stichwerk.program(circuit), target, stichwerk.Options("fast"))
    assert compiled.verified == "exact"
    assert not any(candidate.error for candidate in compiled.candidates)


@pytest.mark.parametrize(
    ("target", "qubits", "message"),
    [
        (target_of(False), 2, r"measures 0 qubits"),
        (target_of({(0,): None}, {(0, 1): None, (1, 0): None}), 2, r"measures 1 qubit "),
        (target_of(None, u_name="mine"), 2, "not every circuit can be written in cx"),
        (target_of(None), 0, "has no qubits"),
        (None, 2, "of type NoneType"),
    ],
)
def test_targets_and_circuits_that_do_not_fit_are_refused(target, qubits, message):
    circuit = QuantumCircuit(qubits, qubits)
    circuit.measure(range(qubits), range(qubits))
    with pytest.raises(stichwerk.InputError, match=message):
        stichwerk.compile(stichwerk.program(circuit), target)


def test_delays_and_loops_of_a_circuit_are_those_of_a_file():
    circuit = QuantumCircuit(3, 1)
    circuit.h(0)
    circuit.delay(100, 0, "ns")
    with circuit.for_loop(range(2)):
        circuit.t(0)
        circuit.cx(0, 2)
    circuit.measure(2, 0)
    compiled = stichwerk.compile(stichwerk.program(circuit), "star:3")
    assert compiled.verified == "exact"


def test_an_original_is_verified_with_its_loops_written_out():
    target = stichwerk.target("all:2:cx")
    looped, native = QuantumCircuit(2), QuantumCircuit(2)
    with looped.for_loop(range(3)):
        looped.cx(0, 1)
    native.cx(0, 1)
    assert stichwerk.verify(looped, native, target) == "exact"
    native.cx(0, 1)
    with pytest.raises(stichwerk.VerificationError):
        stichwerk.verify(looped, native, target)


def test_only_gates_are_verified():
    target = stichwerk.target("all:2:cx")
    gates, measuring, endless = QuantumCircuit(2), QuantumCircuit(2, 1), QuantumCircuit(2, 1)
    gates.cx(0, 1)
    measuring.measure(0, 0)
    with endless.while_loop((endless.clbits[0], 1)):
        endless.x(0)
    with pytest.raises(stichwerk.InputError, match="original: 'measure'"):
        stichwerk.verify(measuring, gates, target)
    with pytest.raises(stichwerk.InputError, match="native circuit: 'while_loop'"):
        stichwerk.verify(gates, endless, target)
    with pytest.raises(stichwerk.InputError, match="'while_loop' has no bound"):
        stichwerk.verify(endless, gates, target)


def test_without_a_layout_qubits_stay_where_they_are():
    swap, nothing = QuantumCircuit(2), QuantumCircuit(2)
    swap.cx(0, 1)
    with pytest.raises(stichwerk.VerificationError):
        stichwerk.verify(swap, nothing, stichwerk.target("all:2"))
    assert stichwerk.verify(swap, swap, stichwerk.target("all:2:cx")) == "exact"


def test_providers_are_no_simulators():
    compiled = stichwerk.compile(stichwerk.program("skat-4", "lean"))
    with pytest.raises(stichwerk.InputError, match="ibm:boston"):
        stichwerk.run(compiled, "ibm:boston")


PROGRAM, GATES = stichwerk.program("skat-4", "lean"), QuantumCircuit(2)


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("compile", (PROGRAM, "star", "fast"), "options: 'fast' is of type str"),
        ("verify", ("a", GATES, "star"), "original: 'a' is of type str"),
        ("verify", (GATES, GATES, 7), "target: 7 is of type int"),
        ("score", (PROGRAM, {}), "counts: 0 outcomes with no shot"),
        ("score", (PROGRAM, {"00": "x"}), "key in counts: '00' is of type str"),
        ("score", (PROGRAM, {-1: 5}), "counts: 5 shots of outcome -1"),
        ("score", (PROGRAM, {256: 5}), "counts: 5 shots of outcome 256"),
        ("score", (PROGRAM, {0: -5}), "counts: -5 shots of outcome 0"),
        ("compare", ([GATES], ["star"], ["qiskit"]), r"files\[0\]: .* is of type QuantumCircuit"),
        ("compare", ("a.qasm", ["star"], ["qiskit"]), "files: 'a.qasm' is of type str"),
        ("run", (None,), "compiled: None is of type NoneType"),
        ("program", ("skat-4", 7), "encoding: 7 is of type int"),
        ("exact_distribution", ("skat-4",), "program: 'skat-4' is of type str"),
        ("Event", (GATES, "win"), "program: .* is of type QuantumCircuit"),
        ("backend", (5,), "spec: 5 is of type int"),
    ],
)
def test_wrong_arguments_are_refused_in_one_line(name, arguments, message):
    with pytest.raises(stichwerk.InputError, match=rf"\A{message}.*; give .*\Z"):
        getattr(stichwerk, name)(*arguments)


def test_shots_are_a_number_from_one_and_targets_may_be_specs():
    compiled = stichwerk.compile(PROGRAM, "all", stichwerk.Options("fast", pipelines=["qiskit"]))
    for shots in (-1, "many", True):
        with pytest.raises(stichwerk.InputError, match=f"shots: '?{shots}'? is"):
            stichwerk.run(compiled, shots=shots)
    assert sum(stichwerk.run(compiled, shots=np.int64(3)).values()) == 3
    assert stichwerk.verify(GATES, GATES, "star") == "exact"


def test_a_path_is_no_program_and_a_result_is_short_to_print():
    with pytest.raises(stichwerk.InputError, match=r"stichwerk\.program"):
        stichwerk.compile("examples/ghz.qasm", "star")
    compiled = stichwerk.compile(
        stichwerk.program(QuantumCircuit(2)), "star", stichwerk.Options("fast")
    )
    assert len(repr(compiled)) < 10_000
