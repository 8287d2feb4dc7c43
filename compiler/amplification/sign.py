"""Signs on basis states: a boolean function on the states that occur, as few gates as are found.

A sign (−1)^f is a product of multi-controlled Z gates: over GF(2), f is a sum of conjunctions of
literals. States that do not occur are don't-cares, which leave many such sums to choose from.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

from attrs import field, frozen
from qiskit import QuantumCircuit
from qiskit.circuit.library import RCCXGate, ZGate

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
    """

    terms: tuple[Term, ...]
    constant: int = 0

    @property
    def two_qubit_gates(self) -> int:
        """Predicted, with clean ancillas."""
        return sum(term.two_qubit_gates for term in self.terms)


def price(literals: int) -> int:
    """Return two-qubit gates of a Z with so many literals, with clean ancillas."""
    return max(literals - 1, 6 * literals - 12)


def cheapest_sign(states: Mapping[int, int], qubits: int) -> Sign:
    """Return a sign that is right on the given states, with the fewest two-qubit gates found.

    Looked through are all sums of up to four pairs, and of one conjunction of three literals, or
    of all that a smallest conjunction needs, and up to two pairs; where none of these
    does, a decision tree tells. Terms of one qubit are free.

    Args:
        states: basis state, bit q = qubit q, to 0 or 1; at least one.
        qubits: how many there are.
    """
    return _Search(states, qubits).best()


def append_sign(
    circuit: QuantumCircuit, sign: Sign, clean: Sequence[int], control: int | None = None
) -> None:
    """Append a sign, or the same where a control is 1.

    Args:
        circuit: what is appended to.
        sign: what is multiplied; its constant only matters to a control.
        clean: qubits that are |0⟩, and stay so.
        control: a qubit besides.
    """
    for term in sign.terms:
        zeros = [q for q, value in zip(term.qubits, term.values, strict=True) if not value]
        literals = list(term.qubits) + ([] if control is None else [control])
        if zeros:
            circuit.x(zeros)
        _append_z(circuit, literals, clean)
        if zeros:
            circuit.x(zeros)
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


@frozen
class _Span:
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

    def add(self, vector: int, generator: int) -> None:
        """Add a generator, unless the others span it."""
        rest, added = self.reduced(vector)
        if rest:
            self.rows[rest.bit_length() - 1] = rest, added ^ 1 << generator


class _Search:
    """A search for the cheapest sum; vectors have one bit a state."""

    def __init__(self, states: Mapping[int, int], qubits: int) -> None:
        self.everywhere = (1 << len(states)) - 1
        self.wanted = sum(value << i for i, value in enumerate(states.values()))
        self.columns: dict[int, int] = {}
        seen = {0, self.everywhere}
        for qubit in range(qubits):
            column = sum((state >> qubit & 1) << i for i, state in enumerate(states))
            if column not in seen:
                seen |= {column, column ^ self.everywhere}
                self.columns[qubit] = column
        self.free = _Span()
        for place, column in enumerate([self.everywhere, *self.columns.values()]):
            self.free.add(column, place)
        self.left = self.free.reduced(self.wanted)[0]

    def best(self) -> Sign:
        if not self.left:
            return self._with_free([])
        found = [self._tree(self.everywhere, {}), *self._sums()]
        return self._with_free(min(found, key=_price))

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
        return Sign((*single, *terms), generators & 1)


def _price(terms: Sequence[Term]) -> int:
    return sum(term.two_qubit_gates for term in terms)
