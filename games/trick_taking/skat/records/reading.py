"""Reading files of the Internet Skat Server, in its form of SGF.

A game is `(;GM[Skat]…MV[…]R[…];)`. The moves begin with `w` and the deal, ten cards of each seat
and then the skat; then come the bids, the skat that is picked up, the contract with the cards that
are discarded, and the cards played, each after its seat. Ten is written T. `SC` shows one's cards,
`RE` gives up, `TI.n` and `LE.n` tell that seat n took too long or left, at any time. `??` is a card
that the record does not tell.
"""

import re
from collections.abc import Mapping, Sequence

from attrs import evolve, field, frozen

from compiler.errors import naming
from games.sources import Source
from games.trick_taking.rules.rules import GRAND, NULL, Card
from games.trick_taking.rules.setup import seat_name
from games.trick_taking.skat.records.record import (
    UNKNOWN,
    EndedError,
    Record,
    RecordError,
    Said,
    Tokens,
    Unread,
    decoded,
    read_auction,
    read_properties,
)
from games.trick_taking.skat.values import Contract

RECORD = ".sgf"
"""Suffix of record files."""

MAX_CHARACTERS = 10_000_000

GAMES = {"C": "C", "S": "S", "H": "H", "D": "D", "G": GRAND, "N": NULL}
CONTRACT = re.compile(r"([CSHDGN])([HOSZ]{0,4})")
LATE = re.compile(r"(TI|LE)\.([012])")
LATE_REASONS = {"TI": "ran out of time", "LE": "left"}
NUMBER = re.compile(r"(d|v|m|p|t|s|r):(-?[0-9]{1,4})")
GIVE_UP = "RE"
HAND, DISCARDED = 10, 2
CARDS = 32
SHOWN = 60


@frozen
class RecordFile:
    """The games of a file.

    Args:
        records: readable games.
        unread: the others.
    """

    records: list[Record] = field(factory=list)
    unread: list[Unread] = field(factory=list)


def read_records(text: str) -> RecordFile:
    """Return the games of a file, each read by itself.

    Raises:
        RecordError: if there is no game, or the text is too long.
    """
    if len(text) > MAX_CHARACTERS:
        raise RecordError(f"more than {MAX_CHARACTERS:,} characters: give fewer games at a time")
    file = RecordFile()
    for number, game in enumerate(read_properties(text), start=1):
        try:
            file.records.append(_record(number, game))
        except RecordError as error:
            file.unread.append(Unread(number, str(error)))
    if not file.records and not file.unread:
        raise RecordError("no game: a record is written (;GM[Skat]…MV[…]R[…];)")
    return file


def records_of(source: Source) -> RecordFile:
    """Return the games of a file of the Internet Skat Server.

    Raises:
        RecordError: naming the file, if it has no game or is too long.
    """
    with naming(source.name, RecordError):
        return read_records(decoded(source.content))


def _record(number: int, properties: Mapping[str, Sequence[str]]) -> Record:
    for name in ("GM", "MV", "R"):
        if len(properties.get(name, ())) > 1:
            raise RecordError(f"game {number}: {name}[…] stands there twice")
    (game,) = properties.get("GM", ["Skat"])
    if game.strip().lower() != "skat":
        raise RecordError(f"game {number}: GM[{game[:SHOWN]}] is not GM[Skat]")
    if "MV" not in properties:
        raise RecordError(f"game {number}: has no MV[…], or one without its end")
    (moves,), (result,) = properties["MV"], properties.get("R", [""])
    words_, notes, late = _without_notes(moves.split())
    tokens = Tokens(number, words_)
    hands, skat = _dealt(tokens)
    names = {seat: properties.get(f"P{seat}", [""])[0].strip() for seat in range(3)}
    players = {seat: name for seat, name in names.items() if name}
    stated, all_passed = _announcements(result), result.split()[:1] in (["passed"], ["pass"])
    record, bid, declarer = Record(number, hands, skat, late=late, players=players), 0, None
    try:
        bid, declarer = read_auction(tokens)
        if declarer is not None:
            contract, discards = _announced(tokens, declarer, skat)
    except EndedError:
        note = f"{'; '.join(notes) or 'the moves end'} before a contract"
        return evolve(record, bid=bid, declarer=declarer, said=stated, note=note)
    if (declarer is None and stated is not None) or (declarer is not None and all_passed):
        outcome = "all have passed" if declarer is None else f"seat {declarer} plays"
        raise RecordError(f"game {number}: R[{result[:SHOWN]}], but by its moves {outcome}")
    if declarer is None:
        return evolve(record, passed=True, note="; ".join(notes))
    plays, resigned, unknown = _played(tokens)
    if discards is None:
        played = {card for seat, card in plays if seat == declarer}
        discards = [card for card in (*hands[declarer], *skat) if card not in played]
    if len(discards) != DISCARDED:
        raise RecordError(f"game {number}: the cards that seat {declarer} discarded are unknown")
    if unknown:
        notes.append(f"card {len(plays) + 1} is unknown")
    return evolve(
        record, bid=bid, declarer=declarer, contract=contract, discards=discards, plays=plays,
        resigned=resigned, unknown=unknown, said=stated, note="; ".join(notes),
    )  # fmt: skip


