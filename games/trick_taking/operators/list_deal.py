"""Dealing hands that are lists of card codes."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import asin, sqrt

from qiskit import QuantumCircuit

from compiler.fault_tolerant.clean_pool import CleanPool
from compiler.fault_tolerant.lean_synthesis import lean_syntheses
from compiler.fault_tolerant.one_hot_rotation import OneHotRotation, rotate_equally
from compiler.fault_tolerant.temporary_ands import temporary_and, undo_and
from compiler.synthesis.coin import toss
from compiler.synthesis.method import CountedMethod, example, operator, synthesis_method
from compiler.synthesis.permutations import swap_words_if, xor_and
from games.trick_taking.operators.list_play import bring_to_end, uniform_index
from games.trick_taking.operators.lists import Recording, Splitting, ones, pack, write
from games.trick_taking.operators.tournament import Tosser


@operator("sorted_deal")
class SortedDeal(Recording):
    """Splits known cards into a hand and the rest, in all ways at once.

    |0…0⟩ → Σ_{k-subsets} |the subset, in the order given⟩ |the rest⟩ |history⟩ / √C(n,k).

    Operands: k slots, n-k slots, n history qubits (card i is in the hand), clean ancillas.

    Args:
        width: qubits per slot.
        chosen: k, cards of the hand.
        codes: codes of the n cards, all different.
    """

    examples = (
        example("list: 2 of 4 known cards", 2, 2, range(4)),
        example("list: 10 of 22 known cards", 6, 10, range(22)),
    )

    def __init__(self, width: int, chosen: int, codes: Sequence[int]) -> None:
        self.width, self.chosen, self.codes = width, chosen, tuple(codes)
        super().__init__(len(self.codes) * width, [width, chosen, *codes])

    def recorded(self) -> int:
        """Return n."""
        return len(self.codes)

    def legal_inputs(self) -> Iterator[int]:
        """Yield the only legal input, all qubits 0."""
        yield 0

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the uniform distribution over all subsets."""
        deals = []
        for hand in combinations(self.codes, self.chosen):
            remaining = [code for code in self.codes if code not in hand]
            deals.append(pack([*hand, *remaining], self.width))
        return dict.fromkeys(deals, Fraction(1, len(deals)))


@operator("list_split")
class ListSplit(Splitting):
    """Splits a list into a hand and the rest, in all ways at once.

    |list⟩ → Σ_{k-subsets} |the subset⟩ |the rest⟩ |history⟩ / √C(n,k), up to the order of the
    cards in each part.

    Operands: n slots, the first k for the hand; history qubits.

    Args:
        width: qubits per slot.
        cards: n, cards on the list.
        chosen: k, cards of the hand.
    """

    examples = (
        example("list: 2 of 4 unknown cards", 2, 4, 2),
        example("list: 10 of 22 unknown cards", 6, 22, 10),
    )

    def __init__(self, width: int, cards: int, chosen: int) -> None:
        self.width, self.cards, self.chosen = width, cards, chosen
        super().__init__(cards * width, [width, cards, chosen])

    def recorded(self) -> int:
        """Return the coins of a reservoir; see `split_coins`."""
        return split_coins(self.cards, self.chosen)


def split_coins(cards: int, chosen: int) -> int:
    """Return the history qubits of a split: an index and a coin for every card beyond the hand."""
    return (cards - chosen) * (1 + (chosen - 1).bit_length())


SEGMENTED = 12
"""Cards beyond which barriers cut a deal into parts that leave definite branches behind.

A branch can be sampled there, so that deals of any size are simulated one game at a time.
"""


