"""IQM's transpiler, which answers from an environment of its own."""

import json
import sys
from contextlib import suppress
from math import pi
from pathlib import Path

import pytest
from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.circuit.library import get_standard_gate_name_mapping

from compiler.compilation.listener import each_here
from compiler.public_circuits import circuit_from_spec
from tests.servers.process import wait_until
from workers.peers import peers
from workers.peers.comparison import compare, peer_versions
from workers.peers.compilers import iqm, iqm_program
from workers.peers.subjects import Form, Kind, Subject
from workers.peers.trials import ANY, Case

BELL = b'OPENQASM 2.0; include "qelib1.inc"; qreg q[2]; h q[0]; cx q[0],q[1];'
CASE = Case("own", Subject(Kind.CIRCUIT, "bell.qasm", content=BELL), Form.GIVEN, "resonator:2")

HALF = [pi / 2, pi / 2]
RIGHT = {
    "gates": [
        ["r", [pi, 0.0], [1]],
        ["r", [-pi / 2, pi / 2], [1]],
        ["r", [-pi / 2, pi / 2], [0]],
        ["move", [], [1, 2]],
        ["cz", [], [2, 0]],
        ["move", [], [1, 2]],
        ["r", HALF, [0]],
    ],
    "initial": [1, 0],
    "final": [1, 0],
}
"""A Bell pair whose first qubit is on physical qubit 1."""

TWO_MOVES = [["move", [], [0, 2]], ["move", [], [1, 2]]]


def say(message):
    """Swallow progress."""


def running(pid):
    with suppress(FileNotFoundError):
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    return False


@pytest.fixture
def environment(tmp_path, monkeypatch):
    """Return a function that makes an environment whose Python is a script of the shell."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path))

    def make(script):
        listed = tmp_path / "iqm/lib/python3.11/site-packages/iqm_client-36.0.0.dist-info"
        listed.mkdir(parents=True)
        (listed / "METADATA").write_text("Name: iqm-client\nVersion: 36.0.0\n")
        python = tmp_path / "iqm/bin/python"
        python.parent.mkdir()
        python.write_text(f"#!/bin/sh\ncat > {tmp_path}/question\n{script}\n")
        python.chmod(0o755)

    return make


def printing(answer):
    return f"cat <<'END'\n{answer}\nEND"


def test_a_missing_environment_is_said_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    (found,) = compare(CASE, ["iqm"], 2, each_here, say)
    assert (found.verified, found.calls) == ("skipped", 0)
    assert found.detail == "skipped: package 'iqm-client' is not installed"
    assert peer_versions(["iqm"]) == {"iqm-client": None}


def test_an_answer_is_translated_and_proven(environment, tmp_path):
    environment(printing(json.dumps(RIGHT)))
    (found,) = compare(CASE, ["iqm"], 2, each_here, say)
    assert (found.verified, found.holds, found.calls) == ("exact", ANY, 2)
    assert (found.two_qubit_gates, found.gates) == (3, 7)
    assert peer_versions(["iqm"]) == {"iqm-client": "36.0.0"}
    question = json.loads((tmp_path / "question").read_text())
    assert (question["qubits"], question["seed"], question["level"]) == (2, 1, 3)
    assert question["program"] == {
        "qubits": 2,
        "gates": [["h", [], [0]], ["cx", [], [0, 1]]],
    }


@pytest.mark.parametrize(
    ("gates", "reason"),
    [
        (RIGHT["gates"][1:], "from a random product state the distance"),
        (RIGHT["gates"][:5], "stays in the resonator"),
        ([*RIGHT["gates"], *TWO_MOVES], "while the resonator holds"),
        ([*RIGHT["gates"], ["r", HALF, [2]]], "not native"),
    ],
    ids=["a gate too few", "a move too few", "two in the resonator", "a gate on the resonator"],
)
def test_a_wrong_answer_is_refuted(environment, gates, reason):
    environment(printing(json.dumps(RIGHT | {"gates": gates})))
    (found,) = compare(CASE, ["iqm"], 1, each_here, say)
    assert found.verified in ("refuted", "failed")
    assert not found.counts
    assert reason in found.detail


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("printf 'Traceback\\n  File\\nKeyError: 7\\n' >&2; exit 3", "KeyError: 7"),
        ("kill -9 $$", "its process was ended by SIGKILL"),
        (printing('{"error": "too many qubits"}'), "too many qubits"),
        (printing('{"gates": [["h", [], [0]]]}'), "its gate 'h' [] on [0] is unknown here"),
        (printing('{"gates": [["cz", [], [0, 9]]]}'), "its gate 'cz' [] on [0, 9]"),
    ],
)
def test_whatever_goes_wrong_is_said_in_one_line(environment, script, reason):
    environment(script)
    (found,) = compare(CASE, ["iqm"], 1, each_here, say)
    assert (found.verified, found.two_qubit_gates) == ("failed", None)
    assert reason in found.detail
    assert "\n" not in found.detail


def test_an_answer_that_takes_too_long_is_stopped_with_its_process(
    environment, tmp_path, monkeypatch
):
    monkeypatch.setattr(iqm, "SECONDS", 5.0)
    pid = tmp_path / "pid"
    environment(f"echo $$ > {pid}; exec sleep 3600")
    (found,) = compare(CASE, ["iqm"], 1, each_here, say)
    assert (found.verified, found.detail) == ("failed", "stopped after 5 s")
    # On a busy machine it may not have begun.
    number = pid.read_text().strip() if pid.exists() else ""
    assert not number or wait_until(lambda: not running(number), 30)


@pytest.mark.parametrize("name", iqm.GIVEN)
def test_gates_reach_the_program_as_they_are(name):
    gate = get_standard_gate_name_mapping()[name]
    circuit = QuantumCircuit(3)
    turned = gate.base_class(*(0.1 + place for place, _ in enumerate(gate.params)))
    circuit.append(turned, range(gate.num_qubits)[::-1])
    given = iqm.program_of(circuit)
    assert [one[0] for one in given["gates"]] == [name]
    assert iqm_program.circuit_of(**given) == circuit


@pytest.mark.skipif(not peers["iqm"].installed, reason="make peers has not been run")
@pytest.mark.parametrize(("spec", "target"), [("ghz:5", "resonator:6"), ("qft:5", "resonator:5")])
def test_the_real_one(spec, target):
    case = evolve(CASE, suite="circuits", subject=Subject(Kind.CIRCUIT, spec), target=target)
    (found,) = compare(case, ["iqm"], 1, each_here, say)
    assert (found.verified, found.holds) == ("exact", ANY)
    assert found.two_qubit_gates > circuit_from_spec(spec, 0).num_qubits
