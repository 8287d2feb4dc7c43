"""Tokens of the moves of a record, and the auction in them."""

from typing import NoReturn

from attrs import define, field

from compiler.errors import GameError
from games.trick_taking.rules.cards import Card
from games.trick_taking.skat.records.record import RecordError
from games.trick_taking.skat.values import BIDS

UNKNOWN = "??"
"""A card that the record does not tell."""


class EndedError(RecordError):
    """A record whose moves end too early."""


@define
class Tokens:
    """The tokens of a game's moves.

    Args:
        number: of the game in its file, from 1.
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
        found = []
        for name in word.split("."):
            if name == UNKNOWN:
                self.refuse("cards that are known")
            full = name[0] + "10" if len(name) == 2 and name[1] == "T" else name
            try:
                found.append(Card.parse(full))
            except GameError:
                self.refuse(f"cards such as SJ or HT ('{name}' is none)")
        return found

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


def read_auction(tokens: Tokens) -> tuple[int, int | None]:
    """Return the highest bid that was made or held, and who plays; (0, None) if all have passed.

    Raises:
        RecordError: naming the token, if a bid is out of turn or invalid.
    """
    bid, left = 0, 0
    for speaker in (1, 2):
        bid, left = _duel(tokens, speaker, left, bid)
    if bid:
        return bid, left
    said = _said(tokens, 0)
    return (0, None) if said == PASS else (_higher(tokens, said, 0), 0)


def _duel(tokens: Tokens, speaker: int, hearer: int, bid: int) -> tuple[int, int]:
    """Return the bid and who is left after `speaker` has bid to `hearer`."""
    while (said := _said(tokens, speaker)) != PASS:
        bid = _higher(tokens, said, bid)
        answer = _said(tokens, hearer)
        if answer == PASS:
            return bid, speaker
        if answer != HOLD:
            tokens.refuse(f"{HOLD} or {PASS}")
    return bid, hearer


def _said(tokens: Tokens, seat: int) -> str:
    if tokens.seat() != seat:
        tokens.refuse(f"seat {seat}, whose turn it is to bid")
    return tokens.take("a bid, y or p")


def _higher(tokens: Tokens, said: str, bid: int) -> int:
    number = int(said) if said.isascii() and said.isdigit() and len(said) <= LONGEST else 0
    if number not in BIDS or number <= bid:
        tokens.refuse(f"a bid above {bid} that is the value of a game, or p")
    return number
