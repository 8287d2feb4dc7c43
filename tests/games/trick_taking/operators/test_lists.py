"""Operators on lists of cards, the wide ones too."""

import re
from itertools import combinations, islice
from random import Random

import pytest
from qiskit import QuantumCircuit, transpile

from compiler.errors import VerificationError
from compiler.synthesis.method import predictions
from games import encoded, encodings, named_game
from games.toml import game_from_toml
from games.trick_taking.encodings.card_codes import card_codes
from games.trick_taking.encodings.wide_dealing import gray_path, path_length
from games.trick_taking.named import skat_32
from games.trick_taking.operators.list_deal import ListSplit, SortedDeal
from games.trick_taking.operators.list_play import FollowPlay, LeadPlay, WideFollow
from games.trick_taking.operators.list_trick import TrickWinner, WideTrick
from games.trick_taking.operators.trick_score import SKAT_POINTS, TrickScore, WideScore
from games.trick_taking.operators.wide_deal import WideDeal, WideSplit, switches
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
        (2, 1, (0, 3)), (2, 2, (3, 1, 2)), (3, 3, (7, 6, 5, 4)), (3, 4, tuple(range(8))),
        (3, 0, (1, 2)), (3, 3, (5, 0, 2)), (1, 1, (0, 1)), (4, 1, (5,)), (3, 1, SEVEN),
        (3, 6, SEVEN), (5, 4, tuple(range(1, 32, 3))), (4, 3, tuple(range(2, 15))),
    ]},
    **{f"split {n} by {k}, {width} bits": ListSplit(width, n, k) for width, n, k in [
        (1, 1, 1), (1, 2, 1), (2, 2, 2), (2, 2, 1), (2, 3, 1), (2, 3, 2), (2, 4, 1), (2, 4, 2),
        (2, 4, 3), (3, 5, 2), (3, 6, 3), (4, 7, 5), (5, 12, 10), (4, 6, 1),
    ]},
    **{f"lead {n}, {width} bits": LeadPlay(width, n) for width, n in [
        (1, 2), (2, 2), (2, 3), (2, 4), (3, 5), (3, 6), (3, 7), (3, 8), (4, 9), (5, 10),
    ]},
    **{f"follow {n}, {c}+{lane} bits": FollowPlay(c, lane, n) for c, lane, n in [
        (1, 1, 2), (1, 1, 3), (1, 1, 4), (1, 2, 3), (2, 1, 2), (2, 1, 3), (3, 1, 2), (3, 1, 3),
        (2, 2, 5), (1, 3, 6), (3, 2, 4), (2, 3, 8), (2, 3, 10),
    ]},
    **{f"trick of {m}, {c}+{lane} bits, {bag} luggage{', trumps' if t else ''}":
       TrickWinner(m, c, lane, bag, trumps=t)
       for m in (2, 3) for c in range(4) for lane in (1, 2)
       for t in ((False, True) if c else (False,))
       for bag in (0, 1, 2) if 1 << c + lane >= m},
    "trick of Skat": TrickWinner(3, 2, 3, 46, trumps=True),
    "trick of paper rules": TrickWinner(3, 0, 5, 1, trumps=False),
    **{f"score of {cards} in {size} bits, {points}":
       TrickScore(cards, bits, size, points) for cards, bits, size, points in [
        (1, 1, 2, (0, 1)), (1, 1, 2, (1, 0)), (2, 1, 2, (1, 1)), (1, 1, 3, (1,)),
        (1, 2, 4, (4, 4, 4, 4)), (1, 2, 4, (4, 4, 4)), (1, 3, 4, (4, 4, 4)), (1, 1, 4, (7, 7)),
        (1, 2, 5, (5, 5, 0, 5)), (2, 2, 3, (2, 0, 2)), (1, 2, 4, (6, 2, 4, 0)),
        (1, 3, 5, (11, 10, 4, 3, 2, 0, 0, 0)), (1, 2, 3, (0, 0, 0, 1)), (1, 2, 3, (0, 3)),
        (1, 2, 5, (8, 0, 8, 0)), (1, 3, 4, (0, 2, 1, 2, 0)), (1, 1, 8, (1, 2)),
        (1, 4, 5, (11, 11, 2, 3, 4, 5, 6, 7, 8, 9)), (1, 3, 4, (1, 2, 3, 4, 5, 6, 7)),
        (1, 3, 4, (7, 6, 5, 4, 3, 2, 1, 0)), (3, 1, 4, (3, 1)), (3, 3, 8, (2, 11, 10, 4, 3, 0, 0)),
        (1, 1, 1, (0, 0)), (2, 2, 3, (0, 0, 0)), (0, 2, 3, (2, 1)),
    ]},
    **{f"wide deal {k} of {n}": WideDeal(3, k, gray_path(range(n)))
       for n, k in [(2, 1), (4, 2), (5, 2), (7, 3), (8, 4), (8, 1), (8, 6)]},
    **{f"wide split {n} by {k}": WideSplit(4, n, k)
       for n, k in [(2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (7, 3), (8, 4), (9, 2), (12, 2)]},
    **{f"wide follow {n}, {c}+{lane} bits": WideFollow(c, lane, n) for c, lane, n in [
        (1, 1, 2), (1, 1, 3), (2, 1, 4), (3, 1, 3), (2, 2, 5), (1, 3, 6), (3, 2, 7), (2, 3, 10)]},
    **{f"wide trick of {m}, {c}+{lane} bits, {bag} luggage{', trumps' if t else ''}":
       WideTrick(m, c, lane, bag, trumps=t)
       for m in (2, 3) for c in (1, 2, 3) for lane in (1, 2) for t in (False, True)
       for bag in (0, 2)},
    "wide trick of Skat": WideTrick(3, 2, 4, 54, trumps=True),
    **{f"wide score of {cards} in {size} bits, {points}": WideScore(cards, bits, size, points)
       for cards, bits, size, points in [
        (1, 1, 2, (0, 1)), (2, 1, 2, (1, 1)), (1, 2, 4, (4, 4, 4)), (2, 2, 3, (2, 0, 2)),
        (1, 3, 5, (11, 10, 4, 3, 2, 0, 0, 0)), (3, 1, 4, (3, 1)), (3, 4, 7, SKAT_POINTS),
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


def test_a_wrong_specification_is_noticed():
    with pytest.raises(VerificationError, match="lead_play"):
        verify(LeadPlay(2, 3), FollowPlay(1, 1, 3).definition, [0b100100, 0b010011])


@pytest.mark.parametrize(("cards", "parts"), [(12, 1), (13, 13), (20, 20)])
def test_large_deals_are_cut_into_parts(cards, parts):
    """One barrier after every card, across all qubits."""
    for operator in (SortedDeal(5, 3, tuple(range(cards))), ListSplit(5, cards, 3)):
        barriers = [item for item in operator.definition.data if item.operation.name == "barrier"]
        drawn = cards if isinstance(operator, SortedDeal) else cards - 3
        assert len(barriers) == (drawn if parts > 1 else 0)
        assert all(len(item.qubits) == operator.num_qubits for item in barriers)


BASIS = ["cx", "rz", "sx", "x"]
SKAT = (2, 11, 10, 4, 3, 0, 0, 0)
LIST_OPERATORS = [
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


@pytest.mark.parametrize("operator", LIST_OPERATORS, ids=label)
def test_predicted_gates_are_counted(operator):
    (predicted,) = predictions(operator).values()
    circuit = QuantumCircuit(operator.num_qubits)
    circuit.append(operator, range(operator.num_qubits))
    native = transpile(circuit, basis_gates=BASIS, optimization_level=3, seed_transpiler=0)
    least, most = savings(operator, predicted)
    assert least <= predicted - native.num_nonlocal_gates() <= most


NAMES = ("lists-wide", "lists-win-wide")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("hand", [1, 2])
def test_the_last_of_two_players_keeps_the_card_that_was_played(name, hand):
    deck = ["CA", "C10", "SK", "SQ"][: 2 * hand]
    text = f'game = "skat"\nrules = "skat"\ncontract = "grand"\nplayers = 2\nhand = {hand}\n'
    game = game_from_toml(f"{text}deck = {deck}\nthreshold = 15\n", "two")
    assert encodings[name].supports(game)
    assert_distribution_of_the_rules(game, name)


@pytest.mark.parametrize("name", [NAMES[0], pytest.param(NAMES[1], marks=pytest.mark.full)])
def test_games_of_32_cards_are_legal_to_the_last_move(name):
    game = named_game("skat-32:known")
    program = encoded(game, name)
    for measured in games_as_written(program.circuit, 4, seed=3):
        assert isinstance(encodings[name].history(game, measured), Played)


def test_games_without_a_choice_of_the_deal_are_left_to_others():
    assert not encodings["lists-wide"].supports(named_game("skat-9"))
    assert not encodings["lists-wide"].supports(named_game("skat-32:paper"))
    assert encodings["lists-wide"].supports(named_game("skat-32:grand"))


@pytest.mark.parametrize(
    ("operator", "gates"),
    [
        (WideDeal(6, 12, gray_path(card_codes(skat_32()).codes)), 928),
        (WideSplit(6, 20, 10), 1200),
        (WideSplit(6, 12, 2), 416),
        (WideFollow(2, 4, 10), 400),
        (WideTrick(3, 2, 4, 54, trumps=True), 518),
        (WideScore(3, 4, 7, SKAT_POINTS), 176),
    ],
    ids=lambda each: getattr(each, "name", str(each)),
)
def test_gates_of_the_whole_game(operator, gates):
    assert list(predictions(operator).values()) == [gates]


@pytest.mark.parametrize("cards", [*range(2, 11), 20, 22, 31, 32])
def test_switches_bring_every_subset_to_the_first_places(cards):
    random = Random(3)
    for chosen in range(1, cards // 2 + 1) if cards < 20 else (cards // 2,):
        subsets = combinations(range(cards), chosen)
        if cards >= 20:
            subsets = (tuple(sorted(random.sample(range(cards), chosen))) for _ in range(300))
        for subset in subsets:
            assert_brought_together(cards, subset)
    with pytest.raises(ValueError):
        WideSplit(6, cards, cards // 2 + 1)


def assert_brought_together(cards, subset):
    places = [card in subset for card in range(cards)]
    columns = set()
    for switch in switches(cards, len(subset)):
        so_far = sum(card <= switch.column for card in subset)
        if (switch.odd + sum(so_far > rank for rank in switch.ranks)) % 2:
            a, b = switch.first, switch.second
            places[a], places[b] = places[b], places[a]
        columns.add((switch.column, switch.ranks))
    assert places == [True] * len(subset) + [False] * (cards - len(subset)), subset
    ranks = [(column, rank) for column, able in columns for rank in able]
    assert len(set(ranks)) == len(ranks), "a thermometer controls one switch"


def test_a_gray_path_of_the_deck_changes_one_bit_a_card():
    codes = card_codes(skat_32()).codes
    path = gray_path(codes)
    assert sorted(path) == sorted(codes)
    assert path_length(path) <= 33
