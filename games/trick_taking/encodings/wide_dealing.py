"""Dealing a game into lists, part by part, in the cheapest order."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise

from attrs import frozen

from compiler.synthesis.method import predictions
from games.trick_taking.encodings.list_dealing import Slot
from games.trick_taking.operators.wide_deal import WideDeal, WideSplit

Operations = Iterator[tuple[WideDeal | WideSplit | int, list[int]]]
"""Operators with their slots, and codes with the slot that they are written to."""

PER_PLACE = 4
"""Approximate cost of a deal of known cards for each of its k(n-k) places."""


@frozen
class WideDealing:
    """Deals cards without known owners, first to groups of owners.

    Args:
        width: qubits of a slot.
        slots: slots of each owner that gets cards.
    """

    width: int
    slots: Mapping[int, Sequence[Slot]]

    def operations(self, codes: Sequence[int]) -> Operations:
        """Yield the operators that deal cards of these codes."""
        yield from self._known(gray_path(codes), tuple(self.slots))

    def _known(self, codes: Sequence[int], owners: tuple[int, ...]) -> Operations:
        if len(owners) == 1:
            yield from zip(codes, self.slots[owners[0]], strict=True)
            return
        _, (first, second) = self._cheapest(owners, known=True)
        operator = WideDeal(self.width, self._size(first), codes)
        yield operator, self._qubits((*first, *second))
        yield from self._unknown(first)
        yield from self._unknown(second)

    def _unknown(self, owners: tuple[int, ...]) -> Operations:
        if len(owners) == 1:
            return
        _, (first, second) = self._cheapest(owners, known=False)
        operator = WideSplit(self.width, self._size(owners), self._size(first))
        yield operator, self._qubits((*first, *second))
        yield from self._unknown(first)
        yield from self._unknown(second)

    def _cheapest(
        self, owners: tuple[int, ...], *, known: bool
    ) -> tuple[int, tuple[tuple[int, ...], tuple[int, ...]]]:
        """Return the gates of the cheapest deal, and its first two parts, the smaller one first."""
        prices = []
        for size in range(1, len(owners)):
            for first in combinations(owners, size):
                second = tuple(owner for owner in owners if owner not in first)
                if self._size(first) <= self._size(second):
                    price = self._price(first, second, known=known)
                    price += self._rest(first) + self._rest(second)
                    prices.append((price, (first, second)))
        return min(prices)

    def _rest(self, owners: tuple[int, ...]) -> int:
        return 0 if len(owners) == 1 else self._cheapest(owners, known=False)[0]

    def _price(self, first: tuple[int, ...], second: tuple[int, ...], *, known: bool) -> int:
        few, many = self._size(first), self._size(second)
        if known:
            return PER_PLACE * few * many
        return min(predictions(WideSplit(self.width, few + many, few)).values())

    def _size(self, owners: tuple[int, ...]) -> int:
        return sum(len(self.slots[owner]) for owner in owners)

    def _qubits(self, owners: tuple[int, ...]) -> list[int]:
        return [qubit for owner in owners for slot in self.slots[owner] for qubit in slot]


def gray_path(codes: Sequence[int]) -> tuple[int, ...]:
    """Return codes in an order in which neighbours differ in as few bits as is easily found.

    From every code it goes on to the nearest one, of these to the one with the fewest near ones
    left; the shortest path is improved by turning parts of it around.
    """
    paths = [_turned(_greedy(first, codes)) for first in sorted(codes)]
    shortest: list[int] = min(paths, key=path_length)
    return tuple(shortest)


def path_length(path: Sequence[int]) -> int:
    """Return the number of bits that change along a path."""
    return sum((a ^ b).bit_count() for a, b in pairwise(path))


def _greedy(first: int, codes: Sequence[int]) -> list[int]:
    path, left = [first], set(codes) - {first}
    while left:

        def rank(code: int) -> tuple[int, int, int]:
            near = sum((code ^ other).bit_count() == 1 for other in left)
            return (code ^ path[-1]).bit_count(), near, code

        path.append(min(left, key=rank))
        left.remove(path[-1])
    return path


def _turned(path: list[int]) -> list[int]:
    """Turn parts of a path around while that makes it shorter."""
    cards = len(path)
    better = True
    while better:
        better = False
        for start in range(cards):
            for end in range(start + 2, cards + 1):
                if _saved(path, start, end) > 0:
                    path[start:end] = path[start:end][::-1]
                    better = True
    return path


def _saved(path: list[int], start: int, end: int) -> int:
    """Return the length that a path saves if a part of it is reversed.

    Only the two edges at the ends of the part change.
    """
    first, last = path[start], path[end - 1]
    saved = 0
    if start:
        saved += (path[start - 1] ^ first).bit_count() - (path[start - 1] ^ last).bit_count()
    if end < len(path):
        saved += (path[end] ^ last).bit_count() - (path[end] ^ first).bit_count()
    return saved
