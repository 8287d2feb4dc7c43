"""Counting the points of a party."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, reduce
from itertools import combinations, permutations, product
from operator import xor
from random import Random

from qiskit import QuantumCircuit

from compiler.fault_tolerant.lean_synthesis import lean_syntheses
from compiler.fault_tolerant.one_hot_rotation import add
from compiler.fault_tolerant.temporary_ands import temporary_and
from compiler.synthesis.method import CountedMethod, example, operator, synthesis_method
from compiler.synthesis.permutations import Conjunction, flipped, xor_and
from compiler.synthesis.registers import split
from games.trick_taking.operators.flags import fresh_of
from games.trick_taking.operators.lists import Recording, pack, unpack

SKAT_POINTS = (2, 2, 2, 2, 11, 10, 4, 3, 0, 0, 0)
"""Points of the lanes of trumps, strongest first."""


@operator("trick_score")
class TrickScore(Recording):
    """Adds the points of a trick's cards to a score if the party takes the trick.

    |party, lanes, score⟩ → |party, lanes, score + party · Σ points[lane] mod 2^S⟩. With the
    score prepared at 2^(S-1) less the points still wanted, its top bit says "won".

    Operands: the party flag of the winner, `lane_bits` for each card, the score (S > bits of
    the largest points), clean ancillas.

    Args:
        cards: cards in the trick.
        lane_bits: qubits of a card's lane.
        score_bits: S.
        points: points of each lane; lanes beyond the last do not occur.
    """

    examples = (
        example("list: points of one of 4 lanes", 1, 2, 3, (2, 1, 0, 0)),
        example("list: points of a trick", 3, 4, 7, SKAT_POINTS),
    )

    def __init__(self, cards: int, lane_bits: int, score_bits: int, points: Sequence[int]) -> None:
        self.cards, self.lane_bits, self.score_bits = cards, lane_bits, score_bits
        self.points = tuple(points)
        params = [cards, lane_bits, score_bits, *points]
        super().__init__(1 + cards * lane_bits + score_bits, params)

    def recorded(self) -> int:
        """Return 0: ancillas come back."""
        return 0

    def _input(self, party: int, lanes: Sequence[int], score: int) -> int:
        cards = pack(lanes, self.lane_bits, 1)
        return party | cards | score << 1 + self.cards * self.lane_bits

    def legal_inputs(self) -> Iterator[int]:
        """Yield every party flag with all lanes and every score."""
        for lanes in product(range(len(self.points)), repeat=self.cards):
            for score in range(1 << self.score_bits):
                yield self._input(0, lanes, score)
                yield self._input(1, lanes, score)

    def random_legal_input(self, random: Random) -> int:
        """Return random values."""
        lanes = [random.randrange(len(self.points)) for _ in range(self.cards)]
        return self._input(random.getrandbits(1), lanes, random.getrandbits(self.score_bits))

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the one output that a legal input is mapped to."""
        lanes = unpack(basis_state, self.cards, self.lane_bits, 1)
        score = basis_state >> 1 + self.cards * self.lane_bits
        if basis_state & 1:
            score += sum(self.points[lane] for lane in lanes)
        return {self._input(basis_state & 1, lanes, score % (1 << self.score_bits)): Fraction(1)}


Table = Sequence[int | None]
"""Points by lane; None where a lane does not occur."""


def score_ancillas(lane_bits: int, score_bits: int, points: Sequence[int]) -> tuple[int, int]:
    """Return the clean ancillas: flags of groups of lanes, then carries."""
    bits = max(points).bit_length()
    # Bits of the points that other bits add up to need a qubit besides the groups' flags.
    values = sorted(set(points))
    wanted = [sum((v >> bit & 1) << i for i, v in enumerate(values)) for bit in range(bits)]
    copies = bits - _rank(wanted)
    return _splits(table_of(lane_bits, points)) + copies, max(1, score_bits - bits)


def _rank(rows: Sequence[int]) -> int:
    """Return the rank of a matrix over the field of two elements, its rows given as integers."""
    left, rank = list(rows), 0
    while left:
        pivot = left.pop()
        if pivot:
            rank += 1
            low = pivot & -pivot
            left = [row ^ pivot if row & low else row for row in left]
    return rank


