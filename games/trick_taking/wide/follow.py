"""Following suit from a list, with marks and counts that stay where they are."""

from functools import cache

from qiskit import QuantumCircuit

from compiler.synthesis.coin import toss
from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.method import synthesis_method
from compiler.synthesis.operator import Operator, example, operator
from compiler.synthesis.permutations import Count, add
from games.trick_taking.operators.list_play import FollowPlay
from games.trick_taking.synthesis.list_play import swap_winners
from games.trick_taking.synthesis.tournament import Draw, cheapest_draw, draw_probabilities
from games.trick_taking.wide.flags import equal_flag


@operator("wide_follow")
class WideFollow(FollowPlay):
    """Moves one legal card of a hand to its last slot, all legal ones in equal superposition.

    As `follow_play`, with history qubits for marks and carries besides those for coins.

    Operands: n slots (in each, `lane_bits` low bits for the strength in the class, then
    `class_bits`), the led class (`class_bits`), history qubits.

    Args:
        class_bits: qubits of a card's class, 1 to 3.
        lane_bits: qubits of its strength in the class.
        hand: n, cards in the hand, at least 2.
    """

    examples = (
        example("wide list: follow with one of 3", 1, 1, 3),
        example("wide list: follow with one of 4", 2, 2, 4),
        example("wide list: follow with one of 10", 2, 4, 10),
    )

    def __init__(self, class_bits: int, lane_bits: int, hand: int) -> None:
        super().__init__(class_bits, lane_bits, hand)
        draw = one_way_tournament(hand)
        first = hand * self.width + class_bits
        fresh = draw.coins + draw.ancillas + hand * max(1, class_bits - 1)
        self.history = tuple(range(first, first + fresh))
        Operator.__init__(self, first + fresh, [class_bits, lane_bits, hand])


@cache
def one_way_tournament(cards: int) -> Draw:
    """Return the cheapest draw whose counts are not taken apart again."""
    return cheapest_draw(cards, last=True, counted=1)[1]


@synthesis_method("wide_follow.tournament")
class WideTournament(CountedMethod):
    """Plugin `wide_follow.tournament`: that of `follow_play`, without what takes it back.

    A mark takes 6 gates where a class has two bits, and a swap 4 for each qubit.
    """

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on n slots, the led class and history."""
        class_bits, lane_bits, hand = params
        width, draw = class_bits + lane_bits, one_way_tournament(hand)
        first = hand * width + class_bits
        coins = list(range(first, first + draw.coins))
        others = draw.ancillas + hand * max(1, class_bits - 1)
        fresh = iter(range(first + draw.coins, first + draw.coins + others)).__next__
        circuit = QuantumCircuit(first + draw.coins + others)
        slots = [list(range(i * width, (i + 1) * width)) for i in range(hand)]
        led = list(range(hand * width, first))
        marks = [equal_flag(circuit, slot[lane_bits:], led, fresh) for slot in slots]
        left = iter(coins)

        def toss_all(group: Draw, marked: list[int], *, last: bool) -> Count:
            """Toss the coins of a group, those of its halves first, and count its marks."""
            if group.left is None or group.right is None:
                return Count((marked[0],), 1)
            middle = group.left.cards
            one = toss_all(group.left, marked[:middle], last=False)
            two = toss_all(group.right, marked[middle:], last=False)
            toss(
                circuit, [*one.bits, *two.bits], next(left), draw_probabilities(one.most, two.most)
            )
            return one if last else add(circuit, one, two, fresh)

        toss_all(draw, marks, last=True)
        swap_winners(circuit, draw, slots, coins)
        return circuit
