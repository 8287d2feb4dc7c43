"""Operators on a chronicle: for every card who was dealt it, and in which trick it was played.

Operands that all of them share, card-major, low bit first: `owner` (n·b) and `trick` (n·d). A
card that has not been played yet has the code 2^d - 1; codes of tricks, 0, 1, …, never have
their two top bits set, so those two bits alone tell whether a card is still to be played.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import comb
from random import Random

from compiler.synthesis.operator import Operator, example, operator
from games.trick_taking.operators.lists import pack, unpack


@operator("chronicle_deal")
class ChronicleDeal(Operator):
    """Deals n cards: |0…0⟩ → Σ_deals |owners⟩ / √deals, up to branch phases.

    Operands: `owner` (n·b), clean ancillas.

    Args:
        hands: cards dealt to each owner, 2 to 4 owners; the skat is the last owner.
        known: owner of each card, or None where it is unknown.
    """

    exact_phases = False
    examples = (example("chronicle: deal of 2 x 2", (2, 2), (None,) * 4),)

    def __init__(self, hands: Sequence[int], known: Sequence[int | None]) -> None:
        self.hands, self.known = tuple(hands), tuple(known)
        self.owner_bits = (len(hands) - 1).bit_length()
        params = [len(hands), *hands, *(-1 if owner is None else owner for owner in known)]
        super().__init__(len(known) * self.owner_bits, params)

    def legal_inputs(self) -> Iterator[int]:
        """Yield the only legal input, all qubits 0."""
        yield 0

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the uniform distribution over all deals."""
        deals = [
            pack(owners, self.owner_bits)
            for owners in product(range(len(self.hands)), repeat=len(self.known))
            if all(k in (None, o) for k, o in zip(self.known, owners, strict=True))
            and all(owners.count(o) == size for o, size in enumerate(self.hands))
        ]
        return dict.fromkeys(deals, Fraction(1, len(deals)))


@operator("chronicle_play")
class ChroniclePlay(Operator):
    """A seat plays one of its k cards that are left, all k in equal superposition.

    |owners, tricks⟩ → Σ_{card} |owners, tricks with that card's code set to this trick⟩ / √k,
    up to branch phases.

    Operands: `owner`, `trick`, clean ancillas.

    Args:
        cards: n, the deck's size.
        owner_bits: b.
        trick_bits: d, at least 2.
        seat: the seat that plays.
        hand: k, cards that the seat has left.
        trick: the trick's code.
    """

    exact_phases = False
    examples = (example("chronicle: play one of 2", 2, 1, 2, seat=0, hand=2, trick=1),)

    def __init__(
        self, cards: int, owner_bits: int, trick_bits: int, *, seat: int, hand: int, trick: int
    ) -> None:
        self.cards, self.owner_bits, self.trick_bits = cards, owner_bits, trick_bits
        self.seat, self.hand, self.trick = seat, hand, trick
        size = cards * (owner_bits + trick_bits)
        params = [cards, owner_bits, trick_bits, seat, hand, trick]
        super().__init__(size, params)

    def _codes(self) -> list[tuple[int, int]]:
        """Return what a card outside the hand can be: its owner and its code."""
        left = (1 << self.trick_bits) - 1
        codes = [*(code for code in range(3 << self.trick_bits - 2) if code != self.trick), left]
        pairs = product(range(1 << self.owner_bits), codes)
        return [pair for pair in pairs if pair != (self.seat, left)]

    def _input(self, states: Sequence[tuple[int, int]]) -> int:
        owners, tricks = zip(*states, strict=True)
        return pack(owners, self.owner_bits) | pack(
            tricks, self.trick_bits, self.cards * self.owner_bits
        )

    def legal_inputs(self) -> Iterator[int]:
        """Yield every legal basis state: k cards of the seat are left, the rest is anywhere."""
        held = (self.seat, (1 << self.trick_bits) - 1)
        for states in product([held, *self._codes()], repeat=self.cards):
            if states.count(held) == self.hand:
                yield self._input(states)

    def random_legal_input(self, random: Random) -> int:
        """Return a random legal basis state."""
        states = random.choices(self._codes(), k=self.cards)
        for card in random.sample(range(self.cards), self.hand):
            states[card] = (self.seat, (1 << self.trick_bits) - 1)
        return self._input(states)

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return k outputs of probability 1/k, one for each card that is left."""
        offset, left = self.cards * self.owner_bits, (1 << self.trick_bits) - 1
        owners = unpack(basis_state, self.cards, self.owner_bits)
        tricks = unpack(basis_state, self.cards, self.trick_bits, offset)
        held = [i for i in range(self.cards) if (owners[i], tricks[i]) == (self.seat, left)]
        change, share = left ^ self.trick, Fraction(1, self.hand)
        return {basis_state ^ change << offset + i * self.trick_bits: share for i in held}


@operator("chronicle_trick")
class ChronicleTrick(Operator):
    """The owner of the first (strongest) card of a trick is its winner.

    |owners, tricks, 0⟩ → ±|owners, tricks, winner⟩, where exactly one card of every player has
    the trick's code.

    Operands: `owner`, `trick`, the winner's seat (as many bits as players need), clean ancillas.

    Args:
        cards: n, the deck's size, strongest card first.
        owner_bits: b.
        trick_bits: d, at least 2.
        players: 2 or 3.
        trick: the trick's code.
    """

    exact_phases = False
    examples = (example("chronicle: trick of 2", 3, 1, 2, players=2, trick=1),)

    def __init__(
        self, cards: int, owner_bits: int, trick_bits: int, *, players: int, trick: int
    ) -> None:
        self.cards, self.owner_bits, self.trick_bits = cards, owner_bits, trick_bits
        self.players, self.trick = players, trick
        size = cards * (owner_bits + trick_bits) + (players - 1).bit_length()
        params = [cards, owner_bits, trick_bits, players, trick]
        super().__init__(size, params)

    def legal_inputs(self) -> Iterator[int]:
        """Yield every owner for every card, with every choice of the trick's cards."""
        random = Random(0)
        for _ in range(comb(self.cards, self.players) << self.players):
            yield self.random_legal_input(random)

    def random_legal_input(self, random: Random) -> int:
        """Return a random legal basis state."""
        others = [c for c in range(3 << self.trick_bits - 2) if c != self.trick]
        tricks = random.choices([*others, (1 << self.trick_bits) - 1], k=self.cards)
        owners = random.choices(range(1 << self.owner_bits), k=self.cards)
        seats = random.sample(range(self.players), self.players)
        for card, seat in zip(random.sample(range(self.cards), self.players), seats, strict=True):
            tricks[card], owners[card] = self.trick, seat
        return pack(owners, self.owner_bits) | pack(
            tricks, self.trick_bits, self.cards * self.owner_bits
        )

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the one output that a legal input is mapped to."""
        offset = self.cards * self.owner_bits
        tricks = unpack(basis_state, self.cards, self.trick_bits, offset)
        owners = unpack(basis_state, self.cards, self.owner_bits)
        winner = owners[tricks.index(self.trick)]
        return {basis_state | winner << offset + self.cards * self.trick_bits: Fraction(1)}
