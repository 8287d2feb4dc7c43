"""Gates that turn by little are kept: Qiskit's levels 2 and 3 leave some of them out."""

from math import pi

import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator

from compiler.lowering.qiskit_level_3 import level_3
from compiler.targets import target_from_spec


def phases(angle):
    circuit = QuantumCircuit(3)
    circuit.h([0, 1, 2])
    circuit.cp(angle, 0, 1)
    circuit.cp(pi / 4, 1, 2)
    circuit.cp(angle, 0, 2)
    return circuit


@pytest.mark.parametrize("name", ["all:3", "star:4"])
@pytest.mark.parametrize("power", [3, 12, 15, 16, 19, 24])
def test_small_phases_are_kept(name, power):
    circuit = phases(pi / 2**power)
    given = circuit if name == "all:3" else circuit.decompose(["cp"])
    lowered = level_3(given, target_from_spec(name), 1, any_input=True).circuit
    wide = QuantumCircuit(lowered.num_qubits)
    wide.compose(circuit, range(3), inplace=True)
    found = Operator.from_circuit(lowered)
    assert Operator(wide).equiv(found, atol=1e-8)
