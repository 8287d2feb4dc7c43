"""Sums of many pairs over GF(2), found by linear algebra: boolean functions as quadratic forms.

Vectors are integers with one bit a basis state. All pairs of columns together with what is free
span a space; whether a function lies in it is elimination, and of the many ways to write it, one
with few pairs is found as a codeword of low weight is: by eliminating in random orders.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random

from attrs import field, frozen

MOST_PAIRS = 600
"""Different pairs of columns up to which sums of many of them are looked for."""

MOST_SPANNED = 40
"""Choices of shared factors that are compared."""

ORDERS = 60
"""Random orders in which the pairs of each choice are eliminated."""

SHARED_GATES = 6
"""Two-qubit gates of a shared factor: as much as six pairs."""


@frozen
class Span:
    """Vectors over GF(2), with what each is the sum of.

    Args:
        rows: by leading bit, a vector and the set of generators that add up to it, as bits.
    """

    rows: dict[int, tuple[int, int]] = field(factory=dict)

    def reduced(self, vector: int) -> tuple[int, int]:
        """Return what is left of a vector, and the generators that were added."""
        added = 0
        for lead in sorted(self.rows, reverse=True):
            if vector >> lead & 1:
                row, generators = self.rows[lead]
                vector, added = vector ^ row, added ^ generators
        return vector, added

    def rest(self, vector: int) -> tuple[int, int]:
        """Return 0 and the generators that add up to a vector, or what elimination stops at."""
        added = 0
        while vector and (row := self.rows.get(vector.bit_length() - 1)):
            vector, added = vector ^ row[0], added ^ row[1]
        return vector, added

    def add(self, vector: int, generator: int) -> None:
        """Add a generator, unless the others span it."""
        rest, added = self.rest(vector)
        if rest:
            self.rows[rest.bit_length() - 1] = rest, added ^ 1 << generator

    def copy(self) -> "Span":
        """Return a span that can be added to by itself."""
        return Span(dict(self.rows))


@frozen
class Quadratic:
    """A function as a sum of pairs, single columns and a constant.

    Args:
        factors: pairs of columns whose ANDs count as further columns, in this order.
        pairs: of columns.
        single: columns.
        constant: 0 or 1.
    """

    factors: tuple[tuple[int, int], ...]
    pairs: tuple[tuple[int, int], ...]
    single: tuple[int, ...]
    constant: int

    @property
    def two_qubit_gates(self) -> int:
        """One a pair, six a factor."""
        return len(self.pairs) + SHARED_GATES * len(self.factors)


def shared_products(
    everywhere: int, columns: Sequence[int], wanted: int, most_factors: int
) -> Quadratic | None:
    """Return a function as a sum of pairs with up to two shared factors, few in all.

    Args:
        everywhere: the vector of ones.
        columns: by which it is told; neither constant, nor equal or opposite to one another.
        wanted: the function.
        most_factors: that may be shared.

    Returns:
        The cheapest sum that was found; None if there is none, or too much to look through.
    """
    free = Span()
    for place, column in enumerate([everywhere, *columns]):
        free.add(column, place)
    different: dict[int, tuple[int, int]] = {}
    for a, b in combinations(range(len(columns)), 2):
        rest, _ = free.reduced(columns[a] & columns[b])
        if rest:
            different.setdefault(rest, (a, b))
        if len(different) > MOST_PAIRS:
            return None
    choices = _choices(everywhere, columns, wanted, list(different.values()), most_factors)
    found = [_lightest(everywhere, columns, wanted, factors) for factors in choices]
    return min(found, key=lambda one: one.two_qubit_gates, default=None)


def _choices(
    everywhere: int,
    columns: Sequence[int],
    wanted: int,
    pairs: Sequence[tuple[int, int]],
    most_factors: int,
) -> list[tuple[tuple[int, int], ...]]:
    """Return the least numbers of factors with which the function can be written."""
    span = Span()
    for place, vector in enumerate([everywhere, *columns]):
        span.add(vector, place)
    for a, b in pairs:
        span.add(columns[a] & columns[b], 0)
    if not span.rest(wanted)[0]:
        return [()]
    if most_factors < 1:
        return []
    wider = [_multiplied(span, columns, factor) for factor in pairs]
    one: list[tuple[tuple[int, int], ...]]
    one = [(pairs[i],) for i, each in enumerate(wider) if not each.rest(wanted)[0]]
    if one or most_factors < 2:
        return one[:MOST_SPANNED]
    two: list[tuple[tuple[int, int], ...]] = []
    for i, each in enumerate(wider):
        for factor in pairs[:i]:
            if not _multiplied(each, columns, factor).rest(wanted)[0]:
                two.append((factor, pairs[i]))
                if len(two) == MOST_SPANNED:
                    return two
    return two


def _multiplied(span: Span, columns: Sequence[int], factor: tuple[int, int]) -> Span:
    """Return what is spanned with the products of a pair and each column besides."""
    wider, both = span.copy(), columns[factor[0]] & columns[factor[1]]
    for column in columns:
        wider.add(both & column, 0)
    return wider


def _lightest(
    everywhere: int, columns: Sequence[int], wanted: int, factors: tuple[tuple[int, int], ...]
) -> Quadratic:
    """Return the sum with the fewest pairs that random orders of elimination give."""
    vectors = [*columns, *(columns[a] & columns[b] for a, b in factors)]
    free = Span()
    for place, vector in enumerate([everywhere, *vectors]):
        free.add(vector, place)
    rests: dict[int, tuple[int, int]] = {}
    for a, b in combinations(range(len(vectors)), 2):
        rest, _ = free.reduced(vectors[a] & vectors[b])
        if rest:
            rests.setdefault(rest, (a, b))
    left, _ = free.reduced(wanted)
    chosen = _few(left, rests)
    total = wanted
    for a, b in chosen:
        total ^= vectors[a] & vectors[b]
    _, single = free.rest(total)
    return Quadratic(
        factors,
        tuple(chosen),
        tuple(place for place in range(len(vectors)) if single >> place + 1 & 1),
        single & 1,
    )


def _few(left: int, rests: Mapping[int, tuple[int, int]]) -> list[tuple[int, int]]:
    """Return few pairs whose vectors add up to `left`, which they span.

    References:
        Lee, Brickell, EUROCRYPT '88: an information set, and one pair besides.
    """
    order, random = list(rests), Random(0)
    best: list[int] | None = None
    for _ in range(ORDERS):
        random.shuffle(order)
        span = Span()
        for place, vector in enumerate(order):
            span.add(vector, place)
        _, basic = span.rest(left)
        sums = [basic, *(basic ^ 1 << i ^ span.rest(v)[1] for i, v in enumerate(order))]
        lightest = min(sums, key=int.bit_count)
        if best is None or lightest.bit_count() < len(best):
            best = [vector for i, vector in enumerate(order) if lightest >> i & 1]
    assert best is not None
    return [rests[vector] for vector in best]
