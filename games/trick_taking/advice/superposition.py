"""Superposed play: the winning chance of each card if every seat plays any legal card."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import count

import numpy as np
from attrs import frozen

from compiler.errors import GameTooLargeError
from games.trick_taking.advice.compiled.deals import Deck, deck_of, generator
from games.trick_taking.advice.compiled.layout import Numbers, bit_order, integers, layout_of
from games.trick_taking.advice.compiled.playouts import won_playouts
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.shares import Estimate, Shares
from games.trick_taking.play.dealing import deals_of
from games.trick_taking.play.enumeration import most_states, outcome_distribution
from games.trick_taking.play.positions import after_play
from games.trick_taking.rules.setup import Setup

EXACT_DEALS = 5_000
EXACT_STATES = 100_000
"""Maximum for all cards together, about a second of work; larger numbers are sampled."""
TIME = 0.25
"""Share of the seconds after which no more games are played: their error is small long before
that of the solved deals is."""
CHUNK = 50_000
"""Playouts between two looks at the clock."""


@frozen(eq=False)
class Superposed:
    """Winning chances in superposed play.

    Args:
        chances: chance of every card.
        shares: the playouts they are from; None where all ways to play were enumerated.
    """

    chances: tuple[Estimate, ...]
    shares: Shares | None

    @property
    def playouts(self) -> int:
        """Number of games that were played, 0 where the chances are exact."""
        return 0 if self.shares is None else self.shares.deals * self.shares.cards


def superposed(game: Setup, cards: Sequence[int], effort: Effort) -> Superposed:
    """Return the winning chance of each legal card.

    Args:
        game: the position.
        cards: legal cards as indices into the deck.
        effort: bounds of the sample.

    Raises:
        GameTooLargeError: if the known facts of the deal are too intricate to draw deals.
    """
    after = [after_play(game, card) for card in cards]
    if deals_of(game).count() <= EXACT_DEALS and sum(map(most_states, after)) <= EXACT_STATES:
        return Superposed(tuple(Estimate.exact(_win_chance(game_)) for game_ in after), None)
    deck = deck_of(game)
    if deck is None:
        raise GameTooLargeError(
            f"{game.name}: class_counts say only part of too many hands to draw deals; give the "
            "counts of fewer classes"
        )
    shares = _played(game, deck, cards, effort)
    return Superposed(tuple(shares.estimate(place) for place in range(len(cards))), shares)


def _win_chance(game: Setup) -> Fraction:
    return sum(
        (chance for outcome, chance in outcome_distribution(game).items() if game.is_win(outcome)),
        Fraction(0),
    )


def _played(game: Setup, deck: Deck, cards: Sequence[int], effort: Effort) -> Shares:
    layout, order = layout_of(game), bit_order(game)
    choices = integers(order.index(card) for card in cards)
    deals = -(-effort.playouts // len(cards))
    chunk = max(1, CHUNK // len(cards))
    numbers, nothing = count(), np.zeros(1 << len(cards), np.int64)
    late = effort.alarm(TIME * effort.seconds)

    def play(_: int) -> Numbers:
        won = nothing
        # A thread takes the next chunk when it is free; each chunk has its own random numbers.
        while (number := next(numbers)) * chunk < deals and not (number and late()):
            random = generator(effort.seed, number)
            won = won + won_playouts(
                layout, deck, choices, min(chunk, deals - number * chunk), random
            )
        return won

    with ThreadPoolExecutor(effort.threads) as pool:
        won = sum(pool.map(play, range(effort.threads)), nothing)
    return Shares(won, len(cards), complete=False)
