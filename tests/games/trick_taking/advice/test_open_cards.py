"""The compiled search agrees with plain minimax, whatever the rules, the party and the window."""

from random import Random

import numpy as np
import pytest
from hypothesis import given

from games.trick_taking.advice.compiled.layout import bit_order, hands_of, integers, layout_of
from games.trick_taking.advice.compiled.open_deals import Question, card_points, winning_cards
from games.trick_taking.advice.compiled.search import new_memory
from games.trick_taking.advice.open_play import deals_won
from games.trick_taking.play.dealing import Dealing
from games.trick_taking.play.positions import Moves, after_play
from tests.games.trick_taking.advice.positions import random_position
from tests.games.trick_taking.second_rules import described_games, naive_best


def plain_points(game, deal, card):
    """Return what plain minimax says of a deal in which `card` was played."""
    after = after_play(game, card)
    return naive_best(
        after, [d if o is None else o for o, d in zip(after.known, deal, strict=True)]
    )


def legal_cards(game, deal):
    moves = Moves(game)
    start = moves.start(deal)
    return sorted(
        next(c for c in range(len(deal)) if c not in start.table and c in after.table)
        for after in moves.plays(start)
    )


@pytest.mark.parametrize("seed", range(4))
def test_search_agrees_with_plain_minimax(seed):
    random, memory = Random(seed), new_memory(1 << 8)
    for number in range(1, 501):
        game = random_position(random)
        deal = game.random_deal(random)
        order = bit_order(game)
        bits = integers(sorted(order.index(card) for card in legal_cards(game, deal)))
        layout, asked = layout_of(game), Question(bits, hands_of(game, deal), number)
        winners = winning_cards(layout, asked, memory)
        points = np.zeros(len(bits), np.int64)
        card_points(layout, asked, memory, points)
        for place, bit in enumerate(bits):
            plain = plain_points(game, deal, order[bit])
            if game.rules.contract == "null":
                assert bool(winners >> place & 1) == (plain == 0)
                assert points[place] == -plain * game.players
            else:
                assert bool(winners >> place & 1) == (plain >= game.threshold)
                assert points[place] == plain


@given(keys=described_games())
def test_deals_are_won_as_the_second_rules_say(make_game, keys):
    game = make_game(**keys)
    needed = 0 if game.rules.contract == "null" else game.threshold
    assert deals_won(game) == sum(naive_best(game, d) >= needed for d in Dealing(game).all())
