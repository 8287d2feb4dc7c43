"""Synthesis methods by name."""

import pytest
from qiskit import QuantumCircuit, transpile

from compiler.errors import UnknownNameError
from compiler.lowering.methods import METHODS, lower_operators
from compiler.measurement import final_measurements
from compiler.synthesis.operator import Operator
from compiler.verification.program import outcome_distribution
from compiler.verification.simulation.sparse import simulate
from games import encoded

BASIS = ["cx", "rz", "sx", "x"]


def test_methods_are_named_without_the_default():
    assert METHODS == ("cheapest", "lean", "literal")


@pytest.mark.parametrize("method", METHODS)
def test_every_method_lowers_the_toy(toy, method):
    program = encoded(toy, "paper").circuit
    gates, _ = final_measurements(program)
    gates.global_phase = 0.5
    lowered = lower_operators(gates, method)
    assert not any(isinstance(item.operation, Operator) for item in lowered.data)
    assert lowered.num_qubits == gates.num_qubits
    assert (lowered.name, lowered.global_phase) == (gates.name, 0.5)
    assert outcome_distribution(program, simulate(lowered)) == pytest.approx(
        {outcome: float(p) for outcome, p in toy.exact_distribution().items()}, abs=1e-9
    )


def test_other_gates_stay():
    circuit = QuantumCircuit(3)
    circuit.h(0)
    circuit.barrier()
    circuit.ccx(2, 0, 1)
    lowered = lower_operators(circuit, "literal")
    found = [
        (item.operation.name, [lowered.find_bit(qubit).index for qubit in item.qubits])
        for item in lowered.data
    ]
    assert found == [("h", [0]), ("barrier", [0, 1, 2]), ("ccx", [2, 0, 1])]


def test_unknown_methods_are_named():
    with pytest.raises(UnknownNameError) as error:
        lower_operators(QuantumCircuit(1), "litteral")
    assert str(error.value).startswith("unknown synthesis method 'litteral'; known: ")
    assert "literal" in str(error.value)


def test_the_toy_costs_half_of_what_its_operators_cost_by_hand(toy):
    gates, _ = final_measurements(encoded(toy, "paper").circuit)
    lowered = lower_operators(gates, "cheapest")
    native = transpile(lowered, basis_gates=BASIS, optimization_level=3, seed_transpiler=0)
    assert native.num_qubits == 17
    assert native.count_ops()["cx"] <= 32


@pytest.mark.parametrize(
    "deck", ["CA CK", pytest.param("CA C10 CK CQ CJ C9", marks=pytest.mark.full)]
)
def test_fused_rounds_play_by_the_rules(make_game, deck):
    game = make_game(2, len(deck.split()) // 2, deck)
    program = encoded(game, "paper").circuit
    gates, _ = final_measurements(program)
    state = simulate(lower_operators(gates, "cheapest"))
    assert outcome_distribution(program, state) == pytest.approx(
        {outcome: float(p) for outcome, p in game.exact_distribution().items()}, abs=1e-9
    )
