"""A score by decoding each card's points and adding them with a carry chain."""

from collections.abc import Callable, Sequence

from attrs import frozen
from qiskit import QuantumCircuit

from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.permutations import flipped, xor_and
from compiler.synthesis.registers import split

Table = Sequence[int | None]
"""Points by lane; None where a lane does not occur."""


def score_ancillas(lane_bits: int, score_bits: int, points: Sequence[int]) -> tuple[int, int, int]:
    """Return the clean ancillas: flags of groups of lanes, bits of the points, carries."""
    bits = max(points).bit_length()
    return _splits(_table(lane_bits, points)), bits, max(1, score_bits - bits)


class RippleScore(CountedMethod):
    """Plugin `trick_score.ripple`: lanes are decoded down to groups of equal points.

    For each card, a split of a group takes 6 to 8 gates, an addition 10 for each of the points'
    bits and 7 for each of the score's others.
    """

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on the flag, the lanes, the score and ancillas."""
        cards, lane_bits, score_bits, *points = params
        ancillas = score_ancillas(lane_bits, score_bits, points)
        sizes = (1, cards * lane_bits, score_bits, *ancillas)
        circuit = QuantumCircuit(sum(sizes))
        (party,), lanes, score, flags, addend, carries = split(range(circuit.num_qubits), *sizes)
        for card in range(cards):
            lane = lanes[card * lane_bits : (card + 1) * lane_bits]
            decoding = circuit.copy_empty_like()
            decoder = _Decoder(decoding, iter(flags).__next__, addend)
            decoder.decode(party, lane, _table(lane_bits, points))
            circuit.compose(decoding, inplace=True)
            add_into(circuit, addend, score, carries)
            circuit.compose(decoding.inverse(), inplace=True)
        return circuit


def _table(lane_bits: int, points: Sequence[int]) -> Table:
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


@frozen
class _Decoder:
    """XORs points to qubits by splitting groups of lanes; the inverse clears all flags.

    Args:
        circuit: what is appended to.
        flag: gives clean qubits for flags of groups.
        points: qubits that take the points, lowest bit first.
    """

    circuit: QuantumCircuit
    flag: Callable[[], int]
    points: Sequence[int]

    def decode(self, group: int, lane: Sequence[int], table: Table) -> None:
        """Write the points of a lane where `group` is 1."""
        if _constant(table):
            for bit, target in enumerate(self.points):
                if max((value for value in table if value is not None), default=0) >> bit & 1:
                    self.circuit.cx(group, target)
            return
        *lower, top = lane
        low, high = _halves(table)
        if not _occurs(high) or not _occurs(low):
            self.decode(group, lower, low if _occurs(low) else high)
            return
        part = self.flag()
        if not any(high):
            with flipped(self.circuit, [top]):
                xor_and(self.circuit, group, top, part)
            self.decode(part, lower, low)
            return
        xor_and(self.circuit, group, top, part)
        self.circuit.cx(part, group)
        self.decode(part, lower, high)
        self.decode(group, lower, low)


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
