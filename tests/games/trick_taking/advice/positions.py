"""Random small positions of trick-taking games."""

from random import Random

from compiler.errors import GameError
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.rules.cards import POINTS, SUITS, Card
from games.trick_taking.rules.rules import CONTRACTS, Rules

WHOLE = tuple(Card(suit, rank) for suit in SUITS for rank in POINTS)


def random_position(random: Random, most: int = 4) -> TrickTakingGame:
    """Return a position in which nobody's cards are known, perhaps in the middle of a trick.

    Args:
        random: draws it.
        most: the largest hand.
    """
    while True:
        try:
            return drawn_position(random, most)
        except GameError:
            # Somebody has not followed suit, and too few other cards are left for that.
            continue


def drawn_position(random: Random, most: int) -> TrickTakingGame:
    """Return a position, or raise that it cannot be."""
    players, hand = random.choice((2, 3, 3)), random.randint(1, most)
    contract = random.choice((None, *CONTRACTS))
    rules = Rules(contract)
    # Cards of few suits, so that suits are followed.
    suits = random.sample(SUITS, random.randint(2, 4))
    cards = [card for card in WHOLE if card.suit in suits]
    stacked, skat = players * random.randint(0, 1), random.randint(0, 2)
    wanted = min(players * hand + skat + stacked, len(cards))
    hand = min(hand, (wanted - stacked) // players)
    deck = tuple(random.sample(cards, wanted))
    leader = random.randrange(players) if contract else 0
    table = tuple(range(random.randrange(players)))
    stack = tuple(range(len(table), len(table) + stacked))
    seat = random.randrange(players)
    party = tuple(sorted(random.sample(range(players), random.randint(1, players - 1))))
    owners: list[int | None] = [None] * len(deck)
    for turn, card in enumerate(table):
        owners[card] = (leader + turn) % players
    for card in stack:
        owners[card] = seat
    classes = [rules.class_of(card) for card in deck]
    voids = tuple(
        ((leader + turn) % players, classes[table[0]], 0)
        for turn, card in enumerate(table)
        if classes[card] != classes[table[0]]
    )
    points = tuple(POINTS[card.rank] for card in deck)
    has_skat = len(deck) - stacked - players * hand > 0
    return TrickTakingGame(
        name="random.toml",
        players=players,
        hand=hand,
        deck=deck,
        points_of=points,
        known=tuple(owners),
        party=party,
        threshold=0 if contract == "null" else random.randint(1, max(1, sum(points))),
        rules=rules,
        leader=leader,
        class_counts=voids,
        table=table,
        taken=((seat, stack),) if stack else (),
        skat_to=random.choice(party) if has_skat and contract != "null" else None,
    )
