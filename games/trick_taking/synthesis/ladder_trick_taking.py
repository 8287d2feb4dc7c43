"""Trick taking along the order of the cards, without a case for every set of table cards."""

from collections.abc import Sequence

from qiskit import QuantumCircuit

from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.method import synthesis_method
from compiler.synthesis.permutations import controlled_h, flipped, xor_and
from compiler.synthesis.registers import split


@synthesis_method("trick_taking.ladder")
class LadderTrickTaking(CountedMethod):
    """Qiskit plugin `trick_taking.ladder`.

    The stack register holds the flags "on the table" while owners change: 2n CX in all.

    Two players: only the loser's owner flips, and the loser is the flagged card behind an odd
    number of flagged cards: 5n − 14 gates for n ≥ 5 (7 for n = 4, 2 for n = 3, none for n = 2).

    Three players: the winner's two bits are copied from `dealt` to two ancillas. Such a bit meets
    every card's in turn, one CZ a card, but only at the first flagged card it is in the basis in
    which that flips it; ancillas that say whether a card was flagged so far turn the basis.
    Then every flagged card takes the winner over, and the copies are taken back: 26n − 54 gates
    for n ≥ 5.

    Phases are branch phases.
    """

    def ancillas(self, *params: int) -> int:
        """One a card for three players: the winner, and "has a card been flagged so far?"."""
        cards, players, _ = params
        return cards if players == 3 else 0

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
            flip_second(circuit, owner[::bits], stack)
        circuit.cx(prior, stack)
        return circuit


def flip_second(circuit: QuantumCircuit, owner: Sequence[int], flags: Sequence[int]) -> None:
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
    winner = work[:2]
    find = QuantumCircuit(circuit.num_qubits)
    seen = _seen(find, flags, work[2:])
    _copy_first(find, dealt, seen, winner)
    circuit.compose(find, inplace=True)
    for i in range(1, cards):
        for bit in range(2):
            target = owner[2 * i + bit]
            controlled_h(circuit, flags[i], target)
            circuit.cz(dealt[2 * i + bit], target)
            circuit.cz(winner[bit], target)
            controlled_h(circuit, flags[i], target)
    circuit.compose(find.inverse(), inplace=True)


def _seen(circuit: QuantumCircuit, flags: Sequence[int], clean: Sequence[int]) -> list[int]:
    """Return qubits that say whether one of the cards 0 to i is flagged, for i < n − 3.

    For the next card it is always so, since three are flagged.
    """
    seen = [*flags[:1], *clean][: max(0, len(flags) - 3)]
    for i in range(1, len(seen)):
        with flipped(circuit, [seen[i - 1], flags[i]]):
            xor_and(circuit, seen[i - 1], flags[i], seen[i])
        circuit.x(seen[i])
    return seen


def _copy_first(
    circuit: QuantumCircuit, dealt: Sequence[int], seen: list[int], winner: Sequence[int]
) -> None:
    """Copy the owner of the first flagged card to `winner`; `seen` holds garbage afterwards.

    The winner's bits are in the X basis exactly where card i is the first one flagged. Between
    card i and i − 1 the basis changes if either is the first, that is where "one of 0 to i" and
    "one of 0 to i − 2" differ.
    """
    last = len(seen)
    for i in reversed(range(last + 2)):
        if i < last and i > 1:
            circuit.cx(seen[i - 2], seen[i])
        for bit, target in enumerate(winner):
            if i < last:
                controlled_h(circuit, seen[i], target)
            else:
                circuit.h(target)
                if i > 1:
                    controlled_h(circuit, seen[i - 2], target)
            if i > 0:
                circuit.cz(dealt[2 * (i - 1) + bit], target)
