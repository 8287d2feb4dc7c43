"""Game values, overbids, lists of scores and break-even probabilities."""

import pytest

from compiler.errors import GameError
from games.trick_taking.rules.rules import cards_of
from games.trick_taking.skat.scores import Scoring, break_even, game_worth, list_scores
from games.trick_taking.skat.values import (
    BIDS,
    Contract,
    Outcome,
    Settlement,
    contract_of,
    matadors,
    settled,
)


@pytest.mark.parametrize(
    ("contract", "tops", "points", "tricks", "worth"),
    [
        ("D", -1, 89, 9, 18),
        ("S hand schneider", 1, 90, 9, 55),
        ("C", 1, 120, 10, 48),
        ("grand hand", -4, 61, 6, 144),
        ("grand ouvert", 4, 120, 10, 264),
        ("C ouvert", 11, 120, 10, 216),
        ("null", 0, 0, 0, 23),
        ("null hand ouvert", 0, 0, 0, 59),
    ],
)
def test_won_games(contract, tops, points, tricks, worth):
    settlement = settled(contract_of(contract), tops, Outcome(points, tricks), 18)
    assert settlement == Settlement(worth, True, False)


@pytest.mark.parametrize(
    ("contract", "tops", "points", "tricks", "bid", "counts", "overbid"),
    [
        ("D", 1, 30, 3, 18, -54, False),
        ("S hand schneider", 1, 89, 8, 18, -110, False),
        ("grand schwarz", 1, 118, 9, 18, -336, False),
        ("null", 0, 0, 1, 18, -46, False),
        ("H", -1, 100, 9, 33, -80, True),
        ("null", 0, 0, 0, 24, -48, True),
        ("null hand", 0, 0, 0, 36, -72, True),
        ("null ouvert", 0, 0, 1, 48, -96, True),
        ("C", 2, 61, 6, 36, 36, False),
    ],
)
def test_lost_and_overbid_games(contract, tops, points, tricks, bid, counts, overbid):
    settlement = settled(contract_of(contract), tops, Outcome(points, tricks), bid)
    assert (settlement.value, settlement.overbid) == (counts, overbid)
    assert settlement.won == (counts > 0)


@pytest.mark.parametrize(
    ("contract", "held", "bid", "counts"),
    [
        # Clubs go without four, diamonds without eight.
        ("null", "CA C10 CK S7 S8 S9 H7 H8 H9 D7 D8 D9", 24, -2 * 60),
        # Hearts go without four, all other suits without more.
        ("null", "C7 C8 C9 S7 S8 S9 HA H8 H9 D7 D8 D9", 24, -2 * 50),
        # With one: 2 times 12 covers 24; 3 times 9 would be 27.
        ("null", "CJ C7 C8 C9 S7 S8 S9 H7 H8 H9 D7 D8", 24, -2 * 24),
        # The same from the hand takes 3 times 9 at least, and 4 times 9 cover 36.
        ("null hand", "CJ C7 C8 C9 S7 S8 S9 H7 H8 H9 D7 D8", 36, -2 * 36),
    ],
)
def test_an_overbid_null_counts_as_the_cheapest_game_that_covers_the_bid(
    contract, held, bid, counts
):
    settlement = settled(contract_of(contract), 0, Outcome(0, 0), bid, cards_of(held))
    assert settlement == Settlement(counts, False, True)


@pytest.mark.parametrize(
    ("held", "game", "tops"),
    [
        ("CJ SJ HJ DJ SA S10 SK SQ S9 S8 S7 HA", "S", 11),
        ("CJ SJ DJ SA S10 SK SQ S9 S8 S7 HA H7", "S", 2),
        ("SJ HJ DJ SA S10 SK SQ S9 S8 S7 HA H7", "S", -1),
        ("H7 H8 H9 HQ HK H10 HA D7 D8 D9 DQ DK", "S", -11),
        ("CJ SJ HJ DJ SA S10 SK SQ S9 S8 S7 HA", "grand", 4),
        ("SA S10 SK SQ S9 S8 S7 HA H10 HK HQ H9", "grand", -4),
    ],
)
def test_matadors(held, game, tops):
    assert matadors(cards_of(held), game) == tops


def test_bids_are_the_values_of_games():
    assert BIDS[:22] == [
        18, 20, 22, 23, 24, 27, 30, 33, 35, 36, 40, 44, 45, 46, 48, 50, 54, 55, 59, 60, 63, 66,
    ]  # fmt: skip
    assert BIDS[-1] == 264
    with pytest.raises(GameError, match="bid 19: must be the value of a game"):
        settled(Contract("D"), 1, Outcome(61, 6), 19)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"game": "T"}, "contract 'T': must be one of"),
        ({"game": "D", "schneider": True}, "diamonds: schneider is announced with hand only"),
        ({"game": "D", "hand": True, "schwarz": True}, "schwarz is announced with schneider only"),
        ({"game": "grand", "ouvert": True}, "grand: ouvert is announced with schwarz only"),
        ({"game": "null", "schneider": True}, "a null has neither schneider nor schwarz"),
    ],
)
def test_contracts_that_cannot_be(given, why):
    with pytest.raises(GameError, match=why):
        Contract(**given)


def test_lists_of_an_evening():
    games = [
        (0, Settlement(48, True, False)),
        (1, Settlement(-36, False, False)),
        (0, Settlement(-72, False, True)),
    ]
    assert list_scores(games, 3, Scoring.CLASSIC) == [-24, -36, 0]
    assert list_scores(games) == [48 + 50 - 72 - 50 + 40, -36 - 50 + 40, 40 + 40]
    assert list_scores(games, 4) == [-24 + 30, -86 + 30, 60, 60]


@pytest.mark.parametrize("worth", [18, 24, 59, 264])
@pytest.mark.parametrize(
    ("scoring", "players"),
    [(Scoring.CLASSIC, None), (Scoring.SEEGER_FABIAN, None), (Scoring.SEEGER_FABIAN, 3),
     (Scoring.SEEGER_FABIAN, 4)],
)  # fmt: skip
def test_a_game_at_break_even_gains_nothing(worth, scoring, players):
    """What a declarer gets on a list, less what another gets, is nothing on average."""
    p = break_even(worth, scoring, players)
    table = players or 3

    def gain(game):
        scores = list_scores([(0, game)], table, scoring)
        return scores[0] - (scores[1] if players else 0)

    won, lost = Settlement(worth, True, False), Settlement(-2 * worth, False, False)
    assert p * gain(won) + (1 - p) * gain(lost) == 0


def test_the_worth_of_a_game():
    worth = game_worth("S hand", matadors=2, points=70, bid=22)
    assert (worth.settlement.value, worth.settlement.won) == (44, True)
    assert str(worth.contract) == "spades hand"
    assert worth.scores["seeger-fabian, 3 players"] == [94, 0, 0]
    for given, why in (
        ("S open", "contract 'S open': write one of C, S, H, D, grand, null"),
        ("", "contract ''"),
    ):
        with pytest.raises(GameError, match=why):
            game_worth(given)
    with pytest.raises(GameError, match="matadors = 5: must be from 1 to 4"):
        game_worth("grand", matadors=5)
