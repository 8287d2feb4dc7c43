"""Advice: exact, by samples, by open cards, and on a backend."""

from fractions import Fraction
from random import Random
from unittest.mock import patch

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from compiler.amplification.event import Event
from compiler.errors import GameError
from compiler.words.estimator_names import EstimatorName
from games import DEFAULT_ENCODING, named_game
from games.sources import read_program
from games.toml import game_from_toml
from games.trick_taking.advice.adviser import advise, choices_of, superposed
from games.trick_taking.advice.compiled.layout import bit_order, hands_of, integers, layout_of
from games.trick_taking.advice.compiled.open_deals import Question, card_points, winning_cards
from games.trick_taking.advice.compiled.search import new_memory
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.measuring import CardEstimate, Measured, game_after
from games.trick_taking.advice.open_play import deals_won
from games.trick_taking.advice.panels import panels, recommendation
from games.trick_taking.advice.shares import Estimate, Shares, sign_test
from games.trick_taking.play.enumeration import Dealing, deals_of
from games.trick_taking.play.positions import Moves, after_play
from games.trick_taking.toml.writing import game_toml
from tests.games.trick_taking.encodings.distributions import scored_games
from tests.games.trick_taking.second_rules import described_games, naive_best


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


@settings(max_examples=3)
@given(keys=described_games(), seed=st.integers(0, 1000))
def test_playouts_agree_with_enumeration(make_game, keys, seed):
    game = make_game(**keys)
    deal = deals_of(game).random(Random(seed))
    seat = (game.leader + len(game.table)) % game.players
    known = tuple(
        seat if owner == seat and card in game.hand_cards else was
        for card, (owner, was) in enumerate(zip(deal, game.known, strict=True))
    )
    game = evolve(game, known=known)
    cards = advise(game, effort(), quiet).cards
    exact = [one.value for one in superposed(game, cards, effort()).chances]
    with patch("games.trick_taking.advice.adviser.EXACT_DEALS", 0):
        sampled = superposed(game, cards, effort(playouts=5_000 * len(cards)))
    assert sampled.playouts == 5_000 * len(cards)
    for chance, found in zip(exact, sampled.chances, strict=True):
        # Five standard deviations, of which 1.96 make an interval.
        assert abs(float(chance) - found.value) <= 5 * (found.high - found.low) / 3.92 + 1e-3


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


@given(keys=described_games())
def test_a_game_that_is_written_is_read_as_it_was(make_game, keys):
    game = evolve(make_game(**keys), party=(1,))
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


CHANCES = {"after-H10.toml": 0.5, "after-HQ.toml": 0.75, "after-H7.toml": 0.625}
"""The exact chances of the nine cards."""


def test_the_circuits_have_the_exact_chances(nine):
    sources = [game_after(nine, card) for card in choices_of(nine)]
    programs = [read_program(source, DEFAULT_ENCODING) for source in sources]
    exact = [Event(program, "win").probability for program in programs]
    assert dict(zip([source.name for source in sources], exact, strict=True)) == CHANCES


def test_the_effort_of_estimates_is_shown(nine):
    advice = advise(nine, effort(), quiet)
    chances = dict.fromkeys(advice.cards, Estimate(0.625, 0.605, 0.655))
    gates = dict.fromkeys(advice.cards, 196)
    wide, *others = advice.cards
    estimates = {
        card: CardEstimate(card != wide, 900, 7203, 300, 2, 3, 281, ("exact",))
        for card in (wide, *others)
    }
    found = Measured("sparse", 100, chances, {}, gates, EstimatorName.BAYESIAN, 0.01, estimates)
    assert not found.reached
    titles = {panel.title: panel for panel in panels(advice, found)}
    grid = titles["On sparse by bayesian amplitude estimation, error 0.01"]
    assert [[cell.text for cell in row] for row in grid.rows] == [
        [name, "900", "7,203", "300", "2", "3", "196", "281"] for name in ("HQ", "H7", "H10")
    ]
    assert len(titles["Wider than requested"].lines) == 1


def test_a_card_that_ends_the_game_is_refused():
    last = game_from_toml(
        'game = "skat"\nrules = "skat"\ntrump = "C"\nplayers = 2\nhand = 1\nleader = 1\n'
        'deck = ["CA", "CK", "SA", "H7"]\nthreshold = 23\ntable = ["CK"]\n'
        'known = { 0 = ["CA"] }\n[taken]\n0 = ["SA", "H7"]\n',
        "last",
    )
    (card,) = choices_of(last)
    with pytest.raises(GameError, match="CA ends the game, no circuit is needed"):
        game_after(last, card)


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


@settings(max_examples=30)
@given(described=scored_games(), seed=st.integers(0, 1000))
def test_search_agrees_with_plain_minimax(make_game, described, seed):
    keys, score = described
    game = evolve(make_game(**keys), **score)
    deal = deals_of(game).random(Random(seed))
    order, memory = bit_order(game), new_memory(1 << 8)
    bits = integers(sorted(order.index(card) for card in legal_cards(game, deal)))
    layout, question = layout_of(game), Question(bits, hands_of(game, deal))
    winners = winning_cards(layout, question, memory)
    points = np.zeros(len(bits), np.int64)
    card_points(layout, question, memory, points)
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
