"""Advice on the nine cards, in the middle of a game, and by samples."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from attrs import evolve
from scipy.stats import binomtest

from compiler.errors import GameError
from games import named_game
from games.toml import game_from_toml
from games.trick_taking.advice.adviser import advise
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.panels import recommendation
from games.trick_taking.advice.shares import Shares, sign_test
from games.trick_taking.advice.superposition import superposed
from games.trick_taking.play.dealing import deals_of
from games.trick_taking.play.positions import after_play
from games.trick_taking.toml.writing import game_toml
from tests.games.trick_taking.advice.positions import random_position


def effort(playouts=1000, deals=500, seconds=60.0, threads=2):
    return Effort(playouts, deals, seconds, seed=1, threads=threads, clock=lambda: 0.0)


def quiet(_line):
    pass


@pytest.fixture
def nine():
    return evolve(named_game("skat-9"), first_card=None)


def by_name(advice, values):
    return {str(advice.game.deck[card]): v for card, v in zip(advice.cards, values, strict=True)}


def test_nine_cards_are_exact_both_ways(nine):
    advice = advise(named_game("skat-9:H7"), effort(), quiet)
    chances = by_name(advice, [one.value for one in advice.superposed.chances])
    assert chances == {"H10": Fraction(1, 2), "HQ": Fraction(3, 4), "H7": Fraction(5, 8)}
    shares = advice.open_play.shares
    assert shares.complete
    assert shares.deals == 12
    wins = by_name(advice, [shares.wins(place) for place in range(3)])
    assert wins == {"H10": 6, "HQ": 11, "H7": 9}
    assert advice.superposed.playouts == 0
    assert [str(nine.deck[advice.cards[place]]) for place in advice.by_open_cards] == [
        "HQ", "H7", "H10",
    ]  # fmt: skip
    lead = advice.open_lead()
    assert lead.p_value is None
    assert lead.better - lead.worse == 2


def test_few_deals_are_a_sample_with_intervals_that_hold_the_exact_share(nine):
    advice = advise(nine, effort(deals=11), quiet)
    shares = advice.open_play.shares
    assert (shares.deals, shares.complete) == (11, False)
    for place, exact in enumerate(by_name(advice, [9 / 12, 11 / 12, 6 / 12]).values()):
        found = shares.estimate(place)
        assert found.low < exact < found.high
    assert advice.open_lead().p_value is not None


def test_when_time_is_over_the_deals_that_were_solved_are_the_answer(nine, monkeypatch):
    monkeypatch.setattr("games.trick_taking.advice.open_play.FEW_DEALS", 11)
    ticks = iter(range(1000))
    late = Effort(1000, 500, 3.5, seed=1, threads=1, clock=lambda: float(next(ticks)))
    shares = advise(nine, late, quiet).open_play.shares
    assert not shares.complete
    assert 1 < shares.deals < 12


def test_few_deals_of_small_hands_are_waited_for(nine):
    over = Effort(1000, 500, -1, seed=1, threads=1, clock=lambda: 0.0)
    shares = advise(nine, over, quiet).open_play.shares
    assert (shares.complete, shares.deals) == (True, 12)


@pytest.mark.parametrize(("fewer", "trials"), [(0, 0), (0, 1), (1, 2), (2, 7), (30, 100)])
def test_the_sign_test_is_the_binomial_one(fewer, trials):
    expected = binomtest(fewer, trials).pvalue if trials else 1.0
    assert sign_test(fewer, trials) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_playouts_agree_with_enumeration(monkeypatch, seed):
    random = Random(seed)
    game = random_position(random, most=3)
    deal = game.random_deal(random)
    seat = (game.leader + len(game.table)) % game.players
    known = tuple(
        seat if owner == seat and card in game.hand_cards else was
        for card, (owner, was) in enumerate(zip(deal, game.known, strict=True))
    )
    game = evolve(game, known=known)
    cards = advise(game, effort(), quiet).cards
    exact = [one.value for one in superposed(game, cards, effort()).chances]
    monkeypatch.setattr("games.trick_taking.advice.superposition.EXACT_DEALS", 0)
    sampled = superposed(game, cards, effort(playouts=20_000 * len(cards)))
    assert sampled.playouts == 20_000 * len(cards)
    for chance, found in zip(exact, sampled.chances, strict=True):
        # Five standard deviations, of which 1.96 make an interval.
        assert abs(float(chance) - found.value) <= 5 * (found.high - found.low) / 3.92 + 1e-3


def test_samples_are_the_same_whoever_plays_them(nine, monkeypatch):
    monkeypatch.setattr("games.trick_taking.advice.superposition.EXACT_DEALS", 0)
    cards = advise(nine, effort(), quiet).cards
    one, two = (
        superposed(nine, cards, effort(playouts=300_000, threads=threads)) for threads in (1, 2)
    )
    assert one.chances == two.chances
    for chance, exact in zip(one.chances, (5 / 8, 3 / 4, 1 / 2), strict=True):
        assert chance.value == pytest.approx(exact, abs=0.01)


def test_playouts_respect_counts_that_say_part_of_several_hands(monkeypatch):
    """Nobody has more hearts than said, and the deals are as likely as enumeration has them."""
    game = evolve(named_game("skat-9"), first_card=None, class_counts=((1, "T", 2), (2, "H", 1)))
    monkeypatch.setattr("games.trick_taking.advice.superposition.EXACT_DEALS", 0)
    cards = advise(game, effort(), quiet).cards
    sampled = superposed(game, cards, effort(playouts=300_000))
    for card, chance in zip(cards, sampled.chances, strict=True):
        exact = after_play(game, card).average("win")
        assert chance.value == pytest.approx(float(exact), abs=0.01)


def test_who_has_not_followed_suit_is_dealt_no_card_of_it(nine, monkeypatch):
    """Seat 2 led the heart ace and seat 0 threw a card away: it holds no other heart."""
    places = {str(card): place for place, card in enumerate(nine.deck)}
    text = game_toml(evolve(nine, known=(None,) * 9, class_counts=())).replace(
        "leader = 0", "leader = 2\ntable = ['HA', 'S7']"
    )
    game = game_from_toml(text + "[known]\n1 = ['H10', 'HQ', 'CJ']", "middle.toml")
    advice = advise(game, effort(), quiet)
    assert advice.seat == 1
    assert set(advice.cards) == {places["H10"], places["HQ"]}
    # Of H8, H7, SJ and HJ the two hearts must be with the leader.
    assert advice.open_play.consistent == deals_of(game).count() == 1


def test_a_hand_that_is_not_known_is_refused(nine):
    game = evolve(nine, leader=1)
    with pytest.raises(GameError, match=r"0 of 3 cards of seat B are known"):
        advise(game, effort(), quiet)


@pytest.mark.parametrize("seed", range(30))
def test_a_game_that_is_written_is_read_as_it_was(seed):
    game = random_position(Random(seed))
    assert game_from_toml(game_toml(game), game.name) == game


def test_nothing_is_recommended_that_the_deals_do_not_tell(nine):
    """One of twelve deals tells nothing, all of them tell that HQ is best."""
    one = advise(nine, effort(deals=1), quiet)
    assert one.open_play.shares.deals == 1
    assert not one.supported
    assert recommendation(one)[0] == "Not enough samples yet: no card is recommended."
    assert advise(nine, effort(), quiet).supported


def shares_of(counts, cards):
    """Return a sample of deals by the bits of the cards that win them."""
    won = np.zeros(1 << cards, np.int64)
    for winners, deals in counts.items():
        won[winners] = deals
    return Shares(won, cards, complete=False)


def test_a_card_is_ahead_if_sign_tests_against_all_others_hold_together():
    """Nine deals to none are p = 0.0039; eight of nine are 0.039, too much for two others."""
    assert shares_of({0b001: 9}, 3).ahead(0, [1, 2])
    assert shares_of({0b01: 8, 0b10: 1}, 2).ahead(0, [1])
    assert not shares_of({0b001: 8, 0b010: 1, 0b110: 0}, 3).ahead(0, [1, 2])
    assert not shares_of({0b011: 300}, 3).ahead(0, [1, 2])
    assert not shares_of({0b01: 1}, 2).ahead(0, [1])
