"""Our rules against those of open_spiel, on random games.

Its Skat is simpler than Skat. The first who does not pass plays and takes the skat; nothing is
played from the hand, announced or ouvert; there is no game value, so matadors, schneider, schwarz
and overbids are not compared. The declarer's return is the points beyond 60, over 120. A null ends
with the declarer's first trick, and counts as 90 points if it is won and as 30 if it is lost; ours
are played on to the last card.
"""

import re
from random import Random

import pyspiel
import pytest

from games.trick_taking.game import TrickTakingGame
from games.trick_taking.play.positions import Moves
from games.trick_taking.play.replay import replay
from games.trick_taking.rules.rules import CONTRACTS, NULL, POINTS, Card, Rules

SUITS, RANKS = "DHSC", ("7", "8", "9", "Q", "K", "10", "A", "J")
DECK = tuple(Card(suit, rank) for suit in SUITS for rank in RANKS)
"""In the order of open_spiel's numbers."""
PASS = 32
BIDS = dict(zip(["D", "H", "S", "C", "grand", "null"], range(33, 39), strict=True))
OWNERS = list(map(int, "00011122233000011112222000111222"))
"""Who gets the cards in the order in which they are dealt, 3 the skat."""
LOW = [card for card in range(32) if DECK[card].rank in ("7", "8", "9", "10")]


def our_game(contract, declarer):
    return TrickTakingGame(
        name=contract,
        players=3,
        hand=10,
        deck=DECK,
        points_of=tuple(POINTS[card.rank] for card in DECK),
        known=(None,) * 32,
        party=(declarer,),
        threshold=61,
        rules=Rules(contract),
        skat_to=declarer,
    )


def dealt(declarer, low, random):
    """Return the cards as they are dealt; if asked to, the declarer and the skat get low ones.

    A declarer who plays at random hardly ever wins a null with other cards.
    """
    cards = random.sample(range(32), 32)
    if low:
        random.shuffle(mine := LOW.copy())
        others = [card for card in cards if card not in mine[:12]]
        cards = [mine.pop(0) if owner in (declarer, 3) else others.pop() for owner in OWNERS]
    return cards


def their_game(contract, declarer, cards, away):
    """Return the state of open_spiel in which the first card is led."""
    state = pyspiel.load_game("skat").new_initial_state()
    for card in cards:
        state.apply_action(card)
    for action in [PASS] * declarer + [BIDS[contract]] + away:
        assert action in state.legal_actions()
        state.apply_action(action)
    return state


def they_say(state):
    """Return who took the last trick, and the points of the declarer and of the others."""
    taker = re.search(r"Last trick won by player (\d)", str(state))
    points = re.search(r"\(Solo / Team\): \((\d+) / (\d+)\)", str(state))
    return int(taker[1]), int(points[1]), int(points[2])


def play_both(contract, declarer, random):
    """Play a random game in both, compare all steps, and return whether the declarer has won."""
    null = contract == NULL
    cards = dealt(declarer, null and random.random() < 0.5, random)
    twelve = [card for card, owner in zip(cards, OWNERS, strict=True) if owner in (declarer, 3)]
    away = random.sample(twelve, 2)
    theirs = their_game(contract, declarer, cards, away)
    deal = [0] * 32
    for card, owner in zip(cards, OWNERS, strict=True):
        deal[card] = 3 if card in away else declarer if owner == 3 else owner

    game = our_game(contract, declarer)
    moves, plays, takers = Moves(game), [], []
    state = moves.start(deal)
    while not theirs.is_terminal():
        after = {one.table[-1]: one for one in moves.plays(state)}
        assert theirs.current_player() == moves.seat(state)
        assert theirs.legal_actions() == sorted(after)
        plays.append(random.choice(sorted(after)))
        theirs.apply_action(plays[-1])
        state = after[plays[-1]]
        if len(state.table) < 3:
            continue
        state = moves.take(state)
        takers.append(state.leader)
        taker, mine, others = they_say(theirs)
        assert taker == state.leader
        assert theirs.is_terminal() == (len(plays) == 30 or (null and taker == declarer))
        if not theirs.is_terminal():
            points = [stacked_points(game, stack) for stack in state.stacks]
            assert mine == points.pop(declarer)
            assert others == sum(points)

    while any(state.hands[:3]):
        state = random.choice(moves.plays(state))
        plays.append(state.table[-1])
        if len(state.table) == 3:
            state = moves.take(state)
            takers.append(state.leader)
    ended = replay(game, deal, plays)
    assert list(ended.winners) == takers
    outcome = game.outcome(ended.owners)
    won, points = game.is_win(outcome), game.points(outcome)
    _, mine, others = they_say(theirs)
    assert mine == ((90 if won else 30) if null else points)
    assert others == 120 - mine
    assert (theirs.returns()[declarer] > 0) == won
    return won


def stacked_points(game, stack):
    return sum(points for card, points in enumerate(game.points_of) if stack >> card & 1)


@pytest.mark.parametrize(
    "games", [pytest.param(20, id="some"), pytest.param(1500, id="many", marks=pytest.mark.full)]
)
@pytest.mark.parametrize("contract", CONTRACTS)
def test_random_games_go_the_same_way(contract, games):
    random = Random(f"{contract} {games}")
    assert {play_both(contract, number % 3, random) for number in range(games)} == {False, True}
