"""Operators that find a game's levels."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from qiskit import QuantumCircuit

from compiler.synthesis.method import CountedMethod, Operator, example, operator, synthesis_method
from compiler.synthesis.permutations import flipped, xor_and
from games.trick_taking.operators.flags import and_parity


@operator("schneider")
class Schneider(Operator):
    """Computes from a score whether one side is schneider.

    |score, 0⟩ → |score, l⟩ with score = 2^(S-1) + points − threshold and l = 1 where the points are
    h = ⌊threshold/2⌋ or fewer, or 3h or more.

    Operands: the score, S − 2 history qubits, l.

    Cost: 4S − 5 gates.

    Args:
        score_bits: S ≥ 2; 2^(S-1) ≥ h.
        threshold: points that win, at least 2.
    """

    exact_phases = False
    examples = (
        example("list: schneider, toy", 5, 15),
        example("list: schneider", 7, 61),
    )

    def __init__(self, score_bits: int, threshold: int) -> None:
        self.score_bits, self.threshold = score_bits, threshold
        self.history = tuple(range(score_bits, 2 * score_bits - 2))
        super().__init__(2 * score_bits - 1, [score_bits, threshold])

    def legal_inputs(self) -> Iterator[int]:
        """Yield every score."""
        yield from range(1 << self.score_bits)

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the one output that a legal input is mapped to."""
        half = self.threshold // 2
        points = basis_state - (1 << self.score_bits - 1) + self.threshold
        bit = not half < points < 3 * half
        return {basis_state | bit << 2 * self.score_bits - 2: Fraction(1)}


@operator("one_side")
class OneSide(Operator):
    """Computes whether all tricks have gone to one side so far.

    |side, first, before, 0⟩ → |side, first, before, before · [side = first]⟩: four gates. At the
    second trick there is no `before`, and it takes two.

    Args:
        second: whether this is the second trick.
    """

    exact_phases = False
    examples = (
        example("list: second trick to one side", second=True),
        example("list: all tricks to one side", second=False),
    )

    def __init__(self, *, second: bool) -> None:
        self.second = bool(second)
        super().__init__(3 if second else 4, [int(second)])

    def legal_inputs(self) -> Iterator[int]:
        """Yield all sides."""
        yield from range(4 if self.second else 8)

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the one output that a legal input is mapped to."""
        side, first = basis_state & 1, basis_state >> 1 & 1
        before = self.second or basis_state >> 2 & 1
        bit = side == first and before
        return {basis_state | int(bit) << self.num_qubits - 1: Fraction(1)}


@synthesis_method("schneider.carry")
class CarriedSchneider(CountedMethod):
    """Plugin `schneider.carry`: one carry chain for both sides, 4S − 5 gates.

    With w the score's top bit, "won", and d its other bits, complemented where the game is lost, d
    is the distance from the nearest score of the side that has it; l is [d + b ≥ h], with
    b = w for an odd threshold and ¬w for an even one. The complement is taken inside each AND.
    """

    def build(self, size: int, threshold: int) -> QuantumCircuit:
        """Return the circuit on the score, history and l."""
        half, odd, low = threshold // 2, threshold % 2, size - 1
        circuit = QuantumCircuit(2 * size - 1)
        won, carries = low, range(size, 2 * size - 1)
        missing = (1 << low) - half
        for place, carry in enumerate(carries):
            # The carry out of d + b + missing: an AND of d's bit and the carry before, or an OR.
            either = missing >> place & 1
            if place == 0:
                flips = [won] * (odd == either) + [0] * (not odd)
                with flipped(circuit, flips):
                    xor_and(circuit, won, 0, carry)
            else:
                before = carries[place - 1]
                with flipped(circuit, [before if either else won]):
                    and_parity(circuit, before, [place, won], carry)
            if either:
                circuit.x(carry)
        return circuit


@synthesis_method("one_side.parity")
class ParityOneSide(CountedMethod):
    """Plugin `one_side.parity`: an AND with [side = first] for four gates."""

    def build(self, second: int) -> QuantumCircuit:
        """Return the circuit on the sides and the result."""
        circuit = QuantumCircuit(3 if second else 4)
        if second:
            circuit.cx(0, 2)
            circuit.cx(1, 2)
            circuit.x(2)
        else:
            with flipped(circuit, [0]):
                and_parity(circuit, 2, [0, 1], 3)
        return circuit
