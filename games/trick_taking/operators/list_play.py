"""Playing a card from a hand that is a list of card codes."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import ClassVar

from qiskit import QuantumCircuit

from compiler.fault_tolerant.clean_pool import CleanPool
from compiler.fault_tolerant.lean_synthesis import lean_syntheses
from compiler.fault_tolerant.temporary_ands import temporary_and, undo_and
from compiler.synthesis.coin import toss
from compiler.synthesis.method import CountedMethod, Example, example, operator, synthesis_method
from compiler.synthesis.permutations import Conjunction, swap_words_if, xor_all, xor_and
from compiler.synthesis.registers import split
from games.trick_taking.operators.flags import equal_flag
from games.trick_taking.operators.lists import Recording, Splitting, pack, unpack
from games.trick_taking.operators.tournament import (
    Draw,
    Tosser,
    toss_coins,
    tournament,
)


@operator("lead_play")
class LeadPlay(Splitting):
    """Moves one card of a hand to its last slot, every card in equal superposition.

    |hand⟩ → Σ_{card} |the others⟩ |card⟩ |history⟩ / √n, up to the order of the others.

    Operands: n slots, ⌈log₂ n⌉ history qubits.

    Args:
        width: qubits per slot.
        hand: n, cards in the hand, at least 2.
    """

    examples = (
        example("list: lead one of 3", 2, 3),
        example("list: lead one of 10", 6, 10),
    )

    def __init__(self, width: int, hand: int) -> None:
        self.width, self.cards, self.chosen = width, hand, hand - 1
        super().__init__(hand * width, [width, hand])

    def recorded(self) -> int:
        """Return the bits of the card's index."""
        return (self.cards - 1).bit_length()


@operator("follow_play")
class FollowPlay(Recording):
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
    """

    examples: ClassVar[Sequence[Example]] = (
        example("list: follow with one of 3", 1, 1, 3),
        example("list: follow with one of 10", 2, 4, 10),
    )

    def __init__(self, class_bits: int, lane_bits: int, hand: int) -> None:
        self.class_bits, self.lane_bits, self.hand = class_bits, lane_bits, hand
        self.width = class_bits + lane_bits
        super().__init__(hand * self.width + class_bits, [class_bits, lane_bits, hand])

    def recorded(self) -> int:
        """Return the coins of a tournament."""
        return tournament(self.hand).coins

    def legal_inputs(self) -> Iterator[int]:
        """Yield every hand of distinct codes with every led class."""
        for codes in permutations(range(1 << self.width), self.hand):
            for led in range(1 << self.class_bits):
                yield pack([*codes], self.width) | led << self.hand * self.width

    def random_legal_input(self, random: Random) -> int:
        """Return a random hand of distinct codes with a random led class."""
        codes = random.sample(range(1 << self.width), self.hand)
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


@synthesis_method("lead_play.select")
class SelectedLead(CountedMethod):
    """Plugin `lead_play.select`: a uniform index, and swaps that halve the hand bit by bit.

    4·width·(n-1) gates for the swaps; the index takes a few more unless n is a power of two.
    """

    def build(self, width: int, hand: int) -> QuantumCircuit:
        """Return the circuit on n slots and ⌈log₂ n⌉ history qubits."""
        circuit = QuantumCircuit(hand * width + (hand - 1).bit_length())
        return _selected(circuit, width, hand, toss)


@lean_syntheses.register("lead_play")
def lean_lead(width: int, hand: int) -> QuantumCircuit:
    """Return the circuit of `lead_play.select` with an index by tables, then clean qubits."""
    pool = CleanPool(hand * width + (hand - 1).bit_length())
    return pool.trimmed(_selected(pool.circuit(), width, hand, pool.toss))


def _selected(circuit: QuantumCircuit, width: int, hand: int, tosser: Tosser) -> QuantumCircuit:
    slots = [list(range(i * width, (i + 1) * width)) for i in range(hand)]
    index = list(range(hand * width, hand * width + (hand - 1).bit_length()))
    uniform_index(circuit, index, hand, tosser=tosser)
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
        """Marks and their ancillas, unless a qubit is the mark already; then carries."""
        return sum(_follow_sizes(*params)[3:])

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on n slots, the led class, history and ancillas."""
        return _drawn(params, None)


