"""Cards with weights on circuits, against the rules and the file's own words."""

import tomllib
from fractions import Fraction
from math import prod

import numpy as np
import pytest
from attrs import evolve

from compiler.errors import GameError, InputError
from compiler.synthesis.method import predictions
from compiler.verification.program import outcome_distribution, program_state
from games import encoded, encodings_of, named_game
from games.toml import game_from_toml
from games.trick_taking.operators.weighted_play import WeightedPlay
from games.trick_taking.play.enumeration import Dealing
from games.trick_taking.play.replay import replay
from games.trick_taking.training.tree import normalised, tree_of, uniform
from games.trick_taking.weighted.game import WeightedGame, kept_tree
from games.trick_taking.weighted.toml import weighted_toml
from tests.games.trick_taking.training.test_training import SUITED

TOY, NINE = named_game("skat-4"), named_game("skat-9")


def document(game, seed):
    """Return a file with random weights, one in six of them 0."""
    tree, random = tree_of(game), np.random.default_rng(seed)
    weights = random.integers(0, 6, tree.choices) * random.random(tree.choices)
    return weighted_toml(tree, normalised(tree, weights))


def decoded(game, measured):
    """Return who was dealt what, and the cards played: bit by bit as the encoding says."""
    owners = game.owners(measured & (1 << game.outcome_bits) - 1)
    hands = [[c for c, owner in enumerate(owners) if owner == seat] for seat in range(2)]
    measured >>= game.outcome_bits
    plays, seen, leader, table = [], [], 0, []
    while any(hands):
        seat = (leader + len(table)) % 2
        legal = game.legal(hands[seat], table[0] if table else None)
        # The bits are those of the most cards that anybody may play at that time.
        bits = (len(hands[seat]) - 1).bit_length()
        card = legal[measured & (1 << bits) - 1]
        measured >>= bits
        seen.append((seat, tuple(hands[seat]), tuple(plays), legal, card))
        plays.append(card)
        hands[seat].remove(card)
        table.append(card)
        if len(table) == 2:
            leader = (leader + game.winner(table)) % 2 if game.winner_leads else 0
            table = []
    return owners, plays, seen


@pytest.mark.parametrize("game", [TOY, SUITED], ids=lambda game: game.title)
def test_every_game_has_the_probability_that_the_file_says(game):
    text = document(game, 3)
    weighted = game_from_toml(text, "weighted.toml")
    weights = {
        (one["seat"], tuple(one["hand"]), tuple(one["seen"])): one["cards"]
        for one in tomllib.loads(text)["weights"]
    }

    def names(cards):
        return tuple(str(game.deck[card]) for card in cards)

    def chance(seat, hand, plays, legal, card):
        found = weights.get((seat, names(hand), names(plays)))
        if found is None:
            return 1 / len(legal)
        return found[str(game.deck[card])] / sum(found.values())

    program = encoded(weighted)
    deals = set(Dealing(game).all())
    total = 0.0
    for bits, got in outcome_distribution(program.circuit, program_state(program.circuit)).items():
        if got < 1e-12:
            continue
        owners, plays, seen = decoded(game, bits)
        assert owners in deals
        assert got == pytest.approx(prod(chance(*one) for one in seen) / len(deals), abs=1e-9)
        assert program.outcome(bits) == game.outcome(replay(game, owners, plays).owners)
        total += got
    assert total == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("game", [TOY, SUITED], ids=lambda game: game.title)
def test_equal_weights_are_the_game_itself_and_cost_nothing_where_any_card_may_be_played(game):
    weighted = game_from_toml(weighted_toml(tree_of(game), uniform(tree_of(game))), "even.toml")
    exact = weighted.exact_distribution()
    rules = game.exact_distribution()
    assert exact.keys() == rules.keys()
    assert max(abs(exact[one] - float(rules[one])) for one in rules) < 1e-12
    items = encoded(weighted).circuit.data
    prices = [
        min(predictions(item.operation).values())
        for item in items
        if item.operation.name == "weighted_play"
    ]
    assert any(prices) == (game is SUITED)


