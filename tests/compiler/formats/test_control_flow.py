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
from compiler.formats.openqasm_writing import qasm3_text
from compiler.program import Program
from compiler.verification.program import outcome_distribution, program_state
from tests.compiler.dynamic.circuits import distribution, random_dynamic

HEAD = """OPENQASM 3.0;
include "stdgates.inc";
qubit[3] q;
bit[2] c;
bit[3] out;
x q[0];
c[0] = measure q[0];
c[1] = measure q[1];
"""
END = "out = measure q;"

# What the third qubit reads, after c = 01.
CONDITIONS = {
    "c[0]": 1,
    "!c[0]": 0,
    "!c[1]": 1,
    "c == 1": 1,
    "c == 2": 0,
    "1 == c": 1,
    "c != 1": 0,
    "c[0] == 1": 1,
    "c[1] == true": 0,
    "c[1] == false": 1,
    "c < 2": 1,
    "c >= 2": 0,
    "c[0] && c[1]": 0,
    "c[0] || c[1]": 1,
    "c[0] ^ c[1]": 1,
    "c[0] & c[1]": 0,
    "(c & 1) == 1": 1,
    "(c | 2) == 3": 1,
    "~c == 2": 1,
    "bool(c)": 1,
    "c[{1, 0}] == 2": 1,
    "2 > 1": 1,
    "false": 0,
    "!true": 0,
}


def third(body: str) -> int:
    """Return what is measured of the third qubit, which nothing random has happened to."""
    circuit = circuit_from_qasm(HEAD + body + END, "c.qasm")
    ((bits, p),) = outcome_distribution(circuit, program_state(circuit)).items()
    assert p == pytest.approx(1)
    return bits >> 4 & 1


@pytest.mark.parametrize("condition", CONDITIONS)
def test_conditions_are_what_they_say(condition):
    assert third(f"if ({condition}) {{ x q[2]; }}") == CONDITIONS[condition]
    assert third(f"if ({condition}) {{}} else x q[2];") == 1 - CONDITIONS[condition]


BODIES = {
    "switch (c) { case 0, 1 { x q[2]; } default { } }": 1,
    "switch (c) { case 2 { x q[2]; } }": 0,
    "switch (c) { case 2 { } default { x q[2]; } }": 1,
    "switch (c[0]) { case 1 { x q[2]; } }": 1,
    "for int i in [0:2] { x q[2]; }": 1,
    "for uint i in [0:2:2] { x q[2]; }": 0,
    "for int i in {1, 2} { if (c[i - 1]) { x q[2]; } }": 1,
    "for int i in [2:-1:1] { x q[i]; }": 1,
    "for int i in [0:1] { for int j in [0:i] { x q[2]; } }": 1,
    "const int n = 3; for int i in [1:n] { x q[2]; }": 1,
    "def f(qubit a) { if (c[0]) { x a; } } f(q[2]);": 1,
    "if (c[0]) { if (c[1]) { } else { x q[2]; } }": 1,
    "reset q[0]; bit late = measure q[0]; if (late) { x q[2]; }": 0,
    "int n; n = c; switch (n) { case 1 { x q[2]; } }": 1,
    "box { if (c[0]) { x q[2]; } }": 1,
}


@pytest.mark.parametrize("body", BODIES)
def test_statements_do_what_they_say(body):
    assert third(body) == BODIES[body]


REFUSED = {
    "int n; n = c; c = measure q[0:1]; switch (n) { case 1 { } }": "'n' is not assigned",
    "int n; if (c[0]) { n = c; } switch (n) { case 1 { } }": "'n' is not assigned",
    "int n; switch (n) { case 1 { } }": "'n' is not assigned",
    "float f;": "only bits can be declared",
    "c = 2;": "only a declared int",
}


@pytest.mark.parametrize("body", REFUSED)
def test_what_changes_otherwise_is_refused(body):
    with pytest.raises(CircuitFileError, match=REFUSED[body]):
        circuit_from_qasm(HEAD + body, "c.qasm")


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


def left_early() -> QuantumCircuit:
    circuit = QuantumCircuit(1, 1)
    with circuit.for_loop(range(3)):
        circuit.h(0)
        circuit.measure(0, 0)
        with circuit.if_test((circuit.clbits[0], 1)):
            circuit.break_loop()
    return circuit


def without_bound() -> QuantumCircuit:
    circuit = QuantumCircuit(1, 1)
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.h(0)
        circuit.measure(0, 0)
    return circuit


def very_long() -> QuantumCircuit:
    circuit = QuantumCircuit(1, 1)
    with circuit.for_loop(range(2000)), circuit.for_loop(range(2000)):
        circuit.h(0)
    return circuit


@pytest.mark.parametrize(
    ("build", "says"),
    [
        (left_early, "a loop has 'break' or 'continue'; put an if around"),
        (without_bound, "'while_loop' has no bound; write a for loop"),
        pytest.param(very_long, "stands for more than 1000000 gates", marks=pytest.mark.full),
    ],
)
def test_loops_that_cannot_be_written_out_are_refused(build, says):
    with pytest.raises(CircuitFileError, match=says):
        circuit_from_qpy(qpy_bytes(build()), "loop.qpy")


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
