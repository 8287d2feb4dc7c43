"""Unknown cards dealt by a butterfly: chosen ones are swapped together, block by block."""

from collections.abc import Iterator

from attrs import frozen
from qiskit import QuantumCircuit

from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.method import synthesis_method
from compiler.synthesis.operator import Operator, example, operator
from compiler.synthesis.permutations import swap_words_if
from games.trick_taking.operators.list_deal import ListSplit
from games.trick_taking.wide.counting import (
    SEGMENTED,
    Thermometers,
    count_prefixes,
    open_ranks,
)


@operator("wide_split")
class WideSplit(ListSplit):
    """Splits a list into a hand and the rest, in all ways at once.

    |list⟩ → Σ_{k-subsets} |the subset⟩ |the rest⟩ |history⟩ / √C(n,k), up to the order of the
    cards in each part.

    Operands: n slots, the first k for the hand; k(n-k) history qubits.

    Args:
        width: qubits per slot.
        cards: n, cards on the list.
        chosen: k, cards of the hand, at most n/2.
    """

    examples = (
        example("wide list: 2 of 4 unknown cards", 2, 4, 2),
        example("wide list: 3 of 7 unknown cards", 3, 7, 3),
    )

    def __init__(self, width: int, cards: int, chosen: int) -> None:
        if 2 * chosen > cards:
            raise ValueError("the hand is the smaller part")
        super().__init__(width, cards, chosen)
        first, places = cards * width, chosen * (cards - chosen)
        self.history = tuple(range(first, first + places))
        Operator.__init__(self, first + places, [width, cards, chosen])


@frozen
class Switch:
    """Two places that are swapped where one of the thermometers' sum is odd.

    Args:
        first: a place.
        second: another one.
        column: the card whose thermometers say so.
        ranks: those whose sum, with `odd`, is 1 where the places are swapped.
        odd: what is added.
    """

    first: int
    second: int
    column: int
    ranks: tuple[int, ...]
    odd: int


@synthesis_method("wide_split.butterfly")
class ButterflySplit(CountedMethod):
    """Plugin `wide_split.butterfly`: thermometers, and about n/2·log₂ n swaps of cards.

    In a block of h places the chosen card of rank r lies at place r mod h. Two such blocks
    become one of 2h by swapping place i of one with place i of the other. Where just one of the
    two is chosen, r its rank, they are swapped if it is in the first half and r mod 2h is not i,
    or neither; that is the case where an even number of ranks r' ≡ i mod h are in the first half
    or before it. So each switch is controlled by thermometers of one column, and each column
    serves one pair of blocks. Blocks of powers of two, the largest first, are joined at the end.

    References:
        Hilewitz and Lee, "Fast bit compression and expansion with parallel extract and parallel
        deposit instructions", ASAP 2006, for butterflies that bring chosen bits together.
    """

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on n slots and history."""
        width, cards, chosen = params
        first = cards * width
        circuit = QuantumCircuit(first + chosen * (cards - chosen))
        thermometers: Thermometers = {}
        for _, thermometers in count_prefixes(circuit, cards, chosen, first):  # noqa: B007
            if cards > SEGMENTED:
                circuit.barrier()
        slots = [list(range(i * width, (i + 1) * width)) for i in range(cards)]
        for switch in switches(cards, chosen):
            controls = [thermometers[switch.column, rank] for rank in switch.ranks]
            a, b = switch.first, switch.second
            for other in controls[:-1]:
                circuit.cx(other, controls[-1])
            if switch.odd:
                circuit.x(controls[-1])
            swap_words_if(circuit, controls[-1], slots[a], slots[b])
            if cards > SEGMENTED:
                circuit.barrier()
        return circuit


def switches(cards: int, chosen: int) -> Iterator[Switch]:
    """Yield the switches that bring chosen cards to the first places."""
    blocks: list[tuple[int, int]] = []
    start = 0
    while start < cards:
        size = 1 << (cards - start).bit_length() - 1
        blocks.append((start, size))
        yield from _within(cards, chosen, start, size)
        start += size
    for start, size in blocks[1:]:
        ranks = open_ranks(cards, chosen, start - 1)
        for rank in ranks:
            yield Switch(rank, start + rank % size, start - 1, (rank,), 1)


def _within(cards: int, chosen: int, start: int, size: int) -> Iterator[Switch]:
    if size == 1:
        return
    half = size // 2
    yield from _within(cards, chosen, start, half)
    yield from _within(cards, chosen, start + half, half)
    middle = start + half - 1
    ranks = open_ranks(cards, chosen, middle)
    for i in range(half):
        able = tuple(rank for rank in ranks if rank % half == i)
        certain = sum(rank % half == i for rank in range(ranks.start))
        if able:
            yield Switch(start + i, start + half + i, middle, able, 1 - certain % 2)


def words_swapped(cards: int, chosen: int) -> int:
    """Return the number of switches, each of which takes four gates a qubit."""
    return sum(bool(switch.ranks) for switch in switches(cards, chosen))
