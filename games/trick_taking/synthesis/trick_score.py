"""A score by decoding each card's points and adding them with a carry chain."""

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import combinations, permutations
from operator import xor

from attrs import frozen
from qiskit import QuantumCircuit

from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.method import synthesis_method
from compiler.synthesis.permutations import Conjunction, flipped, xor_and
from compiler.synthesis.registers import split

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

    def ancillas(self, *params: int) -> int:
        """Flags of groups of lanes, then carries."""
        _, lane_bits, score_bits, *points = params
        return sum(score_ancillas(lane_bits, score_bits, points))

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on the flag, the lanes, the score and ancillas."""
        cards, lane_bits, score_bits, *points = params
        ancillas = score_ancillas(lane_bits, score_bits, points)
        sizes = (1, cards * lane_bits, score_bits, *ancillas)
        circuit = QuantumCircuit(sum(sizes))
        (party,), lanes, score, flags, carries = split(range(circuit.num_qubits), *sizes)
        if not any(points):
            return circuit
        for card in range(cards):
            lane = lanes[card * lane_bits : (card + 1) * lane_bits]
            decoding = circuit.copy_empty_like()
            addend = decode(decoding, party, lane, table_of(lane_bits, points), flags)
            circuit.compose(decoding, inplace=True)
            add_into(circuit, addend, score, carries)
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
    """Return how many times a group has to be split until all its lanes have equal points."""
    if _constant(table):
        return 0
    low, high = _halves(table)
    return _splits(low) + _splits(high) + (_occurs(low) and _occurs(high))


Group = frozenset[int]
"""Values of the points of the lanes that a flag stands for."""


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
        circuit: what is appended to.
        party: whether the points count.
        lane: the lane's bits.
        table: the points.
        flags: clean qubits.
        conjunction: by which one of them is set.

    Returns:
        The qubits that hold the points, lowest bit first.
    """
    splitting = _Splitting(circuit, list(flags), {}, conjunction)
    splitting.split(party, lane, table)
    holds = splitting.holds
    values = {value for group in holds.values() for value in group}
    bits = max(values).bit_length()
    wanted = [frozenset(v for v in values if v >> bit & 1) for bit in range(bits)]
    plans = [
        _combinations(wanted, order, holds, splitting.clean) for order in permutations(range(bits))
    ]
    plan = min(plans, key=lambda moves: sum(len(move.sources) for move in moves))
    addend = [-1] * bits
    for move in plan:
        for source in move.sources:
            circuit.cx(source, move.place)
        addend[move.bit] = move.place
    return addend


@frozen
class _Splitting:
    """Splits groups of lanes until a flag stands for each number of points but 0.

    Args:
        circuit: what is appended to.
        clean: qubits for further flags.
        holds: the numbers of points that each flag stands for.
        conjunction: by which a clean flag is set.
    """

    circuit: QuantumCircuit
    clean: list[int]
    holds: dict[int, Group]
    conjunction: Conjunction

    def split(self, group: int, lane: Sequence[int], table: Table) -> None:
        """Split the lanes of a group, whose flag is the qubit `group`."""
        if _constant(table):
            value = max((value for value in table if value is not None), default=0)
            if value:
                self._hold(group, value)
            return
        *lower, top = lane
        low, high = _halves(table)
        if not _occurs(high) or not _occurs(low):
            self.split(group, lower, low if _occurs(low) else high)
            return
        part = self.clean.pop(0)
        if not any(high):
            with flipped(self.circuit, [top]):
                self.conjunction(self.circuit, group, top, part)
            self.split(part, lower, low)
            return
        self.conjunction(self.circuit, group, top, part)
        self.circuit.cx(part, group)
        self.split(part, lower, high)
        self.split(group, lower, low)

    def _hold(self, group: int, value: int) -> None:
        """Make a group's flag that of its number of points, with all groups of that number."""
        for flag, values in self.holds.items():
            if values == frozenset([value]):
                self.circuit.cx(group, flag)
                return
        self.holds[group] = frozenset([value])


@frozen
class _Move:
    """XOR `sources` to `place`, which then holds a bit of the points."""

    bit: int
    place: int
    sources: tuple[int, ...]


def _combinations(
    wanted: Sequence[Group], order: Sequence[int], holds: Mapping[int, Group], clean: Sequence[int]
) -> list[_Move]:
    """Find, bit by bit in some order, the fewest flags that combine to it.

    A flag that already holds a bit may be a source, but no longer a place.
    """
    held, fresh = dict(holds), list(clean)
    moves: list[_Move] = []
    for bit in order:
        places = {move.place for move in moves}
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
        moves.append(_Move(bit, place, tuple(flag for flag in chosen if flag != place)))
    return moves


def add_into(
    circuit: QuantumCircuit, addend: Sequence[int], total: Sequence[int], carries: Sequence[int]
) -> None:
    """Add a number of n bits to a register of S bits, modulo 2^S, up to sign: 10n + 7(S-n) - 9.

    Args:
        circuit: what is appended to.
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
