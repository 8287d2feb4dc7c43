"""A random subset as thermometers: how many of the first cards are chosen, after every card."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from qiskit import QuantumCircuit

from compiler.synthesis.coin import toss

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
        circuit: what is appended to.
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
            known = [_known(cards, chosen, place) for place in before]
            patterns: dict[int, Fraction] = {}
            for below, here in ((0, 0), (1, 0), (1, 1)):
                if any(k is not None and k != v for k, v in zip(known, (below, here), strict=True)):
                    continue
                values = [v for k, v in zip(known, (below, here), strict=True) if k is None]
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
