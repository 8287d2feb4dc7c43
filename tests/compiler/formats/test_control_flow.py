"""Branches and loops in files: what is read does what the text says."""

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import ClassicalRegister, QuantumRegister

from compiler.compilation import Options, compile
from compiler.errors import CircuitFileError
from compiler.formats.circuit_files import (
    circuit_from_qasm,
    circuit_from_qpy,
    qpy_bytes,
)
from compiler.formats.openqasm.writing import qasm3_text
from compiler.program import Program
from compiler.verification.program import outcome_distribution, program_state
from tests.compiler.dynamic.circuits import random_dynamic
from tests.independent import distribution


def test_if_in_openqasm_2():
    text = "OPENQASM 2.0; qreg q[2]; creg c[2]; creg d[1]; U(pi,0,pi) q[0]; measure q -> c; "
    circuit = circuit_from_qasm(f"{text} if (c == 1) U(pi,0,pi) q[1]; measure q[1] -> d[0];", "a")
    assert outcome_distribution(circuit, program_state(circuit)) == pytest.approx({0b101: 1})


def test_loops_of_qiskit_are_written_out():
    register = ClassicalRegister(3, "c")
    circuit = QuantumCircuit(QuantumRegister(3, "q"), register)
    with circuit.for_loop(range(3)) as turn:
        circuit.rx(0.5 * turn, 0)
        with circuit.for_loop((1, 2)):
            circuit.ry(0.25, 1)
            circuit.measure(1, 2)
            with circuit.if_test((register, 4)):
                circuit.h(2)
    circuit.measure(0, 0)
    flat = QuantumCircuit(QuantumRegister(3, "q"), register)
    for turn in range(3):
        flat.rx(0.5 * turn, 0)
        for _ in range(2):
            flat.ry(0.25, 1)
            flat.measure(1, 2)
            with flat.if_test((register, 4)):
                flat.h(2)
    flat.measure(0, 0)
    read = circuit_from_qpy(qpy_bytes(circuit), "loops.qpy")
    assert "for_loop" not in read.count_ops()
    found = outcome_distribution(read, program_state(read))
    assert found == pytest.approx(distribution(flat), abs=1e-9)


def very_long() -> QuantumCircuit:
    circuit = QuantumCircuit(1, 1)
    with circuit.for_loop(range(2000)), circuit.for_loop(range(2000)):
        circuit.h(0)
    return circuit


@pytest.mark.full
def test_loops_of_too_many_turns_are_refused():
    with pytest.raises(CircuitFileError, match="1000000 gates"):
        circuit_from_qpy(qpy_bytes(very_long()), "loop.qpy")


@pytest.mark.parametrize("seed", range(4))
def test_what_was_compiled_can_be_read_again(seed):
    circuit = random_dynamic(seed)
    options = Options(method="fast", pipelines=("qiskit",))
    compiled = compile(Program.of_circuit(circuit), "star", options).circuit
    wanted = pytest.approx(distribution(circuit), abs=1e-6)
    for again in (
        circuit_from_qpy(qpy_bytes(compiled), "again.qpy"),
        circuit_from_qasm(qasm3_text(compiled), "again.qasm"),
    ):
        assert outcome_distribution(again, program_state(again)) == wanted
