"""A game's cards as bits of numbers, for code that is compiled to machine code.

Bits go class by class, in each from the weakest card to the strongest, the trumps last. Of two
cards of a class the one with the higher bit is the stronger, and sets of cards are numbers.
"""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from compiler.compiled import cached_njit, njit_view
from games.trick_taking.rules.rules import NULL, TRUMP
from games.trick_taking.rules.setup import Place, Setup

Numbers: TypeAlias = NDArray[np.int64]


class Layout(NamedTuple):
    """A position's cards and goal: all data that does not depend on the deal.

    The party *collects* points, and some seats want it to have many. In a null game every card
    is worth one point, the party wins without any point, and the other seats want it to have one.
    So one search solves all games.

    Args:
        players: number of seats.
        winner_leads: 1 if the winner of a trick leads the next one, 0 if seat 0 leads them all.
        class_of: shape (cards,), the class of each card, by bit.
        members: shape (classes,), the cards of each class.
        trumps: all trumps.
        points: shape (cards,), points of each card.
        counts_cards: 1 where each card is worth one point.
        collects: shape (players,), 1 where a seat's tricks count.
        wants: shape (players,), 1 where a seat wants the party to have points.
        wins_with: 1 if the party wins by having `needed` points, 0 if by not having them.
        needed: points that decide the game, those of the skat and of earlier tricks included.
        collected: the party's points so far, without the skat.
        skat_counts: 1 if the skat's points are the party's.
        leader: seat that leads the current trick.
        table: shape (played,), cards of the current trick in the order they were played.
    """

    players: int
    winner_leads: int
    class_of: Numbers
    members: Numbers
    trumps: int
    points: Numbers
    counts_cards: int
    collects: Numbers
    wants: Numbers
    wins_with: int
    needed: int
    collected: int
    skat_counts: int
    leader: int
    table: Numbers


def bit_order(game: Setup) -> tuple[int, ...]:
    """Return the cards of a game's deck in the order of their bits."""
    classes = [*(name for name in game.rules.classes if name != TRUMP), TRUMP]

    def weakness(card: int) -> tuple[int, int]:
        return classes.index(game.card_classes[card]), -game.lanes[card]

    return tuple(sorted(range(len(game.deck)), key=weakness))


def layout_of(game: Setup) -> Layout:
    """Return the cards and the goal of a game."""
    order = bit_order(game)
    bit_of = {card: bit for bit, card in enumerate(order)}
    names = list(dict.fromkeys(game.card_classes[card] for card in order))
    null = game.rules.contract == NULL
    collects = [int(seat in game.party) for seat in range(game.players)]
    stacks = [card for seat, cards in game.taken for card in cards if seat in game.party]
    points = [1 if null else game.points_of[card] for card in order]
    return Layout(
        players=game.players,
        winner_leads=int(game.winner_leads),
        class_of=integers(names.index(game.card_classes[card]) for card in order),
        members=integers(
            mask(bit for bit, card in enumerate(order) if game.card_classes[card] == name)
            for name in names
        ),
        trumps=mask(bit for bit, card in enumerate(order) if game.card_classes[card] == TRUMP),
        points=integers(points),
        counts_cards=int(set(points) == {1}),
        collects=integers(collects),
        wants=integers(1 - seat if null else seat for seat in collects),
        wins_with=int(not null),
        needed=1 if null else game.threshold,
        collected=game.base_points + sum(points[bit_of[card]] for card in stacks),
        skat_counts=int(not null and game.skat_to in game.party),
        leader=game.leader,
        table=integers(bit_of[card] for card in game.table),
    )


def hands_of(game: Setup, deal: Iterable[int | None]) -> Numbers:
    """Return the cards that each owner of a deal holds in hand, shape (owners,).

    Args:
        game: the game.
        deal: the owner of every card of the deck, None where it is unknown.
    """
    owners, places = tuple(deal), game.places
    order = bit_order(game)
    return integers(
        mask(b for b, c in enumerate(order) if owners[c] == owner and places[c] is Place.HAND)
        for owner in range(len(game.hands))
    )


def integers(values: Iterable[int]) -> Numbers:
    """Return an array of 64-bit integers."""
    return np.array(list(values), np.int64)


def mask(bits: Iterable[int]) -> int:
    """Return the set of some cards."""
    return sum(1 << bit for bit in bits)


@cached_njit(nogil=True, inline="always")
def lowest(cards: int) -> int:
    """Return the lowest bit's place of a set that is not empty and has at most 32 cards."""
    place = 0
    if not cards & 0xFFFF:
        cards >>= 16
        place += 16
    if not cards & 0xFF:
        cards >>= 8
        place += 8
    if not cards & 0xF:
        cards >>= 4
        place += 4
    if not cards & 3:
        cards >>= 2
        place += 2
    return place + 1 - (cards & 1)


