"""The deal as nested Dicke states: one bit of the owners first, then the other within each half."""

from collections.abc import Sequence

from qiskit import QuantumCircuit

from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.dicke import Block, append_dicke
from compiler.synthesis.method import synthesis_method
from compiler.synthesis.permutations import swap_if


@synthesis_method("uniform_deal.dicke")
class NestedDeal(CountedMethod):
    """Qiskit plugin `uniform_deal.dicke`.

    Two owners: one Dicke state, 4k(n−k) − 2n gates. More: one bit of the owners splits the cards
    into two halves. The other bit is a Dicke state on the first and one on the last cards,
    which is right for one split; while the first bit spreads to all others, it takes the other
    bit along, four gates a move. As the inner states are symmetric, it does not matter in
    which order cards arrive.

    Both bits are tried as the first one. Phases are branch phases.
    """

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on `owner`."""
        owners, *rest = params
        known = rest[owners:]
        bits = (owners - 1).bit_length()
        circuit = QuantumCircuit(len(known) * bits)
        for card, owner in enumerate(known):
            for bit in range(bits):
                if owner >= 0 and owner >> bit & 1:
                    circuit.x(card * bits + bit)
        free = [card * bits for card, owner in enumerate(known) if owner < 0]
        left = [size - known.count(owner) for owner, size in enumerate(rest[:owners])]
        if bits == 1:
            append_dicke(circuit, free, left[1])
            return circuit
        left += [0] * (4 - owners)
        high = [card + 1 for card in free]
        zero, one, two, three = left
        splits = [
            _split(circuit, high, free, (zero, one, two, three)),
            _split(circuit, free, high, (zero, two, one, three)),
        ]
        return min(splits, key=lambda split: sum(len(item.qubits) == 2 for item in split.data))


def _split(
    circuit: QuantumCircuit, outer: Sequence[int], inner: Sequence[int], sizes: Sequence[int]
) -> QuantumCircuit:
    """Return `circuit` followed by a deal.

    Args:
        circuit: flips of known cards.
        outer: each card's bit that is dealt first.
        inner: each card's other bit.
        sizes: cards with (outer, inner) = (0, 0), (0, 1), (1, 0), (1, 1).
    """
    deal = circuit.copy()
    first, second = sizes[0] + sizes[1], sizes[2] + sizes[3]
    if sizes[1] in (0, first) and sizes[3] in (0, second):
        append_dicke(deal, outer, second)
        for a, b in zip(outer, inner, strict=True):
            if bool(sizes[1]) != bool(sizes[3]):
                deal.cx(a, b)
            if sizes[1]:
                deal.x(b)
        return deal
    append_dicke(deal, inner[:first], sizes[1])
    append_dicke(deal, inner[first:], sizes[3])

    def take_along(block: Block) -> None:
        swap_if(
            deal,
            outer[block.destination],
            inner[block.destination],
            inner[block.source],
        )

    append_dicke(deal, outer, second, take_along)
    return deal