def test_what_is_written_is_read_as_it_was():
    tree = tree_of(SUITED)
    chances = normalised(tree, np.random.default_rng(2).integers(0, 6, tree.choices).astype(float))
    game = game_from_toml(weighted_toml(tree, chances), "one.toml")
    assert np.abs(game.chances - chances).max() < 1e-12
    assert game.rules == evolve(SUITED, name="one.toml")
    assert encodings_of(game) == ("card-choices",)


WEIGHT = "[[weights]]\nseat = 0\nhand = ['CA', 'CK']\nseen = []\ncards = { CA = 1 }\n"


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("seat = 0", "seat = 1", "seat 1 can not be in turn"),
        ("seat = 0\n", "", "seat: missing"),
        ("seen = []", "seen = []\nsaw = []", "saw: unknown key"),
        ("'CK'", "'C7'", "hand = ['CA', 'C7']"),
        ("{ CA = 1 }", "{ CQ = 1 }", "cards.CQ: may not be played; CA, CK may"),
        ("{ CA = 1 }", "{ CA = -1 }", "cards.CA = -1"),
        ("{ CA = 1 }", "{ CA = 0 }", "all weights are 0"),
        (WEIGHT, WEIGHT + WEIGHT, "repeated entry"),
        (WEIGHT, "weights = [3]", "weights 1: 3"),
        (WEIGHT, "first_card = 'CA'", "first_card = 'CA'"),
    ],
)
def test_a_mistake_is_named(old, new, named):
    rules = "game = 'weighted-skat'\nplayers = 2\nhand = 2\ndeck = ['CA', 'C10', 'CK', 'CQ']\n"
    game_from_toml(rules + WEIGHT, "right.toml")
    with pytest.raises(GameError) as caught:
        game_from_toml(rules + WEIGHT.replace(old, new), "wrong.toml")
    assert named in str(caught.value)


@pytest.mark.parametrize(
    "table", [{0: (0.5, 0.6)}, {0: (1.5, -0.5)}, {4: (0.5, 0.5)}, {0: (0.5, 0.25, 0.25)}, {0: ()}]
)
def test_what_are_no_probabilities_is_refused(table):
    with pytest.raises(InputError, match="no probabilities"):
        WeightedPlay(2, 1, table)


def test_probabilities_of_one_card_more_take_no_gate_where_nothing_was_to_be_seen():
    even = (Fraction(1, 3),) * 3
    assert predictions(WeightedPlay(3, 2, dict.fromkeys(range(8), even))) == {"coins": 1}


def test_a_game_with_class_counts_numbers_its_deals():
    """Twelve deals on four qubits, and every outcome has the probability of the tree."""
    text = document(NINE, 5)
    weighted = game_from_toml(text, "nine.toml")
    program = encoded(weighted)
    assert program.encoding == "card-choices"
    assert [(one.name, one.size) for one in program.circuit.cregs] == [
        ("dealt", 4), ("play_1", 2), ("play_4", 1), ("play_5", 1), ("play_6", 1),
    ]  # fmt: skip
    found = dict.fromkeys(weighted.exact_distribution(), 0.0)
    state = program_state(program.circuit)
    for bits, chance in outcome_distribution(program.circuit, state).items():
        if chance > 1e-12:
            found[program.judge.outcome(bits)] += chance
    assert found == pytest.approx(weighted.exact_distribution(), abs=1e-9)
    dealt = outcome_distribution(program.circuit, state)
    assert sum(dealt.values()) == pytest.approx(1)
    assert {bits & 15 for bits, chance in dealt.items() if chance > 1e-12} == set(range(12))


def test_games_with_too_many_ways_to_play_have_no_circuit():
    whole = evolve(SUITED, hand=4, deck=named_game("skat-9").deck[:8], points_of=(1,) * 8,
                   known=(None,) * 8, name="eight")  # fmt: skip
    assert not encodings_of(WeightedGame("eight", whole, tuple(uniform(kept_tree(whole)))))
