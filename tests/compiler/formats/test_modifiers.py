"""Inverses, powers and controls of gates in any order, against matrices."""

import random

import numpy as np
import pytest
from qiskit.circuit.library import UnitaryGate
from qiskit.quantum_info import Operator

from compiler.formats.openqasm.version_3.gates import STANDARD_LIBRARY, U

MAX_QUBITS = 5


def principal_power(matrix, exponent):
    """Return the principal power of a unitary matrix, by its eigenvectors."""
    values, vectors = np.linalg.eig(matrix)
    angles = np.angle(values)
    angles[angles < 1e-9 - np.pi] += 2 * np.pi
    return vectors @ np.diag(np.exp(1j * exponent * angles)) @ np.linalg.inv(vectors)


def under_controls(matrix, controls, on):
    size = 1 << controls
    result = np.eye(len(matrix) * size, dtype=complex)
    rows = [(size - 1 if on else 0) + size * i for i in range(len(matrix))]
    result[np.ix_(rows, rows)] = matrix
    return result


@pytest.mark.parametrize("name", [*STANDARD_LIBRARY, "U"])
@pytest.mark.parametrize("seed", range(4))
def test_modifiers_do_what_matrices_say(name, seed):
    draw = random.Random(f"{name} {seed}")
    gate = STANDARD_LIBRARY.get(name, U)
    unitary = gate.unitary([draw.uniform(-7, 7) for _ in range(gate.parameters)])
    matrix, done = Operator(unitary.circuit).data, []
    for _ in range(5):
        room = MAX_QUBITS - unitary.circuit.num_qubits
        step = draw.choice(["inv", "power", "ctrl", "negctrl", "ctrl", "negctrl"])
        if step == "inv":
            unitary, matrix = unitary.inverse(), matrix.conj().T
        elif step == "power":
            exponent = draw.choice([-2.0, -1.0, 0.0, 2.0, 3.0])
            unitary, matrix = unitary.power(exponent), np.linalg.matrix_power(matrix, int(exponent))
        elif room:
            controls = draw.randint(1, min(2, room))
            unitary = unitary.controlled(controls, on=step == "ctrl")
            matrix = under_controls(matrix, controls, step == "ctrl")
        done.append(step)
        assert np.allclose(Operator(unitary.circuit).data, matrix, atol=1e-7), done


@pytest.mark.parametrize("name", [*STANDARD_LIBRARY, "U"])
def test_fractional_powers_are_principal(name):
    gate = STANDARD_LIBRARY.get(name, U)
    unitary = gate.unitary([0.3, 0.7, -0.4, 1.1][: gate.parameters])
    for exponent in (0.5, -0.25, 1 / 3):
        wanted = principal_power(Operator(unitary.circuit).data, exponent)
        assert np.allclose(Operator(unitary.power(exponent).circuit).data, wanted, atol=1e-7)


@pytest.mark.parametrize("name", ["h", "cx"])
def test_a_matrix_under_many_controls_is_taken_apart(name, monkeypatch):
    monkeypatch.setattr("compiler.formats.modifiers.MAX_QUBITS", 2)
    power = STANDARD_LIBRARY[name].unitary([]).power(0.3)
    made = power.controlled(2, on=False).circuit
    assert UnitaryGate not in {type(item.operation) for item in made.data}
    wanted = under_controls(Operator(power.circuit).data, 2, on=False)
    assert np.allclose(Operator(made).data, wanted, atol=1e-7)
