"""Trick taking, literally: one conditioned move for every set of cards that can be on the table."""

from itertools import combinations
from math import comb

from qiskit import QuantumCircuit
from qiskit.circuit.library import XGate

from compiler.synthesis.controls import closed_controls
from compiler.synthesis.method import SynthesisMethod, synthesis_method
from compiler.synthesis.registers import bit_pattern, split
from games.trick_taking.synthesis.literal_prices import multi_controlled


def literal_trick_taking(cards: int, players: int, owner_bits: int) -> QuantumCircuit:
    """Return the product over all sets of table cards (papers, equations 11 and 12).

    Two players: the loser's owner is the other seat, so three multi-controlled flips per pair
    do. Three players: an ancilla holds the condition, and the loser's owner is turned into the
    winner's with the untouched copies in `dealt`.

    Returns:
        Qubits: `owner` (card-major, low bit first), `table`, `stack`, `prior`, and for three
        players `dealt` and one clean ancilla.
    """
    three = players == 3
    bits = cards * owner_bits
    sizes = (bits, cards, cards, cards, bits if three else 0, 1 if three else 0)
    circuit = QuantumCircuit(sum(sizes))
    owner, table, stack, prior, dealt, work = split(circuit.qubits, *sizes)
    on_table = XGate().control(
        2 * players, ctrl_state=bit_pattern([True] * players + [False] * players)
    )
    for trick in combinations(range(cards), players):
        condition = [*(table[card] for card in trick), *(prior[card] for card in trick)]
        if not three:
            winner, loser = trick
            for target in (stack[winner], owner[loser * owner_bits], stack[loser]):
                circuit.append(on_table, [*condition, target])
            continue
        circuit.append(on_table, [*condition, work[0]])
        for loser in trick[1:]:
            for bit in range(owner_bits):
                for copy in (trick[0], loser):
                    source, target = dealt[copy * owner_bits + bit], owner[loser * owner_bits + bit]
                    circuit.ccx(work[0], source, target)
        for card in trick:
            circuit.cx(work[0], stack[card])
        circuit.append(on_table, [*condition, work[0]])
    return circuit


@synthesis_method("trick_taking.literal")
class LiteralTrickTaking(SynthesisMethod):
    """Qiskit plugin `trick_taking.literal`."""

    def two_qubit_gates(self, *params: int) -> int:
        """3·C(n,2) C⁴X, or C(n,3)·(2 C⁶X + 4b CCX + 3 CX); an estimate."""
        cards, players, owner_bits = params
        if players == 2:
            return 3 * comb(cards, 2) * multi_controlled("x", 4)
        moves = 4 * owner_bits * multi_controlled("x", 2) + 3
        return comb(cards, 3) * (2 * multi_controlled("x", 6) + moves)

    def ancillas(self, *params: int) -> int:
        """The condition, for three players."""
        return 1 if params[1] == 3 else 0

    def build(self, *params: int) -> QuantumCircuit:
        """Return the literal circuit of a `trick_taking` gate."""
        return closed_controls(literal_trick_taking(*params))
