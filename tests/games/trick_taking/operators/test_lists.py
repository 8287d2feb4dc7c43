"""Operators on lists of cards, the wide ones too."""

import re
from itertools import islice
from random import Random

import pytest
from qiskit import QuantumCircuit, transpile

from compiler.synthesis.method import predictions
from games import encoded, encodings, named_game
from games.toml import game_from_toml
from games.trick_taking.encodings.card_codes import card_codes
from games.trick_taking.encodings.wide_dealing import gray_path, path_length
from games.trick_taking.named import skat_32
from games.trick_taking.operators.list_deal import ListSplit, SortedDeal
from games.trick_taking.operators.list_play import FollowPlay, LeadPlay, WideFollow
from games.trick_taking.operators.list_trick import TrickWinner, WideTrick
from games.trick_taking.operators.ranks import RankPlay, RankTrick
from games.trick_taking.operators.trick_score import SKAT_POINTS, TrickScore, WideScore
from games.trick_taking.operators.wide_deal import WideDeal, WideSplit
from games.trick_taking.play.replay import Played
from tests.compiler.many_inputs import games_as_written, random_inputs, verify
from tests.games.trick_taking.encodings.distributions import assert_distribution_of_the_rules

MAX_INPUTS = 1500
"""Inputs up to which all are tried."""
SAMPLE = 100
SAMPLE_OF_SPLITS = 5
"""Splits have as many branches as there are ways to draw."""

SEVEN, SIXTEEN = (6, 5, 4, 3, 2, 1, 0), tuple(range(16))
OPERATORS = {
    **{f"deal {k} of {codes}": SortedDeal(width, k, codes) for width, k, codes in [
        (2, 2, (3, 1, 2)), (3, 4, tuple(range(8))), (3, 0, (1, 2)), (3, 3, (5, 0, 2)),
        (4, 1, (5,)), (3, 6, SEVEN), (4, 3, tuple(range(2, 15))),
    ]},
    **{f"split {n} by {k}, {width} bits": ListSplit(width, n, k) for width, n, k in [
        (1, 1, 1), (1, 2, 1), (2, 3, 1), (2, 3, 2), (2, 4, 2), (3, 6, 3), (4, 7, 5), (5, 12, 10),
    ]},
    **{f"lead {n}, {width} bits": LeadPlay(width, n) for width, n in [
        (1, 2), (2, 3), (2, 4), (3, 6), (3, 8), (5, 10),
    ]},
    **{f"follow {n}, {c}+{lane} bits": FollowPlay(c, lane, n) for c, lane, n in [
        (1, 1, 2), (1, 1, 4), (2, 1, 3), (3, 1, 2), (2, 2, 5), (2, 3, 10),
    ]},
    **{f"trick of {m}, {c}+{lane} bits, {bag} luggage{', trumps' if t else ''}":
       TrickWinner(m, c, lane, bag, trumps=t)
       for m in (2, 3) for c, t in ((0, False), (1, True), (2, False), (3, True))
       for lane, bag in ((1, 2), (2, 0)) if 1 << c + lane >= m},
    "trick of Skat": TrickWinner(3, 2, 3, 46, trumps=True),
    "trick of paper rules": TrickWinner(3, 0, 5, 1, trumps=False),
    **{f"score of {cards} in {size} bits, {points}":
       TrickScore(cards, bits, size, points) for cards, bits, size, points in [
        (1, 1, 2, (0, 1)), (1, 1, 3, (1,)), (1, 2, 4, (4, 4, 4, 4)), (1, 3, 4, (4, 4, 4)),
        (1, 2, 5, (5, 5, 0, 5)), (1, 3, 5, (11, 10, 4, 3, 2, 0, 0, 0)), (1, 3, 4, (0, 2, 1, 2, 0)),
        (1, 4, 5, (11, 11, 2, 3, 4, 5, 6, 7, 8, 9)), (3, 1, 4, (3, 1)),
        (3, 3, 8, (2, 11, 10, 4, 3, 0, 0)), (2, 2, 3, (0, 0, 0)), (0, 2, 3, (2, 1)),
    ]},
    **{f"wide deal {k} of {n}": WideDeal(3, k, gray_path(range(n)))
       for n, k in [(2, 1), (5, 2), (8, 4), (8, 6)]},
    **{f"wide split {n} by {k}": WideSplit(4, n, k)
       for n, k in [(2, 1), (3, 1), (5, 2), (8, 4), (12, 2)]},
    **{f"wide follow {n}, {c}+{lane} bits": WideFollow(c, lane, n) for c, lane, n in [
        (1, 1, 2), (3, 1, 3), (2, 2, 5), (2, 3, 10)]},
    **{f"wide trick of {m}, {c}+{lane} bits, {bag} luggage{', trumps' if t else ''}":
       WideTrick(m, c, lane, bag, trumps=t)
       for m in (2, 3) for c, t in ((1, True), (2, False), (3, True))
       for lane, bag in ((1, 2), (2, 0))},
    "wide trick of Skat": WideTrick(3, 2, 4, 54, trumps=True),
    **{f"wide score of {cards} in {size} bits, {points}": WideScore(cards, bits, size, points)
       for cards, bits, size, points in [
        (1, 1, 2, (0, 1)), (2, 2, 3, (2, 0, 2)), (3, 1, 4, (3, 1)), (3, 4, 7, SKAT_POINTS),
        (2, 2, 3, (0, 0, 0))]},
}  # fmt: skip


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.full)
                                  if re.search(r"\+2 bits.*luggage", name) else name
                                  for name in OPERATORS])  # fmt: skip
