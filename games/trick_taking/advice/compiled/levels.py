"""Highest level that the declarer of a game of Skat reaches in one deal with open cards.

The value of a game rises with its level, so best play for the value is best play for the highest
level that can be reached. Each level is a window of points, or of tricks, of its own.
"""

from typing import NamedTuple

from compiler.compiled import njit_view
from games.trick_taking.advice.compiled.layout import Layout, Numbers
from games.trick_taking.advice.compiled.open_deals import (
    NO_CHOICE,
    Question,
    reaches_with,
    same_as_before,
    settled_points,
)
from games.trick_taking.advice.compiled.search import Memory
from games.trick_taking.skat.values import (
    LOST,
    LOST_SCHNEIDER,
    LOST_SCHWARZ,
    NEEDED,
    NO_SCHNEIDER,
    SCHNEIDER,
    TRICKS,
    WON,
    WON_SCHNEIDER,
    WON_SCHWARZ,
)

ALL_TRICK_CARDS = 3 * TRICKS


class Goals(NamedTuple):
    """A position of Skat that is no null, counted in two ways; the declarer is the party.

    Args:
        by_points: the cards worth their points, the skat's the declarer's.
        by_tricks: every card worth one, the skat's nothing.
    """

    by_points: Layout
    by_tricks: Layout


@njit_view
def card_levels(goals: Goals, question: Question, memory: Memory, levels: Numbers) -> None:
    """Write the level that the declarer reaches with each card.

    Args:
        goals: the position.
        question: the deal; its number and the next one are used up.
        memory: memory of the search.
        levels: shape (choices,), where they are written.
    """
    for place in range(len(question.choices)):
        if same_as_before(goals.by_points, question, place):
            levels[place] = levels[place - 1]
        else:
            levels[place] = level_with(goals, question, memory, place)


@njit_view
def level_with(goals: Goals, question: Question, memory: Memory, place: int) -> int:
    """Return the level that the declarer reaches, with best play from then on.

    Args:
        goals: the position.
        question: the deal; its number and the next one are used up.
        memory: memory of the search.
        place: index of the choice that is played first; `NO_CHOICE` for the best card.
    """
    points = goals.by_points
    before = settled_points(points, question.hands)
    if reaches_with(points, question, memory, place, NEEDED - before):
        if not reaches_with(points, question, memory, place, SCHNEIDER - before):
            return WON
        every = _takes(goals, question, memory, place, ALL_TRICK_CARDS)
        return WON_SCHWARZ if every else WON_SCHNEIDER
    if reaches_with(points, question, memory, place, NO_SCHNEIDER - before):
        return LOST
    return LOST_SCHNEIDER if _takes(goals, question, memory, place, 1) else LOST_SCHWARZ


@njit_view
def whole_level(goals: Goals, hands: Numbers, number: int, memory: Memory) -> int:
    """Return the level that the declarer reaches in a deal of which no card has been chosen yet.

    Args:
        goals: the position.
        hands: shape (owners,), the deal.
        number: number of the deal; it and the next one are used up.
        memory: memory of the search.
    """
    question = Question(goals.by_points.table[:0], hands, number)
    return level_with(goals, question, memory, NO_CHOICE)


@njit_view
def _takes(goals: Goals, question: Question, memory: Memory, place: int, cards: int) -> bool:
    """Return whether the declarer's tricks, earlier ones included, have so many cards."""
    tricks = goals.by_tricks
    counted = Question(question.choices, question.hands, question.number + 1)
    needed = cards - settled_points(tricks, question.hands)
    return reaches_with(tricks, counted, memory, place, needed)
