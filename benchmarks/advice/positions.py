"""Positions that are dealt at random or were recorded, with how the cards really lie."""

from collections.abc import Iterator
from itertools import product
from random import Random

from attrs import evolve

from games import named_game
from games.sources import Source
from games.trick_taking.advice.adviser import choices_of
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.rules.cards import SUITS
from games.trick_taking.rules.rules import Rules
from games.trick_taking.skat.records.position import Position, position_at
from games.trick_taking.skat.records.reading import records_of
from games.trick_taking.skat.records.record import Record


def random_game(random: Random, hand: int) -> tuple[TrickTakingGame, tuple[int, ...]]:
    """Return a position in which seat 0 knows its own hand only, and how the cards really lie.

    Fewer than ten cards in a hand are dealt from as many random cards as that takes, and two.
    """
    skat = named_game("skat-32")
    assert isinstance(skat, TrickTakingGame)
    deck = tuple(random.sample(skat.deck, 3 * hand + 2))
    lie = tuple(min(place // hand, 3) for place in range(len(deck)))

    def strength(seat: int, suit: str) -> int:
        held = [card for card, owner in zip(deck, lie, strict=True) if owner == seat]
        return sum(2 if card.rank == "J" else card.suit == suit for card in held)

    declarer, trump = max(product(range(3), SUITS), key=lambda pair: strength(*pair))
    worth = dict(zip(skat.deck, skat.points_of, strict=True))
    points = tuple(worth[card] for card in deck)
    half, party = sum(points) // 2, tuple(seat for seat in range(3) if seat != declarer)
    game = evolve(
        skat,
        name="random",
        hand=hand,
        deck=deck,
        points_of=points,
        known=tuple(0 if owner == 0 else None for owner in lie),
        party=(0,) if declarer == 0 else party,
        threshold=max(1, half + 1 if declarer == 0 else sum(points) - half),
        rules=Rules(trump),
        first_card=None,
        class_counts=(),
        skat_to=declarer,
    )
    return game, lie


def recorded_positions(source: Source) -> Iterator[tuple[TrickTakingGame, tuple[int, ...]]]:
    """Return the player's knowledge and the real cards before every card of a file's games.

    Moves without a choice are left out.
    """
    for record in records_of(source).records:
        for move in range(1, len(record.plays) + 1):
            position = position_at(record, move)
            if len(choices_of(position.game)) > 1:
                yield position.game, true_lie(record, position)


def true_lie(record: Record, position: Position) -> tuple[int, ...]:
    """Return the owner of each card of the deck, the skat's the last."""
    skat = len(record.hands)
    owners = {card: seat for seat, hand in enumerate(record.hands) for card in hand}
    if not position.contract.hand:
        owners |= dict.fromkeys(record.skat, record.declarer)
    owners |= dict.fromkeys(record.discards or record.skat, skat)
    game = position.game
    return tuple(
        owners[card] if owner is None else owner
        for card, owner in zip(game.deck, game.known, strict=True)
    )
