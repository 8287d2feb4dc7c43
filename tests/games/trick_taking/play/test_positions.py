"""The rules against a second reference, which knows only shuffled decks."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from games.trick_taking.play.positions import Place

RANKS = "CA C10 CK CQ CJ C9 C8"


def shuffled_games(players, hand, cards, known):
    """Yield, for every shuffle that fits `known`, what lies where after every step.

    A shuffle is the whole game: the first `hand` cards go to seat 0 in the order in which it
    plays them, the next ones to seat 1, and so on. All shuffles are equally likely.
    """
    for shuffle in permutations(range(cards)):
        dealt = {card: min(slot // hand, players) for slot, card in enumerate(shuffle)}
        if any(owner not in (None, dealt[card]) for card, owner in enumerate(known)):
            continue
        owner, place = dict(dealt), dict.fromkeys(range(cards), Place.HAND)
        history = [snapshot(owner, place)]
        for trick in range(hand):
            on_table = [shuffle[seat * hand + trick] for seat in range(players)]
            for card in on_table:
                place[card] = Place.TABLE
                history.append(snapshot(owner, place))
            for card in on_table:
                owner[card], place[card] = dealt[min(on_table)], Place.STACK
            history.append(snapshot(owner, place))
        yield history


def snapshot(owner, place):
    return tuple((owner[card], place[card]) for card in sorted(owner))


def reference_distributions(players, hand, cards, known):
    """Return the distribution over positions after every step, by counting shuffles."""
    games = list(shuffled_games(players, hand, cards, known))
    return [
        {position: Fraction(n, len(games)) for position, n in Counter(step).items()}
        for step in zip(*games, strict=True)
    ]


@pytest.mark.parametrize(
    ("players", "hand", "cards", "known"),
    [
        (2, 1, 2, {}),
        (2, 1, 4, {"skat": ["CK"]}),
        (2, 2, 4, {}),
        (2, 2, 5, {}),
        (2, 3, 6, {"0": ["C10"], "1": ["CA", "CJ"]}),
        (2, 2, 6, {"1": ["CQ"], "skat": ["CA"]}),
        (3, 1, 3, {}),
        (3, 1, 5, {"2": ["CJ"]}),
        (3, 2, 6, {}),
        (3, 2, 6, {"1": ["C10", "C9"]}),
        (3, 2, 7, {"0": ["CQ"], "skat": ["C8"]}),
    ],
)
def test_every_step_agrees_with_counting_shuffles(make_game, players, hand, cards, known):
    game = make_game(players, hand, " ".join(RANKS.split()[:cards]), known=known)
    reference = reference_distributions(players, hand, cards, game.known)
    assert [positions for _, positions in game.step_distributions()] == reference
