"""Scores and levels on qubits, against the rules and against the Skat Order's values."""

from fractions import Fraction
from random import Random

import pytest
from attrs import evolve

from compiler.judge import Kind
from compiler.synthesis.method import predictions
from compiler.synthesis.operator import Operator
from games import encoded, encodings, named_game
from games.trick_taking.encodings.levels import Levels
from games.trick_taking.encodings.lists import open_levels
from games.trick_taking.operators.levels import OneSide, Schneider
from games.trick_taking.skat.contracts import Contract
from games.trick_taking.skat.values import Outcome, settled
from tests.compiler.many_inputs import verify
from tests.games.trick_taking.encodings.distributions import (
    assert_distribution_of_the_rules,
)

NAME = "lists-value"


@pytest.mark.parametrize("size", [2, 3, 4])
def test_schneider_of_any_threshold(size):
    for threshold in range(2, (2 << size - 1) + 2):
        assert verify(Schneider(size, threshold)) == 1 << size


@pytest.mark.parametrize("threshold", [60, 61])
def test_gates_of_levels(threshold):
    operator = Schneider(8, threshold)
    assert verify(operator) == 256
    assert predictions(operator) == {"carry": 27}
    assert predictions(OneSide(second=True)) == {"parity": 2}
    assert predictions(OneSide(second=False)) == {"parity": 4}


@pytest.mark.parametrize("first", [None, 0, 1])
def test_tricks_from_before_count_as_one_side(make_game, first):
    """With all tricks from before on one side it is still open if there is a schwarz."""
    taken = {} if first is None else {str(first): ["SA", "S10"]}
    deck = "CA C10 CK CQ SA S10" if taken else "CA C10 CK CQ"
    game = make_game(2, 2, deck, rules="skat", trump="C", taken=taken)
    assert "schwarz" in open_levels(game)
    assert_distribution_of_the_rules(game, NAME)


@pytest.mark.parametrize("name", ["skat-32", "skat-32:grand", "skat-32:S"])
def test_levels_are_those_of_the_skat_order(name):
    """Random final owners, trick by trick, against `settled`, as declarer and as defenders."""
    game, random = named_game(name), Random(4)
    seen = set()
    for _ in range(300):
        taking = random.choice([(0,), (1,), (0, 0, 0, 0, 1), (0, 1, 1, 1, 1), (0, 1, 2)])
        order = random.sample(range(32), 32)
        tricks = [(random.choice(taking), order[3 * i : 3 * i + 3]) for i in range(10)]
        owners = [game.players] * 32
        for seat, cards in tricks:
            for card in cards:
                owners[card] = seat
        outcome = game.outcome(tuple(owners))
        ended = Outcome(game.points(outcome), sum(seat == 0 for seat, _ in tricks))
        contract = Contract(game.rules.contract or "")
        wanted = settled(contract, 1, ended, 18)
        levels = Levels(game)
        found = (levels.schneider(outcome), levels.schwarz(outcome), game.is_win(outcome))
        assert (levels.value(outcome), found) == (
            wanted.value,
            (ended.schneider, ended.schwarz, wanted.won),
        )
        seen.add(found)
        others = evolve(game, party=(1, 2), threshold=60, skat_to=None)
        assert others.points(outcome) == 120 - ended.points
        assert Levels(others).value(outcome) == wanted.value
    assert len(seen) >= 5


def test_value_of_a_null():
    game = named_game("skat-32:null")
    won = game.outcome((1,) * 32)
    lost = game.outcome((0,) + (1,) * 31)
    assert [Levels(game).value(outcome) for outcome in (won, lost)] == [23, -46]
    assert open_levels(game) == ()


def test_expectations_of_the_toy_and_the_showcase():
    """The toy by hand: 5/12 won; the showcase's declarer wins a quarter, for 22 or -44."""
    for name, exact in {
        "skat-4": {"win": (5, 12), "points": 14, "schneider": (2, 3), "schwarz": (1, 2),
                   "value": (-25, 12)},
        "skat-9": {"win": (3, 4), "points": 63, "schneider": 0, "schwarz": 0, "value": (-55, 2)},
    }.items():  # fmt: skip
        judge = encoded(named_game(name), NAME).judge
        distribution = judge.exact_distribution()
        found = {one.name: one.average(distribution) for one in judge.observables}
        assert found == {
            key: Fraction(*value) if isinstance(value, tuple) else value
            for key, value in exact.items()
        }
    assert [one.kind for one in judge.observables] == [
        Kind.EVENT, Kind.NUMBER, Kind.EVENT, Kind.EVENT, Kind.NUMBER,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "qubits", "more"), [("skat-4", 32, 18), ("skat-9", 72, 0), ("skat-32", 458, 58)]
)
def test_levels_cost_next_to_nothing(name, qubits, more):
    """Two-qubit gates besides those of `lists-win`."""

    def gates(encoding):
        program = encodings[encoding].program(named_game(name))
        return program.num_qubits, sum(
            min(predictions(item.operation).values())
            if isinstance(item.operation, Operator)
            else len(item.qubits) == 2 and item.operation.name == "cx"
            for item in program.data
        )

    (_, without), (found, with_levels) = gates("lists-win"), gates(NAME)
    assert (found, with_levels - without) == (qubits, more)
