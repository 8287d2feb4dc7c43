"""Signs on basis states: a boolean function on the states that occur, as few gates as are found.

A sign (−1)^f is a product of multi-controlled Z gates: over GF(2), f is a sum of conjunctions of
literals. States that do not occur are don't-cares, which leave many such sums to choose from.
Where few conjunctions of two are factors of many terms, they are written into clean qubits first.

Vectors are integers with one bit a basis state. Conjunctions together with the free vectors span a
space; whether a function lies in it is elimination, and of the many ways to write it, a cheap one
is found as a codeword of low weight is: by eliminating in random orders.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby, product
from operator import attrgetter
from random import Random

from attrs import field, frozen
from qiskit import QuantumCircuit
from qiskit.circuit.library import RCCXGate, ZGate

from compiler.synthesis.permutations import and_ladder

MAX_PAIRS = 600
"""Different pairs of columns up to which shared factors are looked for."""

MAX_SPANNED = 40
"""Choices of shared factors that are compared."""

ORDERS, MAX_WORK = 60, 10_000_000
"""Random orders in which the terms of each choice are eliminated, of many vectors fewer."""

MAX_TRIPLES = 600
"""Conjunctions of three qubits up to which they are terms, with all signs of their literals."""

SHARED_GATES = 6
"""Two-qubit gates of a shared factor: as much as six pairs."""

Pair = tuple[int, int]


@frozen
class Span:
    """Vectors over GF(2), each with the generators whose sum it is.

    Args:
        rows: by leading bit, a vector and the set of generators that add up to it, as bits.
    """

    rows: dict[int, tuple[int, int]] = field(factory=dict)

    def reduced(self, vector: int) -> tuple[int, int]:
        """Return the remainder of a vector, and the generators that were added."""
        added = 0
        for lead in sorted(self.rows, reverse=True):
            if vector >> lead & 1:
                row, generators = self.rows[lead]
                vector, added = vector ^ row, added ^ generators
        return vector, added

    def rest(self, vector: int) -> tuple[int, int]:
        """Return 0 and the generators that add up to a vector, or the remainder with those."""
        added = 0
        while vector and (row := self.rows.get(vector.bit_length() - 1)):
            vector, added = vector ^ row[0], added ^ row[1]
        return vector, added

    def add(self, vector: int, generator: int) -> None:
        """Add a generator, unless the others span it."""
        residue, added = self.rest(vector)
        if residue:
            self.rows[residue.bit_length() - 1] = residue, added ^ 1 << generator

    def copy(self) -> "Span":
        """Return a span that can be added to by itself."""
        return Span(dict(self.rows))


@frozen
class Term:
    """A conjunction of literals: 1 where each qubit has its value.

    Args:
        qubits: at least one, in ascending order.
        values: 0 or 1 for each.
    """

    qubits: tuple[int, ...]
    values: tuple[int, ...]

    @classmethod
    def of(cls, literals: Mapping[int, int]) -> "Term":
        """Return the conjunction of some qubits' values."""
        return cls(tuple(sorted(literals)), tuple(literals[qubit] for qubit in sorted(literals)))

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
        return sum(term.two_qubit_gates for term in self.terms) + SHARED_GATES * len(self.shared)


def price(literals: int) -> int:
    """Return two-qubit gates of a Z with so many literals, with clean ancillas."""
    return max(literals - 1, 6 * literals - 12)


