"""Moves of a record, token by token, each known by its place."""

from typing import NoReturn

from attrs import define, field

from compiler.errors import GameError
from games.trick_taking.rules.cards import Card
from games.trick_taking.skat.records.record import RecordError

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
