"""The judge of single games: accepts what the rules allow, names the first move they do not."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.errors import VerificationError
from games import named_game
from games.trick_taking.play.dealing import Dealing
from games.trick_taking.play.positions import Moves
from games.trick_taking.play.replay import Replay, replay
from tests.games.trick_taking.second_rules import described_games


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
            assert result.points == tuple(
                sum(p for p, o in zip(game.points_of, owners, strict=True) if o == seat)
                for seat in range(game.players)
            )
            distribution[game.outcome(owners)] += probability / game.deal_count
            paths += 1
    assert dict(distribution) == game.exact_distribution()
    assert game.paths().total == paths


@given(keys=described_games(), seed=st.integers(0, 1000))
def test_a_changed_game_is_accepted_only_if_it_is_another_legal_one(make_game, keys, seed):
    game, random = make_game(**keys), Random(seed)
    deal = game.random_deal(random)
    legal = {tuple(plays) for plays, _, _ in all_games(game, deal)}
    plays = list(random.choice(sorted(legal)))
    at, other = random.randrange(len(plays)), random.randrange(-1, len(game.deck) + 1)
    kind = random.choice(["swap", "replace", "leave out", "repeat"])
    match kind:
        case "swap":
            where = random.randrange(len(plays))
            plays[at], plays[where] = plays[where], plays[at]
        case "replace":
            plays[at] = other
        case "leave out":
            del plays[at]
        case "repeat":
            plays.insert(at, plays[at])
    if tuple(plays) in legal:
        replay(game, deal, plays)
    else:
        with pytest.raises(VerificationError, match=r"^play \d+"):
            replay(game, deal, plays)


SHOWCASE = (1, 2, 2, 1, 1, 0, 0, 2, 0)
"""Deck CJ SJ HJ S7 HA H10 HQ H8 H7: the partner holds CJ S7 HA, the declarer SJ HJ H8."""


def test_what_happened():
    game = named_game("skat-9")
    assert replay(game, SHOWCASE, (6, 4, 7, 0, 1, 5, 3, 2, 8)) == Replay(
        tricks=((6, 4, 7), (0, 1, 5), (3, 2, 8)),
        winners=(1, 1, 2),
        points=(0, 14 + 14, 2),
        owners=(1, 1, 2, 2, 1, 1, 1, 1, 2),
    )


@pytest.mark.parametrize(
    ("deal", "plays", "message"),
    [
        (SHOWCASE, (5, 4, 7), "play 1: seat 0 plays H10, not the first card of the game"),
        (SHOWCASE, (6, 0, 7), "play 2: seat 1 plays CJ and does not follow HQ"),
        (SHOWCASE, (6, 7, 4), "play 2: seat 1 plays H8, which is not in its hand"),
        (SHOWCASE, (6, 4, 7, 5), "play 4: seat 1 plays H10, which is not in its hand"),
        (SHOWCASE, (6, 4, 7, 4), "play 4: seat 1 plays HA, which is not in its hand"),
        (SHOWCASE, (6, 4, 9), "play 3: seat 2 plays card 9, which is not in its hand"),
        (SHOWCASE, (6, 4), "play 3: the game ends before all cards are played"),
        (SHOWCASE, (6, 4, 7, 0, 1, 5, 3, 2, 8, 8), "play 10: seat 2 plays H7, which is not in"),
        (SHOWCASE[1:], (), "deal (2, 2, 1, 1, 0, 0, 2, 0): give every card one of the owners"),
        ((3, *SHOWCASE[1:]), (), "deal (3, 2, 2, 1, 1, 0, 0, 2, 0): give every card"),
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
