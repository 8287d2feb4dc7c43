"""Sources of a position: a game's file, its name, or a card of a record."""

from attrs import astuple, frozen

from compiler.errors import InputError
from games.sources import Source, read_game
from games.trick_taking.advice.stakes import Stakes, stakes_of
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.skat.records.position import Position, position_at
from games.trick_taking.skat.records.reading import RECORD, records_of
from games.trick_taking.skat.records.record import Record
from games.trick_taking.skat.values import BIDS, contract_of
from games.trick_taking.weighted.game import unweighted


@frozen
class Announced:
    """Stakes that a user announces for a game file.

    Args:
        contract: contract as players write it; empty if nothing was announced.
        matadors: 0 if unknown.
        bid: 0 if unknown.
    """

    contract: str = ""
    matadors: int = 0
    bid: int = 0

    def stakes(self, game: TrickTakingGame) -> Stakes | str:
        """Return the stakes, or the reason why they are unknown if no option asks for them.

        Raises:
            InputError: if an option does not fit the game, or has no effect.
        """
        if self.bid and self.bid not in BIDS:
            raise InputError(f"bid {self.bid}: must be the value of a game, such as 18, 20, 22, 23")
        contract = contract_of(self.contract) if self.contract else None
        result = stakes_of(game, contract, self.bid or BIDS[0], self.matadors)
        if isinstance(result, str) and any(astuple(self)):
            raise InputError(f"{game.name}: no game value: {result}")
        return result


def position_of(
    source: Source, game: int, move: int, announced: Announced
) -> tuple[TrickTakingGame, Stakes | str, Position | None]:
    """Return a position, its stakes, and the card of a record.

    Args:
        source: a game's name or file, or a file of the Internet Skat Server.
        game: of a record: its number in the file, from 1.
        move: of a record: number of the card, from 1; 0 if it is missing.
        announced: stakes of a game file.

    Raises:
        InputError: if the source is neither, or has no such game or card.
    """
    if not source.name.endswith(RECORD):
        if move or game != 1:
            raise InputError(f"{source.name}: --game and --move are for records ({RECORD})")
        position = unweighted(read_game(source))
        return position, announced.stakes(position), None
    record = _record(source, game)
    if not move:
        plays = len(record.plays)
        raise InputError(
            f"{source.name}, game {game}: say before which card by --move, 1 to {plays}"
            if plays
            else f"{source.name}, game {game}: no card was played"
        )
    recorded = position_at(record, move)
    if any(astuple(announced)):
        raise InputError(
            f"{source.name}: --contract, --matadors and --bid are for game files; a record "
            "says them"
        )
    return recorded.game, Stakes(recorded.contract, recorded.bid, recorded.laid), recorded


def _record(source: Source, game: int) -> Record:
    file = records_of(source)
    for unread in file.unread:
        if unread.number == game:
            raise InputError(f"{source.name}: {unread.reason}")
    for record in file.records:
        if record.number == game:
            return record
    games = len(file.records) + len(file.unread)
    raise InputError(f"{source.name}, --game {game}: it has games 1 to {games}")