@synthesis_method("sorted_deal.walk")
class WalkedDeal(CountedMethod):
    """Plugin `sorted_deal.walk`: a one-hot pointer to the hand's next free slot.

    Card i goes to slot j of the hand with probability (k-j)/(n-i), where j is the pointer; then
    the pointer moves on. The card's code is a constant. Writing it to a slot takes one CX for
    each bit in which it differs from the slot's initial value. That value is the majority of the
    possible codes. About 7 gates for each of the k(n-k) places of the walk, plus those bits.
    """

    def ancillas(self, _width: int, chosen: int, *_codes: int) -> int:
        """The pointer, and a flag."""
        return chosen + 2

    def build(self, width: int, chosen: int, *codes: int) -> QuantumCircuit:
        """Return the circuit on both lists, history and ancillas."""
        cards, remaining = len(codes), len(codes) - chosen
        slots, others, history, pointer, move = _walk(width, chosen, cards)
        circuit = QuantumCircuit(move + 1)
        bases = [_base(codes[j : j + remaining + 1], width) for j in range(chosen)]
        other_bases = [_base(codes[j : j + chosen + 1], width) for j in range(remaining)]
        for slot, base in zip((*slots, *others), (*bases, *other_bases), strict=True):
            write(circuit, slot, base)
        circuit.x(pointer[0])
        for card, code in enumerate(codes):
            for j in reversed(range(max(0, card - remaining), min(card, chosen) + 1)):
                if j < chosen:
                    taken = Fraction(chosen - j, cards - card)
                    toss(circuit, [pointer[j]], move, {0: Fraction(0), 1: taken})
                    bits = ones(slots[j], code ^ bases[j])
                    for qubit in (history[card], pointer[j], pointer[j + 1], *bits):
                        circuit.cx(move, qubit)
                if card - j < remaining:
                    for qubit in ones(others[card - j], code ^ other_bases[card - j]):
                        circuit.cx(pointer[j], qubit)
                if j < chosen:
                    xor_and(circuit, history[card], pointer[j + 1], move)
            if cards > SEGMENTED:
                circuit.barrier()
        circuit.x(pointer[chosen])
        return circuit


def _walk(
    width: int, chosen: int, cards: int
) -> tuple[list[range], list[range], range, range, int]:
    """Return the slots of the hand and the rest, history, pointer, and the last qubit: a flag."""
    slots = [range(j * width, (j + 1) * width) for j in range(cards)]
    first = cards * width
    pointer = first + cards
    end = pointer + chosen + 1
    return slots[:chosen], slots[chosen:], range(first, pointer), range(pointer, end), end


def _base(codes: Sequence[int], width: int) -> int:
    """Return the initial value of a slot: in every bit the majority of the codes."""
    return sum(
        1 << bit for bit in range(width) if 2 * sum(c >> bit & 1 for c in codes) > len(codes)
    )


@synthesis_method("list_split.reservoir")
class ReservoirSplit(CountedMethod):
    """Plugin `list_split.reservoir`: every later card replaces a random card of the hand or none.

    For the r-th card of the list, r ≥ k, the hand's card to go is picked first and comes to the
    end of the hand; a coin with probability k/(r+1) then swaps the two. k swaps a card.

    References:
        Vitter, "Random sampling with a reservoir", ACM TOMS 11 (1985), algorithm R.
    """

    def build(self, width: int, cards: int, chosen: int) -> QuantumCircuit:
        """Return the circuit on n slots and history."""
        index_bits = (chosen - 1).bit_length()
        circuit = QuantumCircuit(cards * width + (cards - chosen) * (1 + index_bits))
        slots = [list(range(i * width, (i + 1) * width)) for i in range(cards)]
        first = cards * width
        for later in range(chosen, cards):
            history = range(first, first + 1 + index_bits)
            replace_at_random(circuit, slots, chosen, later, history)
            if cards > SEGMENTED:
                circuit.barrier()
            first += 1 + index_bits
        return circuit


def replace_at_random(
    circuit: QuantumCircuit,
    slots: Sequence[Sequence[int]],
    chosen: int,
    later: int,
    history: Sequence[int],
    *,
    tosser: Tosser = toss,
) -> None:
    """Let a later card replace a random card of the hand, or none.

    Args:
        circuit: circuit to append to.
        slots: slots of all cards, those of the hand first.
        chosen: k, cards of the hand.
        later: the place of the card, k or more.
        history: a coin, and an index; all |0⟩.
        tosser: function that tosses a coin.
    """
    coin, *index = history
    uniform_index(circuit, index, chosen, tosser=tosser)
    bring_to_end(circuit, slots[:chosen], index)
    tosser(circuit, [], coin, {0: Fraction(chosen, later + 1)})
    swap_words_if(circuit, coin, slots[chosen - 1], slots[later])


