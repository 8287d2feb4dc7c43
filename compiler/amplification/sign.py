"""Signs on basis states: a boolean function on the states that occur, as few gates as are found.

A sign (−1)^f is a product of multi-controlled Z gates: over GF(2), f is a sum of conjunctions of
literals. States that do not occur are don't-cares, which leave many such sums to choose from.
Where few conjunctions of two are factors of many terms, they are written into clean qubits first.

Sums of many pairs over GF(2), found by linear algebra: boolean functions as quadratic forms.

Vectors are integers with one bit a basis state. All pairs of columns together with what is free
span a space; whether a function lies in it is elimination, and of the many ways to write it, one
with few pairs is found as a codeword of low weight is: by eliminating in random orders.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from operator import attrgetter
from random import Random

from attrs import field, frozen
from qiskit import QuantumCircuit
from qiskit.circuit.library import RCCXGate, ZGate

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


MOST_WIDE = 600
"""Conjunctions of three literals that are looked through; beyond, only pairs are."""

MOST_SUMS = 1_000_000
"""Pairs of sums that are compared."""


@frozen
class Term:
    """A conjunction of literals: 1 where each qubit has its value.

    Args:
        qubits: at least one, in ascending order.
        values: 0 or 1 for each.
    """

    qubits: tuple[int, ...]
    values: tuple[int, ...]

    @property
    def two_qubit_gates(self) -> int:
        """0, 1 and 6 for one, two and three literals; 6 more for each further one."""
        return price(len(self.qubits))


@frozen
class Sign:
    """A sign (−1)^f with f = constant + Σ terms mod 2.

    Args:
        terms: conjunctions.
        constant: 0 or 1: a global phase, which only a controlled sign needs.
        shared: qubits that are |0⟩, and the two whose AND each holds while the terms act.
        clean: qubits that are |0⟩ on all states for which it was made, those of `shared` besides.
    """

    terms: tuple[Term, ...]
    constant: int = 0
    shared: tuple[tuple[int, tuple[int, int]], ...] = ()
    clean: tuple[int, ...] = ()

    @property
    def two_qubit_gates(self) -> int:
        """Predicted, with clean ancillas; writing and clearing an AND takes six."""
        return sum(term.two_qubit_gates for term in self.terms) + 6 * len(self.shared)


def price(literals: int) -> int:
    """Return two-qubit gates of a Z with so many literals, with clean ancillas."""
    return max(literals - 1, 6 * literals - 12)


def cheapest_sign(states: Mapping[int, int], qubits: int) -> Sign:
    """Return a sign that is right on the given states, with the fewest two-qubit gates found.

    Looked through are all sums of up to four pairs, and of one conjunction of three literals, or
    of all that a smallest conjunction needs, and up to two pairs; then sums of many pairs, with up
    to two shared factors in qubits that are 0 on all states; where none of these does, a decision
    tree tells. Terms of one qubit are free.

    Args:
        states: basis state, bit q = qubit q, to 0 or 1; at least one.
        qubits: how many there are.
    """
    return _Search(states, qubits).best()


def split_sign(states: Mapping[int, int], qubits: int, drawn: Sequence[int]) -> Sign | None:
    """Return a sign as a sum of one for each qubit of a one-hot register, times that qubit.

    Args:
        states: as `cheapest_sign` takes them; exactly one of `drawn` is 1 in each.
        qubits: how many there are.
        drawn: the register.

    Returns:
        The sign; None if too few qubits are clean for the factors that its parts share.
    """
    clean = [q for q in range(qubits) if not any(state >> q & 1 for state in states)]
    ancillas: dict[tuple[int, int], int] = {}
    terms: list[Term] = []
    for one in drawn:
        kept = {state ^ 1 << one: value for state, value in states.items() if state >> one & 1}
        part = cheapest_sign(kept, qubits)
        places = {qubit: qubit for qubit in range(qubits)}
        for qubit, factors in part.shared:
            if factors not in ancillas:
                if not clean:
                    return None
                ancillas[factors] = clean.pop(0)
            places[qubit] = ancillas[factors]
        for term in (*part.terms, *[Term((), ())] * part.constant):
            literals = dict(zip((places[q] for q in term.qubits), term.values, strict=True))
            ordered = sorted({**literals, one: 1}.items())
            terms.append(Term(tuple(q for q, _ in ordered), tuple(v for _, v in ordered)))
    shared = tuple((qubit, factors) for factors, qubit in ancillas.items())
    return Sign(tuple(terms), shared=shared, clean=tuple(clean))


def append_sign(circuit: QuantumCircuit, sign: Sign, control: int | None = None) -> None:
    """Append a sign, or the same where a control is 1.

    Args:
        circuit: what is appended to.
        sign: what is multiplied; its constant only matters to a control.
        control: a qubit besides.
    """
    for qubit, factors in sign.shared:
        circuit.append(RCCXGate(), [*factors, qubit])
    for term in sign.terms:
        zeros = [q for q, value in zip(term.qubits, term.values, strict=True) if not value]
        literals = list(term.qubits) + ([] if control is None else [control])
        if zeros:
            circuit.x(zeros)
        _append_z(circuit, literals, sign.clean)
        if zeros:
            circuit.x(zeros)
    for qubit, factors in reversed(sign.shared):
        circuit.append(RCCXGate().inverse(), [*factors, qubit])
    if sign.constant and control is not None:
        circuit.z(control)


def _append_z(circuit: QuantumCircuit, literals: list[int], clean: Sequence[int]) -> None:
    """Append a multi-controlled Z; where too few qubits are clean, lowering finds a way."""
    if len(literals) <= 3 or len(clean) < len(literals) - 3:
        gate = ZGate().control(len(literals) - 1, annotated=False) if len(literals) > 1 else ZGate()
        circuit.append(gate, literals)
        return
    ladder: list[tuple[int, int, int]] = []
    rest = literals
    for ancilla in clean[: len(literals) - 3]:
        ladder.append((rest[0], rest[1], ancilla))
        rest = [*rest[2:], ancilla]
    for step in ladder:
        circuit.append(RCCXGate(), step)
    circuit.ccz(*rest)
    for step in reversed(ladder):
        circuit.append(RCCXGate().inverse(), step)


class _Search:
    """A search for the cheapest sum; vectors have one bit a state."""

    def __init__(self, states: Mapping[int, int], qubits: int) -> None:
        self.everywhere = (1 << len(states)) - 1
        self.wanted = sum(value << i for i, value in enumerate(states.values()))
        self.columns: dict[int, int] = {}
        seen = {0, self.everywhere}
        self.clean: list[int] = []
        for qubit in range(qubits):
            column = sum((state >> qubit & 1) << i for i, state in enumerate(states))
            if not column:
                self.clean.append(qubit)
            if column not in seen:
                seen |= {column, column ^ self.everywhere}
                self.columns[qubit] = column
        self.free = Span()
        for place, column in enumerate([self.everywhere, *self.columns.values()]):
            self.free.add(column, place)
        self.left = self.free.reduced(self.wanted)[0]

    def best(self) -> Sign:
        if not self.left:
            return self._with_free([])
        found = [self._tree(self.everywhere, {}), *self._sums()]
        best = self._with_free(min(found, key=_price))
        shared = self._shared()
        return best if shared is None else min(best, shared, key=attrgetter("two_qubit_gates"))

    def _shared(self) -> Sign | None:
        """Return a sum of pairs, some with shared factors; None if none is found."""
        places, vectors = list(self.columns), list(self.columns.values())
        found = shared_products(self.everywhere, vectors, self.wanted, len(self.clean))
        if found is None:
            return None
        shared = [
            (qubit, (places[a], places[b]))
            for qubit, (a, b) in zip(self.clean, found.factors, strict=False)
        ]
        places += [qubit for qubit, _ in shared]
        pairs = [Term(tuple(sorted((places[a], places[b]))), (1, 1)) for a, b in found.pairs]
        single = [Term((places[one],), (1,)) for one in found.single]
        clean = tuple(self.clean[len(shared) :])
        return Sign((*single, *pairs), found.constant, tuple(shared), clean)

    def _vector(self, term: Term) -> int:
        vector = self.everywhere
        for qubit, value in zip(term.qubits, term.values, strict=True):
            vector &= self.columns[qubit] ^ (0 if value else self.everywhere)
        return vector

    def _terms(self, literals: int) -> Iterator[Term]:
        """Yield conjunctions that differ by more than pairs and single qubits."""
        signs = list(product((1, 0), repeat=literals)) if literals > 2 else [(1, 1)]
        for qubits in combinations(self.columns, literals):
            for values in signs:
                yield Term(qubits, values)

    def _residues(self, terms: Iterable[Term]) -> dict[int, list[Term]]:
        found: dict[int, list[Term]] = {}
        for term in terms:
            rest = self.free.reduced(self._vector(term))[0]
            if rest:
                found.setdefault(rest, [term])
        return found

    def _sums(self) -> Iterator[list[Term]]:
        pairs = self._residues(self._terms(2))
        sums: dict[int, list[Term]] = {0: [], **pairs}
        if len(pairs) ** 2 <= MOST_SUMS:
            for (a, first), (b, second) in combinations(pairs.items(), 2):
                sums.setdefault(a ^ b, first + second)
        for rest, terms in sums.items():
            if self.left ^ rest in sums:
                yield terms + sums[self.left ^ rest]
        wide = list(self._residues([*self._conjunctions(), *self._triples()]).items())
        for rest, terms in wide:
            if self.left ^ rest in sums:
                yield terms + sums[self.left ^ rest]
        triples = [(rest, terms) for rest, terms in wide if len(terms[0].qubits) == 3]
        if len(triples) * len(sums) <= MOST_SUMS:
            for rest, terms in triples:
                for other, more in pairs.items():
                    if self.left ^ rest ^ other in sums:
                        yield terms + more + sums[self.left ^ rest ^ other]
        by_rest = dict(triples)
        for rest, terms in triples:
            if self.left ^ rest in by_rest:
                yield terms + by_rest[self.left ^ rest]

    def _triples(self) -> Iterator[Term]:
        count = len(self.columns)
        if 8 * count * (count - 1) * (count - 2) // 6 <= 8 * MOST_WIDE:
            yield from self._terms(3)

    def _conjunctions(self) -> Iterator[Term]:
        """Yield conjunctions of many literals that hold nearly where the function does.

        They hold at the single state of a value, or at all those with that value, and have the
        fewest literals that a greedy choice finds to exclude all others.
        """
        for wanted in (self.wanted, self.everywhere ^ self.wanted):
            others, term = self.everywhere ^ wanted, {}
            while others:
                options = [
                    (others & ~mask, qubit, value)
                    for qubit, column in self.columns.items()
                    for value, mask in ((1, column), (0, column ^ self.everywhere))
                    if not wanted & ~mask
                ]
                excluded, qubit, value = max(
                    options, key=lambda o: (o[0].bit_count(), -o[1]), default=(0, 0, 0)
                )
                if not excluded:
                    break
                others &= ~excluded
                term[qubit] = value
            if not others and len(term) > 1:
                ordered = sorted(term)
                yield Term(tuple(ordered), tuple(term[qubit] for qubit in ordered))

    def _tree(self, among: int, literals: Mapping[int, int]) -> list[Term]:
        """Return disjoint conjunctions that hold where the function does, by a decision tree."""
        ones = self.wanted & among
        if not ones:
            return []
        if ones == among:
            ordered = sorted(literals)
            return [Term(tuple(ordered), tuple(literals[qubit] for qubit in ordered))]

        def mixed(qubit: int) -> int:
            parts = (among & self.columns[qubit], among & ~self.columns[qubit])
            return sum(
                min((part & self.wanted).bit_count(), (part & ~self.wanted).bit_count())
                for part in parts
            )

        split = [q for q in self.columns if among & self.columns[q] and among & ~self.columns[q]]
        qubit = min(split, key=lambda q: (mixed(q), q))
        column = self.columns[qubit]
        return [
            *self._tree(among & column, {**literals, qubit: 1}),
            *self._tree(among & ~column, {**literals, qubit: 0}),
        ]

    def _with_free(self, terms: list[Term]) -> Sign:
        vector = self.wanted
        for term in terms:
            vector ^= self._vector(term)
        _, generators = self.free.reduced(vector)
        single = [
            Term((qubit,), (1,))
            for place, qubit in enumerate(self.columns, start=1)
            if generators >> place & 1
        ]
        return Sign((*single, *terms), generators & 1, clean=tuple(self.clean))


def _price(terms: Sequence[Term]) -> int:
    return sum(term.two_qubit_gates for term in terms)