def cheapest_sign(states: Mapping[int, int], qubits: int) -> Sign:
    """Return a sign that is right on the given states, with the fewest two-qubit gates found.

    Compared are sums of pairs, of conjunctions of three literals, and of all that a smallest
    conjunction needs; where pairs do not do, sums of pairs with up to two shared factors in
    qubits that are 0 on all states; and a decision tree. Terms of one qubit are free.

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
    for hot in drawn:
        values = {state ^ 1 << hot: value for state, value in states.items() if state >> hot & 1}
        part = cheapest_sign(values, qubits)
        places = {qubit: qubit for qubit in range(qubits)}
        for qubit, factors in part.shared:
            if factors not in ancillas:
                if not clean:
                    return None
                ancillas[factors] = clean.pop(0)
            places[qubit] = ancillas[factors]
        for term in (*part.terms, *[Term((), ())] * part.constant):
            literals = dict(zip((places[q] for q in term.qubits), term.values, strict=True))
            terms.append(Term.of({**literals, hot: 1}))
    shared = tuple((qubit, factors) for factors, qubit in ancillas.items())
    return Sign(tuple(terms), shared=shared, clean=tuple(clean))


def append_sign(circuit: QuantumCircuit, sign: Sign, control: int | None = None) -> None:
    """Append a sign, or the same where a control is 1.

    Args:
        circuit: to be extended.
        sign: the factor; its constant only matters to a control.
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
    ladder, remaining = and_ladder(literals, clean[: len(literals) - 3])
    for step in ladder:
        circuit.append(RCCXGate(), step)
    circuit.ccz(*remaining)
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

    def best(self) -> Sign:
        free = self._free(self.columns)
        left, _ = free.reduced(self.wanted)
        if not left:
            return self._sign([], self.columns, free, {})
        pairs = self._residues(self._pairs(self.columns), self.columns, free)
        wide = self._residues([*self._conjunctions(), *self._triples()], self.columns, free)
        candidates = [self._tree(self.everywhere, {})]
        if (terms := _few(left, {**wide, **pairs})) is not None:
            candidates.append(terms)
        signs = [self._sign(terms, self.columns, free, {}) for terms in candidates]
        if len(pairs) <= MAX_PAIRS:
            factors = [(term.qubits[0], term.qubits[1]) for term in pairs.values()]
            signs += [self._with_factors(chosen) for chosen in self._choices(factors)]
        return min(signs, key=attrgetter("two_qubit_gates"))

    def _free(self, columns: Mapping[int, int]) -> Span:
        """Return the span of terms of one qubit and the constant."""
        span = Span()
        for place, column in enumerate([self.everywhere, *columns.values()]):
            span.add(column, place)
        return span

    def _pairs(self, columns: Mapping[int, int]) -> Iterator[Term]:
        return (Term(pair, (1, 1)) for pair in combinations(columns, 2))

    def _triples(self) -> Iterator[Term]:
        count = len(self.columns)
        if count * (count - 1) * (count - 2) // 6 <= MAX_TRIPLES:
            for qubits in combinations(self.columns, 3):
                for values in product((1, 0), repeat=3):
                    yield Term(qubits, values)

    def _residues(
        self, terms: Iterable[Term], columns: Mapping[int, int], free: Span
    ) -> dict[int, Term]:
        """Return the cheapest term for each vector, up to the free vectors."""
        cheapest: dict[int, Term] = {}
        for term in terms:
            residue, _ = free.reduced(self._vector(term, columns))
            if residue and (
                residue not in cheapest or term.two_qubit_gates < cheapest[residue].two_qubit_gates
            ):
                cheapest[residue] = term
        return cheapest

    def _choices(self, pairs: Sequence[Pair]) -> list[tuple[Pair, ...]]:
        """Return the least numbers of factors with which pairs make up the function."""
        span = self._free(self.columns)
        for pair in pairs:
            span.add(self._both(pair), 0)
        if not span.rest(self.wanted)[0] or not self.clean:
            return []
        wider = [self._multiplied(span, factor) for factor in pairs]
        single: list[tuple[Pair, ...]]
        single = [(pairs[i],) for i, each in enumerate(wider) if not each.rest(self.wanted)[0]]
        if single or len(self.clean) < 2:
            return single[:MAX_SPANNED]
        two: list[tuple[Pair, ...]] = []
        for i, each in enumerate(wider):
            for factor in pairs[:i]:
                if not self._multiplied(each, factor).rest(self.wanted)[0]:
                    two.append((factor, pairs[i]))
                    if len(two) == MAX_SPANNED:
                        return two
        return two

    def _both(self, pair: Pair) -> int:
        return self.columns[pair[0]] & self.columns[pair[1]]

    def _multiplied(self, span: Span, factor: Pair) -> Span:
        """Return the span with the products of a pair and each column besides."""
        wider = span.copy()
        for column in self.columns.values():
            wider.add(self._both(factor) & column, 0)
        return wider

    def _with_factors(self, factors: Sequence[Pair]) -> Sign:
        """Return the cheapest sum of pairs, the ANDs of factors being columns of clean qubits."""
        shared = dict(zip(self.clean, factors, strict=False))
        columns = {**self.columns, **{q: self._both(pair) for q, pair in shared.items()}}
        free = self._free(columns)
        left, _ = free.reduced(self.wanted)
        terms = _few(left, self._residues(self._pairs(columns), columns, free))
        assert terms is not None
        return self._sign(terms, columns, free, shared)

    def _sign(
        self,
        terms: Sequence[Term],
        columns: Mapping[int, int],
        free: Span,
        shared: Mapping[int, Pair],
    ) -> Sign:
        """Return a sum with the terms of one qubit and the constant that are missing."""
        vector = self.wanted
        for term in terms:
            vector ^= self._vector(term, columns)
        _, generators = free.reduced(vector)
        single = [
            Term((qubit,), (1,))
            for place, qubit in enumerate(columns, start=1)
            if generators >> place & 1
        ]
        ordered = [Term.of(dict(zip(t.qubits, t.values, strict=True))) for t in terms]
        clean = tuple(qubit for qubit in self.clean if qubit not in shared)
        return Sign((*single, *ordered), generators & 1, tuple(shared.items()), clean)

    def _vector(self, term: Term, columns: Mapping[int, int]) -> int:
        vector = self.everywhere
        for qubit, value in zip(term.qubits, term.values, strict=True):
            vector &= columns[qubit] ^ (0 if value else self.everywhere)
        return vector

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
                yield Term.of(term)

    def _tree(self, among: int, literals: Mapping[int, int]) -> list[Term]:
        """Return disjoint conjunctions that hold where the function does, by a decision tree."""
        ones = self.wanted & among
        if not ones:
            return []
        if ones == among:
            return [Term.of(literals)]

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


