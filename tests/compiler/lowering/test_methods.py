"""Synthesis methods by name, and the arrangement of operators."""

import pytest
from qiskit import QuantumCircuit

from compiler.errors import UnknownNameError
from compiler.lowering.methods import METHODS, lower_operators
from compiler.lowering.operators.lazy_copies import arranged, without_idle_copies
from compiler.measurement import final_measurements
from compiler.synthesis.operator import Operator
from compiler.verification.operators import verify_operator
from compiler.verification.program import outcome_distribution
from compiler.verification.simulation.sparse import simulate
from games import encoded
from games.encoding import GameJudge
from games.trick_taking.operators.card_play import CardPlay
from games.trick_taking.operators.hand_play import HandPlay
from games.trick_taking.operators.uniform_deal import UniformDeal


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


def test_cards_that_nobody_knows_are_interchangeable():
    deal = UniformDeal((2, 1, 2), (None, 1, None, 2, None))
    assert deal.interchangeable() == [[(0, 1), (4, 5), (8, 9)], [(2, 3)], [(6, 7)]]
    assert HandPlay(3, 1).interchangeable() == [[(0, 3), (1, 4), (2, 5)]]
    assert CardPlay(4, 2, 0, 1, opening=True).interchangeable() == []


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    "operator",
    [
        UniformDeal((2, 2), (None,) * 4),
        UniformDeal((1, 2, 1), (None, 0, None, None)),
        HandPlay(4, 2),
        HandPlay(5, 2, leaves=True),
        HandPlay(5, 4),
    ],
    ids=repr,
)
def test_arranged_operators_keep_their_promise(operator, seed):
    circuit = QuantumCircuit(operator.num_qubits)
    circuit.append(operator, circuit.qubits)
    turned = arranged(circuit, seed)
    assert turned.data[0].operation == operator
    assert sorted(turned.data[0].qubits, key=turned.qubits.index) == turned.qubits
    plain = QuantumCircuit(operator.num_qubits)
    plain.append(turned.data[0].operation.definition, turned.data[0].qubits)
    verify_operator(operator, plain)


def test_seed_0_changes_nothing_and_others_do():
    circuit = QuantumCircuit(4)
    circuit.append(UniformDeal((2, 2), (None,) * 4), range(4))
    assert arranged(circuit, 0) is circuit
    orders = {
        tuple(circuit.find_bit(q).index for q in arranged(circuit, seed).data[0].qubits)
        for seed in range(50)
    }
    assert len(orders) > 20
    assert arranged(circuit, 7) == arranged(circuit, 7)


@pytest.mark.parametrize("encoding", ["paper", "lean"])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_toy_plays_by_the_rules_however_it_is_arranged(toy, encoding, seed):
    gates, _ = final_measurements(encoded(toy, encoding).circuit)
    lowered = lower_operators(gates, "cheapest", seed)
    found = outcome_distribution(encoded(toy, encoding).circuit, simulate(lowered))
    owners = {}
    for measured, p in found.items():
        outcome = GameJudge(toy, encoding).outcome(measured)
        owners[outcome] = owners.get(outcome, 0.0) + p
    owners = {outcome: p for outcome, p in owners.items() if p > 1e-9}
    exact = {outcome: float(p) for outcome, p in toy.exact_distribution().items()}
    assert owners == pytest.approx(exact, abs=1e-9)


def test_of_copies_only_the_last_is_written_before_the_original_changes():
    circuit = QuantumCircuit(4)
    circuit.h(0)
    for copy in (3, 1, 2):
        circuit.cx(0, copy)
    circuit.cx(3, 1)
    circuit.h(0)
    found = [
        (item.operation.name, *(without.find_bit(qubit).index for qubit in item.qubits))
        for without in [without_idle_copies(circuit)]
        for item in without.data
    ]
    # Qubit 1 was erased; the copies that are left are written in the order of their places.
    assert found == [("h", 0), ("cx", 0, 2), ("cx", 0, 3), ("h", 0)]
