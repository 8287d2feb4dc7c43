"""The positions of recorded games, with how the cards really lay."""

from collections.abc import Iterator

from games.sources import Source
from games.trick_taking.advice.adviser import choices_of
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.skat.records.position import Position, position_at
from games.trick_taking.skat.records.reading import records_of
from games.trick_taking.skat.records.record import Record


def recorded_positions(source: Source) -> Iterator[tuple[TrickTakingGame, tuple[int, ...]]]:
    """Return before every card of a file's games what its player knew, and how the cards lay.

    Left out are cards that were the only one.
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
        owners[card] if known is None else known
        for card, known in zip(game.deck, game.known, strict=True)
    )
