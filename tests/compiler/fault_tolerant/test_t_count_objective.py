"""The objective `t_count`: what is counted, what is proven, what is refused."""

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import XGate, ZGate

from compiler.compilation import Options, compile
from compiler.errors import InputError
from compiler.fault_tolerant import logical_resources
from compiler.measurement import final_measurements
from compiler.program import Program
from games import encoded, named_game

FAST = Options("fast", objective="t_count")


def compiled_circuit(circuit, target="all"):
    circuit.measure_all()
    return compile(Program.of_circuit(circuit), target, FAST)


def test_a_toffoli_gate_is_four_t_gates_or_seven():
    circuit = QuantumCircuit(3)
    circuit.h([0, 1])
    circuit.ccx(0, 1, 2)
    made = compiled_circuit(circuit)
    found = made.figures
    assert made.verified == "exact"
    assert (found.t_count, found.toffolis, found.t_gates, found.t_depth) == (4, 1, 0, 1)
    gates, _ = final_measurements(made.circuit)
    assert logical_resources(gates).t_gates == found.t_count_unmeasured == 7


@pytest.mark.parametrize("gate", [XGate(), ZGate()])
def test_many_controls_take_a_ladder_of_ands(gate):
    circuit = QuantumCircuit(5)
    circuit.ry(0.4, range(5))
    circuit.append(gate.control(4, ctrl_state=0b0110, annotated=False), range(5))
    made = compiled_circuit(circuit)
    found = made.figures
    assert made.verified == "exact"
    assert (found.toffolis, found.t_gates, found.logical_qubits) == (3, 0, 7)
    # Two ANDs, the Toffoli gate between, and what clears them.
    rotations = found.t_count - 4 * 3
    assert found.t_count_unmeasured == rotations + 7 * 5


def test_any_input_leaves_clean_qubits_out():
    circuit = QuantumCircuit(4)
    circuit.mcx([0, 1, 2], 3)
    made = compile(Program.of_circuit(circuit), "all", FAST)
    assert (made.verified, made.figures.qubits) == ("exact", 4)
    assert made.chosen.attempt.synthesis == "cheapest"


def test_rotations_cost_their_synthesis():
    circuit = QuantumCircuit(2)
    circuit.t(0)
    circuit.ry(0.3, 0)
    circuit.cx(0, 1)
    circuit.ry(0.5, 1)
    found = compiled_circuit(circuit).figures
    assert (found.t_gates, found.rotations) == (1, 2)
    # 3 log₂(2/1e-4) for each rotation, 42.9.
    assert found.t_count == found.t_count_unmeasured == 1 + 86


def test_the_toy_takes_fewer_t_gates_by_measured_ands():
    program = encoded(named_game("skat-4"), "lists-win")
    lean = compile(program, "all", Options("lean", objective="t_count"))
    plain = compile(program, "all", Options("cheapest", objective="t_count"))
    best = compile(program, "all", Options("best", objective="t_count"))
    assert {lean.verified, plain.verified, best.verified} == {"exact"}
    assert best.figures.t_count == lean.figures.t_count < plain.figures.t_count
    assert best.chosen.attempt.synthesis == "lean"
    assert best.figures.logical_qubits > plain.figures.logical_qubits
    found = lean.figures
    # 3 log₂(4/1e-4) T gates for each of four rotations.
    assert (found.rotations, found.table_rotations) == (4, 0)
    assert found.t_count == found.t_gates + 4 * found.toffolis + 184


def test_other_objectives_count_no_t_gates():
    circuit = QuantumCircuit(2)
    circuit.t(0)
    circuit.cx(0, 1)
    circuit.measure_all()
    made = compile(Program.of_circuit(circuit), "all", Options("fast"))
    assert made.figures.t_count is None
    assert made.chosen.attempt.pipeline != "clifford-t"


def test_coupled_targets_are_refused():
    circuit = QuantumCircuit(2)
    circuit.cx(0, 1)
    with pytest.raises(InputError, match=r"objective 't_count'.*target 'star:2'.*try 'all:2'"):
        compiled_circuit(circuit, "star:2")


def test_measurements_on_the_way_are_refused():
    circuit = QuantumCircuit(1, 1)
    circuit.t(0)
    circuit.measure(0, 0)
    circuit.h(0)
    circuit.measure(0, 0)
    with pytest.raises(InputError, match="measure at their end only"):
        compile(Program.of_circuit(circuit), "all", FAST)


def test_targets_too_small_for_the_clean_qubits_are_refused():
    program = encoded(named_game("skat-4"), "lists-win")
    with pytest.raises(InputError, match="needs 32 qubits, target 'all:29' has 29"):
        compile(program, "all:29", FAST)