def test_circuits_meet_their_specification(name):
    operator = OPERATORS[name]
    inputs = list(islice(operator.legal_inputs(), MAX_INPUTS + 1))
    if len(inputs) > MAX_INPUTS:
        sample = SAMPLE_OF_SPLITS if isinstance(operator, ListSplit | WideSplit) else SAMPLE
        inputs = random_inputs(operator, Random(3), sample)
    elif not (isinstance(operator, TrickWinner) and operator.luggage):
        assert set(random_inputs(operator, Random(1), 30)) <= set(inputs)
    assert verify(operator, inputs=inputs) == len(inputs)
    for basis_state in inputs[:40]:
        action = operator.action(basis_state)
        assert sum(action.values()) == 1
        assert all(operator.canonical(output) == output for output in action)
        assert all(0 <= output < 1 << operator.num_qubits for output in action)


BASIS = ["cx", "rz", "sx", "x"]
LIST_OPERATORS = [
    *(SortedDeal(3, 3, (0, 1, 2, 5, 6, 7)), ListSplit(3, 4, 2), ListSplit(5, 12, 10)),
    *(LeadPlay(5, n) for n in (2, 7, 10)),
    *(FollowPlay(2, 3, n) for n in (2, 5, 10)),
    *(RankPlay(2), RankPlay(1), RankTrick(0), RankTrick(1)),
    *(TrickWinner(2, 0, 2, 1, trumps=False), TrickWinner(3, 2, 3, 46, trumps=True)),
    *(TrickScore(3, 3, 8, SKAT_POINTS[:8]), TrickScore(2, 2, 3, (0, 0, 0, 0))),
]


def label(operator):
    return f"{operator.name}{operator.params}" if hasattr(operator, "params") else ""


@pytest.mark.parametrize("operator", LIST_OPERATORS, ids=label)
def test_predicted_gates_are_counted(operator):
    (predicted,) = predictions(operator).values()
    circuit = QuantumCircuit(operator.num_qubits)
    circuit.append(operator, range(operator.num_qubits))
    native = transpile(circuit, basis_gates=BASIS, optimization_level=3, seed_transpiler=0)
    # Gates may be saved where the gadgets of tricks and scores meet.
    most = max(9, 0.03 * predicted) if isinstance(operator, TrickWinner | TrickScore) else 0
    assert 0 <= predicted - native.num_nonlocal_gates() <= most


NAMES = ("lists-wide", "lists-win-wide")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("hand", [1, 2])
def test_the_last_of_two_players_keeps_the_card_that_was_played(name, hand):
    deck = ["CA", "C10", "SK", "SQ"][: 2 * hand]
    text = f'game = "skat"\nrules = "skat"\ncontract = "grand"\nplayers = 2\nhand = {hand}\n'
    game = game_from_toml(f"{text}deck = {deck}\nthreshold = 15\n", "two")
    assert encodings[name].supports(game)
    assert_distribution_of_the_rules(game, name)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.full] if n == "lists-wide" else []) for n in NAMES]
)
def test_games_of_32_cards_are_legal_to_the_last_move(name):
    game = named_game("skat-32:known")
    program = encoded(game, name)
    for measured in games_as_written(program.circuit, 1, seed=3):
        assert isinstance(encodings[name].history(game, measured), Played)


def test_the_larger_part_of_a_split_is_not_chosen():
    with pytest.raises(ValueError):
        WideSplit(6, 4, 3)


def test_a_gray_path_of_the_deck_changes_one_bit_a_card():
    codes = card_codes(skat_32()).codes
    path = gray_path(codes)
    assert sorted(path) == sorted(codes)
    assert path_length(path) <= 33
