"""Methods against their operators' specifications, and predictions against counted gates."""

from math import comb

import pytest
from qiskit import QuantumCircuit, transpile
from qiskit.transpiler.passes.synthesis.plugin import HighLevelSynthesisPluginManager

from compiler.synthesis.method import predictions
from compiler.verification.operators import verify_operator
from games.trick_taking.operators.card_play import CardPlay
from games.trick_taking.operators.hand_play import HandPlay
from games.trick_taking.operators.trick_taking import TrickTaking
from games.trick_taking.operators.uniform_deal import UniformDeal

BASIS = ["cx", "rz", "sx", "x"]


def deal(*hands):
    return UniformDeal(hands, (None,) * sum(hands))


# Two-qubit gates, all-to-all.
BARS = {
    "D(4,2)": (deal(2, 2), 5),
    "D(6,3)": (deal(3, 3), 24),
    "D(8,4)": (deal(4, 4), 48),
    "D(9,1)": (deal(8, 1), 15),
    "D(32,10)": (deal(22, 10), 816),
    "three hands of three": (deal(3, 3, 3), 150),
    "skat": (deal(2, 2, 1), 28),
    "hand of two among four": (HandPlay(4, 2), 14),
    "hand of two among 32": (HandPlay(32, 2), 126),
    "hand of three among nine": (HandPlay(9, 3), 58),
    "hand of five among 32": (HandPlay(32, 5), 376),
    "hand of ten among 32": (HandPlay(32, 10), 219),
    "hand of one": (HandPlay(9, 1), 9),
    "two among four, leaving": (HandPlay(4, 2, leaves=True), 18),
    "three among nine, leaving": (HandPlay(9, 3, leaves=True), 67),
    "ten among 32, leaving": (HandPlay(32, 10, leaves=True), 251),
    "one, leaving": (HandPlay(9, 1, leaves=True), 0),
    "play 1 of 2": (CardPlay(4, 2, 0, 1, opening=True), 24),
    "play 1 of 3 among nine": (CardPlay(9, 3, 0, 2), 207),
    "trick of two among four": (TrickTaking(4, 2, 1), 15),
    "trick of two among nine": (TrickTaking(9, 2, 1), 49),
    "trick of three among nine": (TrickTaking(9, 3, 2), 180),
}


@pytest.mark.parametrize(("operator", "bar"), BARS.values(), ids=BARS)
def test_predicted_and_counted_gates(operator, bar):
    """The cheapest method is the one that a plain transpile uses, and costs what it predicts."""
    assert min(predictions(operator).values()) == bar
    circuit = QuantumCircuit(operator.num_qubits)
    circuit.append(operator, range(operator.num_qubits))
    native = transpile(circuit, basis_gates=BASIS, optimization_level=3, seed_transpiler=0)
    assert native.count_ops().get("cx", 0) == bar


@pytest.mark.parametrize("leaves", [False, True])
@pytest.mark.parametrize(
    "cards", [*range(1, 6), *(pytest.param(n, marks=pytest.mark.full) for n in (6, 7))]
)
def test_hand_plays_meet_their_specification(cards, leaves):
    plugins = HighLevelSynthesisPluginManager()
    for hand in range(1, cards + 1):
        operator = HandPlay(cards, hand, leaves=leaves)
        for method, price in predictions(operator).items():
            circuit = plugins.method("hand_play", method).run(operator)
            assert verify_operator(operator, circuit) == comb(cards, hand)
            native = transpile(circuit, basis_gates=BASIS, optimization_level=3, seed_transpiler=0)
            assert native.count_ops().get("cx", 0) == price


@pytest.mark.parametrize(
    "deal",
    [
        pytest.param(deal(3, 3, 3), marks=pytest.mark.full),
        *(deal(3, 2, 2), deal(2, 2, 2, 1)),
    ],
    ids=str,
)
def test_deals_with_two_bits_an_owner(deal):
    circuit = HighLevelSynthesisPluginManager().method("uniform_deal", "dicke").run(deal)
    assert verify_operator(deal, circuit) == 1


def test_prices_of_constructions_that_nobody_can_build():
    prices = predictions(CardPlay(32, 10, 0, 2))
    assert prices["literal"] == pytest.approx(8.2e10, rel=0.05)
    assert prices["rank"] == 1501
    assert predictions(UniformDeal((10, 10, 10, 2), (None,) * 32))["dicke"] == 2272
