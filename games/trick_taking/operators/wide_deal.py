"""Deals into lists by thermometers, which count the chosen cards and stay where they are."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from attrs import frozen
from qiskit import QuantumCircuit

from compiler.synthesis.coin import toss
from compiler.synthesis.method import CountedMethod, example, operator, synthesis_method
from compiler.synthesis.permutations import swap_words_if
from games.trick_taking.operators.list_deal import ListSplit, SortedDeal
from games.trick_taking.operators.lists import ones, write

SEGMENTED = 6
"""Cards beyond which a barrier follows every card, so that branches can be sampled there."""

Thermometers = Mapping[tuple[int, int], int]
"""The qubit that says whether more than `rank` of the cards up to `card` are chosen."""


def open_ranks(cards: int, chosen: int, card: int) -> range:
    """Return the ranks of which it is open whether they are among the cards up to `card`."""
    return range(max(0, chosen - (cards - 1 - card)), min(chosen, card + 1))


def open_places(cards: int, chosen: int) -> Iterator[tuple[int, int]]:
    """Yield every card with every rank that is open: k(n-k) places."""
    for card in range(cards):
        for rank in open_ranks(cards, chosen, card):
            yield card, rank


def count_prefixes(
    circuit: QuantumCircuit, cards: int, chosen: int, fresh: int
) -> Iterator[tuple[int, Thermometers]]:
    """Choose k of n cards, all subsets alike: two gates for each of k(n-k) qubits.

    T[i, j] says whether more than j of the cards 0 … i are chosen. Given T[i-1, j-1] and
    T[i-1, j] it is a coin: 1 if it was 1 before, (k-j)/(n-i) if exactly j were chosen before,
    and else 0.

    Args:
        circuit: circuit to append to.
        cards: n.
        chosen: k.
        fresh: the first of k(n-k) qubits in |0⟩.

    Yields:
        Each card and the thermometers so far, when those after it have been written.
    """
    places = {place: fresh + i for i, place in enumerate(open_places(cards, chosen))}
    for card in range(cards):
        for rank in open_ranks(cards, chosen, card):
            before = (card - 1, rank - 1), (card - 1, rank)
            controls = [places[place] for place in before if place in places]
            fixed = [_known(cards, chosen, place) for place in before]
            patterns: dict[int, Fraction] = {}
            for below, here in ((0, 0), (1, 0), (1, 1)):
                if any(k is not None and k != v for k, v in zip(fixed, (below, here), strict=True)):
                    continue
                values = [v for k, v in zip(fixed, (below, here), strict=True) if k is None]
                taken = Fraction(chosen - rank, cards - card)
                probability = Fraction(1) if here else taken if below else Fraction(0)
                patterns[sum(v << i for i, v in enumerate(values))] = probability
            toss(circuit, controls, places[card, rank], patterns)
        yield card, places


def _known(cards: int, chosen: int, place: tuple[int, int]) -> int | None:
    """Return a thermometer's value where it is no qubit."""
    card, rank = place
    if rank < 0:
        return 1
    if card < 0:
        return 0
    ranks = open_ranks(cards, chosen, card)
    return None if rank in ranks else int(rank < ranks.start)


@operator("wide_deal")
class WideDeal(SortedDeal):
    """Splits known cards into a hand and the rest, in all ways at once.

    |0…0⟩ → Σ_{k-subsets} |the subset, in the order given⟩ |the rest⟩ |history⟩ / √C(n,k).

    Operands: k slots, n-k slots, k(n-k) history qubits.

    Args:
        width: qubits per slot.
        chosen: k, cards of the hand.
        codes: codes of the n cards, all different; neighbours that differ in few bits save gates.
    """

    examples = (
        example("wide list: 2 of 4 known cards", 2, 2, (0, 1, 3, 2)),
        example("wide list: 3 of 8 known cards", 3, 3, (0, 1, 3, 2, 6, 7, 5, 4)),
    )

    def recorded(self) -> int:
        """Return k(n-k)."""
        return self.chosen * (len(self.codes) - self.chosen)


@synthesis_method("wide_deal.thermometers")
class ThermometerDeal(CountedMethod):
    """Plugin `wide_deal.thermometers`: four gates for each of the k(n-k) places, or a few more.

    The j-th card of the hand is the first one after which the count is more than j. As the
    thermometer stays 1 from there on, each of its qubits switches the slot's code from one card
    to the next one: one gate for each bit in which the two differ, which is one bit along a Gray
    code. The same qubit does so for one slot of the rest.
    """

    def build(self, width: int, chosen: int, *codes: int) -> QuantumCircuit:
        """Return the circuit on both lists and history."""
        cards = len(codes)
        remaining = cards - chosen
        first = cards * width
        circuit = QuantumCircuit(first + chosen * remaining)
        slots = [range(i * width, (i + 1) * width) for i in range(cards)]
        for rank in range(chosen):
            write(circuit, slots[rank], codes[rank + remaining])
        for rank in range(remaining):
            write(circuit, slots[chosen + rank], codes[rank])
        for card, places in count_prefixes(circuit, cards, chosen, first):
            for (at, rank), qubit in places.items():
                if at == card:
                    change = codes[card] ^ codes[card + 1]
                    for slot in (slots[rank], slots[chosen + card - rank]):
                        for target in ones(slot, change):
                            circuit.cx(qubit, target)
            if cards > SEGMENTED:
                circuit.barrier()
        return circuit


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

    def recorded(self) -> int:
        """Return k(n-k)."""
        return self.chosen * (self.cards - self.chosen)


@frozen
class Switch:
    """Two places that are swapped if a sum of thermometers is odd.

    Args:
        first: a place.
        second: another one.
        column: the card of the thermometers.
        ranks: ranks of the thermometers in the sum.
        odd: constant term of the sum.
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

    def build(self, width: int, cards: int, chosen: int) -> QuantumCircuit:
        """Return the circuit on n slots and history."""
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