@synthesis_method("trick_score.ripple")
class RippleScore(CountedMethod):
    """Plugin `trick_score.ripple`: lanes are decoded down to groups of equal points.

    For each card, a split of a group takes 6 to 8 gates, an addition 10 for each of the points'
    bits and 7 for each of the score's others.
    """

    def ancillas(self, _cards: int, lane_bits: int, score_bits: int, *points: int) -> int:
        """Flags of groups of lanes, then carries."""
        return sum(score_ancillas(lane_bits, score_bits, points))

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on the flag, the lanes, the score and ancillas."""
        return _decoded_and_added(*params, lean=False)


@lean_syntheses.register("trick_score")
def lean_score(*params: int) -> QuantumCircuit:
    """Return the same circuit with flags and carries that measurements clear.

    For each card an AND for each split of its lanes, and one less than the score has bits.
    """
    return _decoded_and_added(*params, lean=True)


def _decoded_and_added(
    cards: int, lane_bits: int, score_bits: int, *points: int, lean: bool
) -> QuantumCircuit:
    flagged, carried = score_ancillas(lane_bits, score_bits, points)
    sizes = (1, cards * lane_bits, score_bits, flagged, score_bits - 1 if lean else carried)
    circuit = QuantumCircuit(sum(sizes))
    (party,), lanes, score, flags, carries = split(range(circuit.num_qubits), *sizes)
    conjunction, adder = (temporary_and, add) if lean else (xor_and, add_into)
    for card in range(cards if any(points) else 0):
        lane = lanes[card * lane_bits : (card + 1) * lane_bits]
        decoding = circuit.copy_empty_like()
        table = table_of(lane_bits, points)
        addend = decode(decoding, party, lane, table, flags, conjunction=conjunction)
        circuit.compose(decoding, inplace=True)
        adder(circuit, addend, score, carries)
        circuit.compose(decoding.inverse(), inplace=True)
    return circuit


def table_of(lane_bits: int, points: Sequence[int]) -> Table:
    """Return the points of every value that a lane's bits can have."""
    return [*points, *[None] * ((1 << lane_bits) - len(points))]


def _constant(table: Table) -> bool:
    return len({value for value in table if value is not None}) < 2


