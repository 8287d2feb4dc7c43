"""TT_2 on the owners alone: the loser's card of a trick changes hands."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from math import pi
from random import Random

from qiskit import QuantumCircuit

from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.givens import reflect_if
from compiler.synthesis.method import synthesis_method
from compiler.synthesis.operator import Operator, example, operator
from compiler.synthesis.registers import split
from games.trick_taking.operators.trick_taking import flip_second


@operator("trick_owner")
class TrickOwner(Operator):
    """Gives both cards of a trick of two players to the owner of the stronger one.

    A permutation up to branch phases: |owner, table⟩ → |owner ⊕ eⱼ, table⟩, where j is the
    weaker, hence later one of the two cards on the table. Their owners differ, so that the
    winner owns both; all other owners are arbitrary and stay.

    Operands: `owner` (n), `table` (n flags, exactly two of them 1).

    Cost: 5n − 14 gates for n ≥ 4, 2 for n = 3, none for n = 2.

    Args:
        cards: n, the deck's size, strongest card first.

    References:
        Armbrüster et al., AAMAS 2026, equation 11, without the stack.
    """

    exact_phases = False
    examples = (example("TT_2^4, owner bits", 4),)

    def __init__(self, cards: int) -> None:
        self.cards = cards
        super().__init__(2 * cards, [cards])

    def legal_inputs(self) -> Iterator[int]:
        """Yield every pair of table cards with all owners for which theirs differ."""
        for first, second in combinations(range(self.cards), 2):
            for owners in range(1 << self.cards):
                if owners >> first & 1 != owners >> second & 1:
                    yield owners | (1 << first | 1 << second) << self.cards

    def random_legal_input(self, random: Random) -> int:
        """Return a random trick with random other owners."""
        first, second = random.sample(range(self.cards), 2)
        owners = random.getrandbits(self.cards) & ~(1 << first | 1 << second) | 1 << first
        return owners | (1 << first | 1 << second) << self.cards

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the one output that a legal input is mapped to."""
        weaker = (basis_state >> self.cards).bit_length() - 1
        return {basis_state ^ 1 << weaker: Fraction(1)}


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
