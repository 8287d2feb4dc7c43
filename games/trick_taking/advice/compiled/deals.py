"""Consistent deals as sets of bits: all of them, or as many random ones as are asked for."""

from itertools import islice
from random import Random
from typing import NamedTuple

import numpy as np

from compiler.circuits.matrices import Reals
from compiler.compiled import cached_njit, njit_view
from games.trick_taking.advice.compiled.layout import Numbers, bit_order, hands_of
from games.trick_taking.play.enumeration import Dealing, deals_of
from games.trick_taking.rules.setup import Setup

MAX_SPLITS = 100_000
"""Ways to share out the cards of every class; two players whose classes are counted in part
have some thousands."""


class Deck(NamedTuple):
    """Data for random deals; see `games.trick_taking.play.enumeration`.

    Args:
        held: shape (owners,), the known cards in each hand.
        cards: shape (groups, most), the unknown cards of each group, filled up with 0.
        splits: shape (ways, groups, owners), number of cards of each group for each owner.
        chances: shape (ways,), the cumulative probability of the ways.
    """

    held: Numbers
    cards: Numbers
    splits: Numbers
    chances: Reals


def deck_of(game: Setup) -> Deck | None:
    """Return the data to deal a game, None if there are too many ways to share it out."""
    dealing = deals_of(game)
    ways = list(islice(dealing.shares(), MAX_SPLITS + 1))
    if len(ways) > MAX_SPLITS:
        return None
    bit_of = {card: bit for bit, card in enumerate(bit_order(game))}
    groups = dealing.groups
    most = max((len(cards) for _, cards in groups), default=0)
    cards = np.zeros((len(groups), most), np.int64)
    for row, (_, members) in zip(cards, groups, strict=True):
        row[: len(members)] = [bit_of[card] for card in members]
    splits = np.array([split for split, _ in ways], np.int64)
    total = dealing.count()
    chances = np.cumsum([deals / total for _, deals in ways])
    splits = splits.reshape(len(ways), len(groups), len(game.hands))
    return Deck(hands_of(game, game.known), cards, splits, chances)


def all_deals(game: Setup) -> Numbers:
    """Return every consistent deal, shape (deals, owners)."""
    return np.array([hands_of(game, deal) for deal in Dealing(game).all()], np.int64)


def random_deals(game: Setup, number: int, seed: int) -> Numbers:
    """Return consistent deals, each drawn anew with the same probability.

    Args:
        game: the game.
        number: number of deals.
        seed: seed of the draws.
    """
    dealing, random = deals_of(game), Random(seed)
    return np.array([hands_of(game, dealing.random(random)) for _ in range(number)], np.int64)


@cached_njit(nogil=True, inline="always")
def draw(random: Numbers, below: int) -> int:
    """Return a random number from 0 to below `below`, which is less than 2³¹.

    Marsaglia's xorshift with shifts 13, 7 and 17, the upper half of its 64 bits scaled down.

    Args:
        random: shape (1,), the generator's state, never 0.
        below: the bound.

    References:
        Marsaglia, Xorshift RNGs, Journal of Statistical Software 8 (14), 2003.
    """
    state = np.uint64(random[0])
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    random[0] = np.int64(state)
    return int(state >> np.uint64(33)) * below >> 31


@njit_view
def deal_at_random(deck: Deck, random: Numbers, hands: Numbers, cards: Numbers) -> None:
    """Deal.

    Args:
        deck: data of the deals.
        random: state of the generator.
        hands: shape (owners,), output.
        cards: shape (groups, most), a copy of `deck.cards` that is shuffled.
    """
    for owner in range(len(hands)):
        hands[owner] = deck.held[owner]
    way = 0
    if len(deck.chances) > 1:
        drawn = draw(random, 2**31 - 1) / 2**31
        way = min(int(np.searchsorted(deck.chances, drawn, "right")), len(deck.chances) - 1)
    for group in range(len(cards)):
        left = 0
        for owner in range(len(hands)):
            left += deck.splits[way, group, owner]
        for owner in range(len(hands)):
            for _ in range(deck.splits[way, group, owner]):
                # The drawn card changes places with the last one that is left.
                chosen, left = draw(random, left), left - 1
                card = cards[group, chosen]
                cards[group, chosen] = cards[group, left]
                cards[group, left] = card
                hands[owner] |= 1 << card


def generator(seed: int, number: int) -> Numbers:
    """Return a generator's state, shape (1,), never 0; another one for each number of a seed."""
    state = np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)
    return (state | np.uint64(1)).astype(np.int64)