def _halves(table: Table) -> tuple[Table, Table]:
    return table[: len(table) // 2], table[len(table) // 2 :]


def _occurs(table: Table) -> bool:
    return any(value is not None for value in table)


def _splits(table: Table) -> int:
    """Return the number of splits until all lanes of a group have equal points."""
    if _constant(table):
        return 0
    low, high = _halves(table)
    return _splits(low) + _splits(high) + (_occurs(low) and _occurs(high))


Group = frozenset[int]
"""Values of the points of a flag's lanes."""


def decode(
    circuit: QuantumCircuit,
    party: int,
    lane: Sequence[int],
    table: Table,
    flags: Sequence[int],
    *,
    conjunction: Conjunction = xor_and,
) -> list[int]:
    """Turn clean flags into the points of a lane, 0 without the party; the inverse clears them.

    Args:
        circuit: circuit to append to.
        party: whether the points count.
        lane: the lane's bits.
        table: the points.
        flags: clean qubits.
        conjunction: sets a flag.

    Returns:
        The qubits that hold the points, lowest bit first.
    """
    clean, holds = list(flags), dict[int, Group]()

    def hold(group: int, value: int) -> None:
        """Make a group's flag that of its number of points, with all groups of that number."""
        for flag, values in holds.items():
            if values == {value}:
                circuit.cx(group, flag)
                return
        holds[group] = frozenset([value])

    def divide(group: int, lane: Sequence[int], table: Table) -> None:
        """Split the lanes of a group until a flag stands for each number of points but 0."""
        if _constant(table):
            value = max((value for value in table if value is not None), default=0)
            if value:
                hold(group, value)
            return
        *lower, top = lane
        low, high = _halves(table)
        if not _occurs(high) or not _occurs(low):
            divide(group, lower, low if _occurs(low) else high)
            return
        part = clean.pop(0)
        if not any(high):
            with flipped(circuit, [top]):
                conjunction(circuit, group, top, part)
            divide(part, lower, low)
            return
        conjunction(circuit, group, top, part)
        circuit.cx(part, group)
        divide(part, lower, high)
        divide(group, lower, low)

    divide(party, lane, table)
    values = {value for group in holds.values() for value in group}
    bits = max(values).bit_length()
    wanted = [frozenset(v for v in values if v >> bit & 1) for bit in range(bits)]
    plans = [_combinations(wanted, order, holds, clean) for order in permutations(range(bits))]
    addend = [-1] * bits
    for bit, place, sources in min(plans, key=lambda moves: sum(len(move[2]) for move in moves)):
        for source in sources:
            circuit.cx(source, place)
        addend[bit] = place
    return addend


def _combinations(
    wanted: Sequence[Group], order: Sequence[int], holds: Mapping[int, Group], clean: Sequence[int]
) -> list[tuple[int, int, tuple[int, ...]]]:
    """Find, bit by bit in some order, the fewest flags that combine to it.

    A flag that already holds a bit may be a source, but no longer a place.

    Returns:
        Each bit, the qubit that is to hold it, and the flags that are added to that qubit.
    """
    held, fresh = dict(holds), list(clean)
    moves: list[tuple[int, int, tuple[int, ...]]] = []
    for bit in order:
        places = {place for _, place, _ in moves}
        chosen = next(
            flags
            for size in range(len(held) + 1)
            for flags in combinations(sorted(held), size)
            if reduce(xor, (held[flag] for flag in flags), frozenset()) == wanted[bit]
            and (fresh or not set(flags) <= places)
        )
        free = [flag for flag in chosen if flag not in places]
        place = free[0] if free else fresh.pop(0)
        held[place] = wanted[bit]
        moves.append((bit, place, tuple(flag for flag in chosen if flag != place)))
    return moves


def add_into(
    circuit: QuantumCircuit, addend: Sequence[int], total: Sequence[int], carries: Sequence[int]
) -> None:
    """Add a number of n bits to a register of S bits, modulo 2^S, up to sign: 10n + 7(S-n) - 9.

    Args:
        circuit: circuit to append to.
        addend: the number, lowest bit first; it comes back.
        total: the register, wider than the number.
        carries: clean qubits, at least max(1, S - n).

    References:
        Cuccaro et al., arXiv:quant-ph/0410184, with clean qubits for the first carry and for
        those beyond the number.
    """
    size, top = len(addend), len(total) - 1
    chain = [carries[0], *addend[1:], *carries[1:]]
    xor_and(circuit, addend[0], total[0], chain[0])
    for i in range(1, top):
        if i < size:
            circuit.cx(addend[i], total[i])
            circuit.cx(addend[i], chain[i - 1])
        xor_and(circuit, chain[i - 1], total[i], chain[i])
    circuit.cx(chain[top - 1], total[top])
    for i in reversed(range(1, top)):
        xor_and(circuit, chain[i - 1], total[i], chain[i])
        if i < size:
            circuit.cx(addend[i], chain[i - 1])
        circuit.cx(chain[i - 1], total[i])
    xor_and(circuit, addend[0], total[0], chain[0])
    circuit.cx(addend[0], total[0])


@operator("wide_score")
class WideScore(TrickScore):
    """`trick_score`, whose arguments it takes, with history qubits in place of ancillas.

    Operands: the party flag of the winner, `lane_bits` for each card, the score, history qubits.
    """

    examples = (
        example("wide list: points of one of 4 lanes", 1, 2, 3, (2, 1, 0, 0)),
        example("wide list: points of a trick", 3, 4, 7, SKAT_POINTS),
    )

    def recorded(self) -> int:
        """Return the number of intermediate results."""
        params = self.cards, self.lane_bits, self.score_bits, *self.points
        others = 1 + self.cards * self.lane_bits + self.score_bits
        return _counted(params).num_qubits - others


@cache
def _counted(params: tuple[int, ...]) -> QuantumCircuit:
    """Return the circuit on the flag, the lanes, the score and history."""
    cards, lane_bits, score_bits, *points = params
    first = 1 + cards * lane_bits
    circuit = QuantumCircuit(first + score_bits)
    fresh = fresh_of(circuit)
    columns = [[first + bit] for bit in range(score_bits)]
    table = table_of(lane_bits, points)
    for card in range(cards if any(points) else 0):
        lane = range(1 + card * lane_bits, 1 + (card + 1) * lane_bits)
        flags = [fresh() for _ in range(score_ancillas(lane_bits, score_bits, points)[0])]
        party = fresh()
        circuit.cx(0, party)
        for column, bit in zip(columns, decode(circuit, party, lane, table, flags), strict=False):
            column.insert(0, bit)
    for place, column in enumerate(columns):
        while len(column) > 1:
            *others, total = column
            terms = others[:2]
            carry = None
            if place + 1 < score_bits:
                carry = fresh()
                columns[place + 1].insert(0, carry)
            _add(circuit, terms, total, carry)
            column[:] = [*others[len(terms) :], total]
    return circuit


def _add(circuit: QuantumCircuit, terms: list[int], total: int, carry: int | None) -> None:
    """Add one or two bits to another one, and write the carry to a fresh qubit."""
    if carry is not None:
        for term in terms[1:]:
            circuit.cx(term, terms[0])
            circuit.cx(term, total)
        xor_and(circuit, terms[0], total, carry)
        for term in terms[1:]:
            circuit.cx(term, carry)
            circuit.cx(terms[0], total)
            circuit.cx(term, total)
        if len(terms) == 1:
            circuit.cx(terms[0], total)
        return
    for term in terms:
        circuit.cx(term, total)


@synthesis_method("wide_score.columns")
class ColumnScore(CountedMethod):
    """Plugin `wide_score.columns`: lanes are decoded to points, whose bits are added by columns.

    Of three bits of a column one is left, and a carry for the next column, for eight gates.
    """

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on the flag, the lanes, the score and history."""
        return _counted(params)
