"""Play: deals, positions, minimax, and replayed games."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given

from compiler.errors import VerificationError
from games import named_game
from games.trick_taking.play.enumeration import Dealing, deals_of
from games.trick_taking.play.positions import Moves
from games.trick_taking.play.replay import replay
from tests.games.trick_taking.second_rules import described_games


@given(keys=described_games(most_cards=8))
def test_count_is_the_number_of_distinct_deals(make_game, keys):
    game = make_game(**keys)
    deals = list(Dealing(game).all())
    assert len(set(deals)) == len(deals) == game.deal_count >= 1
    random = Random(1)
    assert all(deals_of(game).random(random) in deals for _ in range(20))


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
    counts = Counter(deals_of(game).random(random) for _ in range(shots))
    assert counts.keys() <= set(deals)
    freedom = len(deals) - 1
    statistic = sum((counts[deal] - 300) ** 2 / 300 for deal in deals)
    assert abs(statistic - freedom) < 5 * (2 * freedom) ** 0.5


def all_games(game, deal):
    """Yield every sequence of legal plays with its probability, and the owners at its end."""
    moves = Moves(game)

    def go_on(state, plays, probability):
        if len(state.table) == game.players:
            yield from go_on(moves.take(state), plays, probability)
        elif not any(state.hands[: game.players]):
            yield plays, probability, tuple(owner for owner, _ in moves.position(state))
        else:
            after = moves.plays(state)
            if game.first_card is not None and not plays:
                after = moves.first_play(state, game.first_card)
            for next_state in after:
                played = [*plays, next_state.table[-1]]
                yield from go_on(next_state, played, probability / len(after))

    yield from go_on(moves.start(deal), [], Fraction(1))


@given(keys=described_games())
def test_every_path_is_accepted_and_ends_as_enumerated(make_game, keys):
    game = make_game(**keys)
    distribution, paths = Counter(), 0
    for deal in Dealing(game).all():
        for plays, probability, owners in all_games(game, deal):
            result = replay(game, deal, plays)
            assert result.owners == owners
            distribution[game.outcome(owners)] += probability / game.deal_count
            paths += 1
    assert dict(distribution) == game.exact_distribution()
    assert game.paths().total == paths


SHOWCASE = (1, 2, 2, 1, 1, 0, 0, 2, 0)
"""Deck CJ SJ HJ S7 HA H10 HQ H8 H7: the partner holds CJ S7 HA, the declarer SJ HJ H8."""


@pytest.mark.parametrize(
    ("deal", "plays", "message"),
    [
        (SHOWCASE, (5, 4, 7), "play 1: seat 0 plays H10, not the first card of the game"),
        (SHOWCASE, (6, 0, 7), "play 2: seat 1 plays CJ and does not follow HQ"),
        (SHOWCASE, (6, 7, 4), "play 2: seat 1 plays H8, which is not in its hand"),
        (SHOWCASE, (6, 4, 9), "play 3: seat 2 plays card 9, which is not in its hand"),
        (SHOWCASE, (6, 4), "play 3: the game ends before all cards are played"),
        (SHOWCASE[1:], (), "deal (2, 2, 1, 1, 0, 0, 2, 0): give every card one of the owners"),
        ((0, 2, 2, 1, 1, 1, 0, 2, 0), (), "deal: H10 belongs to owner 0"),
        ((1, 2, 2, 1, 2, 0, 0, 2, 0), (), "deal: owner 1 has 2 cards, not 3"),
        ((1, 2, 2, 2, 1, 0, 0, 1, 0), (), "deal: owner 1 has 1 cards of T, not 2"),
    ],
)
def test_the_first_illegal_move_is_named(deal, plays, message):
    with pytest.raises(VerificationError) as error:
        replay(named_game("skat-9"), deal, plays)
    assert str(error.value).startswith(message)


def test_in_paper_rules_seat_0_always_leads(toy):
    result = replay(toy, (1, 0, 1, 0), (1, 0, 3, 2))
    assert result.tricks == ((1, 0), (3, 2))
    assert result.winners == (1, 1)
    with pytest.raises(VerificationError, match="play 3: seat 0 plays CK, which is not in"):
        replay(toy, (1, 0, 1, 0), (1, 0, 2, 3))
