"""Circuits that measure on the way, by other compilers and by ours."""

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import ClassicalRegister, QuantumRegister
from qiskit.circuit.classical import expr

from compiler.compilation.listener import each_here
from compiler.lowering import pipelines
from compiler.verification.program import outcome_distribution, program_state
from workers.peers import peers
from workers.peers.comparison import compare
from workers.peers.compilers.branches import written_out
from workers.peers.peer import peer
from workers.peers.ratios import ratios
from workers.peers.subjects import Form, Kind, Subject
from workers.peers.trials import ZERO, Case


def case(name: str, target: str) -> Case:
    return Case("dynamic", Subject(Kind.DYNAMIC, name), Form.GIVEN, target)


def say(text: str) -> None:
    del text


def distribution(circuit: QuantumCircuit) -> dict[int, float]:
    return outcome_distribution(circuit, program_state(circuit))


@pytest.mark.parametrize(
    ("name", "target"),
    [("teleported-ghz", "star:7"), ("repetition-code", "star:5")],
)
def test_everybody_who_takes_branches_is_proven_path_by_path(name, target, monkeypatch):
    quick = {"qiskit": pipelines["qiskit"]}
    monkeypatch.setattr("workers.peers.compilers.stichwerk.pipelines", quick)
    found = compare(
        case(name, target), ["qiskit", "tket", "bqskit", "stichwerk"], 1, each_here, say
    )
    by_name = {result.peer: result for result in found}
    for one in ("qiskit", "tket", "stichwerk"):
        result = by_name[one]
        assert (result.verified, result.holds) == ("exact", ZERO), result.detail
        assert "paths of measured bits" in result.detail
        assert result.two_qubit_gates
    assert [ratio.name for ratio in ratios(found)] == ["stichwerk"]


def test_a_peer_that_takes_no_branches_says_so():
    names = list(peers)

    def never(given, target, variant):
        raise AssertionError("called")

    peer("straight", "qiskit")(never)
    try:
        (result,) = compare(case("teleported-ghz", "star:7"), ["straight"], 1, each_here, say)
    finally:
        peers.unregister("straight")
    assert list(peers) == names
    assert result.verified == "skipped"
    assert result.detail == (
        "skipped: straight takes no circuits that measure or branch on the way"
    )
    assert not peers["bqskit"].dynamic


def two_registers() -> QuantumCircuit:
    circuit = QuantumCircuit(
        QuantumRegister(3, "q"), ClassicalRegister(3, "r"), ClassicalRegister(1, "s")
    )
    for qubit, angle in enumerate((0.5, 1.2, 2.0)):
        circuit.ry(angle, qubit)
        circuit.measure(qubit, qubit)
    return circuit


@pytest.mark.parametrize(
    "condition",
    [
        lambda c: expr.bit_xor(c.clbits[0], c.clbits[2]),
        lambda c: expr.less(c.cregs[0], 5),
        lambda c: (c.clbits[1], 0),
        lambda c: expr.logic_not(c.clbits[1]),
    ],
    ids=["xor", "less", "a bit", "not"],
)
def test_conditions_are_written_out_value_by_value(condition):
    circuit = two_registers()
    with circuit.if_test(condition(circuit)) as otherwise:
        circuit.ry(0.4, 0)
    with otherwise:
        circuit.ry(1.7, 0)
    circuit.measure(0, 3)
    plain = written_out(circuit)
    conditions = [i.operation.condition for i in plain.data if i.operation.name == "if_else"]
    assert all(isinstance(each, tuple) for each in conditions)
    assert distribution(plain) == pytest.approx(distribution(circuit), abs=1e-12)
