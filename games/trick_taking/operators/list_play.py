"""Playing a card from a hand that is a list of card codes."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from random import Random

from compiler.synthesis.operator import Operator, example, operator
from games.trick_taking.operators.lists import lists_of, pack, random_list, unpack
from games.trick_taking.synthesis.tournament import tournament


@operator("lead_play")
class LeadPlay(Operator):
    """Moves one card of a hand to its last slot, every card in equal superposition.

    |hand⟩ → Σ_{card} |the others⟩ |card⟩ |history⟩ / √n, up to the order of the others.

    Operands: n slots, ⌈log₂ n⌉ history qubits.

    Args:
        width: qubits per slot.
        hand: n, cards in the hand, at least 2.
    """

    exact_phases = False
    examples = (
        example("list: lead one of 3", 2, 3),
        example("list: lead one of 10", 6, 10),
    )

    def __init__(self, width: int, hand: int) -> None:
        self.width, self.hand = width, hand
        self.history = tuple(range(hand * width, hand * width + (hand - 1).bit_length()))
        super().__init__(hand * width + len(self.history), [width, hand])

    def legal_inputs(self) -> Iterator[int]:
        """Yield every hand of distinct codes, in every order."""
        for codes in lists_of(range(1 << self.width), self.hand):
            yield pack(codes, self.width)

    def random_legal_input(self, random: Random) -> int:
        """Return a random hand of distinct codes."""
        return pack(random_list(random, range(1 << self.width), self.hand), self.width)

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return n outputs of probability 1/n, one for each card."""
        codes = sorted(unpack(basis_state, self.hand, self.width))
        return {
            pack([*(c for c in codes if c != card), card], self.width): Fraction(1, self.hand)
            for card in codes
        }

    def canonical(self, basis_state: int) -> int:
        """Return an output with the other cards in ascending order and without its history."""
        *others, card = unpack(basis_state, self.hand, self.width)
        return pack([*sorted(others), card], self.width)


@operator("follow_play")
class FollowPlay(Operator):
    """Moves one legal card of a hand to its last slot, all legal ones in equal superposition.

    Legal are the cards of the led class, or all cards if there are none:
    |hand, led⟩ → Σ_{legal card} |the others⟩ |card⟩ |led⟩ |history⟩ / √legal, although the
    number of legal cards is in superposition itself.

    Operands: n slots (in each, `lane_bits` low bits for the strength in the class, then
    `class_bits`), the led class (`class_bits`), history qubits, clean ancillas.

    Args:
        class_bits: qubits of a card's class, at least 1.
        lane_bits: qubits of its strength in the class.
        hand: n, cards in the hand, at least 2.
        narrow: need fewer history qubits, at the price of more gates, from eight cards on.
    """

    exact_phases = False
    examples = (
        example("list: follow with one of 3", 1, 1, 3),
        example("list: follow with one of 10", 2, 4, 10),
        example("list: same, fewer qubits", 2, 4, 10, narrow=True),
    )

    def __init__(self, class_bits: int, lane_bits: int, hand: int, *, narrow: bool = False) -> None:
        self.class_bits, self.lane_bits, self.hand = class_bits, lane_bits, hand
        self.width = class_bits + lane_bits
        shape = tournament(hand, narrow=narrow)
        first = hand * self.width + class_bits
        self.history = tuple(range(first, first + shape.coins))
        params = [class_bits, lane_bits, hand, int(narrow)]
        super().__init__(first + shape.coins, params)

    def legal_inputs(self) -> Iterator[int]:
        """Yield every hand of distinct codes with every led class."""
        for codes in lists_of(range(1 << self.width), self.hand):
            for led in range(1 << self.class_bits):
                yield pack([*codes], self.width) | led << self.hand * self.width

    def random_legal_input(self, random: Random) -> int:
        """Return a random hand of distinct codes with a random led class."""
        codes = random_list(random, range(1 << self.width), self.hand)
        led = random.randrange(1 << self.class_bits)
        return pack(codes, self.width) | led << self.hand * self.width

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return one output for every legal card."""
        codes = sorted(unpack(basis_state, self.hand, self.width))
        led = basis_state >> self.hand * self.width
        legal = [c for c in codes if c >> self.lane_bits == led] or codes
        return {
            pack([*(c for c in codes if c != card), card, led], self.width): Fraction(1, len(legal))
            for card in legal
        }

    def canonical(self, basis_state: int) -> int:
        """Return an output with the other cards in ascending order and without its history."""
        *others, card = unpack(basis_state, self.hand, self.width)
        led = basis_state >> self.hand * self.width & (1 << self.class_bits) - 1
        clean = pack([*sorted(others), card, led], self.width)
        ancillas = self.history[-1] + 1
        return clean | basis_state >> ancillas << ancillas
