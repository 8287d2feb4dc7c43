"""Card play from a list: an index or a tournament picks the slot, swaps bring it to the end."""

from collections.abc import Sequence
from fractions import Fraction

from qiskit import QuantumCircuit

from compiler.synthesis.coin import toss
from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.method import synthesis_method
from compiler.synthesis.permutations import Conjunction, swap_words_if, xor_all, xor_and
from compiler.synthesis.registers import split
from games.trick_taking.synthesis.draw_coins import Tosser, toss_coins
from games.trick_taking.synthesis.tournament import Draw, tournament


@synthesis_method("lead_play.select")
class SelectedLead(CountedMethod):
    """Plugin `lead_play.select`: a uniform index, and swaps that halve the hand bit by bit.

    4·width·(n-1) gates for the swaps; the index takes a few more unless n is a power of two.
    """

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on n slots and ⌈log₂ n⌉ history qubits."""
        width, hand = params
        circuit = QuantumCircuit(hand * width + (hand - 1).bit_length())
        slots = [list(range(i * width, (i + 1) * width)) for i in range(hand)]
        index = list(range(hand * width, circuit.num_qubits))
        uniform_index(circuit, index, hand)
        bring_to_end(circuit, slots, index)
        return circuit


def uniform_index(
    circuit: QuantumCircuit, index: Sequence[int], size: int, *, tosser: Tosser = toss
) -> None:
    """Turn |0…0⟩ to an equal superposition of 0 … size-1, up to signs; lowest bit first."""
    for bit in reversed(range(len(index))):
        higher = index[bit + 1 :]
        half, patterns = 1 << bit, {}
        for prefix in range(1 << len(higher)):
            start = prefix << bit + 1
            if start < size:
                patterns[prefix] = Fraction(
                    max(0, min(size, start + 2 * half) - start - half), min(size - start, 2 * half)
                )
        tosser(circuit, higher, index[bit], patterns)


def bring_to_end(
    circuit: QuantumCircuit, slots: Sequence[Sequence[int]], index: Sequence[int]
) -> None:
    """Swap the slot that is `index` places before the last one into the last one, up to signs."""
    places = list(reversed(slots))
    for bit, control in enumerate(index):
        step = 1 << bit
        for place in range(0, len(places) - step, 2 * step):
            swap_words_if(circuit, control, places[place], places[place + step])


@synthesis_method("follow_play.tournament")
class TournamentFollow(CountedMethod):
    """Plugin `follow_play.tournament`: cards are drawn against each other, marked ones first.

    A card is marked if its class is the led one. Draws happen in a tree; each tosses a coin
    whose probability depends on the numbers of marked cards on both sides, and moves the
    winner's code to the end of its group.
    """

    def ancillas(self, *params: int) -> int:
        """Marks and what they need, unless a qubit is the mark already; then carries."""
        class_bits, _, hand, narrow = params
        marks = 0 if class_bits == 1 else hand + class_bits - 2
        return marks + tournament(hand, narrow=bool(narrow)).ancillas

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on n slots, the led class, history and ancillas."""
        class_bits, lane_bits, hand, narrow = params
        width, draw = class_bits + lane_bits, tournament(hand, narrow=bool(narrow))
        marks = 0 if class_bits == 1 else hand
        sizes = (hand * width, class_bits, draw.coins, marks, max(0, class_bits - 2), draw.ancillas)
        circuit = QuantumCircuit(sum(sizes))
        cards, led, coins, marked, inner, carries = split(range(circuit.num_qubits), *sizes)
        slots = [cards[i * width : (i + 1) * width] for i in range(hand)]
        marking, marked = marking_of(circuit, slots, led, marked, inner)
        circuit.compose(marking, inplace=True)
        toss_coins(circuit, draw, marked, coins, carries)
        circuit.compose(marking.inverse(), inplace=True)
        swap_winners(circuit, draw, slots, list(coins))
        return circuit


def marking_of(
    like: QuantumCircuit,
    slots: Sequence[Sequence[int]],
    led: Sequence[int],
    marks: Sequence[int],
    inner: Sequence[int],
    *,
    conjunction: Conjunction = xor_and,
    undone: Conjunction = xor_and,
) -> tuple[QuantumCircuit, list[int]]:
    """Return a circuit that marks the cards of the led class, and the qubits of the marks.

    Args:
        like: of which it has the qubits.
        slots: the hand.
        led: the led class.
        marks: clean qubits, one a card; unused if a class is one bit.
        inner: clean qubits, two less than the bits of a class.
        conjunction: by which marks are written.
        undone: takes back what `conjunction` has written.
    """
    circuit = like.copy_empty_like()
    classes = [slot[len(slot) - len(led) :] for slot in slots]
    for bits in classes:
        for source, target in zip(led, bits, strict=True):
            circuit.cx(source, target)
        circuit.x(bits)
    if len(led) == 1:
        return circuit, [bits[0] for bits in classes]
    for bits, mark in zip(classes, marks, strict=True):
        xor_all(circuit, bits, mark, inner, conjunction=conjunction, undone=undone)
    return circuit, list(marks)


def swap_winners(
    circuit: QuantumCircuit, draw: Draw, slots: Sequence[Sequence[int]], coins: list[int]
) -> None:
    """Swap the winner of every draw to the end of its group; uses up the coins in order."""
    if draw.left is None or draw.right is None:
        return
    if draw.indexed:
        index = [coins.pop(0) for _ in range(draw.coins)]
        bring_to_end(circuit, slots, index)
        return
    middle = draw.left.cards
    swap_winners(circuit, draw.left, slots[:middle], coins)
    swap_winners(circuit, draw.right, slots[middle:], coins)
    swap_words_if(circuit, coins.pop(0), slots[middle - 1], slots[-1])
