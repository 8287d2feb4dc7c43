"""hSwap: half of an exchange of two qubits."""

from collections.abc import Mapping, Sequence
from math import pi
from typing import Any

from qiskit import QuantumCircuit

from compiler.synthesis.method import (
    CountedMethod,
    Operands,
    Operator,
    example,
    operator,
    synthesis_method,
)
from compiler.synthesis.registers import Register


@operator("hswap")
class HSwap(Operator):
    """|01⟩ → ((1+i)|01⟩ + (1−i)|10⟩)/2, |10⟩ → ((1−i)|01⟩ + (1+i)|10⟩)/2; twice it is SWAP.

    It is √SWAP, symmetric in its operands.

    References:
        Chang, Quantum 6 Nimmt!, 2021, section 3.2.
    """

    registers = (Register("rows", digits=2),)
    examples = (example("hSwap"),)
    colour = "#CC79A7"

    def __init__(self) -> None:
        super().__init__(2, [])

    def amplitudes(self, basis_state: int) -> Mapping[int, complex]:
        """Return the state itself if both qubits are equal, else both states of an exchange."""
        if basis_state in (0b00, 0b11):
            return {basis_state: 1}
        return {basis_state: (1 + 1j) / 2, basis_state ^ 0b11: (1 - 1j) / 2}

    def interchangeable(self) -> list[Sequence[Operands]]:
        """Return both operands as one group."""
        return [[(0,), (1,)]]


@synthesis_method("hswap.weyl")
class Weyl(CountedMethod):
    """Three CX, the fewest there can be.

    Up to a phase, hSwap is exp(iπ/8 (XX + YY + ZZ)), whose third coordinate in the Weyl chamber
    is not 0, so that no two CX make it.

    References:
        Vatan and Williams, Optimal quantum circuits for general two-qubit gates, 2004, figure 6.
    """

    def build(self, *params: Any) -> QuantumCircuit:
        """Return the circuit on the two rows' qubits."""
        circuit = QuantumCircuit(2, global_phase=-pi / 8)
        circuit.rz(-pi / 2, 1)
        circuit.cx(1, 0)
        circuit.rz(-pi / 4, 0)
        circuit.ry(pi / 4, 1)
        circuit.cx(0, 1)
        circuit.ry(-pi / 4, 1)
        circuit.cx(1, 0)
        circuit.rz(pi / 2, 0)
        return circuit
