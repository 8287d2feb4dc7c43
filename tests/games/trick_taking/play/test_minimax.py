"""Best play with open cards against a solver that remembers nothing."""

from random import Random

import pytest
from hypothesis import given

from compiler.errors import GameTooLargeError
from games import named_game
from games.trick_taking.play.dealing import Dealing
from games.trick_taking.play.minimax import best_points, distributions_won
from tests.games.trick_taking.second_rules import (
    described_games,
    naive_legal,
    naive_winner,
    suits_in_order,
)


def naive_best(game, deal):
    """Return the best value for the party, card by card and path by path."""
    deck = [str(card) for card in game.deck]
    contract = game.rules.contract or "paper"
    lists = suits_in_order(contract, deck)
    worth = dict(zip(deck, game.points_of, strict=True))

    def value(hands, trick, leader):
        if len(trick) == game.players:
            turn = naive_winner(trick, lists, contract != "null")
            winner = (leader + turn) % game.players
            gain = -1 if contract == "null" else sum(worth[c] for c in trick)
            rest = value(hands, [], 0 if contract == "paper" else winner)
            return rest + (gain if winner in game.party else 0)
        seat = (leader + len(trick)) % game.players
        if not hands[seat]:
            return 0
        choice = naive_legal(hands[seat], trick[0] if trick else None, lists)
        if game.first_card is not None and sum(map(len, hands)) == game.hand * game.players:
            choice = [deck[game.first_card]]
        values = [
            value([[c for c in hand if c != card] for hand in hands], [*trick, card], leader)
            for card in choice
        ]
        return max(values) if seat in game.party else min(values)

    hands = [[deck[c] for c in game.hand_cards if deal[c] == s] for s in range(game.players)]
    table = [deck[c] for c in game.table]
    before = sum(
        (-1 if contract == "null" else sum(game.points_of[c] for c in cards[i : i + game.players]))
        for seat, cards in game.taken
        if seat in game.party
        for i in range(0, len(cards), game.players)
    )
    return before + value(hands, table, game.leader)


@given(keys=described_games())
def test_agrees_path_by_path(make_game, keys):
    game = make_game(**keys)
    deals = list(Dealing(game).all())
    values = [naive_best(game, deal) for deal in deals]
    assert [best_points(game, deal) for deal in deals] == values
    needed = 0 if game.rules.contract == "null" else game.threshold
    assert distributions_won(game) == sum(v >= needed for v in values)


def test_five_tricks_are_solved_and_ten_are_refused(make_game):
    deck = "CJ SJ HA H10 HK SA S10 SK CA C10 CK DA D10 DK D7"
    game = make_game(3, 5, deck, rules="skat", trump="C")
    deal = game.random_deal(Random(2))
    assert 0 <= best_points(game, deal) <= sum(game.points_of)
    whole = named_game("skat-32")
    with pytest.raises(GameTooLargeError, match="skat-32: 1 deals with up to"):
        best_points(whole, whole.random_deal(Random(2)))
