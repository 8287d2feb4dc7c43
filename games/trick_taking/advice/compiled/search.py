"""Null-window search with open cards: whether the party reaches so many points.

At the end of a trick, the search stores bounds of the points that the remaining game is worth.
The key is the remaining cards and the leader, so one memory serves all first cards of a deal,
and all windows.
"""

from typing import NamedTuple

import numpy as np

from compiler.compiled import cached_njit, njit_view
from games.trick_taking.advice.compiled.layout import (
    Layout,
    Numbers,
    Trick,
    fate,
    laid,
    lowest,
    neighbours,
    no_trick,
    playable,
    promise,
    worth,
)

SLOTS = 1 << 20
MAX_CHOICES = 32
DEAL_SHIFT = 35
"""Bits of a position: 32 cards that are left, the leader, and whether cards are counted."""


class Memory(NamedTuple):
    """Transposition table of a search, and its work space; a new entry replaces the old one.

    Args:
        slots: shape (slots, 2): position and deal, 0 for none; and, 16 bits each from the lowest,
            the points that the party gets at least, those that it gets at most, and 1 more than
            the card that last decided a window.
        frames: shape (plays, fields), the path to the current position.
        moves: shape (plays, choices), the cards to try in each of them.
        scores: shape (plays, choices), the priorities of these cards.
        deal: shape (1,), the number of the current deal.
    """

    slots: Numbers
    frames: Numbers
    moves: Numbers
    scores: Numbers
    deal: Numbers


TURN, LEADER, LED, BEST, TAKER, POINTS, LEFT, OPEN, NEEDED, COUNT, NEXT, WANTS, KEY = range(13)
"""Fields of a frame: those of `Trick` and of `Rest`, then the progress through its cards."""
FIELDS = 13


class Rest(NamedTuple):
    """Remaining part of a game.

    Args:
        left: the cards that are still in hands.
        open_points: points of these cards and of those on the table.
        needed: points that the party still needs.
    """

    left: int
    open_points: int
    needed: int


def new_memory(slots: int = SLOTS) -> Memory:
    """Return a memory that knows nothing.

    Args:
        slots: a power of two.
    """
    plays = 33
    return Memory(
        np.zeros((slots, 2), np.int64),
        np.zeros((plays, FIELDS), np.int64),
        np.zeros((plays, MAX_CHOICES), np.int64),
        np.zeros((plays, MAX_CHOICES), np.int64),
        np.ones(1, np.int64),
    )


@njit_view
def begin_deal(memory: Memory) -> None:
    """Begin another deal, of which the memory knows nothing yet."""
    memory.deal[0] += 1


@cached_njit(nogil=True, inline="always")
def _choose(layout: Layout, memory: Memory, depth: int, hand: int, hint: int) -> int:
    """Write the cards to try, the most promising first, and return their number.

    Neighbours are cards of a hand without another hand's card between them. One of them suffices
    if they have the same points, or if the side that gets the trick is certain. In that case
    it is the one with the most points, or with the fewest: the other one is as strong later, and
    worth no more than the difference.
    """
    moves, scores = memory.moves, memory.scores
    trick = _trick(memory.frames, depth)
    seat = (trick.leader + trick.turn) % layout.players
    choice = playable(layout, hand, trick.led)
    others = memory.frames[depth, LEFT] & ~hand
    between = others
    if trick.turn:
        between |= 1 << trick.best
    count, before = 0, -1
    while choice:
        card = lowest(choice)
        choice &= choice - 1
        is_next = before >= 0 and neighbours(layout, before, card, between)
        before = card
        sure = fate(layout, trick, seat, card, others)
        if is_next:
            # The last candidate is one of the same run.
            more = layout.points[card] - layout.points[moves[depth, count - 1]]
            if more == 0:
                continue
            if sure:
                if more * sure > 0:
                    moves[depth, count - 1] = card
                continue
        moves[depth, count] = card
        count += 1
    for last in range(count):
        card = moves[depth, last]
        score = 1000 if card == hint else promise(layout, trick, seat, card, others)
        place = last
        while place and scores[depth, place - 1] < score:
            moves[depth, place] = moves[depth, place - 1]
            scores[depth, place] = scores[depth, place - 1]
            place -= 1
        moves[depth, place], scores[depth, place] = card, score
    return count


@cached_njit(nogil=True, inline="always")
def _enter(layout: Layout, hands: Numbers, memory: Memory, depth: int) -> int:
    """Look at a position: 1 or 0 where it is known whether the party reaches, or else −1."""
    frames, hint = memory.frames, -1
    if frames[depth, TURN] == 0:
        if frames[depth, NEEDED] <= 0:
            return 1
        if frames[depth, OPEN] < frames[depth, NEEDED]:
            return 0
        kind = memory.deal[0] << DEAL_SHIFT | layout.counts_cards << 34
        frames[depth, KEY] = kind | frames[depth, LEADER] << 32 | frames[depth, LEFT]
        slots = memory.slots
        slot = _slot(frames[depth, KEY], len(slots))
        if slots[slot, 0] == frames[depth, KEY]:
            if frames[depth, NEEDED] <= slots[slot, 1] & 0xFFFF:
                return 1
            if frames[depth, NEEDED] > slots[slot, 1] >> 16 & 0xFFFF:
                return 0
            hint = (slots[slot, 1] >> 32) - 1
        verdict = _by_sure_tricks(layout, hands, memory, depth)
        if verdict >= 0:
            return verdict
    seat = (frames[depth, LEADER] + frames[depth, TURN]) % layout.players
    frames[depth, WANTS] = layout.wants[seat]
    frames[depth, COUNT] = _choose(layout, memory, depth, hands[seat] & frames[depth, LEFT], hint)
    frames[depth, NEXT] = 0
    return -1


