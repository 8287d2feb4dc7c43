"""Circuits that read few qubits: what is read, what is left out, what is refused."""

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import RYGate

from compiler.errors import StateTooLargeError, VerificationError
from compiler.readouts import fewest_readouts
from compiler.verification.program import outcome_distribution, program_state


def copies():
    """A coin of 1/4 on qubit 0, copied twice, beside a coin that nobody asks for."""
    circuit = QuantumCircuit(4, 4)
    circuit.append(RYGate(1.0471975511965976), [0])
    circuit.cx(0, 1)
    circuit.cx(1, 2)
    circuit.x(2)
    circuit.h(3)
    circuit.measure(range(4), range(4))
    return circuit


def test_copies_are_not_read_and_not_made():
    few = fewest_readouts(copies(), lambda bits: bits & 7)
    assert few.circuit.count_ops() == {"ry": 1, "measure": 1}
    assert few.circuit.num_qubits == 1
    # Qubit 2 is the copy, flipped.
    assert few.outcomes == {0: 0b100, 1: 0b011}
    found = outcome_distribution(few.circuit, program_state(few.circuit))
    assert found == pytest.approx({0: 3 / 4, 1: 1 / 4})


def test_all_is_read_where_all_is_asked_for():
    few = fewest_readouts(copies(), lambda bits: bits)
    assert few.circuit.num_clbits == 2
    assert set(few.outcomes.values()) == {0b0100, 0b1100, 0b0011, 0b1011}


def test_what_stands_for_no_outcome_is_refused():
    with pytest.raises(VerificationError, match="can end in 0x3, which is no outcome"):
        fewest_readouts(copies(), lambda bits: None if bits & 7 == 3 else bits)


def test_measurements_on_the_way_are_refused():
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.h(0)
    with pytest.raises(StateTooLargeError, match="before its end"):
        fewest_readouts(circuit, lambda bits: bits)


def test_what_is_certain_is_read_from_one_qubit_that_nothing_was_done_to():
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    circuit.measure([0, 1], [0, 1])
    few = fewest_readouts(circuit, lambda bits: 7)
    assert few.circuit.count_ops() == {"measure": 1}
    assert few.outcomes == {0: 7}
