"""Operators of lists: gates that are predicted, and gates that must not be missing."""

import pytest
from qiskit import QuantumCircuit, transpile

from compiler.synthesis.method import predictions
from games.trick_taking.operators.list_deal import ListSplit, SortedDeal
from games.trick_taking.operators.list_play import FollowPlay, LeadPlay
from games.trick_taking.operators.list_trick import TrickWinner
from games.trick_taking.operators.trick_score import TrickScore

BASIS = ["cx", "rz", "sx", "x"]
SKAT = (2, 11, 10, 4, 3, 0, 0, 0)
OPERATORS = [
    SortedDeal(3, 2, (1, 2, 4, 7)), SortedDeal(3, 3, (0, 1, 2, 5, 6, 7)),
    SortedDeal(5, 10, tuple(range(32))),
    ListSplit(2, 3, 1), ListSplit(3, 4, 2), ListSplit(5, 12, 10), ListSplit(5, 22, 10),
    *(LeadPlay(5, n) for n in range(2, 11)),
    *(FollowPlay(2, 3, n) for n in range(2, 11)),
    *(FollowPlay(bits, lane, n) for bits, lane in ((1, 2), (3, 2)) for n in (2, 3, 5)),
    *(TrickWinner(2, bits, 2, 1, trumps=t) for bits, t in ((0, False), (2, False), (2, True))),
    *(TrickWinner(3, *sizes, trumps=t) for *sizes, t in [
        (0, 3, 1, False), (2, 3, 3, False), (2, 3, 3, True), (3, 2, 1, True), (1, 2, 0, True),
        (2, 3, 46, True)]),
    TrickScore(3, 3, 8, SKAT), TrickScore(3, 5, 8, tuple(p for p in SKAT for _ in range(4))),
    TrickScore(1, 3, 5, (1,) * 8), TrickScore(2, 2, 5, (11, 10, 4, 3)),
    TrickScore(2, 2, 4, (4, 4, 4, 4)), TrickScore(2, 2, 3, (0, 0, 0, 0)),
]  # fmt: skip


def label(operator):
    return f"{operator.name}{operator.params}" if hasattr(operator, "params") else ""


def savings(operator, predicted):
    """Return how many gates fewer than predicted there may be, as (at least, at most)."""
    match operator:
        case FollowPlay(class_bits=3):  # classes of three bits lend each other six gates
            return 6, 6
        case TrickWinner():  # nine gates where gadgets meet
            return 0, max(9, 0.03 * predicted)
        case TrickScore():
            return 0, max(2, 0.03 * predicted)
    return 0, 0


@pytest.mark.parametrize("operator", OPERATORS, ids=label)
def test_predicted_gates_are_counted(operator):
    (predicted,) = predictions(operator).values()
    circuit = QuantumCircuit(operator.num_qubits)
    circuit.append(operator, range(operator.num_qubits))
    native = transpile(circuit, basis_gates=BASIS, optimization_level=3, seed_transpiler=0)
    least, most = savings(operator, predicted)
    assert least <= predicted - native.num_nonlocal_gates() <= most
