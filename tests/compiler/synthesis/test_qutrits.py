"""Operators on digits of dimension 3, in the same frame as all others."""

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator as Matrix

from compiler.errors import VerificationError
from compiler.lowering.methods import lower_operators
from compiler.synthesis.registers import Register
from compiler.verification.operators import (
    verify_methods,
    verify_operator,
    verify_specification,
)

OMEGA = np.exp(2j * np.pi / 3)
BLACK_EMPTY_WHITE = Register("point", 1, 3, codes=(1, 0, 2))


def test_every_method_meets_the_specification(qutrits):
    for kind, methods in ((qutrits.Shift, {"table", "swap"}), (qutrits.Fourier, {"dense"})):
        for operator in kind.example_operators().values():
            assert verify_specification(operator) == 3
            assert verify_methods(operator) == dict.fromkeys(methods, 3)


@pytest.mark.parametrize("digit", [BLACK_EMPTY_WHITE, Register("point", 1, 3, codes=(3, 0, 1))])
def test_another_level_may_be_the_illegal_one(qutrits, digit):
    operator = qutrits.Shift(1, digit)
    assert verify_methods(operator) == {"table": 3}
    assert dict(operator.amplitudes(digit.encode([2]))) == {digit.encode([0]): 1}


def test_a_program_of_them_is_lowered_by_what_is_registered(qutrits):
    """H, X and H three times, which is H†: diag(1, ω⁻¹, ω⁻²) on the legal levels."""
    circuit = QuantumCircuit(2)
    for gate in (qutrits.Fourier(), qutrits.Shift(1), *[qutrits.Fourier()] * 3):
        circuit.append(gate, [0, 1])
    lowered = lower_operators(circuit, "literal")
    phases = np.diag(Matrix(lowered).data)[:3]
    assert phases / phases[0] == pytest.approx([1, OMEGA**2, OMEGA])


def broken(qutrits, name):
    circuit = qutrits.Fourier().definition.copy()
    if name == "conjugate":
        return circuit.inverse()
    if name == "phase of one output":
        circuit.p(1e-3, 0)
    if name == "phase of one input":
        early = QuantumCircuit(2)
        early.p(1e-3, 1)
        return early.compose(circuit)
    if name == "amplitude":
        circuit.ry(1e-3, 0)
    if name == "target":
        circuit.swap(0, 1)
        circuit.x(0)
    return circuit


@pytest.mark.parametrize(
    "name", ["conjugate", "phase of one output", "phase of one input", "amplitude", "target"]
)
def test_a_broken_circuit_is_refused(qutrits, name):
    assert verify_operator(qutrits.Fourier(), broken(qutrits, "")) == 3
    with pytest.raises(VerificationError, match=r"fourier\(\): input 0x0[0-2] gives wrong ampl"):
        verify_operator(qutrits.Fourier(), broken(qutrits, name))


def test_what_happens_on_the_illegal_level_does_not_matter(qutrits):
    circuit = QuantumCircuit(2)
    circuit.cp(1.0, 0, 1)
    circuit.compose(qutrits.Fourier().definition, inplace=True)
    assert verify_operator(qutrits.Fourier(), circuit) == 3


def test_a_phase_common_to_all_inputs_is_free(qutrits):
    circuit = qutrits.Fourier().definition.copy()
    circuit.global_phase += 1.1
    assert verify_operator(qutrits.Fourier(), circuit) == 3
