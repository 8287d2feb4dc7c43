"""The trick that is being played, and which cards of a hand are tried first."""

from typing import NamedTuple

from numba import njit

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


@njit(cache=True, nogil=True, inline="always")
def no_trick(leader: int) -> Trick:
    """Return a trick in which nothing has been played."""
    return Trick(0, leader, -1, -1, leader, 0)


@njit(cache=True, nogil=True, inline="always")
def laid(layout: Layout, trick: Trick, seat: int, card: int) -> Trick:
    """Return the trick when one more card lies there."""
    points = trick.points + layout.points[card]
    led = card if trick.turn == 0 else trick.led
    if trick.turn == 0 or beats(layout, card, trick.best):
        return Trick(trick.turn + 1, trick.leader, led, card, seat, points)
    return Trick(trick.turn + 1, trick.leader, led, trick.best, trick.taker, points)


@njit(cache=True, nogil=True, inline="always")
def promise(layout: Layout, trick: Trick, seat: int, card: int, others: int) -> int:
    """Return how early a card is tried: what probably decides goes first."""
    if trick.turn == 0:
        points, is_trump = layout.points[card], layout.trumps >> card & 1
        if others & layout.members[layout.class_of[card]] & (-2 << card):
            return -4 * points - 2 * is_trump
        return 100 + 4 * points + 8 * is_trump
    if beats(layout, card, trick.best):
        return _promise_of_winner(layout, trick, seat, card, others)
    points, is_trump = layout.points[card], layout.trumps >> card & 1
    if layout.wants[trick.taker] != layout.wants[seat]:
        return -4 * points - 10 * is_trump
    stronger = others & layout.members[layout.class_of[trick.best]] & (-2 << trick.best)
    if trick.turn + 1 == layout.players or not stronger:
        return 100 + 4 * points
    return -points


@njit(cache=True, nogil=True, inline="always")
def _promise_of_winner(layout: Layout, trick: Trick, seat: int, card: int, others: int) -> int:
    """Return how early a card is tried that would take the trick as it lies."""
    points, own = layout.points[card], layout.class_of[card]
    is_trump = layout.trumps >> card & 1
    if trick.turn + 1 == layout.players:
        friendly = layout.wants[trick.taker] == layout.wants[seat]
        return (40 if friendly else 200) + 4 * points - 10 * is_trump
    if not others & layout.members[own] & (-2 << card) and (
        is_trump or own == layout.class_of[trick.led]
    ):
        return 150 + 4 * points - 10 * is_trump
    return 20 - points


@njit(cache=True, nogil=True, inline="always")
def alike(layout: Layout, lower: int, higher: int, between: int) -> bool:
    """Tell whether two cards of a hand are worth the same, and take and lose the same tricks.

    Args:
        layout: the cards.
        lower: the one with the lower bit.
        higher: the other one.
        between: cards that others have, or that may still take the trick.
    """
    return (
        layout.class_of[lower] == layout.class_of[higher]
        and layout.points[lower] == layout.points[higher]
        and not between & ((1 << higher) - (2 << lower))
    )