def _few(left: int, terms: Mapping[int, Term]) -> list[Term] | None:
    """Return terms of few gates whose vectors add up to `left`; None if they do not span it.

    Args:
        left: the vector.
        terms: by their vectors.

    References:
        Lee, Brickell, EUROCRYPT '88: an information set, and one vector besides.
    """
    order, random = sorted(terms, key=lambda vector: terms[vector].two_qubit_gates), Random(0)
    groups = [list(group) for _, group in groupby(order, lambda v: terms[v].two_qubit_gates)]
    rank = min(len(order), max(order, default=0).bit_length())
    best: tuple[int, list[Term]] | None = None
    for _ in range(max(1, min(ORDERS, MAX_WORK // (1 + len(order) * rank)))):
        # The cheap ones are eliminated first, so that the others are written by them.
        order, prices, span = [], [], Span()
        for group in groups:
            random.shuffle(group)
            prices.append((terms[group[0]].two_qubit_gates, (1 << len(group)) - 1 << len(order)))
            order += group
        for place, vector in enumerate(order):
            span.add(vector, place)
        residue, basic = span.rest(left)
        if residue:
            return None
        for chosen in (basic, *(basic ^ 1 << i ^ span.rest(v)[1] for i, v in enumerate(order))):
            gates = sum(price * (chosen & mask).bit_count() for price, mask in prices)
            if best is None or gates < best[0]:
                best = gates, [terms[v] for i, v in enumerate(order) if chosen >> i & 1]
    return None if best is None else best[1]
