"""Deals into lists: a pointer walks along known cards, a reservoir draws from unknown ones."""

from collections.abc import Sequence
from fractions import Fraction

from qiskit import QuantumCircuit

from compiler.synthesis.coin import toss
from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.method import synthesis_method
from compiler.synthesis.permutations import swap_words_if, xor_and
from compiler.synthesis.registers import split
from games.trick_taking.synthesis.draw_coins import Tosser
from games.trick_taking.synthesis.list_play import bring_to_end, uniform_index

SEGMENTED = 12
"""Cards beyond which barriers cut a deal into parts that leave definite branches behind.

A branch can be sampled there, so that deals of any size are simulated one game at a time.
"""


@synthesis_method("sorted_deal.walk")
class WalkedDeal(CountedMethod):
    """Plugin `sorted_deal.walk`: a one-hot pointer to the hand's next free slot.

    Card i goes to slot j of the hand with probability (k-j)/(n-i), where j is the pointer; then
    the pointer moves on. The card's code is a constant, so writing it to a slot takes one CX
    for each bit in which it differs from what the slot holds at first, the majority of the
    codes that can come there. About 7 gates for each of the k(n-k) places the walk can be at,
    plus those bits.
    """

    def ancillas(self, *params: int) -> int:
        """The pointer, and a flag."""
        _, chosen, *_ = params
        return chosen + 2

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on both lists, history and ancillas."""
        width, chosen, *codes = params
        cards = len(codes)
        rest = cards - chosen
        sizes = (chosen * width, rest * width, cards, chosen + 1, 1)
        circuit = QuantumCircuit(sum(sizes))
        hand, left, history, pointer, (move,) = split(range(circuit.num_qubits), *sizes)
        slots = [list(hand[j * width : (j + 1) * width]) for j in range(chosen)]
        others = [list(left[j * width : (j + 1) * width]) for j in range(rest)]
        bases = [_base(codes[j : j + rest + 1], width) for j in range(chosen)]
        other_bases = [_base(codes[j : j + chosen + 1], width) for j in range(rest)]
        for slot, base in zip((*slots, *others), (*bases, *other_bases), strict=True):
            for qubit in _ones(slot, base):
                circuit.x(qubit)
        circuit.x(pointer[0])
        for card, code in enumerate(codes):
            for j in reversed(range(max(0, card - rest), min(card, chosen) + 1)):
                if j < chosen:
                    taken = Fraction(chosen - j, cards - card)
                    toss(circuit, [pointer[j]], move, {0: Fraction(0), 1: taken})
                    ones = _ones(slots[j], code ^ bases[j])
                    for qubit in (history[card], pointer[j], pointer[j + 1], *ones):
                        circuit.cx(move, qubit)
                if card - j < rest:
                    for qubit in _ones(others[card - j], code ^ other_bases[card - j]):
                        circuit.cx(pointer[j], qubit)
                if j < chosen:
                    xor_and(circuit, history[card], pointer[j + 1], move)
            if cards > SEGMENTED:
                circuit.barrier()
        circuit.x(pointer[chosen])
        return circuit


def _base(codes: Sequence[int], width: int) -> int:
    """Return the code with the majority's value in every bit: what a slot holds at first."""
    return sum(
        1 << bit for bit in range(width) if 2 * sum(c >> bit & 1 for c in codes) > len(codes)
    )


def _ones(slot: Sequence[int], code: int) -> list[int]:
    return [qubit for bit, qubit in enumerate(slot) if code >> bit & 1]


@synthesis_method("list_split.reservoir")
class ReservoirSplit(CountedMethod):
    """Plugin `list_split.reservoir`: every later card replaces a random card of the hand or none.

    For the r-th card of the list, r ≥ k, the hand's card to go is picked first and comes to the
    end of the hand; a coin with probability k/(r+1) then swaps the two. k swaps a card.

    References:
        Vitter, "Random sampling with a reservoir", ACM TOMS 11 (1985), algorithm R.
    """

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on n slots and history."""
        width, cards, chosen = params
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
        circuit: what is appended to.
        slots: of all cards, those of the hand first.
        chosen: k, cards of the hand.
        later: the place of the card, k or more.
        history: a coin, and an index; all |0⟩.
        tosser: how a coin is tossed.
    """
    coin, *index = history
    uniform_index(circuit, index, chosen, tosser=tosser)
    bring_to_end(circuit, slots[:chosen], index)
    tosser(circuit, [], coin, {0: Fraction(chosen, later + 1)})
    swap_words_if(circuit, coin, slots[chosen - 1], slots[later])
