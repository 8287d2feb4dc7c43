"""What games say of themselves, and the series of theirs that grow."""

from fractions import Fraction
from math import comb

import pytest

from compiler.errors import GameTooLargeError
from compiler.judge import Kind, Observable
from games import Game, encodings, encodings_of, named_game
from games.series import GameSeries, OperatorSeries, series


class Die(Game):
    """A die whose two kinds of observables can be had apart."""

    name = title = "die"
    observables = (
        Observable("pips", Kind.NUMBER, lambda outcome: outcome + 1),
        Observable("six", Kind.EVENT, lambda outcome: outcome == 5),
        Observable("odd", Kind.EVENT, lambda outcome: outcome % 2 == 0),
    )

    def exact_distribution(self):
        return dict.fromkeys(range(6), Fraction(1, 6))

    def is_legal(self, outcome):
        return outcome in range(6)

    def describe(self, outcome):
        return str(outcome + 1)


class Endless(Die):
    @property
    def counts(self):
        return {"sides": 10**30}

    def exact_distribution(self):
        raise GameTooLargeError("too many to enumerate")


class Uneventful(Die):
    observables = Die.observables[:1]


def test_facts_follow_from_the_exact_distribution():
    assert Die().facts() == {
        "observables": {"pips": "7/2", "six": "1/6", "odd": "1/2"},
        "favourable_outcomes": 1,
    }
    assert Uneventful().facts() == {"observables": {"pips": "7/2"}}


def test_what_is_too_large_is_known_to_be_missing():
    facts = {"sides": 10**30, "observables": None, "favourable_outcomes": None}
    assert Endless().facts() == facts
    whole = named_game("skat-32:known").facts()
    assert whole == {
        "deals": 42678636,
        "paths": None,
        "paths_won": None,
        "observables": None,
        "favourable_outcomes": None,
        "deals_won_by_best_play": None,
    }


def test_card_games_count_their_deals_and_plays():
    toy = named_game("skat-4")
    facts = toy.facts()
    # Every deal, two free plays of one of two cards, and then what is left.
    assert (facts["deals"], facts["paths"]) == (comb(4, 2), comb(4, 2) * 2 * 2)
    assert Fraction(facts["paths_won"], facts["paths"]) == toy.average("win") == Fraction(5, 12)
    assert list(facts) == [
        "deals", "paths", "paths_won", "observables", "favourable_outcomes",
        "deals_won_by_best_play",
    ]  # fmt: skip
    assert toy.outcome_bits == 4
    assert named_game("skat-9").outcome_bits == 2 * 9


def test_the_papers_encodings_fit_devices_and_one_is_proven_step_by_step():
    toy = named_game("skat-4")
    assert [name for name in encodings_of(toy) if encodings[name].small] == ["paper", "lean"]
    assert [name for name in encodings_of(toy) if encodings[name].literal] == ["paper"]
    proven = {
        name: encodings[name].stepwise(toy, encodings[name].program(toy))
        for name in encodings_of(toy)
    }
    assert {name for name, proof in proven.items() if proof is not None} == {"paper"}
    assert proven["paper"].of == "the cards"
    # Positions of the cards after the deal are the six deals.
    assert next(proven["paper"].steps).states == comb(4, 2)


def test_series_come_in_their_order_and_have_the_size_they_say():
    assert list(series) == [
        "deal D(n, n/2)", "hand play, n/2 in hand", "hand play, n/3 in hand",
        "game, 2 players, paper rules", "game, 3 players, skat rules",
        "Endless Fun, 3D, three rows, relabelled", "Endless Fun, 3D, three rows, cards",
    ]  # fmt: skip
    for grown in series.values():
        assert grown.axis in ("cards", "qudits")
        assert list(grown.sizes) == sorted(set(grown.sizes))
        for size in grown.sizes:
            if isinstance(grown, GameSeries):
                game = grown.game(size)
                assert game.axes[grown.axis] == size
                assert grown.encoding in encodings_of(game)
    deal = series["deal D(n, n/2)"]
    assert isinstance(deal, OperatorSeries)
    assert deal.literal is None
    assert [deal.operator(size).num_qubits >= size for size in deal.sizes] == [True] * 7


@pytest.mark.parametrize(("share", "hand"), [(2, 16), (3, 10)])
def test_hand_plays_take_their_share_of_the_deck(share, hand):
    play = series[f"hand play, n/{share} in hand"].operator(32)
    states = list(zip(range(1), play.legal_inputs(), strict=False))
    assert [state.bit_count() for _, state in states] == [hand]