@lean_syntheses.register("follow_play")
def lean_follow(*params: int) -> QuantumCircuit:
    """Return the circuit of `follow_play.tournament` with coins by tables, then clean qubits."""
    pool = CleanPool(sum(_follow_sizes(*params)))
    return pool.trimmed(_drawn(params, pool))


def _follow_sizes(class_bits: int, lane_bits: int, hand: int) -> tuple[int, ...]:
    """Return the sizes of slots, led class, coins, marks, ancillas of the marks, and carries."""
    draw, marks = tournament(hand), 0 if class_bits == 1 else hand
    cards = hand * (class_bits + lane_bits)
    return cards, class_bits, draw.coins, marks, max(0, class_bits - 2), draw.ancillas


def _drawn(params: tuple[int, ...], pool: CleanPool | None) -> QuantumCircuit:
    class_bits, lane_bits, hand = params
    sizes, width = _follow_sizes(*params), class_bits + lane_bits
    circuit = pool.circuit() if pool else QuantumCircuit(sum(sizes))
    cards, led, coins, marked, inner, carries = split(range(sum(sizes)), *sizes)
    slots = [cards[i * width : (i + 1) * width] for i in range(hand)]
    conjunction, undone = (temporary_and, undo_and) if pool else (xor_and, xor_and)
    marking, marked = marking_of(
        circuit, slots, led, marked, inner, conjunction=conjunction, undone=undone
    )
    draw = tournament(hand)
    circuit.compose(marking, inplace=True)
    tosser = pool.toss if pool else toss
    toss_coins(circuit, draw, marked, coins, carries, tosser=tosser, conjunction=conjunction)
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
    conjunction: Conjunction,
    undone: Conjunction,
) -> tuple[QuantumCircuit, list[int]]:
    """Return a circuit that marks the cards of the led class, and the qubits of the marks.

    Args:
        like: circuit with the same qubits.
        slots: the hand.
        led: the led class.
        marks: clean qubits, one a card; unused if a class is one bit.
        inner: clean qubits, two less than the bits of a class.
        conjunction: writes the marks.
        undone: the inverse of `conjunction`.
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
    if draw.halves:
        middle = draw.halves[0].cards
        for half, part in zip(draw.halves, (slots[:middle], slots[middle:]), strict=True):
            swap_winners(circuit, half, part, coins)
        swap_words_if(circuit, coins.pop(0), slots[middle - 1], slots[-1])


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

    def recorded(self) -> int:
        """Return the coins, carries and marks of a tournament."""
        draw = tournament(self.hand, undone=False)
        return draw.coins + draw.ancillas + self.hand * max(1, self.class_bits - 1)


@synthesis_method("wide_follow.tournament")
class WideTournament(CountedMethod):
    """Plugin `wide_follow.tournament`: the circuit of `follow_play` without its uncomputation.

    A mark takes 6 gates where a class has two bits, and a swap 4 for each qubit.
    """

    def build(self, class_bits: int, lane_bits: int, hand: int) -> QuantumCircuit:
        """Return the circuit on n slots, the led class and history."""
        width, draw = class_bits + lane_bits, tournament(hand, undone=False)
        first = hand * width + class_bits
        coins = list(range(first, first + draw.coins))
        others = draw.ancillas + hand * max(1, class_bits - 1)
        fresh = iter(range(first + draw.coins, first + draw.coins + others))
        circuit = QuantumCircuit(first + draw.coins + others)
        slots = [list(range(i * width, (i + 1) * width)) for i in range(hand)]
        led = list(range(hand * width, first))
        marks = [equal_flag(circuit, slot[lane_bits:], led, fresh.__next__) for slot in slots]
        toss_coins(circuit, draw, marks, coins, fresh, undone=False)
        swap_winners(circuit, draw, slots, coins)
        return circuit
