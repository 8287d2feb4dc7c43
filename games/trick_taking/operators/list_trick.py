"""Trick taking where every card comes with the hand it was played from."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from random import Random

from compiler.synthesis.operator import Operator, example, operator
from games.trick_taking.operators.lists import lists_of, pack, random_list


@operator("trick_winner")
class TrickWinner(Operator):
    """Brings the winner's luggage to first place, whoever that is.

    A permutation of the players' cards and luggage (such as their hands and the party they are
    of). First the better of the two followers' cards, with its luggage, comes to place 1; then
    the luggage of the better of places 0 and 1 comes to place 0, while the cards of these two
    stay. A history qubit says of each comparison whether the places were swapped.

    The better card: a trump before the led class (that of the card at place 0) before the
    rest, and then the lower lane; of two cards of the rest in the same lane, the second if the
    lane is even.

    Operands: for each of the players, leader first, a slot (`lane_bits`, then `class_bits`) and
    then `luggage` qubits; players-1 history qubits; clean ancillas.

    Args:
        players: 2 or 3.
        class_bits: qubits of a card's class; 0 if the lane decides alone.
        lane_bits: qubits of a card's lane, 0 the strongest.
        luggage: qubits that travel with each player.
        trumps: whether class 0 beats the others.
    """

    exact_phases = False
    examples = (
        example("list: trick of 2, 8 cards", 2, 1, 2, 1, trumps=True),
        example("list: trick of 3, 9 cards left", 3, 2, 4, 55, trumps=True),
    )

    def __init__(
        self, players: int, class_bits: int, lane_bits: int, luggage: int, *, trumps: bool
    ) -> None:
        self.players, self.class_bits, self.lane_bits = players, class_bits, lane_bits
        self.luggage, self.trumps = luggage, trumps
        self.width = class_bits + lane_bits
        self.column = self.width + luggage
        first = players * self.column
        self.history = tuple(range(first, first + players - 1))
        params = [players, class_bits, lane_bits, luggage, int(trumps)]
        super().__init__(first + players - 1, params)

    def _input(self, cards: tuple[int, ...] | list[int], luggage: list[int]) -> int:
        columns = [c | bag << self.width for c, bag in zip(cards, luggage, strict=True)]
        return pack(columns, self.column)

    def legal_inputs(self) -> Iterator[int]:
        """Yield every trick of distinct cards, with luggage that tells the players apart."""
        bags = [i & (1 << self.luggage) - 1 for i in range(self.players)]
        for cards in lists_of(range(1 << self.width), self.players):
            yield self._input(cards, bags)

    def random_legal_input(self, random: Random) -> int:
        """Return a random trick of distinct cards with random luggage."""
        cards = random_list(random, range(1 << self.width), self.players)
        return self._input(cards, [random.getrandbits(self.luggage) for _ in cards])

    def _key(self, card: int, led: int) -> tuple[bool, bool, int]:
        kind, lane = card >> self.lane_bits, card & (1 << self.lane_bits) - 1
        return self.trumps and kind == 0, kind == led, -lane

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the one output that a legal input is mapped to."""
        mask, slot = (1 << self.column) - 1, (1 << self.width) - 1
        columns = [basis_state >> i * self.column & mask for i in range(self.players)]
        led = (columns[0] & slot) >> self.lane_bits
        keys = [self._key(column & slot, led) for column in columns]
        tied = self.players == 3 and keys[2] == keys[1]
        if self.players == 3 and (keys[2] > keys[1] or (tied and keys[1][2] % 2 == 0)):
            columns[1:], keys[1:] = columns[:0:-1], keys[:0:-1]
        if keys[1] > keys[0]:
            columns[0], columns[1] = (
                columns[0] & slot | columns[1] & ~slot,
                columns[1] & slot | columns[0] & ~slot,
            )
        return {pack(columns, self.column): Fraction(1)}
