"""Fractional gates: angles are folded into their range, and circuits with them are proven."""

from math import pi

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import RZZGate
from qiskit.quantum_info import Operator, random_unitary

from compiler.compilation import Options, compile
from compiler.lowering.fractional import rzz_form
from compiler.program import Program
from compiler.targets import target_from_spec

TARGET = "heavy-hex:fractional"
ANGLES = (0.01, 0.3, -0.4, 1.5, -pi / 3, 2.2, -2.9, pi + 0.2, 5.0, 3 * pi - 0.1)


def angles_of(circuit):
    return [item.operation.params[0] for item in circuit.data if item.operation.name == "rzz"]


@pytest.mark.parametrize("angle", ANGLES)
def test_an_angle_is_folded_into_the_range(angle):
    around = Operator(random_unitary(2, seed=1).tensor(random_unitary(2, seed=2)))
    unitary = around & Operator(RZZGate(angle))
    form = rzz_form(unitary)
    np.testing.assert_allclose(Operator(form).data, unitary.data, atol=1e-9)
    (folded,) = angles_of(form)
    assert 0 < folded < pi / 2


@pytest.mark.parametrize(
    "unitary",
    [Operator(np.eye(4)), Operator(RZZGate(pi / 2)), Operator(random_unitary(4, seed=3))],
    ids=["no gate", "CZ", "three gates"],
)
def test_other_unitaries_are_left_alone(unitary):
    assert rzz_form(unitary) is None


def ising(measured):
    circuit = QuantumCircuit(4, 4)
    circuit.h(range(4))
    for (a, b), angle in zip([(0, 1), (1, 2), (2, 3)], (0.3, -0.4, 2.2), strict=True):
        circuit.rzz(angle, a, b)
    circuit.rx(0.7, range(4))
    if measured:
        circuit.measure(range(4), range(4))
    return circuit


@pytest.mark.parametrize("measured", [False, True])
def test_rotations_take_one_gate_each(measured):
    program = Program.of_circuit(ising(measured))
    plain, fractional = (
        compile(program, TARGET, Options("fast", any_input=True, without=without))
        for without in (("fractional",), ())
    )
    assert plain.verified == fractional.verified == "exact"
    assert not {"rx", "rzz"} & set(plain.circuit.count_ops())
    angles = angles_of(fractional.circuit)
    assert len(angles) == 3
    assert all(0 < angle <= pi / 2 for angle in angles)
    assert "cx" not in fractional.circuit.count_ops()
    assert plain.circuit.count_ops()["cx"] > 3
    target = target_from_spec(TARGET)
    for item in fractional.circuit.data:
        places = tuple(fractional.circuit.find_bit(qubit).index for qubit in item.qubits)
        assert target.instruction_supported(item.operation.name, places)
