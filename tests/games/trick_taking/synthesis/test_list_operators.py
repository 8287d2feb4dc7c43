"""Operators of lists: gates that are predicted, and gates that must not be missing."""

from random import Random

import pytest
from qiskit import QuantumCircuit, transpile

from compiler.synthesis.method import predictions
from games.trick_taking.operators.list_deal import ListSplit, SortedDeal
from games.trick_taking.operators.list_play import FollowPlay, LeadPlay
from games.trick_taking.operators.list_trick import TrickWinner
from games.trick_taking.operators.trick_score import TrickScore
from games.trick_taking.wide.deal import WideDeal
from games.trick_taking.wide.follow import WideFollow
from games.trick_taking.wide.score import WideScore
from games.trick_taking.wide.split import WideSplit
from games.trick_taking.wide.trick import WideTrick
from tests.compiler.many_inputs import is_noticed, random_inputs, without_gate

BASIS = ["cx", "rz", "sx", "x"]
SKAT = (2, 11, 10, 4, 3, 0, 0, 0)
OPERATORS = [
    SortedDeal(3, 2, (1, 2, 4, 7)), SortedDeal(3, 3, (0, 1, 2, 5, 6, 7)),
    SortedDeal(5, 10, tuple(range(32))),
    ListSplit(2, 3, 1), ListSplit(3, 4, 2), ListSplit(5, 12, 10), ListSplit(5, 22, 10),
    *(LeadPlay(5, n) for n in range(2, 11)),
    *(FollowPlay(2, 3, n) for n in range(2, 11)),
    *(FollowPlay(2, 3, n, narrow=True) for n in (8, 9, 10)),
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


NARROW = FollowPlay(1, 3, 8, narrow=True)
MUTATED = [
    # Some leave the flag "move" dirty where the next coin is fair all the same.
    *((operator, 5, 0.9) for operator in [
        SortedDeal(3, 2, (1, 2, 4, 7)), SortedDeal(3, 3, (0, 1, 2, 5, 6, 7)),
        ListSplit(2, 4, 2), ListSplit(2, 4, 3)]),
    # The condition of a coin may move no card.
    *((operator, 10, 0.95) for operator in [
        LeadPlay(2, 3), LeadPlay(3, 5), FollowPlay(1, 1, 3), FollowPlay(2, 1, 3), NARROW]),
    # The leader's flag "follows" is always 1.
    *((operator, 50, 0.9) for operator in [
        TrickWinner(2, 2, 1, 1, trumps=True), TrickWinner(3, 1, 1, 1, trumps=True),
        TrickWinner(3, 2, 1, 1, trumps=False), TrickWinner(3, 2, 2, 2, trumps=True),
        TrickWinner(3, 0, 3, 1, trumps=False)]),
    *((operator, 100, 0.95) for operator in [
        TrickScore(1, 2, 5, (7, 4, 3, 0)), TrickScore(2, 2, 4, (3, 0, 2, 2)),
        TrickScore(1, 3, 5, SKAT)]),
    # Those that only undo a phase may be missing.
    *((operator, 40, 0.8) for operator in [
        WideDeal(3, 2, (1, 3, 2, 6)), WideSplit(3, 4, 2), WideFollow(2, 1, 3),
        WideTrick(3, 2, 2, 1, trumps=True), WideScore(2, 2, 4, (3, 0, 2))]),
]  # fmt: skip
"""Operators, the inputs that are tried, and the share of missing gates that is noticed."""


@pytest.mark.parametrize("most", [20, pytest.param(60, marks=pytest.mark.full)])
@pytest.mark.parametrize(
    ("operator", "inputs", "share"),
    [pytest.param(*case, marks=[pytest.mark.full] if case[0] is NARROW else [])
     for case in MUTATED],
    ids=label,
)  # fmt: skip
def test_missing_gates_are_noticed(operator, inputs, share, most):
    random = Random(7)
    circuit, tried = operator.definition, random_inputs(operator, random, inputs)
    places = range(len(circuit.data))
    if operator.name.startswith("wide_"):
        places = [place for place in places if len(circuit.data[place].qubits) == 2]
    places = random.sample(places, min(most, len(places)))
    noticed = [is_noticed(operator, without_gate(circuit, place), tried) for place in places]
    assert sum(noticed) >= share * len(places)
