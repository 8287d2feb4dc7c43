"""Known cards dealt by thermometers, which write them along a Gray code."""

from collections.abc import Sequence

from qiskit import QuantumCircuit

from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.method import synthesis_method
from compiler.synthesis.operator import example, operator
from games.trick_taking.operators.list_deal import SortedDeal
from games.trick_taking.wide.counting import SEGMENTED, count_prefixes


@operator("wide_deal")
class WideDeal(SortedDeal):
    """Splits known cards into a hand and the rest, in all ways at once.

    |0…0⟩ → Σ_{k-subsets} |the subset, in the order given⟩ |the rest⟩ |history⟩ / √C(n,k).

    Operands: k slots, n-k slots, k(n-k) history qubits.

    Args:
        width: qubits per slot.
        chosen: k, cards of the hand.
        codes: of the n cards, none twice; neighbours that differ in few bits save gates.
    """

    examples = (
        example("wide list: 2 of 4 known cards", 2, 2, (0, 1, 3, 2)),
        example("wide list: 3 of 8 known cards", 3, 3, (0, 1, 3, 2, 6, 7, 5, 4)),
    )

    def __init__(self, width: int, chosen: int, codes: Sequence[int]) -> None:
        super().__init__(width, chosen, codes)
        cards = len(self.codes)
        first, places = cards * width, chosen * (cards - chosen)
        self.history = tuple(range(first, first + places))
        super(SortedDeal, self).__init__(first + places, [width, chosen, *self.codes])


@synthesis_method("wide_deal.thermometers")
class ThermometerDeal(CountedMethod):
    """Plugin `wide_deal.thermometers`: four gates for each of the k(n-k) places, or a few more.

    The j-th card of the hand is the first one after which the count is more than j. As the
    thermometer stays 1 from there on, each of its qubits switches the slot's code from one card
    to the next one: one gate for each bit in which the two differ, which is one bit along a Gray
    code. The same qubit does so for one slot of the rest.
    """

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on both lists and history."""
        width, chosen, *codes = params
        cards = len(codes)
        rest = cards - chosen
        first = cards * width
        circuit = QuantumCircuit(first + chosen * rest)
        slots = [range(i * width, (i + 1) * width) for i in range(cards)]
        for rank in range(chosen):
            _flip(circuit, slots[rank], codes[rank + rest])
        for rank in range(rest):
            _flip(circuit, slots[chosen + rank], codes[rank])
        for card, places in count_prefixes(circuit, cards, chosen, first):
            for (at, rank), qubit in places.items():
                if at == card:
                    change = codes[card] ^ codes[card + 1]
                    for slot in (slots[rank], slots[chosen + card - rank]):
                        for target in _ones(slot, change):
                            circuit.cx(qubit, target)
            if cards > SEGMENTED:
                circuit.barrier()
        return circuit


def _flip(circuit: QuantumCircuit, slot: Sequence[int], code: int) -> None:
    for qubit in _ones(slot, code):
        circuit.x(qubit)


def _ones(slot: Sequence[int], code: int) -> list[int]:
    return [qubit for bit, qubit in enumerate(slot) if code >> bit & 1]
