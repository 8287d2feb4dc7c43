"""Taking a trick: two comparisons whose carries stay where they are, and two swaps."""

from collections.abc import Mapping
from fractions import Fraction

from qiskit import QuantumCircuit
from qiskit.circuit import Qubit

from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.method import synthesis_method
from compiler.synthesis.operator import Operator, example, operator
from compiler.synthesis.permutations import swap_words_if, xor_and
from games.trick_taking.operators.list_trick import TrickWinner
from games.trick_taking.operators.lists import pack, unpack
from games.trick_taking.wide.flags import choose, equal_flag, lower_flag, zero_flag


@operator("wide_trick")
class WideTrick(TrickWinner):
    """Brings the winner's luggage to first place, whoever that is.

    A permutation of the players' cards and luggage. If a follower's card is better than the one at
    place 0, the two players change places: the first one of two followers with card and luggage,
    the last one with luggage only, as no card is compared any more. The first history qubits say
    so of each.

    A card beats another one if it has the same class and the lower lane, or if it alone is a
    trump; the first of the two is the leader's, or has beaten it.

    Operands: for each of the players, leader first, a slot (`lane_bits`, then `class_bits`) and
    then `luggage` qubits; history qubits.

    Args:
        players: 2 or 3.
        class_bits: qubits of a card's class, 1 to 3.
        lane_bits: qubits of a card's lane, 0 the strongest.
        luggage: qubits that travel with each player.
        trumps: whether class 0 beats the others.
    """

    examples = (
        example("wide list: trick of 2, 8 cards", 2, 1, 2, 1, trumps=True),
        example("wide list: trick of 3, 9 cards left", 3, 2, 4, 55, trumps=True),
    )

    def __init__(
        self, players: int, class_bits: int, lane_bits: int, luggage: int, *, trumps: bool
    ) -> None:
        super().__init__(players, class_bits, lane_bits, luggage, trumps=trumps)
        first = players * self.column
        fresh = len(_built(players, class_bits, lane_bits, luggage, bool(trumps)).qubits) - first
        self.history = tuple(range(first, first + fresh))
        params = [players, class_bits, lane_bits, luggage, int(trumps)]
        Operator.__init__(self, first + fresh, params)

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the one output that a legal input is mapped to."""
        slot = (1 << self.width) - 1
        columns = unpack(basis_state, self.players, self.column)
        led = (columns[0] & slot) >> self.lane_bits
        swaps = []
        for place in range(1, self.players):
            best, card = (self._key(columns[i] & slot, led) for i in (0, place))
            swaps.append(card > best)
            if card > best:
                kept = slot if place == self.players - 1 else 0
                columns[0], columns[place] = (
                    columns[0] & kept | columns[place] & ~kept,
                    columns[place] & kept | columns[0] & ~kept,
                )
        return {self._told(columns, swaps): Fraction(1)}

    def _told(self, columns: list[int], swaps: list[bool]) -> int:
        told = pack(map(int, swaps), 1, self.players * self.column)
        return pack(columns, self.column) | told

    def canonical(self, basis_state: int) -> int:
        """Return an output without its history but for the swaps."""
        return basis_state & (1 << self.history[0] + self.players - 1) - 1


def _built(
    players: int, class_bits: int, lane_bits: int, luggage: int, trumps: bool
) -> QuantumCircuit:
    """Return the circuit on the players' columns and history."""
    width = class_bits + lane_bits
    column = width + luggage
    circuit = QuantumCircuit(players * column + players - 1)

    def fresh() -> int:
        circuit.add_bits([Qubit()])
        return circuit.num_qubits - 1

    columns = [list(range(i * column, (i + 1) * column)) for i in range(players)]
    swaps = range(players * column, players * column + players - 1)
    best = columns[0]
    for place, swapped in enumerate(swaps, start=1):
        card = columns[place]
        follows = equal_flag(circuit, card[lane_bits:width], best[lane_bits:width], fresh)
        lower = lower_flag(circuit, card[:lane_bits], best[:lane_bits], fresh)
        if trumps:
            alone = zero_flag(circuit, card[lane_bits:width], fresh)
            choose(circuit, follows, lower, alone, swapped)
        else:
            xor_and(circuit, follows, lower, swapped)
        start = width if place == players - 1 else 0
        swap_words_if(circuit, swapped, best[start:], card[start:])
    return circuit


@synthesis_method("wide_trick.compare")
class WideComparison(CountedMethod):
    """Plugin `wide_trick.compare`: 31 gates to compare two cards of 32, 4 to swap two qubits.

    Of the same class, the lower card is better; of another one, a trump is, as the other is none.
    """

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on the players' columns and history."""
        players, class_bits, lane_bits, luggage, trumps = params
        return _built(players, class_bits, lane_bits, luggage, bool(trumps))
