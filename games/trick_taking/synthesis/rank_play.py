"""The choice of a card by its rank in a hand of two: a fair coin."""

from qiskit import QuantumCircuit

from compiler.synthesis.method import SynthesisMethod, synthesis_method


@synthesis_method("rank_play.coin")
class RankCoin(SynthesisMethod):
    """Qiskit plugin `rank_play.coin`: one Hadamard, or nothing for the last card."""

    def two_qubit_gates(self, *params: int) -> int | None:
        """Return 0: a rank names one of two cards whatever the hand is."""
        return 0

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on the rank qubit."""
        (hand,) = params
        circuit = QuantumCircuit(1)
        if hand == 2:
            circuit.h(0)
        return circuit
