"""Methods against their operators' specifications, and predictions against counted gates."""

from itertools import islice
from random import Random

import pytest
from qiskit import QuantumCircuit, transpile
from qiskit.transpiler.passes.synthesis.plugin import HighLevelSynthesisPluginManager

from compiler.operators import CardPlay, HandPlay, TrickTaking, UniformDeal
from compiler.synthesis.method import predictions
from compiler.verification.operators import verify_operator

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
    "hand of two among four": (HandPlay(4, 2), 18),
    "hand of three among nine": (HandPlay(9, 3), 70),
    "hand of five among 32": (HandPlay(32, 5), 412),
    "hand of ten among 32": (HandPlay(32, 10), 254),
    "hand of one": (HandPlay(9, 1), 0),
    "play 1 of 2": (CardPlay(4, 2, 0, 1, opening=True), 24),
    "play 1 of 3 among nine": (CardPlay(9, 3, 0, 2), 207),
    "trick of two among four": (TrickTaking(4, 2, 1), 15),
    "trick of three among nine": (TrickTaking(9, 3, 2), 214),
}


@pytest.mark.parametrize(("operator", "bar"), BARS.values(), ids=BARS)
def test_predicted_and_counted_gates(operator, bar):
    """The cheapest method is the one that a plain transpile uses, and costs what it predicts."""
    assert min(predictions(operator).values()) == bar
    circuit = QuantumCircuit(operator.num_qubits)
    circuit.append(operator, range(operator.num_qubits))
    native = transpile(circuit, basis_gates=BASIS, optimization_level=3, seed_transpiler=0)
    assert native.count_ops().get("cx", 0) == bar


@pytest.mark.parametrize("cards", range(2, 8))
def test_hand_plays_meet_their_specification(cards):
    plugins = HighLevelSynthesisPluginManager()
    for hand in range(1, cards + 1):
        operator = HandPlay(cards, hand)
        for method, price in predictions(operator).items():
            circuit = plugins.method("hand_play", method).run(operator)
            assert verify_operator(operator, circuit) > 0
            native = transpile(circuit, basis_gates=BASIS, optimization_level=3, seed_transpiler=0)
            assert native.count_ops().get("cx", 0) == price


@pytest.mark.parametrize(
    "operator", [HandPlay(9, 3), HandPlay(12, 4), HandPlay(32, 2), HandPlay(32, 1)], ids=str
)
def test_larger_hand_plays(operator):
    random = Random(5)
    plugins = HighLevelSynthesisPluginManager()
    circuit = plugins.method("hand_play", "default").run(operator)
    inputs = {operator.random_legal_input(random) for _ in range(5)}
    assert verify_operator(operator, circuit, inputs) == len(inputs)


def test_nine_cards():
    plugins = HighLevelSynthesisPluginManager()
    for operator in (deal(3, 3, 3), TrickTaking(9, 3, 2), CardPlay(9, 3, 1, 2)):
        circuit = plugins.method(operator.name, "default").run(operator)
        assert verify_operator(operator, circuit, islice(operator.legal_inputs(), 20)) > 0


def test_prices_of_constructions_that_nobody_can_build():
    prices = predictions(CardPlay(32, 10, 0, 2))
    assert prices["literal"] == pytest.approx(8.2e10, rel=0.05)
    assert prices["rank"] == 1501
