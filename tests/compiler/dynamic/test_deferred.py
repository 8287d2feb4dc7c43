"""Deferred measurements against density matrices."""

import pytest
from qiskit import QuantumCircuit

from compiler.dynamic.pieces import final_part, is_dynamic, is_unitary
from compiler.errors import StateTooLargeError
from compiler.verification.program import outcome_distribution, program_state
from tests.compiler.dynamic.circuits import random_dynamic
from tests.independent import distribution


def found(circuit: QuantumCircuit) -> dict[int, float]:
    return outcome_distribution(circuit, program_state(circuit))


@pytest.mark.parametrize(
    "seed", [*range(12), *(pytest.param(n, marks=pytest.mark.full) for n in range(12, 40))]
)
def test_random_circuits_measure_what_density_matrices_say(seed):
    circuit = random_dynamic(seed)
    assert found(circuit) == pytest.approx(distribution(circuit), abs=1e-9)


def test_what_is_measured_last_is_split_off():
    circuit = QuantumCircuit(2, 3)
    circuit.h(0)
    circuit.measure(0, 2)
    circuit.cx(0, 1)
    circuit.measure(0, 0)
    circuit.measure(1, 1)
    rest, measured = final_part(circuit)
    assert measured == {0: 0, 1: 1}
    assert [item.operation.name for item in rest.data] == ["h", "measure", "cx"]
    assert is_dynamic(circuit)
    assert not is_unitary(rest)


def test_a_bit_that_is_written_twice_holds_the_last_value():
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.x(1)
    circuit.measure(1, 0)
    assert found(circuit) == pytest.approx({1: 1.0})


def test_what_is_neither_gate_nor_measurement_is_named():
    circuit = QuantumCircuit(1, 1)
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.h(0)
        circuit.measure(0, 0)
    with pytest.raises(StateTooLargeError, match="'while_loop' is neither a gate nor a"):
        program_state(circuit)