def _without_notes(tokens: Sequence[str]) -> tuple[list[str], list[str], int | None]:
    """Return the moves without the server's notes on seats, these notes, and the last such seat."""
    moves, notes, late = list[str](), list[str](), None
    for word in tokens:
        if (note := LATE.fullmatch(word)) is None:
            moves.append(word)
            continue
        if moves[-1:] == ["w"]:
            moves.pop()
        late = int(note[2])
        notes.append(f"{seat_name(late)} {LATE_REASONS[note[1]]}")
    return moves, notes, late


def _dealt(tokens: Tokens) -> tuple[list[list[Card]], list[Card]]:
    if tokens.take("w and the deal") != "w":
        tokens.refuse("w and the deal")
    cards = tokens.cards(tokens.take("32 cards").replace("|", "."))
    if len(cards) != CARDS or len(set(cards)) != CARDS:
        tokens.refuse(f"32 different cards ({len(set(cards))} of {len(cards)} are)")
    hands = [cards[HAND * seat : HAND * (seat + 1)] for seat in range(3)]
    return hands, cards[3 * HAND :]


def _announced(
    tokens: Tokens, declarer: int, skat: list[Card]
) -> tuple[Contract, list[Card] | None]:
    """Return the contract and the cards that are discarded; None for these if they are unknown."""
    word = _word_of(tokens, declarer, "s or a contract")
    taken = word == "s"
    if taken:
        _take_skat(tokens, skat)
        word = _word_of(tokens, declarer, "a contract")
    if word == GIVE_UP:
        raise EndedError(f"game {tokens.number}: seat {declarer} gives up before a contract")
    name, _, remaining = word.partition(".")
    contract = _contract(tokens, name, taken)
    if not taken:
        return contract, list(skat)
    # An older form names the cards in a move of their own.
    remaining = remaining or _word_of(tokens, declarer, "two cards")
    names = remaining.split(".")[:DISCARDED]
    if UNKNOWN in names:
        return contract, None
    discards = tokens.cards(".".join(names))
    if len(set(discards)) != DISCARDED:
        tokens.refuse("two cards that are discarded")
    return contract, discards


def _word_of(tokens: Tokens, declarer: int, wanted: str) -> str:
    if tokens.seat() != declarer:
        tokens.refuse(f"seat {declarer}, which plays")
    return tokens.take(wanted)


def _take_skat(tokens: Tokens, skat: list[Card]) -> None:
    if tokens.take("w") != "w":
        tokens.refuse("w and the skat")
    shown = tokens.take("the skat")
    if set(shown.split(".")) != {UNKNOWN} and set(tokens.cards(shown)) != set(skat):
        tokens.refuse(f"w and the skat, {'.'.join(map(str, skat))}")


def _contract(tokens: Tokens, name: str, taken: bool) -> Contract:
    match = CONTRACT.fullmatch(name)
    if match is None or len(set(match[2])) < len(match[2]):
        tokens.refuse("a contract: C, S, H, D, G or N, then H, O, S, Z for hand to schwarz")
    game, announced = GAMES[match[1]], set(match[2])
    if taken and announced - ({"O"} if game == NULL else set()):
        tokens.refuse("hand without the skat, or the skat without hand")
    if game == NULL and announced & {"S", "Z"}:
        tokens.refuse("a null without schneider and schwarz")
    ouvert = "O" in announced
    schwarz = game != NULL and bool(announced & {"Z", "O"})
    # Old records leave hand out where the skat was not picked up.
    return Contract(game, not taken, schwarz or "S" in announced, schwarz, ouvert)


def _played(tokens: Tokens) -> tuple[list[tuple[int, Card]], list[int], bool]:
    """Return the cards up to the first unknown one, the seats that gave up, and whether one is."""
    plays, resigned, unknown = list[tuple[int, Card]](), list[int](), False
    while tokens:
        seat = tokens.seat()
        word = tokens.take("a card")
        if word == GIVE_UP:
            resigned.append(seat)
        elif word == UNKNOWN:
            unknown = True
        elif not word.startswith("SC") and not unknown:
            (card, *more) = tokens.cards(word)
            if more:
                tokens.refuse("one card")
            plays.append((seat, card))
    return plays, resigned, unknown


def _announcements(text: str) -> Said | None:
    """Return the record of the server about a game that is played."""
    tokens, numbers = text.split(), dict(NUMBER.findall(text))
    number = {name: int(value) for name, value in numbers.items()}
    if not number or number.get("d") == -1:
        return None
    return Said(
        declarer=number.get("d"),
        won=True if "win" in tokens else False if "loss" in tokens else None,
        value=number.get("v"),
        matadors=number.get("m"),
        overbid=True if "overbid" in tokens else False if "bidok" in tokens else None,
        points=number.get("p"),
        tricks=number.get("t"),
        schneider=number["s"] == 1 if "s" in number else None,
        resigned=number["r"] == 1 if "r" in number else None,
    )
