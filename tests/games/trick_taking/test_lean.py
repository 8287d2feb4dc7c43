"""Syntheses with few T gates, against the specifications of their operators."""

from random import Random

import pytest
from qiskit import QuantumCircuit

from compiler.fault_tolerant import logical_resources
from compiler.fault_tolerant.lean_synthesis import lean_syntheses
from compiler.fault_tolerant.temporary_ands import AND, UNDO_AND
from compiler.synthesis.method import params_of, synthesised
from compiler.verification.operators import verify_operator
from games.trick_taking.operators.list_deal import ListSplit, SortedDeal
from games.trick_taking.operators.list_play import FollowPlay, LeadPlay
from games.trick_taking.operators.list_trick import TrickWinner
from games.trick_taking.operators.trick_score import TrickScore

CASES = [
    ListSplit(2, 4, 3),
    LeadPlay(2, 3),
    SortedDeal(2, 2, range(4)),
    SortedDeal(3, 3, (1, 4, 2, 7, 5, 0)),
    FollowPlay(1, 1, 3),
    FollowPlay(2, 0, 3),
    TrickWinner(3, 1, 1, 1, trumps=True),
    TrickScore(2, 2, 6, (11, 10, 4, 3)),
    TrickScore(1, 3, 7, (11, 10, 4, 3, 2, 0, 0)),
]


def alarmed(circuit):
    """Return a circuit with a further qubit for every AND, which is 1 if its target is not clean.

    It must be so before an AND is set and after it is cleared.
    """
    ands = sum(item.operation.name in (AND, UNDO_AND) for item in circuit.data)
    wide = QuantumCircuit(circuit.num_qubits + ands)
    alarm = circuit.num_qubits
    for item in circuit.data:
        qubits = [circuit.find_bit(qubit).index for qubit in item.qubits]
        if item.operation.name == AND:
            wide.cx(qubits[2], alarm)
        wide.append(item.operation, qubits)
        if item.operation.name == UNDO_AND:
            wide.cx(qubits[2], alarm)
        alarm += item.operation.name in (AND, UNDO_AND)
    return wide


def lean(operator):
    """Return the lean circuit, on as many qubits as the operator has, or more."""
    built = lean_syntheses[operator.name](*params_of(operator))
    wide = QuantumCircuit(max(built.num_qubits, operator.num_qubits))
    return wide.compose(built, range(built.num_qubits))


@pytest.mark.parametrize(
    "operator", CASES, ids=lambda operator: f"{operator.name}{operator.params}"
)
def test_lean_syntheses_do_what_their_operators_specify(operator):
    assert verify_operator(operator, lean(operator)) > 0


@pytest.mark.parametrize(
    "operator",
    [FollowPlay(2, 2, 5), LeadPlay(3, 7), ListSplit(3, 5, 3)],
    ids=lambda operator: operator.name,
)
def test_larger_hands(operator):
    chance = Random(3)
    inputs = [operator.random_legal_input(chance) for _ in range(6)]
    assert verify_operator(operator, alarmed(lean(operator)), inputs) == 6


@pytest.mark.parametrize("operator", CASES[::2], ids=lambda operator: operator.name)
def test_ands_are_written_into_clean_qubits_and_cleared(operator):
    assert verify_operator(operator, alarmed(lean(operator))) > 0


@pytest.mark.parametrize("operator", [SortedDeal(6, 10, range(22)), FollowPlay(2, 4, 10)])
def test_lean_syntheses_take_fewer_t_gates(operator):
    few, many = (logical_resources(one) for one in (lean(operator), synthesised(operator)))
    assert few.t_count(1e-5) < many.t_count(1e-5) / 2
