"""Legal cards and winners of tricks: the papers' rules and those of Skat."""

from collections.abc import Sequence

from attrs import field, frozen

from compiler.errors import GameError
from games.trick_taking.rules.cards import SUITS, Card

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
