"""Trick taking along the order of the cards, without a case for every set of table cards."""

from collections.abc import Sequence

from qiskit import QuantumCircuit

from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.permutations import controlled_h, flipped, xor_and
from compiler.synthesis.registers import split


class LadderTrickTaking(CountedMethod):
    """Qiskit plugin `trick_taking.ladder`.

    The stack register holds the flags "on the table" while owners change: 2n CX in all.

    Two players: only the loser's owner flips, and the loser is the flagged card behind an odd
    number of flagged cards: 5n − 14 gates for n ≥ 5 (7 for n = 4, 2 for n = 3, none for n = 2).

    Three players: a one-hot register finds the first flagged card, its owner is copied to two
    ancillas, every flagged card takes it over, and all is taken back: 28n − 45 gates.

    Phases are branch phases.
    """

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on the operands of a `trick_taking` gate."""
        cards, players, bits = params
        three = players == 3
        sizes = (cards * bits, cards, cards, cards, three * cards * bits, three * cards)
        circuit = QuantumCircuit(sum(sizes))
        owner, table, stack, prior, dealt, work = split(range(sum(sizes)), *sizes)
        circuit.cx(table, stack)
        if three:
            _winner_takes(circuit, owner, dealt, stack, work)
        else:
            _flip_second(circuit, owner[::bits], stack)
        circuit.cx(prior, stack)
        return circuit


def _flip_second(circuit: QuantumCircuit, owner: Sequence[int], flags: Sequence[int]) -> None:
    """Flip the owner of the second of two flagged cards."""
    cards = len(flags)
    if cards == 2:
        circuit.x(owner[1])
        return
    circuit.cx(flags[-1], owner[-1])
    with flipped(circuit, flags[-1:]):
        if cards == 3:
            circuit.cx(flags[2], owner[1])
            return
        xor_and(circuit, flags[-2], flags[-1], owner[-2])
    xor_and(circuit, flags[1], flags[0], owner[1])
    steps = range(2, cards - 3)
    for i in steps:
        circuit.cx(flags[i - 2], flags[i - 1])
        xor_and(circuit, flags[i], flags[i - 1], owner[i])
    if cards > 4:
        card = cards - 3
        controlled_h(circuit, flags[card], owner[card])
        circuit.cz(flags[card - 2], owner[card])
        circuit.cz(flags[card - 1], owner[card])
        controlled_h(circuit, flags[card], owner[card])
    for i in reversed(steps):
        circuit.cx(flags[i - 2], flags[i - 1])


def _winner_takes(
    circuit: QuantumCircuit,
    owner: Sequence[int],
    dealt: Sequence[int],
    flags: Sequence[int],
    work: Sequence[int],
) -> None:
    """Give the owner of the first of three flagged cards to all three.

    Flagged cards have equal `owner` and `dealt`, two bits each.
    """
    cards = len(flags)
    winner, (seen, *rest) = work[:2], work[2:]
    first = [flags[0], *rest]
    find = QuantumCircuit(circuit.num_qubits)
    for i in range(cards - 2):
        if i:
            find.x(seen)
            xor_and(find, flags[i], seen, first[i])
            find.x(seen)
        if i < cards - 3:
            find.cx(first[i], seen)
    for i in range(cards - 2):
        for bit in range(2):
            xor_and(find, first[i], dealt[2 * i + bit], winner[bit])
    circuit.compose(find, inplace=True)
    for i in range(1, cards):
        for bit in range(2):
            target = owner[2 * i + bit]
            controlled_h(circuit, flags[i], target)
            circuit.cz(dealt[2 * i + bit], target)
            circuit.cz(winner[bit], target)
            controlled_h(circuit, flags[i], target)
    circuit.compose(find.inverse(), inplace=True)
