"""The trick that is being played, and which cards of a hand are tried first."""

from typing import NamedTuple

from compiler.compiled import cached_njit
from games.trick_taking.advice.compiled.layout import Layout, beats


class Trick(NamedTuple):
    """The trick that is being played.

    Args:
        turn: number of cards on the table.
        leader: who has played the first of them, or plays it.
        led: the first card; negative if there is none.
        best: the card that would take the trick; negative if there is none.
        taker: who has played it.
        points: of the cards on the table.
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
    """Tell whether a card that is the best so far takes the trick, whatever others play."""
    stronger = others & layout.members[layout.class_of[card]] & (-2 << card)
    is_trump = layout.trumps >> card & 1 == 1
    return stronger == 0 and (is_trump or others & layout.trumps == 0)


@cached_njit(nogil=True, inline="always")
def fate(layout: Layout, trick: Trick, seat: int, card: int, others: int) -> int:
    """Return 1 if one's own side certainly gets the trick with a card, −1 if the other, else 0.

    Args:
        layout: the cards.
        trick: before the card is played.
        seat: who plays it.
        card: what is played.
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
    """Return how early a card is tried: what probably decides goes first."""
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
    """Tell whether two cards of a hand take and lose the same tricks.

    Args:
        layout: the cards.
        lower: the one with the lower bit.
        higher: the other one.
        between: cards that others have, or that may still take the trick.
    """
    return layout.class_of[lower] == layout.class_of[higher] and not between & (
        (1 << higher) - (2 << lower)
    )
