"""Contents of a game's record."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from re import DOTALL, compile
from typing import NoReturn

from attrs import define, field, frozen

from compiler.errors import GameError
from games.trick_taking.rules.rules import Card
from games.trick_taking.skat.values import BIDS, Contract

PART = compile(r"\(\s*;|([A-Z][A-Z0-9]{0,7})\[((?:\\.|[^][\\])*)\]", DOTALL)
"""The start of a game, or a property NAME[value]; brackets in a value have a backslash before."""

ENCODINGS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"\xef\xbb\xbf": "utf-8-sig"}
"""Encodings by byte order mark."""


def decoded(content: bytes) -> str:
    """Return the text of a file in UTF-8, in UTF-16 with a byte order mark, or in Latin-1.

    Only names and comments have letters that are not ASCII.
    """
    encoding = next((name for mark, name in ENCODINGS.items() if content.startswith(mark)), "utf-8")
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return content.decode("latin-1")


def read_properties(text: str) -> Iterator[Mapping[str, list[str]]]:
    """Return the values of the properties of each game, `(;NAME[value]… ;)`.

    A second `GM` begins a game, too. Other text is skipped, so that a game that is broken, or in
    which a bracket is missing, spoils no other.
    """
    game: dict[str, list[str]] = {}
    for part in PART.finditer(text):
        name, value = part.groups()
        if game and (name is None or (name == "GM" and name in game)):
            yield game
            game = {}
        if name is not None:
            game.setdefault(name, []).append(value)
    if game:
        yield game


class RecordError(GameError):
    """A record that cannot be read, or whose moves are against the rules."""


@frozen
class Unread:
    """A game of a file that cannot be read, or whose moves are against the rules.

    Args:
        number: its place in the file, from 1.
        reason: one line that names the game.
    """

    number: int
    reason: str


@frozen
class Said:
    """The server's record of a game; None for fields that it lacks.

    Args:
        declarer: the declarer's seat.
        won: whether the declarer has won.
        value: game value for the declarer.
        matadors: number of matadors, negative if the declarer is without them; 0 for a null.
        overbid: whether the game is worth less than the bid.
        points: the declarer's points, the skat's among them.
        tricks: the declarer's tricks.
        schneider: whether one side has 30 points or fewer.
        resigned: whether it ended before all cards were played; missing before 2009.
    """

    declarer: int | None = None
    won: bool | None = None
    value: int | None = None
    matadors: int | None = None
    overbid: bool | None = None
    points: int | None = None
    tricks: int | None = None
    schneider: bool | None = None
    resigned: bool | None = None


@frozen
class Record:
    """A recorded game of Skat; seats are 0, 1, 2, and seat 0 leads first.

    Args:
        number: its place in the file, from 1.
        hands: ten cards of each seat, as dealt.
        skat: the other two cards.
        bid: the highest number that was bid or held; 0 if all have passed.
        declarer: the declarer's seat; None if all have passed, or the bidding does not end.
        contract: the contract; None if all have passed, or the moves end before.
        discards: the two cards that the declarer has discarded; the skat in a hand game.
        plays: seat and card, in order.
        resigned: seats that have given up, in order.
        late: the seat that took too long or left; None if there is none.
        unknown: whether the record lacks a card that was played after the last of `plays`.
        passed: whether all have passed.
        said: the server's result; None if it has none, or if all have passed.
        players: names by seat.
        note: reason why the record ends early; empty if it does not.
    """

    number: int
    hands: Sequence[Sequence[Card]]
    skat: Sequence[Card]
    bid: int = 0
    declarer: int | None = None
    contract: Contract | None = None
    discards: Sequence[Card] = ()
    plays: Sequence[tuple[int, Card]] = ()
    resigned: Sequence[int] = ()
    late: int | None = None
    unknown: bool = False
    passed: bool = False
    said: Said | None = None
    players: Mapping[int, str] = field(factory=dict)
    note: str = ""


UNKNOWN = "??"
"""A card that is missing in the record."""


class EndedError(RecordError):
    """A record whose moves end too early."""


@define
class Tokens:
    """The tokens of a game's moves.

    Args:
        number: number of the game in its file, from 1.
        words: its tokens.
    """

    number: int
    words: list[str]
    _next: int = field(default=0, init=False)

    def __bool__(self) -> bool:
        return self._next < len(self.words)

    def take(self, wanted: str) -> str:
        """Return the next token and go on.

        Raises:
            EndedError: if there is none.
        """
        if not self:
            raise EndedError(f"game {self.number}: ends where {wanted} is wanted")
        self._next += 1
        return self.words[self._next - 1]

    def seat(self) -> int:
        """Return the next token, a seat, and go on."""
        word = self.take("a seat")
        if word not in ("0", "1", "2"):
            self.refuse("a seat, 0, 1 or 2")
        return int(word)

    def cards(self, word: str) -> list[Card]:
        """Return the cards of the token that was taken last, which have points between them."""
        result = []
        for name in word.split("."):
            if name == UNKNOWN:
                self.refuse("cards that are known")
            full = name[0] + "10" if len(name) == 2 and name[1] == "T" else name
            try:
                result.append(Card.parse(full))
            except GameError:
                self.refuse(f"cards such as SJ or HT ('{name}' is none)")
        return result

    def refuse(self, wanted: str) -> NoReturn:
        """Refuse the token that was taken last.

        Raises:
            RecordError: naming it and its place.
        """
        word = self.words[self._next - 1]
        raise RecordError(
            f"game {self.number}, token {self._next} of its moves, '{word[:60]}': wanted {wanted}"
        )


PASS, HOLD = "p", "y"
LONGEST = 3
"""Digits of a bid."""


@frozen
class Turn:
    """A turn of an auction.

    Args:
        seat: the seat that calls.
        bid: the highest so far; 0 for none.
        hears: whether it answers a bid, and does not bid itself.
    """

    seat: int
    bid: int
    hears: bool = False

    def allows(self, call: str) -> bool:
        """Return whether a call is a pass, an answer to a bid, or a game value above the bid."""
        if call == PASS or self.hears:
            return call in (PASS, HOLD)
        number = int(call) if call.isascii() and call.isdigit() and len(call) <= LONGEST else 0
        return number in BIDS and number > self.bid


def auction() -> Generator[Turn, str, tuple[int, int | None]]:
    """Yield the turns of an auction, and take their calls; see `read_auction` for the result."""
    bid, left = 0, 0
    for speaker in (1, 2):
        while (call := (yield Turn(speaker, bid))) != PASS:
            bid = int(call)
            if (yield Turn(left, bid, hears=True)) == PASS:
                left = speaker
                break
    if bid:
        return bid, left
    call = yield Turn(0, 0)
    return (0, None) if call == PASS else (int(call), 0)


def read_auction(tokens: Tokens) -> tuple[int, int | None]:
    """Return the highest bid, and the declarer; (0, None) if all have passed.

    Raises:
        RecordError: naming the token, if a bid is out of turn or invalid.
    """
    turns = auction()
    turn = next(turns)
    while True:
        if tokens.seat() != turn.seat:
            tokens.refuse(f"seat {turn.seat}, whose turn it is to bid")
        call = tokens.take("a bid, y or p")
        if not turn.allows(call):
            higher = f"a bid above {turn.bid} that is the value of a game, or p"
            tokens.refuse(f"{HOLD} or {PASS}" if turn.hears else higher)
        try:
            turn = turns.send(call)
        except StopIteration as end:
            result: tuple[int, int | None] = end.value
            return result