@cached_njit(nogil=True, inline="always")
def _by_sure_tricks(layout: Layout, hands: Numbers, memory: Memory, depth: int) -> int:
    """Return 1 or 0 where the leader's sure tricks decide, or else −1.

    Sure tricks are its highest trumps and, where no other seat has a trump, its highest cards of
    every suit.
    """
    frames = memory.frames
    leader, left, needed = frames[depth, LEADER], frames[depth, LEFT], frames[depth, NEEDED]
    if layout.collects[leader] != layout.wants[leader]:
        return -1
    own = hands[leader] & left
    others = left & ~own
    points = 0
    for suit in range(len(layout.members)):
        members = layout.members[suit]
        if members != layout.trumps and others & layout.trumps:
            continue
        # Cards of the class with a higher bit than any that others have.
        remaining = others & members
        remaining |= remaining >> 1
        remaining |= remaining >> 2
        remaining |= remaining >> 4
        remaining |= remaining >> 8
        remaining |= remaining >> 16
        points += worth(layout, own & members & ~remaining)
    if layout.wants[leader]:
        return 1 if points >= needed else -1
    return 0 if frames[depth, OPEN] - points < needed else -1


@cached_njit(nogil=True, inline="always")
def _play(layout: Layout, memory: Memory, depth: int) -> None:
    """Write the position after the next card to be tried into the next frame."""
    frames, after = memory.frames, depth + 1
    card = memory.moves[depth, frames[depth, NEXT]]
    frames[depth, NEXT] += 1
    trick = _trick(frames, depth)
    trick = laid(layout, trick, (trick.leader + trick.turn) % layout.players, card)
    frames[after, LEFT] = frames[depth, LEFT] ^ 1 << card
    frames[after, OPEN], frames[after, NEEDED] = frames[depth, OPEN], frames[depth, NEEDED]
    if trick.turn < layout.players:
        _write(frames, after, trick)
        return
    frames[after, OPEN] -= trick.points
    if layout.collects[trick.taker]:
        frames[after, NEEDED] -= trick.points
    _write(frames, after, no_trick(trick.taker if layout.winner_leads else 0))


@cached_njit(nogil=True, inline="always")
def _write(frames: Numbers, depth: int, trick: Trick) -> None:
    frames[depth, TURN], frames[depth, LEADER] = trick.turn, trick.leader
    frames[depth, LED], frames[depth, BEST] = trick.led, trick.best
    frames[depth, TAKER], frames[depth, POINTS] = trick.taker, trick.points


@cached_njit(nogil=True, inline="always")
def _trick(frames: Numbers, depth: int) -> Trick:
    return Trick(
        frames[depth, TURN],
        frames[depth, LEADER],
        frames[depth, LED],
        frames[depth, BEST],
        frames[depth, TAKER],
        frames[depth, POINTS],
    )


@cached_njit(nogil=True, inline="always")
def _remember(memory: Memory, depth: int, verdict: int) -> None:
    """Store the bounds of a position at the end of a trick."""
    frames = memory.frames
    if frames[depth, TURN]:
        return
    slots = memory.slots
    slot = _slot(frames[depth, KEY], len(slots))
    least, most = 0, frames[depth, OPEN]
    if slots[slot, 0] == frames[depth, KEY]:
        least, most = slots[slot, 1] & 0xFFFF, slots[slot, 1] >> 16 & 0xFFFF
    if verdict:
        least = frames[depth, NEEDED]
    else:
        most = frames[depth, NEEDED] - 1
    lead = memory.moves[depth, frames[depth, NEXT] - 1]
    slots[slot, 0], slots[slot, 1] = frames[depth, KEY], least | most << 16 | (lead + 1) << 32


@cached_njit(nogil=True, inline="always")
def _slot(key: int, slots: int) -> int:
    """Return where a position is kept: a hash by multiplication, its upper bits."""
    return (key * 0x1E3779B97F4A7C15 >> 29) & (slots - 1)


@njit_view
def reaches(layout: Layout, hands: Numbers, memory: Memory, trick: Trick, remaining: Rest) -> bool:
    """Return whether the party gets so many more points with best play of all.

    Args:
        layout: the cards and the goal.
        hands: shape (owners,), the dealt hands.
        memory: known bounds of this deal.
        trick: the current trick.
        remaining: the remaining part of the game.
    """
    frames = memory.frames
    _write(frames, 0, trick)
    frames[0, LEFT], frames[0, OPEN] = remaining.left, remaining.open_points
    frames[0, NEEDED] = remaining.needed
    depth = 0
    while True:
        # The only call, because its code is inlined here.
        verdict = _enter(layout, hands, memory, depth)
        while verdict >= 0:
            if depth == 0:
                return verdict == 1
            depth -= 1
            if verdict == frames[depth, WANTS] or frames[depth, NEXT] == frames[depth, COUNT]:
                _remember(memory, depth, verdict)
            else:
                verdict = -1
        _play(layout, memory, depth)
        depth += 1
