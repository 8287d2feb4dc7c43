"""Cards on one qutrit, fused to one gate on two qubits."""

from collections.abc import Sequence

import numpy as np
from qiskit import QuantumCircuit
from qiskit.synthesis import OneQubitEulerDecomposer

from compiler.circuits.matrices import Matrix
from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.method import SynthesisMethod, synthesis_method
from games.endless_fun.operators.cards import LOCAL, product
from games.endless_fun.operators.codes import Code, words
from games.endless_fun.synthesis.free_level import completed, drawn


@synthesis_method("qutrit_cards.completed")
class Completed(SynthesisMethod):
    """The completion of the product on the illegal word that takes the fewest CX."""

    def two_qubit_gates(self, *params: int) -> int:
        """Return the CX of the completion: two at most; a swap only renames qubits."""
        return completed(_on_words(*params)).cx_gates

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on two qubits."""
        return drawn(completed(_on_words(*params)))


@synthesis_method("qutrit_start.schmidt")
class Schmidt(CountedMethod):
    """The Schmidt form of the state of two qubits: one CX, none if it is a product."""

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on two qubits in |00⟩."""
        after, level, *cards = params
        state = np.zeros(4, np.complex128)
        state[list(words(after))] = _product(cards)[:, level]
        # Row: the high bit.
        high, (large, small), low = np.linalg.svd(state.reshape(2, 2))
        circuit = QuantumCircuit(2)
        if small > 1e-9:
            circuit.ry(2 * np.arctan2(small, large), 0)
            circuit.cx(0, 1)
        rotations = OneQubitEulerDecomposer("U")
        for qubit, rotation in enumerate((low.T, high)):
            circuit.compose(rotations(rotation), [qubit], inplace=True)
        return circuit


def _on_words(before: Code, after: Code, *cards: int) -> Matrix:
    wanted = np.zeros((3, 3), np.complex128)
    wanted[np.ix_(words(after), words(before))] = _product(cards)
    return wanted


def _product(cards: Sequence[int]) -> Matrix:
    return product([LOCAL[3][card] for card in cards], 3)