@lean_syntheses.register("sorted_deal")
def sorted_deal(width: int, chosen: int, *codes: int) -> QuantumCircuit:
    """Walk with a one-hot pointer as `sorted_deal.walk` does, tossing one coin a card.

    The pointer's qubits are the flags of the coin's table, so that the table costs nothing. One
    AND for each of the k(n-k) places that the walk can be at, and n rotations by tables.

    Args:
        width: qubits of a slot.
        chosen: k.
        codes: the codes of the n cards.

    Returns:
        The circuit on both lists, history, pointer and a flag.
    """
    cards, remaining = len(codes), len(codes) - chosen
    slots, others, history, pointer, move = _walk(width, chosen, cards)
    circuit = QuantumCircuit(move + 1)
    circuit.x(pointer[0])
    for card, code in enumerate(codes):
        places = range(max(0, card - remaining), min(card, chosen) + 1)
        taken = {j: Fraction(chosen - j, cards - card) for j in places if j < chosen}
        table = {j: 2 * asin(sqrt(p)) for j, p in taken.items() if p < 1}
        if table:
            flags = [pointer[j] for j in table]
            circuit.append(OneHotRotation(list(table.values())), [*flags, history[card]])
        for j, probability in taken.items():
            if probability == 1:
                circuit.cx(pointer[j], history[card])
        for j in reversed(places):
            if j < chosen:
                temporary_and(circuit, history[card], pointer[j], move)
                for qubit in (pointer[j], pointer[j + 1], *ones(slots[j], code)):
                    circuit.cx(move, qubit)
            if card - j < remaining:
                for qubit in ones(others[card - j], code):
                    circuit.cx(pointer[j], qubit)
            if j < chosen:
                undo_and(circuit, history[card], pointer[j + 1], move)
    circuit.x(pointer[chosen])
    return circuit


TOGETHER = 3
"""Coins that are tossed together. Twelve would save four more rotations of eight, but all branches
of them are followed at once where single games are judged."""


@lean_syntheses.register("list_split")
def list_split(width: int, cards: int, chosen: int) -> QuantumCircuit:
    """Replace random cards of the hand as `list_split.reservoir` does.

    The highest bit of every index has the same coin, and coins that are tossed together take one
    rotation for each bit of their number.

    Args:
        width: qubits of a slot.
        cards: n.
        chosen: k.

    Returns:
        The circuit on n slots, history and clean qubits.
    """
    first = cards * width
    last = first + split_coins(cards, chosen)
    pool = CleanPool(last)
    circuit = pool.circuit()
    slots = [list(range(i * width, (i + 1) * width)) for i in range(cards)]
    size = (last - first) // (cards - chosen)
    steps = [range(start, start + size) for start in range(first, last, size)]
    tops = [step[-1] for step in steps] if size > 1 else []
    if tops:
        # The index is below k, and its highest bit stands for half of the next power of two.
        high = Fraction(chosen - (1 << size - 2), chosen)
        for start in range(0, len(tops), TOGETHER):
            group = tops[start : start + TOGETHER]
            rotate_equally(circuit, group, 2 * asin(sqrt(high)), pool.loan())
            if cards > SEGMENTED:
                circuit.barrier(range(last))

    def tosser(circuit: QuantumCircuit, controls: Sequence[int], target: int,
               probabilities: Mapping[int, Fraction]) -> None:  # fmt: skip
        if target not in tops:
            pool.toss(circuit, controls, target, probabilities)

    for later, step in zip(range(chosen, cards), steps, strict=True):
        replace_at_random(circuit, slots, chosen, later, step, tosser=tosser)
        if cards > SEGMENTED:
            circuit.barrier(range(last))
    return pool.trimmed(circuit)
