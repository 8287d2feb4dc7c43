"""Superposed play, sampled: random deals, and in each of them any legal card at random."""

from typing import NamedTuple

import numpy as np

from compiler.compiled import cached_njit, njit_view
from games.trick_taking.advice.compiled.deals import Deck, deal_at_random, draw
from games.trick_taking.advice.compiled.layout import (
    Layout,
    Numbers,
    beats,
    lowest,
    playable,
    settled_points,
    size,
)


class Room(NamedTuple):
    """Work space of a random game.

    Args:
        dealt: shape (owners,), the dealt hands.
        hands: shape (owners,), the current hands.
        trick: shape (players,), the cards of the current trick.
        random: shape (1,), state of the generator.
    """

    dealt: Numbers
    hands: Numbers
    trick: Numbers
    random: Numbers


@njit_view
def play_out(layout: Layout, room: Room, card: int, needed: int) -> bool:
    """Return whether the party gets enough points if every seat plays any legal card.

    Args:
        layout: the cards and the position.
        room: the work space; its deal is not changed.
        card: the first card.
        needed: points that the party needs.
    """
    hands, trick, players = room.hands, room.trick, layout.players
    for owner in range(len(hands)):
        hands[owner] = room.dealt[owner]
    turn, leader, best = len(layout.table), layout.leader, 0
    for place in range(turn):
        trick[place] = layout.table[place]
        if place and beats(layout, trick[place], trick[best]):
            best = place
    while True:
        hands[(leader + turn) % players] ^= 1 << card
        trick[turn] = card
        if turn and beats(layout, card, trick[best]):
            best = turn
        turn += 1
        if turn == players:
            leader, needed = _taken(layout, trick, (leader + best) % players, needed)
            turn, best = 0, 0
            if needed <= 0 or not hands[leader]:
                return needed <= 0
        hand = hands[(leader + turn) % players]
        card = _any_of(playable(layout, hand, trick[0] if turn else -1), room.random)


@cached_njit(nogil=True, inline="always")
def _taken(layout: Layout, trick: Numbers, winner: int, needed: int) -> tuple[int, int]:
    """Return the leader of the next trick, and the points that the party still needs."""
    if layout.collects[winner]:
        for place in range(len(trick)):
            needed -= layout.points[trick[place]]
    return (winner if layout.winner_leads else 0), needed


@cached_njit(nogil=True, inline="always")
def _any_of(cards: int, random: Numbers) -> int:
    """Return a random card of a set."""
    if cards & (cards - 1):
        for _ in range(draw(random, size(cards))):
            cards &= cards - 1
    return lowest(cards)


@cached_njit(nogil=True)
def won_playouts(
    layout: Layout, deck: Deck, choices: Numbers, deals: int, random: Numbers
) -> Numbers:
    """Play random deals out, each of them once for each legal card.

    Args:
        layout: the cards and the position.
        deck: data of the deals.
        choices: shape (choices,), the legal cards.
        deals: number of deals.
        random: state of the generator.

    Returns:
        Shape (2^choices,), the number of deals that exactly the choices of a set of bits have
        won.
    """
    won = np.zeros(1 << len(choices), np.int64)
    room, shuffled = _room(layout, deck, random), deck.cards.copy()
    for _ in range(deals):
        deal_at_random(deck, random, room.dealt, shuffled)
        needed = layout.needed - settled_points(layout, room.dealt)
        winners = 0
        for choice in range(len(choices)):
            reached = needed <= 0 or play_out(layout, room, choices[choice], needed)
            if reached == (layout.wins_with == 1):
                winners |= 1 << choice
        won[winners] += 1
    return won


@cached_njit(nogil=True)
def won_games(layout: Layout, deck: Deck, first_card: int, games: int, random: Numbers) -> int:
    """Play games of random deals, and return the number of games that the party has won.

    Args:
        layout: the cards and the position.
        deck: data of the deals.
        first_card: the card to play first, −1 for any legal one.
        games: number of games.
        random: state of the generator.
    """
    won, seat = 0, (layout.leader + len(layout.table)) % layout.players
    led = layout.table[0] if len(layout.table) else -1
    room, shuffled = _room(layout, deck, random), deck.cards.copy()
    for _ in range(games):
        deal_at_random(deck, random, room.dealt, shuffled)
        needed = layout.needed - settled_points(layout, room.dealt)
        card = first_card
        if card < 0:
            card = _any_of(playable(layout, room.dealt[seat], led), random)
        reached = needed <= 0 or play_out(layout, room, card, needed)
        won += reached == (layout.wins_with == 1)
    return won


@cached_njit(nogil=True)
def _room(layout: Layout, deck: Deck, random: Numbers) -> Room:
    owners = len(deck.held)
    return Room(
        np.zeros(owners, np.int64),
        np.zeros(owners, np.int64),
        np.zeros(layout.players, np.int64),
        random,
    )
