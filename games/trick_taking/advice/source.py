"""Where advice is asked for: in a game's file, by its name, or before a card of a record."""

from compiler.errors import InputError
from games.sources import Source, read_game
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.skat.records.position import Position, position_at
from games.trick_taking.skat.records.reading import RECORD, read_records


def playable_game(source: Source) -> TrickTakingGame:
    """Return the game of tricks that a source is.

    Raises:
        InputError: if it is none.
    """
    game = read_game(source)
    if not isinstance(game, TrickTakingGame):
        raise InputError(f"{game.name}: no game of tricks; see 'stichwerk games'")
    return game


def recorded_at(source: Source, game: int, move: int) -> Position | None:
    """Return a position of a record; None of a source that is none.

    Args:
        source: a file of the Internet Skat Server, or any other source.
        game: its number in the file, from 1.
        move: number of the card that was played there, from 1; 0 if nobody has said.

    Raises:
        InputError: if the record has no such game or card, or if these are said of no record.
    """
    if not source.name.endswith(RECORD):
        if move or game != 1:
            raise InputError(f"{source.name}: --game and --move are for records ({RECORD})")
        return None
    records = read_records(source.content.decode(errors="replace"))
    if game > len(records):
        raise InputError(f"{source.name}, --game {game}: it has games 1 to {len(records)}")
    if not move:
        plays = len(records[game - 1].plays)
        raise InputError(
            f"{source.name}, game {game}: say before which card by --move, 1 to {plays}"
            if plays
            else f"{source.name}, game {game}: no card was played"
        )
    return position_at(records[game - 1], move)
