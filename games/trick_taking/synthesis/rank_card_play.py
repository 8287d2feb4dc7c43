"""Card play by a scan over the cards: a rank is drawn, and counts down at every hand card."""

from collections.abc import Sequence
from itertools import pairwise
from math import pi

from qiskit import QuantumCircuit
from qiskit.circuit.library import RC3XGate

from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.dicke import append_dicke
from compiler.synthesis.givens import exchange_if, reflect_if
from compiler.synthesis.method import synthesis_method
from compiler.synthesis.permutations import flipped, swap_if, xor_and
from compiler.synthesis.registers import split
from games.trick_taking.synthesis.literal_card_play import work_qubits


@synthesis_method("card_play.rank")
class RankCardPlay(CountedMethod):
    """Qiskit plugin `card_play.rank`.

    k = 1: the hand's only card is flipped onto the table, one relative-phase Toffoli a card.

    k ≥ 2: hand flags f, where no qubit is one already, and a one-hot rank register in a W state.
    At every hand card the register moves down one place: whoever has rank 1 goes to the card's
    table qubit, and the register is empty in the end. 4(kn − k(k−1)/2) + 2k − 3 gates, 6 or 12
    more a card for the flags.

    k = 2 with a single rank qubit r: r = 1 means "not played yet"; the first hand card takes
    half of it, the second the rest. About 10n gates.

    Phases are branch phases.
    """

    def ancillas(self, *params: int) -> int:
        """The rank, and hand flags where no qubit is one already."""
        cards, hand, _, owner_bits, opening = params
        return work_qubits(cards, hand, owner_bits, opening=bool(opening))

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on the operands of a `card_play` gate."""
        cards, hand, seat, bits, opening = params
        work_size = work_qubits(cards, hand, bits, opening=bool(opening))
        sizes = (cards * bits, cards, 0 if opening else cards, work_size)
        circuit = QuantumCircuit(sum(sizes))
        owner, table, stack, work = split(range(sum(sizes)), *sizes)
        evidence = [[*owner[i * bits : (i + 1) * bits], *stack[i : i + 1]] for i in range(cards)]
        zeros = [q for i, q in enumerate(owner) if not seat >> (i % bits) & 1] + stack
        if hand == 1:
            with flipped(circuit, zeros):
                for qubits, target in zip(evidence, table, strict=True):
                    _xor_all(circuit, qubits, target)
            return circuit
        if len(evidence[0]) == 1:
            with flipped(circuit, zeros):
                _play(circuit, owner, table, work, hand)
            return circuit
        flags = work[-cards:]
        marked = circuit.copy()
        with flipped(marked, zeros):
            for qubits, flag in zip(evidence, flags, strict=True):
                _xor_all(marked, qubits, flag)
        circuit.compose(marked, inplace=True)
        _play(circuit, flags, table, work[:-cards], hand)
        circuit.compose(marked.inverse(), inplace=True)
        return circuit


def _xor_all(circuit: QuantumCircuit, controls: Sequence[int], target: int) -> None:
    if len(controls) == 1:
        circuit.cx(controls[0], target)
    elif len(controls) == 2:
        xor_and(circuit, controls[0], controls[1], target)
    else:
        circuit.compose(RC3XGate().definition, [*controls, target], inplace=True)


def _play(
    circuit: QuantumCircuit,
    flags: Sequence[int],
    table: Sequence[int],
    rank: Sequence[int],
    hand: int,
) -> None:
    """Move one of `hand` flagged cards to the table; table qubits of flagged cards are |0⟩."""
    if len(rank) < hand:
        _play_one_of_two(circuit, flags, table, rank[0])
        return
    append_dicke(circuit, rank, 1)
    for card, (flag, target) in enumerate(zip(flags, table, strict=True)):
        lowest = [target, *rank[: len(flags) - card]]
        for lower, upper in pairwise(lowest):
            swap_if(circuit, flag, lower, upper)


def _play_one_of_two(
    circuit: QuantumCircuit, flags: Sequence[int], table: Sequence[int], waiting: int
) -> None:
    """Let the first of two flagged cards take half of a mark, and the second what is left.

    The first and the last card know which of the two they are, their neighbours know it from
    them, and those between from the parity of the flags before.
    """
    last = len(flags) - 1
    circuit.x(waiting)
    for card, (flag, target) in enumerate(zip(flags, table, strict=True)):
        if card == last:
            swap_if(circuit, flag, waiting, target)
        elif card == 0:
            exchange_if(circuit, flag, waiting, target, pi / 4)
        elif card == last - 1:
            with flipped(circuit, flags[last:]):
                _take(circuit, flag, flags[last], waiting, target)
        else:
            if card > 1:
                circuit.cx(flags[card - 2], flags[card - 1])
            _take(circuit, flag, flags[card - 1], waiting, target)
    for card in reversed(range(2, last - 1)):
        circuit.cx(flags[card - 2], flags[card - 1])


def _take(circuit: QuantumCircuit, flag: int, second: int, waiting: int, target: int) -> None:
    """Exchange as `exchange_if` does: with probability 1/2, or for certain where `second`."""
    for qubit in (waiting, target):
        circuit.ry(pi / 2, qubit)
    circuit.cz(waiting, target)
    for qubit, sign in ((waiting, 1), (target, -1)):
        mean, half = pi / 4 + sign * pi / 16, sign * pi / 16
        circuit.ry(-mean, qubit)
        circuit.cz(second, qubit)
        reflect_if(circuit, flag, qubit, half)
        circuit.cz(second, qubit)
        circuit.ry(mean, qubit)
    circuit.cz(waiting, target)
    for qubit in (waiting, target):
        circuit.ry(-pi / 2, qubit)
