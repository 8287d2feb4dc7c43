"""Position and hands in a game file."""

from collections.abc import Mapping, Sequence
from typing import Any

from compiler.errors import GameError, naming
from games.options import whole_number
from games.trick_taking.rules.rules import SEATS, TRUMP, Card, Rules, card_of, seat_of, suit_of


def integer(
    table: Mapping[str, Any],
    key: str,
    low: int,
    high: int,
    *,
    default: int | None = None,
    prefix: str = "",
) -> int:
    """Return a whole number.

    Args:
        table: the table.
        key: the key.
        low: smallest allowed value.
        high: largest allowed value.
        default: the value if the key is missing; None if the key is required.
        prefix: text before the key in messages.

    Raises:
        GameError: naming key and value.
    """
    value = table.get(key, default)
    if value is None:
        raise GameError(f"{prefix}{key}: missing; give a whole number from {low} to {high}")
    return whole_number(f"{prefix}{key}", value, low, high)


def seat(table: Mapping[str, Any], key: str, players: int, *, default: int | None = None) -> int:
    """Return a seat, written as a number from 0 or as its letter.

    Raises:
        GameError: naming key and value.
    """
    value = table.get(key, default)
    result = seat_of(value, players)
    if result is None:
        raise GameError(
            f"{key} = {value!r}: must be a whole number from 0 to {players - 1}, or a letter from "
            f"A to {SEATS[players - 1]}"
        )
    return result


def seats(value: object, players: int) -> tuple[int, ...]:
    """Return a list of seats, nothing if it is none: `true` and `0.0` are no seats."""
    numbers = [seat_of(item, players) for item in value] if isinstance(value, list) else []
    named = tuple(number for number in numbers if number is not None)
    return named if len(named) == len(numbers) else ()


def card(key: str, name: object) -> Card:
    """Return the card of that name.

    Raises:
        GameError: naming key and name.
    """
    with naming(key):
        return card_of(name)


class PositionReader:
    """Reads `leader`, `table`, `[taken]`, `[known]`, `first_card` and `[class_counts]`.

    Args:
        document: the game file.
        rules: the game's rules.
        players: number of seats.
        deck: the cards.

    Raises:
        GameError: naming the offending key and value.
    """

    def __init__(
        self, document: Mapping[str, Any], rules: Rules, players: int, deck: Sequence[Card]
    ) -> None:
        self._document, self._rules, self._players = document, rules, players
        self._places = {c: i for i, c in enumerate(deck)}
        self.leader = seat(document, "leader", players, default=0)
        self.table = self._cards("table", document.get("table", []))
        stacks = self._by_owner("taken", "a list of cards per seat", skat=0)
        self.taken = tuple(sorted((owner, self._cards(key, names)) for key, owner, names in stacks))
        self._open = {c: (self.leader + turn) % players for turn, c in enumerate(self.table)}
        self._open |= {c: taker for taker, cards in self.taken for c in cards}

    @property
    def stacked(self) -> int:
        """Number of cards on stacks."""
        return sum(len(cards) for _, cards in self.taken)

    def known(self, skat: int) -> tuple[int | None, ...]:
        """Return the owner of every card, or None where it is unknown."""
        owners = dict(self._open)
        hands = self._by_owner("known", "a list of cards per seat", skat)
        for key, owner, names in hands:
            for c in self._cards(key, names):
                if c in owners:
                    raise GameError(f"{key}: card {str(list(self._places)[c])!r} is known twice")
                owners[c] = owner
        return tuple(owners.get(c) for c in self._places.values())

    def first_card(self) -> int | None:
        """Return the place of the card that is led."""
        if "first_card" not in self._document:
            return None
        (place,) = self._cards("first_card", [self._document["first_card"]])
        return place

    def class_counts(self, skat: int) -> tuple[tuple[int, str, int], ...]:
        """Return the given counts, and 0 of the led class for seats that did not follow suit."""
        counts: dict[tuple[int, str], int] = {}
        kinds = self._by_owner("class_counts", "a table such as {T = 2, H = 1} per seat", skat)
        for key, owner, table in kinds:
            if not isinstance(table, Mapping):
                raise GameError(f"{key} = {table!r}: write a table such as {{T = 2, H = 1}}")
            for name in table:
                size, class_ = self._hand(owner, skat), _class_of(name)
                if (owner, class_) in counts:
                    raise GameError(f"{key}.{name}: class {class_} is counted twice")
                counts[owner, class_] = integer(table, name, 0, size, prefix=f"{key}.")
        classes = [self._rules.class_of(c) for c in self._places]
        for turn, c in enumerate(self.table):
            player, led = (self.leader + turn) % self._players, classes[self.table[0]]
            if classes[c] != led and counts.setdefault((player, led), 0):
                raise GameError(
                    f"class_counts.{player}.{led} = {counts[player, led]}: seat {player} did "
                    "not follow suit on the table, so it holds none"
                )
        return tuple((owner, name, n) for (owner, name), n in counts.items())

    def _hand(self, owner: int, skat: int) -> int:
        if owner == self._players:
            return skat
        played = (owner - self.leader) % self._players < len(self.table)
        hand: int = self._document["hand"]
        return hand - played

    def _cards(self, key: str, names: object) -> tuple[int, ...]:
        if not isinstance(names, list):
            raise GameError(f"{key} = {names!r}: give a list of cards")
        places = []
        for name in names:
            if (listed := card(key, name)) not in self._places:
                raise GameError(f"{key}: card {str(listed)!r} is not in the deck")
            places.append(self._places[listed])
        return tuple(places)

    def _by_owner(self, key: str, described: str, skat: int) -> list[tuple[str, int, object]]:
        """Return (key for messages, owner, value) for every entry of a table by seat."""
        entries = self._document.get(key, {})
        if not isinstance(entries, Mapping):
            raise GameError(f"{key} = {entries!r}: write a table [{key}] with {described}")
        result = [
            (f"{key}.{name}", self._owner(f"{key}.{name}", name, skat), value)
            for name, value in entries.items()
        ]
        owners = [owner for _, owner, _ in result]
        for own_key, owner, _ in result:
            if owners.count(owner) > 1:
                raise GameError(f"{own_key}: is there twice, by number and by letter")
        return result

    def _owner(self, key: str, name: str, skat: int) -> int:
        if name.casefold() == "skat" and skat:
            return self._players
        result = seat_of(name, self._players)
        if result is not None:
            return result
        last = self._players - 1
        or_skat = " or 'skat'" if skat else ""
        raise GameError(
            f"{key}: no such hand; seats are 0 to {last}{or_skat}, or A to {SEATS[last]}"
        )


def _class_of(name: str) -> str:
    """Return the class of a name; an unknown name is refused later, when all classes are known."""
    try:
        return name if name == TRUMP else suit_of(name)
    except GameError:
        return name
