"""Result of each card in one deal with open cards: whether it wins, its points and its level.

The value of a game rises with its level, so best play for the value is best play for the highest
level that can be reached. Each level is a window of points, or of tricks, of its own.
"""

from typing import NamedTuple

from compiler.compiled import njit_view
from games.trick_taking.advice.compiled.layout import (
    Layout,
    Numbers,
    laid,
    neighbours,
    no_trick,
    settled_points,
    worth,
)
from games.trick_taking.advice.compiled.search import Memory, Rest, begin_deal, reaches
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

NO_CHOICE = -1
"""Index of a choice that is not fixed in advance."""


class Question(NamedTuple):
    """A deal and the cards to evaluate.

    Args:
        choices: shape (choices,), the legal cards, ascending.
        hands: shape (owners,), the deal.
    """

    choices: Numbers
    hands: Numbers


@njit_view
def wins_deal(layout: Layout, hands: Numbers, memory: Memory) -> bool:
    """Return whether the party wins another deal, before its first card.

    Args:
        layout: the cards and the goal.
        hands: shape (owners,), the deal.
        memory: memory of the search.
    """
    begin_deal(memory)
    needed = layout.needed - settled_points(layout, hands)
    question = Question(layout.table[:0], hands)
    return reaches_with(layout, question, memory, NO_CHOICE, needed) == (layout.wins_with == 1)


@njit_view
def winning_cards(layout: Layout, question: Question, memory: Memory) -> int:
    """Return with which cards the party wins a deal: bit i is set if choice i wins.

    Args:
        layout: the cards and the position.
        question: the deal.
        memory: memory of the search.
    """
    needed = layout.needed - settled_points(layout, question.hands)
    winners = 0
    for place in range(len(question.choices)):
        if same_as_before(layout, question, place):
            reached = (winners >> (place - 1) & 1) == layout.wins_with
        else:
            reached = reaches_with(layout, question, memory, place, needed)
        if reached == (layout.wins_with == 1):
            winners |= 1 << place
    return winners


@njit_view
def card_points(layout: Layout, question: Question, memory: Memory, points: Numbers) -> None:
    """Write the party's points with each card, base points and skat included.

    In a null game a point stands for a card that the party takes.

    Args:
        layout: the cards and the position.
        question: the deal.
        memory: memory of the search.
        points: shape (choices,), where they are written.
    """
    before, most = settled_points(layout, question.hands), _open_points(layout, question.hands)
    guess = layout.needed - before
    for place in range(len(question.choices)):
        if same_as_before(layout, question, place):
            points[place] = points[place - 1]
            continue
        # One window after the other, from where the last card has ended.
        low, high = 0, most
        while low < high:
            window = min(max(guess, low + 1), high)
            if reaches_with(layout, question, memory, place, window):
                low, guess = window, window + 1
            else:
                high, guess = window - 1, window - 1
        points[place], guess = before + low, low


@njit_view
def _open_points(layout: Layout, hands: Numbers) -> int:
    points = 0
    for card in layout.table:
        points += layout.points[card]
    for seat in range(layout.players):
        points += worth(layout, hands[seat])
    return points


@njit_view
def same_as_before(layout: Layout, question: Question, place: int) -> bool:
    """Return whether a card has the same result as the choice before it."""
    if place == 0:
        return False
    seat = (layout.leader + len(layout.table)) % layout.players
    between = 0
    for other in range(layout.players):
        if other != seat:
            between |= question.hands[other]
    for lying in layout.table:
        between |= 1 << lying
    card, before = question.choices[place], question.choices[place - 1]
    same = layout.points[card] == layout.points[before]
    return same and neighbours(layout, before, card, between)


@njit_view
def reaches_with(
    layout: Layout, question: Question, memory: Memory, place: int, needed: int
) -> bool:
    """Return whether the party gets so many more points, with best play from then on.

    Args:
        layout: the cards and the position.
        question: the deal.
        memory: memory of the search.
        place: index of the choice that is played first; `NO_CHOICE` for the best card.
        needed: points besides `settled_points`.
    """
    players, leader, turn = layout.players, layout.leader, len(layout.table)
    trick = no_trick(leader)
    for played in range(turn):
        trick = laid(layout, trick, (leader + played) % players, layout.table[played])
    left = 0
    for seat in range(players):
        left |= question.hands[seat]
    points = _open_points(layout, question.hands)
    if place != NO_CHOICE:
        card = question.choices[place]
        trick = laid(layout, trick, (leader + turn) % players, card)
        left ^= 1 << card
    if trick.turn == players:
        points -= trick.points
        if layout.collects[trick.taker]:
            needed -= trick.points
        trick = no_trick(trick.taker if layout.winner_leads else 0)
    return reaches(layout, question.hands, memory, trick, Rest(left, points, needed))


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
        question: the deal.
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
        question: the deal.
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
def whole_level(goals: Goals, hands: Numbers, memory: Memory) -> int:
    """Return the level that the declarer reaches in another deal, before its first card.

    Args:
        goals: the position.
        hands: shape (owners,), the deal.
        memory: memory of the search.
    """
    begin_deal(memory)
    question = Question(goals.by_points.table[:0], hands)
    return level_with(goals, question, memory, NO_CHOICE)


@njit_view
def _takes(goals: Goals, question: Question, memory: Memory, place: int, cards: int) -> bool:
    """Return whether the declarer's tricks, earlier ones included, have so many cards."""
    tricks = goals.by_tricks
    needed = cards - settled_points(tricks, question.hands)
    return reaches_with(tricks, question, memory, place, needed)
