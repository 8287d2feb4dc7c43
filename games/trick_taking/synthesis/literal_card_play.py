"""Card play, literally: one conditioned superposition for every possible hand."""

from collections.abc import Sequence
from itertools import combinations
from math import asin, comb, sqrt
from typing import Any

from qiskit import QuantumCircuit
from qiskit.circuit.library import RYGate, XGate

from compiler.synthesis.controls import closed_controls
from compiler.synthesis.method import SynthesisMethod, synthesis_method
from compiler.synthesis.registers import bit_pattern, split
from games.trick_taking.synthesis.literal_prices import multi_controlled


def work_qubits(cards: int, hand: int, owner_bits: int, *, opening: bool) -> int:
    """Return the clean ancillas: conditions, and hand flags where no qubit is one already.

    The literal construction needs one condition, a scan a rank of k qubits, or one for k = 2.
    """
    if hand == 1:
        return 0
    rank = 1 if hand == 2 else hand
    return rank if opening and owner_bits == 1 else rank + cards


def literal_card_play(
    cards: int, hand: int, seat: int, owner_bits: int, opening: bool
) -> QuantumCircuit:
    """Return the product over all k-subsets of the deck (papers, equations 8 to 10).

    An ancilla holds "these k cards, and no others, are the hand"; under it the table qubits of
    the subset go to a W state. The papers' `X…X·SP` leaves k-1 cards on the table, and their
    SP for k=2 none or two; here exactly one is. A hand of one card is flipped onto the table
    card by card.

    Args:
        cards: n, the deck's size.
        hand: k, cards in the hand of the seat.
        seat: the seat that plays.
        owner_bits: bits per card in `owner`.
        opening: whether no card has been taken yet, so that there are no stack operands.

    Returns:
        Qubits: `owner` (card-major, low bit first), `table`, `stack` unless opening, ancillas.
    """
    stack_size = 0 if opening else cards
    work_size = work_qubits(cards, hand, owner_bits, opening=opening)
    sizes = (cards * owner_bits, cards, stack_size, work_size)
    circuit = QuantumCircuit(sum(sizes))
    owner, table, stack, work = split(circuit.qubits, *sizes)
    evidence = [
        [*owner[i * owner_bits : (i + 1) * owner_bits], *stack[i : i + 1]] for i in range(cards)
    ]
    in_hand = XGate().control(len(evidence[0]), ctrl_state=seat)
    if hand == 1:
        for card in range(cards):
            circuit.append(in_hand, [*evidence[card], table[card]])
        return circuit
    condition = work[0]
    flags = work[-cards:] if len(evidence[0]) > 1 else []
    for flag, qubits in zip(flags, evidence, strict=False):
        circuit.append(in_hand, [*qubits, flag])
    for subset in combinations(range(cards), hand):
        inverted = not flags and seat == 0
        pattern = bit_pattern([(card in subset) != inverted for card in range(cards)])
        exactly = XGate().control(cards, ctrl_state=pattern)
        circuit.append(exactly, [*(flags or owner), condition])
        _append_w_state(circuit, condition, [table[card] for card in subset])
        circuit.append(exactly, [*(flags or owner), condition])
    for flag, qubits in zip(flags, evidence, strict=False):
        circuit.append(in_hand, [*qubits, flag])
    return circuit


def _append_w_state(circuit: QuantumCircuit, control: Any, qubits: Sequence[Any]) -> None:
    size = len(qubits)
    circuit.ch(control, qubits[0]) if size == 2 else circuit.cry(
        2 * asin(1 / sqrt(size)), control, qubits[0]
    )
    for i in range(1, size - 1):
        none_before = RYGate(2 * asin(1 / sqrt(size - i))).control(
            i + 1, ctrl_state=1, annotated=False
        )
        circuit.append(none_before, [control, *qubits[: i + 1]])
    for qubit in qubits[:-1]:
        circuit.ccx(control, qubit, qubits[-1])
    circuit.cx(control, qubits[-1])


@synthesis_method("card_play.literal")
class LiteralCardPlay(SynthesisMethod):
    """Qiskit plugin `card_play.literal`."""

    def two_qubit_gates(self, *params: int) -> int:
        """C(n,k)·(2 CⁿX + controlled W), plus the hand flags; an estimate."""
        cards, hand, _, owner_bits, opening = params
        evidence = owner_bits + (not opening)
        flag = multi_controlled("x", evidence)
        if hand == 1:
            return cards * flag
        w_state = 1 if hand == 2 else multi_controlled("ry", 1)
        w_state += sum(multi_controlled("ry", controls) for controls in range(2, hand))
        w_state += (hand - 1) * multi_controlled("x", 2) + 1
        flags = 2 * cards * flag if evidence > 1 else 0
        return comb(cards, hand) * (2 * multi_controlled("x", cards) + w_state) + flags

    def ancillas(self, *params: int) -> int:
        """See `work_qubits`."""
        cards, hand, _, owner_bits, opening = params
        return work_qubits(cards, hand, owner_bits, opening=bool(opening))

    def build(self, *params: int) -> QuantumCircuit:
        """Return the literal circuit of a `card_play` gate."""
        cards, hand, seat, owner_bits, opening = params
        circuit = literal_card_play(cards, hand, seat, owner_bits, bool(opening))
        return closed_controls(circuit)
