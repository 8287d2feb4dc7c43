"""Methods whose price is known by drawing up the circuit, which takes no time to speak of."""

from typing import Any

from compiler.synthesis.method import SynthesisMethod


class CountedMethod(SynthesisMethod):
    """A method that is quick to build and predicts what it has built.

    Optimisation of one-qubit gates changes nothing about the prediction; neighbouring operators
    may cancel a little more.
    """

    def two_qubit_gates(self, *params: Any) -> int | None:
        """Count the two-qubit gates of the circuit."""
        return sum(len(item.qubits) == 2 for item in self.circuit(params).data)
