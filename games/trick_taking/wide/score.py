"""Counting a trick: points and carries stay where they are, all cards are added at once."""

from functools import cache

from qiskit import QuantumCircuit
from qiskit.circuit import Qubit

from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.method import synthesis_method
from compiler.synthesis.operator import Operator, example, operator
from compiler.synthesis.permutations import xor_and
from games.trick_taking.operators.trick_score import SKAT_POINTS, TrickScore
from games.trick_taking.synthesis.trick_score import decode, score_ancillas, table_of


@operator("wide_score")
class WideScore(TrickScore):
    """`trick_score`, whose arguments it takes, with history qubits in place of ancillas.

    Operands: the party flag of the winner, `lane_bits` for each card, the score, history qubits.
    """

    examples = (
        example("wide list: points of one of 4 lanes", 1, 2, 3, (2, 1, 0, 0)),
        example("wide list: points of a trick", 3, 4, 7, SKAT_POINTS),
    )

    def __init__(
        self, cards: int, lane_bits: int, score_bits: int, points: tuple[int, ...]
    ) -> None:
        super().__init__(cards, lane_bits, score_bits, points)
        params = (cards, lane_bits, score_bits, *self.points)
        first = 1 + cards * lane_bits + score_bits
        self.history = tuple(range(first, _counted(params).num_qubits))
        Operator.__init__(self, first + len(self.history), list(params))


@cache
def _counted(params: tuple[int, ...]) -> QuantumCircuit:
    """Return the circuit on the flag, the lanes, the score and history."""
    cards, lane_bits, score_bits, *points = params
    first = 1 + cards * lane_bits
    circuit = QuantumCircuit(first + score_bits)

    def fresh() -> int:
        circuit.add_bits([Qubit()])
        return circuit.num_qubits - 1

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
