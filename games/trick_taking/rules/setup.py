"""Setup of a trick-taking game: the deal, the winning side, and the known facts.

Nothing here is counted or enumerated; `games.trick_taking.game` adds that.
"""

from collections.abc import Sequence
from enum import IntEnum
from functools import cached_property

from attrs import frozen

from games.trick_taking.rules.rules import NULL, PAPER, TRUMP, Card, Rules


class Place(IntEnum):
    """The place of a card; the value's bit 0 is the table qubit, bit 1 the stack qubit."""

    HAND = 0b00
    TABLE = 0b01
    STACK = 0b11

    __hash__ = int.__hash__  # an enum hashes its name, slowly; positions are hashed in millions


Position = tuple[tuple[int, Place], ...]
"""Owner and place of every card, in the order of the deck."""


TURNS = ("leader", "second", "third")
ANY_SEAT = -1


@frozen
class Deal:
    """All cards are dealt."""

    title = "deal"


@frozen
class Play:
    """A seat plays one of its cards.

    Args:
        turn: 0 for the leader of the trick, 1 for the next seat, and so on.
        hand: number of cards that the seat holds.
        trick: number of the trick, from 0.
        seat: the seat; `ANY_SEAT` if it depends on the winner of a trick.
        legal: whether it must follow suit.
    """

    turn: int
    hand: int
    trick: int
    seat: int
    legal: bool

    @property
    def title(self) -> str:
        """Short name for tables and pictures."""
        who = TURNS[self.turn] if self.seat == ANY_SEAT else seat_name(self.seat)
        return f"{who} plays {'a legal ' * self.legal}1 of {self.hand}"


@frozen
class Trick:
    """The winner of trick number `trick` (from 0) takes it."""

    trick: int

    @property
    def title(self) -> str:
        """Short name for tables and pictures."""
        return f"trick {self.trick + 1}"


Step = Deal | Play | Trick


def seat_name(seat: int) -> str:
    """Return the letter of a seat: seat 0, which leads first, is `A`."""
    return "ABC"[seat]


