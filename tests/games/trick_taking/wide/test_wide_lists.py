"""Programs on wide lists: every outcome as often as the rules say, and the gates of 32 cards."""

from collections import Counter

import pytest

from games import encoded, encodings, named_game
from games.toml import game_from_toml
from games.trick_taking.play.replay import Played
from tests.compiler.many_inputs import games_as_written
from tests.games.trick_taking.encodings.distributions import assert_distribution_of_the_rules

NAMES = ("lists-wide", "lists-win-wide")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("hand", [1, 2])
def test_the_last_of_two_players_keeps_the_card_that_was_played(name, hand):
    deck = ["CA", "C10", "SK", "SQ"][: 2 * hand]
    text = f'game = "skat"\nrules = "skat"\ncontract = "grand"\nplayers = 2\nhand = {hand}\n'
    game = game_from_toml(f"{text}deck = {deck}\nthreshold = 15\n", "two")
    assert encodings[name].supports(game)
    assert_distribution_of_the_rules(game, name)


@pytest.mark.parametrize(("name", "gates"), [("lists-wide", 10443), ("lists-win-wide", 12398)])
def test_gates_of_the_whole_game(name, gates):
    circuit = encoded(named_game("skat-32"), name).circuit.decompose()
    counted = Counter(len(item.qubits) for item in circuit.data if item.name != "barrier")
    assert counted[2] == gates


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