@cached_njit(nogil=True, inline="always")
def size(cards: int) -> int:
    """Return the number of cards of a set of at most 32."""
    cards -= cards >> 1 & 0x55555555
    cards = (cards & 0x33333333) + (cards >> 2 & 0x33333333)
    return ((cards + (cards >> 4) & 0x0F0F0F0F) * 0x01010101 & 0xFFFFFFFF) >> 24


@cached_njit(nogil=True, inline="always")
def beats(layout: Layout, card: int, best: int) -> bool:
    """Return whether a card takes the trick from the best card so far."""
    if layout.class_of[card] == layout.class_of[best]:
        return card > best
    return (layout.trumps >> card & 1) == 1


@cached_njit(nogil=True, inline="always")
def playable(layout: Layout, hand: int, led: int) -> int:
    """Return the cards of a hand that may be played.

    Args:
        layout: the cards.
        hand: hand of the seat to move.
        led: the first card of the trick; negative for the leader's own play.
    """
    if led < 0:
        return hand
    following = hand & layout.members[layout.class_of[led]]
    return following if following else hand


@njit_view
def worth(layout: Layout, cards: int) -> int:
    """Return the points of a set of cards."""
    total = 0
    while cards:
        total += layout.points[lowest(cards)]
        cards &= cards - 1
    return total


@njit_view
def settled_points(layout: Layout, hands: Numbers) -> int:
    """Return the party's points before the first play: base, stacks, skat."""
    if layout.skat_counts:
        return layout.collected + worth(layout, hands[layout.players])
    return layout.collected


class Trick(NamedTuple):
    """The trick that is being played.

    Args:
        turn: number of cards on the table.
        leader: seat of the first card.
        led: the first card; negative if there is none.
        best: the card that would take the trick; negative if there is none.
        taker: seat of that card.
        points: points of the cards on the table.
    """

    turn: int
    leader: int
    led: int
    best: int
    taker: int
    points: int


@cached_njit(nogil=True, inline="always")
def no_trick(leader: int) -> Trick:
    """Return a trick in which nothing has been played."""
    return Trick(0, leader, -1, -1, leader, 0)


@cached_njit(nogil=True, inline="always")
def laid(layout: Layout, trick: Trick, seat: int, card: int) -> Trick:
    """Return the trick when one more card lies there."""
    points = trick.points + layout.points[card]
    led = card if trick.turn == 0 else trick.led
    if trick.turn == 0 or beats(layout, card, trick.best):
        return Trick(trick.turn + 1, trick.leader, led, card, seat, points)
    return Trick(trick.turn + 1, trick.leader, led, trick.best, trick.taker, points)


@cached_njit(nogil=True, inline="always")
def stands(layout: Layout, card: int, others: int) -> bool:
    """Return whether the best card so far takes the trick for any play of the other cards."""
    stronger = others & layout.members[layout.class_of[card]] & (-2 << card)
    is_trump = layout.trumps >> card & 1 == 1
    return stronger == 0 and (is_trump or others & layout.trumps == 0)


@cached_njit(nogil=True, inline="always")
def fate(layout: Layout, trick: Trick, seat: int, card: int, others: int) -> int:
    """Return 1 if the seat's own side certainly gets the trick, −1 if the other side, else 0.

    Args:
        layout: the cards.
        trick: the trick before the card.
        seat: the seat to move.
        card: the card.
        others: the cards in other hands.
    """
    best, taker = card, seat
    if trick.turn and not beats(layout, card, trick.best):
        best, taker = trick.best, trick.taker
    if trick.turn + 1 < layout.players and not stands(layout, best, others):
        return 0
    return 1 if layout.wants[taker] == layout.wants[seat] else -1


@cached_njit(nogil=True, inline="always")
def promise(layout: Layout, trick: Trick, seat: int, card: int, others: int) -> int:
    """Return the priority of a card in the search; cards that probably decide come first."""
    points, is_trump = layout.points[card], layout.trumps >> card & 1
    sure = fate(layout, trick, seat, card, others)
    if sure > 0:
        return 150 + 4 * points - 10 * is_trump
    if sure < 0:
        return -4 * points - 10 * is_trump
    if trick.turn == 0:
        if others & layout.members[layout.class_of[card]] & (-2 << card):
            return -4 * points - 2 * is_trump
        return 100 + 4 * points + 8 * is_trump
    if beats(layout, card, trick.best):
        return 20 - points
    return -points if layout.wants[trick.taker] == layout.wants[seat] else -4 * points


@cached_njit(nogil=True, inline="always")
def neighbours(layout: Layout, lower: int, higher: int, between: int) -> bool:
    """Return whether two cards of a hand take and lose the same tricks.

    Args:
        layout: the cards.
        lower: the card with the lower bit.
        higher: the other card.
        between: cards of other seats, or cards that may still take the trick.
    """
    return layout.class_of[lower] == layout.class_of[higher] and not between & (
        (1 << higher) - (2 << lower)
    )
