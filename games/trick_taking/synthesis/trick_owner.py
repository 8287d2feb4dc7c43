"""The owners after a trick of two players."""

from math import pi

from qiskit import QuantumCircuit

from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.givens import reflect_if
from compiler.synthesis.method import synthesis_method
from compiler.synthesis.registers import split
from games.trick_taking.synthesis.ladder_trick_taking import flip_second


@synthesis_method("trick_owner.ladder")
class LadderTrickOwner(CountedMethod):
    """Qiskit plugin `trick_owner.ladder`.

    The loser is the flagged card behind an odd number of flagged cards, and its owner flips:
    5n − 14 gates for n ≥ 4 (2 for n = 3, none for n = 2). Phases are branch phases.

    Among four cards, whoever loses if it is not the last card is decided for the second and the
    third together. `trick_taking.ladder` does not do that: a gate fewer by itself is a gate
    more in the toy as a whole, where neighbouring operators cancel.
    """

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on the operands of a `trick_owner` gate."""
        (cards,) = params
        circuit = QuantumCircuit(2 * cards)
        owner, table = split(range(2 * cards), cards, cards)
        if cards == 4:
            circuit.cx(table[3], owner[3])
            _flip_one_of_two(circuit, owner[1], owner[2], table[2], table[3])
        else:
            flip_second(circuit, owner, table)
        return circuit


def _flip_one_of_two(circuit: QuantumCircuit, a: int, b: int, second: int, neither: int) -> None:
    """Flip b where `second` is 1 and a where it is 0, up to sign; nothing where `neither` is 1.

    Five CZ. Between the Hadamard and CZ gates at both ends, X on b flips a, and XZ on b flips
    both: the former happens for `neither`, the latter for `second`. In the end a is flipped back.
    """
    circuit.h([a, b])
    circuit.cz(a, b)
    reflect_if(circuit, second, b, pi / 4)
    circuit.cx(neither, b)
    reflect_if(circuit, second, b, 3 * pi / 4)
    circuit.cz(a, b)
    circuit.h([a, b])
    circuit.x(a)
