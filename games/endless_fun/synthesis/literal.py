"""The matrices as they are printed: illegal levels are left alone, and nothing is made of that."""

import numpy as np
from qiskit import QuantumCircuit, transpile

from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.method import synthesis_method
from compiler.synthesis.operator import Operator
from games.endless_fun.operators.cnot import QutritCnot
from games.endless_fun.operators.qutrit import QutritCards


@synthesis_method("qutrit_cards.literal")
class LiteralCards(CountedMethod):
    """The product of the cards as a matrix on two qubits, synthesised by Qiskit."""

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on two qubits."""
        return _synthesised(QutritCards(*params))


@synthesis_method("qutrit_cnot.literal")
class LiteralCnot(CountedMethod):
    """The matrix of CNOT on four qubits, synthesised by Qiskit."""

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on the control's qubits, then the target's."""
        return _synthesised(QutritCnot(*params))


def _synthesised(operator: Operator) -> QuantumCircuit:
    matrix = np.eye(1 << operator.num_qubits, dtype=np.complex128)
    for basis_state in operator.legal_inputs():
        matrix[:, basis_state] = 0
        for state, amplitude in operator.amplitudes(basis_state).items():
            matrix[state, basis_state] = amplitude
    circuit = QuantumCircuit(operator.num_qubits)
    circuit.unitary(matrix, range(operator.num_qubits))
    return transpile(circuit, basis_gates=["cx", "u"], optimization_level=0)
