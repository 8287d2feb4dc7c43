"""Operators that exist in tests only."""

from types import SimpleNamespace

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import UnitaryGate

from compiler.synthesis.method import CountedMethod, SynthesisMethod, methods, synthesis_method
from compiler.synthesis.operator import Operator, example, operator, operators
from compiler.synthesis.registers import Register

POINT = Register("point", 1, 3)
OMEGA = np.exp(2j * np.pi / 3)


@pytest.fixture(autouse=True)
def only_here():
    """Forget what a test registers."""
    before = set(operators), set(methods)
    yield
    for registry, names in zip((operators, methods), before, strict=True):
        for name in set(registry) - names:
            registry.unregister(name)


@pytest.fixture
def qutrits():
    """The cyclic shift and the Fourier transform of dimension 3, each with a method."""

    class OnOneQutrit(Operator):
        digit: Register

        @property
        def registers(self):
            return (self.digit,)

    @operator("shift")
    class Shift(OnOneQutrit):
        """|d⟩ → |d + steps mod 3⟩."""

        examples = (example("X", 1), example("X^2", 2))

        def __init__(self, steps, digit=POINT):
            self.steps, self.digit = steps, digit
            super().__init__(2, [steps, *digit.codes])

        def amplitudes(self, basis_state):
            (value,) = self.digit.decode(basis_state)
            return {self.digit.encode([(value + self.steps) % 3]): 1.0}

    @synthesis_method("shift.table")
    class TableShift(CountedMethod):
        def build(self, steps, *codes):
            (rest,) = set(range(4)) - set(codes)
            matrix = np.zeros((4, 4))
            matrix[rest, rest] = 1
            for digit, code in enumerate(codes):
                matrix[codes[(digit + steps) % 3], code] = 1
            circuit = QuantumCircuit(2)
            circuit.append(UnitaryGate(matrix), [0, 1])
            return circuit

    @synthesis_method("shift.swap")
    class SwapShift(SynthesisMethod):
        def two_qubit_gates(self, steps, *codes):
            return 4 * (steps % 3) if codes == (0, 1, 2) else None

        def build(self, steps, *codes):
            circuit = QuantumCircuit(2)
            for _ in range(steps % 3):
                circuit.swap(0, 1)
                circuit.cx(1, 0, ctrl_state=0)
            return circuit

    @operator("fourier")
    class Fourier(OnOneQutrit):
        """|d⟩ → Σ_e ω^(de) |e⟩ / √3."""

        examples = (example("H"),)
        digit = POINT

        def __init__(self):
            super().__init__(2, [])

        def amplitudes(self, basis_state):
            (value,) = self.digit.decode(basis_state)
            return {self.digit.encode([e]): OMEGA ** (value * e) / np.sqrt(3) for e in range(3)}

    @synthesis_method("fourier.dense")
    class DenseFourier(CountedMethod):
        def build(self):
            circuit = QuantumCircuit(2)
            matrix = np.eye(4, dtype=complex)
            matrix[:3, :3] = [[OMEGA ** (d * e) / np.sqrt(3) for d in range(3)] for e in range(3)]
            circuit.append(UnitaryGate(matrix), [0, 1])
            return circuit

    return SimpleNamespace(Shift=Shift, Fourier=Fourier)
