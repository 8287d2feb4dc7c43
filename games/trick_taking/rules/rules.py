"""Cards, legal cards and winners of tricks: the papers' rules and those of Skat."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from attrs import field, frozen

from compiler.errors import GameError, nearest

SUITS = "CSHD"
POINTS = {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}


@frozen
class Card:
    """One of the 32 cards, named by suit letter and rank: `CJ`, `S10`, `HA`."""

    suit: str
    rank: str

    @classmethod
    def parse(cls, name: object) -> "Card":
        """Read a card's name.

        Raises:
            GameError: if `name` is not one of the 32 cards.
        """
        if isinstance(name, str) and name[:1] in SUITS and name[1:] in POINTS and name[:1]:
            return cls(name[0], name[1:])
        raise GameError(
            f"unknown card {name!r}: write a suit of {', '.join(SUITS)} and a rank of "
            f"{', '.join(POINTS)}, such as 'S10'"
        )

    def __str__(self) -> str:
        return self.suit + self.rank


SUIT_NAMES: Mapping[str, str] = {
    "C": "c kr kreuz treff club clubs ♣ ♧ k",
    "S": "s p pik spade spades ♠ ♤",
    "H": "h herz heart hearts ♥ ♡",
    "D": "d ka karo diamond diamonds ♦ ♢ k",
}
"""The letter `k` is that of Kreuz and of Karo."""
RANK_NAMES: Mapping[str, str] = {
    "A": "a as ass ace",
    "10": "10 t zehn ten",
    "K": "k könig koenig king",
    "Q": "q d dame queen",
    "J": "j b bube jack",
    "9": "9 neun nine",
    "8": "8 acht eight",
    "7": "7 sieben seven",
}
SPOKEN: Mapping[str, str] = {
    f"{suit} {rank}": s + r
    for s in SUITS
    for r in POINTS
    for suit in SUIT_NAMES[s].split()
    for rank in RANK_NAMES[r].split()
    if len(suit) > 2
}
"""Names of two words, and their short forms."""
ALIKE = 0.75
"""Minimum similarity of names for a suggestion; many names are similar."""
SEATS = "ABC"


def card_of(name: object) -> Card:
    """Read a card's name: `CJ`, `cj`, `JC`, `♣J`, `Kreuz Bube`, `KrB` and `Jack of Clubs` are one.

    The form that is written everywhere, suit letter and rank, is read as itself in any case; all
    others may name suit or rank first.

    Raises:
        GameError: if it is no card's name, or that of several.
    """
    cards = _cards_named(name) if isinstance(name, str) else set()
    if len(cards) == 1:
        return cards.pop()
    if cards:
        raise GameError(f"card {name!r} may be {_either(map(str, cards))}: write one of these")
    words = name.split() if isinstance(name, str) else []
    if len(words) > 1 and all(map(_cards_named, words)):
        raise GameError(f"{name!r} are {len(words)} cards: write one at a time")
    raise GameError(f"unknown card {name!r}: {_card_meant(name)}")


def cards_of(text: str) -> tuple[Card, ...]:
    """Read cards with spaces, commas or semicolons between them.

    Raises:
        GameError: if one of them is no card's name, or that of several.
    """
    cards: list[Card] = []
    for part in text.replace(";", ",").split(","):
        tokens = part.split()
        while tokens:
            # `Kreuz Bube` and `Jack of Clubs` are cards of two and of three words.
            taken = next((n for n in (1, 2, 3) if _cards_named(" ".join(tokens[:n]))), 1)
            cards.append(card_of(" ".join(tokens[:taken])))
            del tokens[:taken]
    return tuple(cards)


def suit_of(name: object) -> str:
    """Read a suit: its letter in any case, its name in German or English, or its sign.

    Raises:
        GameError: if it is none, or may be several.
    """
    suits = _named(SUIT_NAMES, _plain(name)) if isinstance(name, str) else []
    if len(suits) == 1:
        return suits[0]
    if suits:
        raise GameError(f"{name!r} may be {_either(suits)}: write one of these")
    names_ = [word for names in SUIT_NAMES.values() for word in names.split() if len(word) > 2]
    near = nearest(name, names_) if isinstance(name, str) else ""
    hint = f"; did you mean {near.capitalize()!r}?" if near else ""
    raise GameError(f"must be one of {', '.join(SUITS)}{hint}")


def seat_of(name: object, players: int) -> int | None:
    """Return the seat that a number from 0 or a letter names; None if it is none.

    Args:
        name: 0, `0`, `A` or `a`; `true` and `0.0` are no seats.
        players: number of seats.
    """
    letters = SEATS[:players]
    if isinstance(name, str) and len(name) == 1 and name.upper() in letters:
        return letters.index(name.upper())
    if isinstance(name, str) and name in map(str, range(players)):
        return int(name)
    return name if type(name) is int and 0 <= name < players else None


def _cards_named(name: str) -> set[Card]:
    plain = _plain(name)
    if plain[:1].upper() in tuple(SUITS) and plain[1:].upper() in POINTS:
        return {Card(plain[0].upper(), plain[1:].upper())}
    result = set()
    for place in range(1, len(plain)):
        halves = plain[:place], plain[place:]
        for suit, rank in (halves, halves[::-1]):
            result |= {
                Card(s, r) for s in _named(SUIT_NAMES, suit) for r in _named(RANK_NAMES, rank)
            }
    return result


def _plain(name: str) -> str:
    # A card's sign may be followed by one that asks for colours.
    text = unicodedata.normalize("NFKC", name).replace("\N{VARIATION SELECTOR-16}", "").casefold()
    parts = text.replace("-", " ").replace("_", " ").split()
    return "".join(word for word in parts if word != "of")


def _named(names: Mapping[str, str], word: str) -> list[str]:
    return [key for key, written in names.items() if word in written.split()]


def _either(names: Iterable[str]) -> str:
    return " or ".join(map(repr, sorted(names)))


def _card_meant(name: object) -> str:
    if isinstance(name, str):
        near = nearest(name, (*SPOKEN.values(), *SPOKEN), ALIKE)
        if near:
            return f"did you mean {SPOKEN.get(near, near)!r}?"
    return (
        f"write a suit of {', '.join(SUITS)} and a rank of {', '.join(POINTS)}, such as 'S10', "
        "or a name such as 'Pik 10'"
    )


TRUMP = "T"
GRAND, NULL = "grand", "null"
CONTRACTS = (*SUITS, GRAND, NULL)
RANKS = ("A", "10", "K", "Q", "J", "9", "8", "7")
NULL_RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7")


def _check_contract(rules: "Rules", attribute: object, contract: str | None) -> None:
    if contract is not None and contract not in CONTRACTS:
        raise GameError(f"contract = {contract!r}: must be one of {', '.join(CONTRACTS)}")


@frozen
class Rules:
    """A partition of the cards into classes, each of which is totally ordered.

    A seat that holds a card of the led card's class plays one. The strongest trump takes a
    trick, or else the strongest card of the led class.

    - *Paper rules* (no contract): all cards are one class of trumps, ordered as the deck is, so
      that any card may be played. Seat 0 leads every trick.
    - *Skat rules*: the class of a card is `T` (trump) or its suit; the winner of a trick leads
      the next one. With suit C, S, H or D as the contract its cards and the jacks are trumps,
      CJ > SJ > HJ > DJ > A > 10 > K > Q > 9 > 8 > 7; in a grand the jacks alone are; in a null
      there are no trumps, and every suit goes A > K > Q > J > 10 > 9 > 8 > 7.

    Args:
        contract: `C`, `S`, `H`, `D`, `grand` or `null`; None for paper rules.

    Raises:
        GameError: if there is no such contract.

    References:
        Armbrüster et al., AAMAS 2026, section 4; International Skat Order, sections 1.2 and 4.
    """

    contract: str | None = field(default=None, validator=_check_contract)

    @property
    def name(self) -> str:
        """`paper` or `skat`."""
        return "paper" if self.contract is None else "skat"

    @property
    def title(self) -> str:
        """A few words for lists."""
        match self.contract:
            case None:
                return "paper rules"
            case "grand" | "null":
                return f"skat rules, {self.contract}"
            case suit:
                return f"skat rules, trump {suit}"

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes that cards can have, trumps first."""
        match self.contract:
            case None:
                return (TRUMP,)
            case "null":
                return tuple(SUITS)
            case trump:
                return (TRUMP, *(suit for suit in SUITS if suit != trump))

    def class_of(self, card: Card) -> str:
        """Return the class of a card."""
        match self.contract:
            case None:
                return TRUMP
            case "null":
                return card.suit
            case trump:
                return TRUMP if card.rank == "J" or card.suit == trump else card.suit

    def lanes(self, deck: Sequence[Card]) -> tuple[int, ...]:
        """Return each card's place in its class among the cards of `deck`, 0 the strongest."""
        if self.contract is None:
            return tuple(range(len(deck)))
        lanes = {}
        for name in self.classes:
            members = (card for card in deck if self.class_of(card) == name)
            lanes.update({c: lane for lane, c in enumerate(sorted(members, key=self.weakness))})
        return tuple(lanes[card] for card in deck)

    def weakness(self, card: Card) -> tuple[int, int]:
        """Return the sort key of a card in skat rules, the strongest first in each class."""
        if self.contract == NULL:
            return 1, NULL_RANKS.index(card.rank)
        return (0, SUITS.index(card.suit)) if card.rank == "J" else (1, RANKS.index(card.rank))


PAPER = Rules()
