"""Writing games in the form of the Internet Skat Server, which `reading` reads."""

from collections.abc import Iterable, Iterator, Sequence

from games.trick_taking.rules.rules import Card
from games.trick_taking.skat.progress import Progress
from games.trick_taking.skat.records.reading import GAMES
from games.trick_taking.skat.records.record import auction
from games.trick_taking.skat.values import Contract

LETTERS = {game: letter for letter, game in GAMES.items()}


def write_records(games: Iterable[Progress]) -> str:
    """Return the file of games that are over, a line each."""
    return "".join(f"(;GM[Skat]{_players(game)}MV[{' '.join(_moves(game))}]{_result(game)};)\n"
                   for game in games)  # fmt: skip


def _players(game: Progress) -> str:
    return "".join(f"P{seat}[{name}]" for seat, name in sorted(game.record.players.items()))


def _result(game: Progress) -> str:
    checked, result = game.checked, game.result
    if checked is None or result is None:
        return "R[passed]"
    outcome, ended = result
    won, bid = "win" if ended.won else "loss", "overbid" if ended.overbid else "bidok"
    return (
        f"R[d:{game.record.declarer} {won} v:{ended.value} m:{checked.matadors} {bid} "
        f"p:{outcome.points} t:{outcome.tricks} s:{int(outcome.schneider)} r:0]"
    )


def _moves(game: Progress) -> Iterator[str]:
    record = game.record
    yield "w"
    yield "|".join(map(_cards, (*record.hands, record.skat)))
    turns = auction()
    turn = next(turns)
    for place, call in enumerate(game.calls, start=1):
        yield f"{turn.seat} {call}"
        if place < len(game.calls):
            turn = turns.send(call)
    if record.contract is None:
        return
    if game.taken:
        yield f"{record.declarer} s w {_cards(record.skat)}"
    away = f".{_cards(record.discards)}" * game.taken
    yield f"{record.declarer} {_announced(record.contract)}{away}"
    for seat, card in record.plays:
        yield f"{seat} {_cards([card])}"


def _announced(contract: Contract) -> str:
    flags = ("hand", "H"), ("ouvert", "O"), ("schneider", "S"), ("schwarz", "Z")
    return LETTERS[contract.game] + "".join(
        letter for name, letter in flags if getattr(contract, name)
    )


def _cards(cards: Sequence[Card]) -> str:
    return ".".join(card.suit + ("T" if card.rank == "10" else card.rank) for card in cards)