@frozen(cache_hash=True)
class Setup:
    """A deck dealt to two or three seats, played trick by trick.

    A game may begin in the middle: then cards that lie on the table or on stacks are part of
    the deck, open to all, and their owners are known.

    Args:
        name: name of the game on the command line.
        players: number of seats, 2 or 3.
        hand: number of tricks to be played, the current one included; so every seat holds
            `hand` cards, or one less once it has played to the current trick.
        deck: the cards; in paper rules the strongest first, in skat rules in any order. Cards
            beyond those of the seats form the skat, whose owner is `players`.
        points_of: points of each card of the deck.
        known: owner of each card of the deck, or None where it is unknown. A card on the table
            belongs to the seat that played it, one on a stack to the seat that took it.
        party: seats whose stacks count together; in a null game the declarer.
        threshold: points with which the party wins; ignored in a null game, which the party wins
            by taking no trick.
        base_points: points the party has besides those of the cards in the deck.
        rules: paper rules, or skat rules with a contract.
        leader: seat that leads the current trick; seat 0 in paper rules.
        first_card: the card that `leader`, who is known to hold it, plays first.
        class_counts: triples (owner, class, number): how many cards of a class an owner's hand
            holds, known cards included, cards on table and stacks not.
        table: cards of the current trick, in the order they were played.
        taken: pairs (seat, cards): the cards of earlier tricks on that seat's stack.
        skat_to: the seat whose party gets the points of the skat; None for no seat.

    Raises:
        GameError: if these contradict one another.
    """

    name: str
    players: int
    hand: int
    deck: tuple[Card, ...]
    points_of: tuple[int, ...]
    known: tuple[int | None, ...]
    party: tuple[int, ...]
    threshold: int
    base_points: int = 0
    rules: Rules = PAPER
    leader: int = 0
    first_card: int | None = None
    class_counts: tuple[tuple[int, str, int], ...] = ()
    table: tuple[int, ...] = ()
    taken: tuple[tuple[int, tuple[int, ...]], ...] = ()
    skat_to: int | None = None

    @cached_property
    def card_classes(self) -> tuple[str, ...]:
        """Class of each card: `T` for trumps, else its suit; paper rules have trumps only."""
        return tuple(map(self.rules.class_of, self.deck))

    @cached_property
    def lanes(self) -> tuple[int, ...]:
        """Strength of each card in its class among the cards of the deck, 0 the strongest."""
        return self.rules.lanes(self.deck)

    @cached_property
    def hand_cards(self) -> tuple[int, ...]:
        """Cards that lie in a hand or in the skat before the first open play."""
        places = self.places
        return tuple(card for card, place in enumerate(places) if place is Place.HAND)

    @property
    def follows_suit(self) -> bool:
        """Return whether a seat that holds a card of the led card's class must play one."""
        return self.rules.contract is not None

    @property
    def winner_leads(self) -> bool:
        """Return whether the winner of a trick leads the next one, and not always seat 0."""
        return self.rules.contract is not None

    @property
    def places(self) -> tuple[Place, ...]:
        """Place of each card before the first open play."""
        stacked = {card for _, cards in self.taken for card in cards}
        return tuple(
            Place.STACK if i in stacked else Place.TABLE if i in self.table else Place.HAND
            for i in range(len(self.deck))
        )

    @property
    def skat(self) -> int:
        """Number of cards in the skat, which no seat plays."""
        taken = sum(len(cards) for _, cards in self.taken)
        return len(self.deck) - taken - self.players * self.hand

    @property
    def hands(self) -> tuple[int, ...]:
        """Cards in each owner's hand before the first open play; the skat is the last owner."""
        played = {(self.leader + turn) % self.players for turn in range(len(self.table))}
        seats = tuple(self.hand - (seat in played) for seat in range(self.players))
        return (*seats, self.skat) if self.skat else seats

    @property
    def owner_bits(self) -> int:
        """Bits that name a card's owner."""
        return (len(self.hands) - 1).bit_length()

    @property
    def scoring_owners(self) -> tuple[int, ...]:
        """Owners whose cards count for the party in the end: its seats, and perhaps the skat."""
        return (*self.party, self.players) if self.skat_to in self.party else self.party

    def legal(self, hand: Sequence[int], led: int | None) -> tuple[int, ...]:
        """Return the cards of a hand that may be played.

        Args:
            hand: the hand's cards, as places in the deck.
            led: the first card of the trick; None for the leader.
        """
        if led is None:
            return tuple(hand)
        led_class = self.card_classes[led]
        return tuple(card for card in hand if self.card_classes[card] == led_class) or tuple(hand)

    def winner(self, trick: Sequence[int]) -> int:
        """Return the index of the winning card in the order of play, 0 the first."""
        led = self.card_classes[trick[0]]

        def weakness(turn: int) -> tuple[bool, bool, int]:
            own = self.card_classes[trick[turn]]
            return own != TRUMP, own != led, self.lanes[trick[turn]]

        return min(range(len(trick)), key=weakness)

    def steps(self) -> tuple[Step, ...]:
        """Return the deal, the plays and the tricks in the order they happen."""
        steps: list[Step] = [Deal()]
        for trick in range(self.hand):
            hand = self.hand - trick
            for turn in range(0 if trick else len(self.table), self.players):
                certain = not (self.winner_leads and trick)
                seat = (self.leader + turn) % self.players if certain else ANY_SEAT
                steps.append(Play(turn, hand, trick, seat, self.follows_suit))
            steps.append(Trick(trick))
        return tuple(steps)

    def owners(self, outcome: int) -> tuple[int, ...]:
        """Return each card's owner in `outcome`, in the order of the deck."""
        mask = (1 << self.owner_bits) - 1
        return tuple(outcome >> (i * self.owner_bits) & mask for i in range(len(self.deck)))

    def outcome(self, owners: tuple[int, ...]) -> int:
        """Return the outcome in which card i belongs to `owners[i]`."""
        return sum(owner << (i * self.owner_bits) for i, owner in enumerate(owners))

    def is_win(self, outcome: int) -> bool:
        """Return whether the party reaches the threshold, or in a null game takes no trick."""
        if self.rules.contract == NULL:
            return not any(owner in self.party for owner in self.owners(outcome))
        return self.points(outcome) >= self.threshold

    def points(self, outcome: int) -> int:
        """Return the base points plus those of all cards that count for the party."""
        scoring, owners = self.scoring_owners, self.owners(outcome)
        counted = (p for p, owner in zip(self.points_of, owners, strict=True) if owner in scoring)
        return self.base_points + sum(counted)

    @property
    def points_range(self) -> tuple[int, int]:
        """The least and the largest number of points that the party may get."""
        taken = {True: 0, False: 0}
        for seat, cards in self.taken:
            taken[seat in self.party] += sum(self.points_of[card] for card in cards)
        least = self.base_points + taken[True]
        return least, self.base_points + sum(self.points_of) - taken[False]

    @property
    def counts_cards(self) -> bool:
        """Return whether every card counts one point, so that points are the cards of tricks."""
        return set(self.points_of) == {1}
