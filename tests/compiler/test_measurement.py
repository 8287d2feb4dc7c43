"""Final measurements: taken off, and put back where the qubits ended up."""

import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister, qasm3
from qiskit.circuit import Clbit

from compiler.errors import StateTooLargeError
from compiler.measurement import final_measurements, measure_at, registers_of


def test_gates_and_measurements_are_split():
    circuit = QuantumCircuit(3, 3, name="three", global_phase=0.25)
    circuit.h(0)
    circuit.cx(0, 2)
    circuit.measure(2, 0)
    circuit.h(1)
    circuit.measure(0, 2)
    gates, measured = final_measurements(circuit)
    assert [item.operation.name for item in gates.data] == ["h", "cx", "h"]
    assert gates.num_clbits == 0
    assert gates.qubits == circuit.qubits
    assert (gates.name, gates.global_phase) == ("three", 0.25)
    assert dict(measured) == {0: 2, 2: 0}
    assert list(measured) == [0, 2]
    assert len(circuit.data) == 5


def test_barriers_may_follow_measurements():
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.barrier()
    circuit.measure(1, 1)
    gates, measured = final_measurements(circuit)
    assert gates.count_ops() == {"h": 1, "barrier": 1}
    assert dict(measured) == {0: 0, 1: 1}


def gate_after_measurement(circuit):
    circuit.measure(0, 0)
    circuit.x(0)


def two_qubit_gate_after_measurement(circuit):
    circuit.measure(0, 0)
    circuit.cx(1, 0)


def measured_twice(circuit):
    circuit.measure(0, 0)
    circuit.measure(0, 1)


def reset_at_the_start(circuit):
    circuit.reset(0)
    circuit.measure(0, 0)


def reset_after_measurement(circuit):
    circuit.measure(0, 0)
    circuit.reset(0)


def condition_on_an_outcome(circuit):
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], True)):
        circuit.x(1)


def loop(circuit):
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.clbits[0], True)):
        circuit.x(1)


@pytest.mark.parametrize(
    "append",
    [
        gate_after_measurement,
        two_qubit_gate_after_measurement,
        measured_twice,
        reset_at_the_start,
        reset_after_measurement,
        condition_on_an_outcome,
        loop,
    ],
)
def test_what_no_single_state_describes_is_refused(append):
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    append(circuit)
    with pytest.raises(StateTooLargeError, match="measures, resets or branches before its end"):
        final_measurements(circuit)


def test_measurements_go_where_the_qubits_ended_up():
    program = QuantumCircuit(QuantumRegister(3, "q"), ClassicalRegister(2, "owner"))
    program.x(0)
    program.measure([2, 0], [0, 1])
    native = QuantumCircuit(5, global_phase=0.5)
    native.x(3)
    circuit = measure_at(native, (3, 0, 4), program)
    assert {r.name: r.size for r in circuit.cregs} == {"owner": 2}
    assert circuit.num_qubits == 5
    gates, measured = final_measurements(circuit)
    assert dict(measured) == {0: 4, 1: 3}
    assert [(i.operation.name, gates.find_bit(i.qubits[0]).index) for i in gates.data] == [("x", 3)]
    assert native.num_clbits == 0
    assert gates.global_phase == 0.5


def test_measured_circuits_name_physical_qubits_in_openqasm():
    program = QuantumCircuit(QuantumRegister(2, "q"), ClassicalRegister(2, "owner"))
    program.measure([0, 1], [0, 1])
    native = QuantumCircuit(4)
    native.cz(2, 3)
    text = qasm3.dumps(measure_at(native, (3, 1), program))
    assert "cz $2, $3;" in text
    assert "owner[0] = measure $3;" in text
    assert "owner[1] = measure $1;" in text


def test_bits_of_no_register_and_of_several_keep_their_places():
    first, second = ClassicalRegister(1, "first"), ClassicalRegister(2, "second")
    program = QuantumCircuit(QuantumRegister(3, "q"), first, [Clbit()], second)
    program.measure([0, 1, 2], [3, 1, 0])
    circuit = measure_at(QuantumCircuit(3), (2, 1, 0), program)
    assert circuit.num_clbits == 4
    _, measured = final_measurements(circuit)
    assert dict(measured) == {0: 0, 1: 1, 3: 2}


def test_registers_are_told_by_their_bits():
    first, second = ClassicalRegister(2, "first"), ClassicalRegister(3, "second")
    circuit = QuantumCircuit(QuantumRegister(1), first, second)
    circuit.add_register(ClassicalRegister(name="again", bits=[second[0], first[1]]))
    assert registers_of(circuit) == {"first": [0, 1], "second": [2, 3, 4]}
