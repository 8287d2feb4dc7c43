"""Reading files of the Internet Skat Server, in its form of SGF.

A game is `(;GM[Skat]…MV[…]R[…];)`. The moves begin with `w` and the deal, ten cards of each seat
and then the skat; then come the bids, the skat that is taken up, the contract with the cards that
are laid away, and the cards played, each after its seat. Ten is written T. `SC` shows one's cards,
`RE` gives up, `TI.n` and `LE.n` tell that seat n took too long or left.
"""

import re
from collections.abc import Mapping

from games.sources import Source
from games.trick_taking.rules.cards import Card
from games.trick_taking.rules.rules import GRAND, NULL
from games.trick_taking.skat.contracts import Contract
from games.trick_taking.skat.records.auction import read_auction
from games.trick_taking.skat.records.record import Record, RecordError, Said
from games.trick_taking.skat.records.sgf import read_properties
from games.trick_taking.skat.records.tokens import Tokens

RECORD = ".sgf"
"""What files of records end in."""

MOST_CHARACTERS = 10_000_000

GAMES = {"C": "C", "S": "S", "H": "H", "D": "D", "G": GRAND, "N": NULL}
CONTRACT = re.compile(r"([CSHDGN])(H?)(O?)(S?)(Z?)")
LATE = re.compile(r"(?:TI|LE)\.([012])")
HAND, DISCARDED = 10, 2
CARDS = 32


def read_records(text: str) -> list[Record]:
    """Return the games of a file.

    Raises:
        RecordError: naming the game, the token and its place, and what is wanted there.
    """
    if len(text) > MOST_CHARACTERS:
        raise RecordError(f"more than {MOST_CHARACTERS:,} characters: give fewer games at a time")
    found = [_record(number, game) for number, game in enumerate(read_properties(text), start=1)]
    if not found:
        raise RecordError("no game: a record is written (;GM[Skat]…MV[…]R[…];)")
    return found


def records_of(source: Source) -> list[Record]:
    """Return the games of a file of the Internet Skat Server.

    Raises:
        RecordError: naming the file, the game, the token and its place.
    """
    try:
        return read_records(source.content.decode(errors="replace"))
    except RecordError as error:
        raise RecordError(f"{source.name}: {error}") from error


def _record(number: int, given: Mapping[str, str]) -> Record:
    if given.get("GM", "").lower() != "skat":
        raise RecordError(f"game {number}: GM[{given.get('GM', '')}] is not GM[Skat]")
    for name in ("MV", "R"):
        if name not in given:
            raise RecordError(f"game {number}: has no {name}[…]")
    tokens = Tokens(number, given["MV"].split())
    hands, skat = _dealt(tokens)
    bid, declarer = read_auction(tokens)
    players = {seat: given[f"P{seat}"] for seat in range(3) if given.get(f"P{seat}")}
    said = _said(number, given["R"])
    if (declarer is None) != (said is None):
        told = "all have passed" if declarer is None else f"seat {declarer} plays"
        raise RecordError(f"game {number}: R[{given['R'][:60]}], but by its moves {told}")
    if declarer is None:
        return Record(number, hands, skat, said=said, players=players)
    contract, discards = _announced(tokens, declarer, skat)
    plays, resigned, late = _played(tokens)
    return Record(
        number, hands, skat, bid, declarer, contract, discards, plays, resigned, late, said, players
    )  # fmt: skip


def _dealt(tokens: Tokens) -> tuple[list[list[Card]], list[Card]]:
    if tokens.take("w and the deal") != "w":
        tokens.refuse("w and the deal")
    cards = tokens.cards(tokens.take("32 cards"))
    if len(cards) != CARDS or len(set(cards)) != CARDS:
        tokens.refuse(f"32 different cards ({len(set(cards))} of {len(cards)} are)")
    hands = [cards[HAND * seat : HAND * (seat + 1)] for seat in range(3)]
    return hands, cards[3 * HAND :]


def _announced(tokens: Tokens, declarer: int, skat: list[Card]) -> tuple[Contract, list[Card]]:
    taken = False
    if tokens.seat() != declarer:
        tokens.refuse(f"seat {declarer}, which plays")
    word = tokens.take("s or a contract")
    if word == "s":
        taken = True
        if tokens.take("w") != "w" or set(tokens.cards(tokens.take("the skat"))) != set(skat):
            tokens.refuse(f"w and the skat, {'.'.join(map(str, skat))}")
        if tokens.seat() != declarer:
            tokens.refuse(f"seat {declarer}, which plays")
        word = tokens.take("a contract")
    name, _, rest = word.partition(".")
    match = CONTRACT.fullmatch(name)
    if match is None:
        tokens.refuse("a contract: C, S, H, D, G or N, then H, O, S, Z for hand to schwarz")
    game, hand, ouvert, schneider, schwarz = match.groups()
    if taken == bool(hand):
        tokens.refuse("hand without the skat, or the skat without hand")
    high = bool(ouvert) and game != "N"
    contract = Contract(
        GAMES[game], bool(hand), bool(schneider or schwarz) or high, bool(schwarz) or high,
        bool(ouvert),
    )  # fmt: skip
    if not taken:
        return contract, list(skat)
    if not rest:
        # An older form names the cards in a move of their own.
        if tokens.seat() != declarer:
            tokens.refuse(f"seat {declarer}, which lays two cards away")
        rest = tokens.take("two cards")
    discards = tokens.cards(rest)[:DISCARDED]
    if len(set(discards)) != DISCARDED:
        tokens.refuse("two cards that are laid away")
    return contract, discards


def _played(tokens: Tokens) -> tuple[list[tuple[int, Card]], list[int], int | None]:
    plays, resigned, late = list[tuple[int, Card]](), list[int](), None
    while tokens:
        if tokens.peek() == "w":
            tokens.take("w")
            word = tokens.take("what the server says")
            gone = LATE.fullmatch(word)
            if gone is None:
                tokens.refuse("TI.n or LE.n")
            late = int(gone.group(1))
            continue
        if gone := LATE.fullmatch(tokens.peek()):
            tokens.take("TI.n")
            late = int(gone.group(1))
            continue
        seat = tokens.seat()
        word = tokens.take("a card")
        if word == "RE":
            resigned.append(seat)
        elif not word.startswith("SC"):
            (card, *more) = tokens.cards(word)
            if more:
                tokens.refuse("one card")
            plays.append((seat, card))
    return plays, resigned, late


def _said(number: int, text: str) -> Said | None:
    words = text.split()
    if words[:1] in (["passed"], ["pass"]):
        return None
    named = dict(word.split(":", 1) for word in words if ":" in word)
    try:
        return Said(
            declarer=int(named["d"]),
            won="win" in words,
            value=int(named["v"]),
            matadors=int(named["m"]),
            overbid="overbid" in words,
            points=int(named["p"]),
            tricks=int(named["t"]),
            schneider=named["s"] == "1",
            resigned=named["r"] == "1",
        )
    except (KeyError, ValueError) as error:
        raise RecordError(
            f"game {number}, R[{text[:60]}]: wanted passed, or d, v, m, p, t, s and r ({error})"
        ) from error
