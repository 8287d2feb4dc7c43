"""Consistent deals: all of them, how many, and one at random."""

from collections import Counter
from math import comb
from random import Random

import pytest
from hypothesis import given

from games import named_game
from games.trick_taking.play.dealing import Dealing
from games.trick_taking.play.replay import replay
from tests.games.trick_taking.second_rules import described_games


@given(keys=described_games(most_cards=8))
def test_count_is_the_number_of_distinct_deals(make_game, keys):
    game = make_game(**keys)
    deals = list(Dealing(game).all())
    assert len(set(deals)) == len(deals) == game.deal_count >= 1
    random = Random(1)
    assert all(game.random_deal(random) in deals for _ in range(20))


SMALL_GAMES = {
    "nothing known": {"players": 3, "hand": 1, "deck": "CA C10 CK CQ"},
    "a card known": {"players": 2, "hand": 2, "deck": "CA C10 CK CQ CJ", "known": {"0": ["CK"]}},
    "class counts": {
        "players": 3,
        "hand": 2,
        "deck": "CJ SA HA H10 HK C7 D7",
        "rules": "skat",
        "trump": "S",
        "known": {"1": ["C7"]},
        "class_counts": {"1": {"H": 0}, "0": {"H": 1, "T": 1}},
    },
    "middle of a trick": {
        "players": 3,
        "hand": 2,
        "deck": "SA SK HA HQ CA D9 C7",
        "rules": "skat",
        "contract": "grand",
        "leader": 1,
        "table": ["SK", "HQ"],
        "class_counts": {"0": {"S": 1}},
    },
}


@pytest.mark.parametrize("keys", SMALL_GAMES.values(), ids=SMALL_GAMES)
def test_random_deals_are_uniform(make_game, keys):
    """Pearson's statistic stays below its mean by more than five standard deviations."""
    game = make_game(**keys)
    deals = list(Dealing(game).all())
    assert len(deals) > 3
    shots = 300 * len(deals)
    random = Random(7)
    counts = Counter(game.random_deal(random) for _ in range(shots))
    assert counts.keys() <= set(deals)
    freedom = len(deals) - 1
    statistic = sum((counts[deal] - 300) ** 2 / 300 for deal in deals)
    assert abs(statistic - freedom) < 5 * (2 * freedom) ** 0.5


@pytest.mark.parametrize("words", ["", ":known", ":paper", ":known:null"])
def test_random_games_of_32_cards_are_accepted(words):
    game = named_game("skat-32" + words)
    random = Random(3)
    for _ in range(20):
        deal = game.random_deal(random)
        result = replay(game, deal, random_plays(game, deal, random))
        assert len(result.tricks) == 10
        skat = sum(p for p, o in zip(game.points_of, deal, strict=True) if o == 3)
        assert sum(result.points) + skat == 120


def random_plays(game, deal, random):
    """Return a legal game, each card chosen at random."""
    hands = [[c for c, o in enumerate(deal) if o == seat] for seat in range(game.players)]
    leader, plays = 0, []
    for _ in range(game.hand):
        trick = []
        for turn in range(game.players):
            hand = hands[(leader + turn) % game.players]
            trick.append(random.choice(game.legal(hand, trick[0] if trick else None)))
            hand.remove(trick[-1])
        plays += trick
        if game.winner_leads:
            leader = (leader + game.winner(trick)) % game.players
    return plays


def test_class_counts_and_a_known_hand_of_32_cards(make_game):
    """Unknown are 7 trumps, 5 spades and 10 others; of the 12 that seat 1 has not, 2 are skat."""
    deck = " ".join(str(card) for card in named_game("skat-32").deck)
    game = make_game(
        3,
        10,
        deck,
        rules="skat",
        trump="C",
        known={"0": ["CJ", "CA", "C10", "CK", "SA", "S10", "HA", "H10", "DA", "D10"]},
        class_counts={"1": {"T": 5, "S": 2}},
    )
    assert game.deal_count == comb(7, 5) * comb(5, 2) * comb(10, 3) * comb(12, 10)
    random = Random(5)
    for _ in range(50):
        deal = game.random_deal(random)
        mine = [game.card_classes[c] for c, o in enumerate(deal) if o == 1]
        assert (mine.count("T"), mine.count("S"), len(mine)) == (5, 2, 10)
