"""The choice of a card by its rank in a hand: an equal superposition of all ranks."""

from qiskit import QuantumCircuit

from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.method import synthesis_method
from games.trick_taking.operators.rank_play import rank_bits
from games.trick_taking.synthesis.list_play import uniform_index


@synthesis_method("rank_play.coin")
class RankCoin(CountedMethod):
    """Qiskit plugin `rank_play.coin`: a coin for each bit of the rank, whatever the hand is.

    A bit depends on the ones above it only where not all ranks below 2^bits exist, so that
    powers of two take one Hadamard a bit; the last card takes nothing.
    """

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on the rank's qubits."""
        (hand,) = params
        bits = rank_bits(hand)
        circuit = QuantumCircuit(max(1, bits))
        if hand == 1 << bits:
            for bit in range(bits):
                circuit.h(bit)
        else:
            uniform_index(circuit, range(bits), hand)
        return circuit
