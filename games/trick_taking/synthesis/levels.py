"""Levels of a game from its score, and from who takes the tricks."""

from collections.abc import Sequence

from qiskit import QuantumCircuit

from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.method import synthesis_method
from compiler.synthesis.permutations import controlled_h, flipped, xor_and


def _and_parity(circuit: QuantumCircuit, control: int, parity: Sequence[int], target: int) -> None:
    """Make a clean target the AND of a qubit and the sum of others mod 2, up to sign."""
    controlled_h(circuit, control, target)
    for qubit in parity:
        circuit.cz(qubit, target)
    controlled_h(circuit, control, target)


@synthesis_method("schneider.carry")
class CarriedSchneider(CountedMethod):
    """Plugin `schneider.carry`: one carry chain for both sides, 4S − 5 gates.

    With w the score's top bit, "won", and d its other bits, complemented where the game is lost, d
    is the distance from the nearest score of the side that has it; l is [d + b ≥ h], with
    b = w for an odd threshold and ¬w for an even one. The complement is taken inside each AND.
    """

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on the score, history and l."""
        size, threshold = params
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
                    _and_parity(circuit, before, [place, won], carry)
            if either:
                circuit.x(carry)
        return circuit


@synthesis_method("one_side.parity")
class ParityOneSide(CountedMethod):
    """Plugin `one_side.parity`: an AND with [side = first] for four gates."""

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on the sides and the result."""
        (second,) = params
        circuit = QuantumCircuit(3 if second else 4)
        if second:
            circuit.cx(0, 2)
            circuit.cx(1, 2)
            circuit.x(2)
        else:
            with flipped(circuit, [0]):
                _and_parity(circuit, 2, [0, 1], 3)
        return circuit
