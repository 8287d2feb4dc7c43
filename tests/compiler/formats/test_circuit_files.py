"""Circuits of the user's own: what is read, what is written, how mistakes are named."""

import io
from math import inf
from pathlib import Path

import numpy as np
import pytest
from qiskit import QuantumCircuit, qpy
from qiskit.circuit import AnnotatedOperation, CircuitInstruction, InverseModifier
from qiskit.circuit.library import CXGate, Isometry, MCXVChain, StatePreparation
from qiskit.circuit.random import random_circuit
from qiskit.quantum_info import Operator

from compiler.errors import CircuitFileError
from compiler.formats.circuit_files import circuit_from_qasm, circuit_from_qpy, qpy_bytes, read_qpy
from compiler.formats.openqasm.writing import qasm3_text
from compiler.formats.qpy_losses import qpy_losses
from compiler.measurement import final_measurements
from compiler.verification.program import outcome_distribution, program_state

QASM_2 = Path(__file__).with_name("written-2.qasm").read_text()
QASM_3 = Path(__file__).with_name("written-3.qasm").read_text()


HEAD_2, HEAD_3 = QASM_2[: QASM_2.index("qreg")], QASM_3[: QASM_3.index("gate flip")]


def doubling(levels):
    """Return a program whose last gate stands for 2^levels gates."""
    gates = "".join(f"gate g{n} a {{ g{n - 1} a; g{n - 1} a; }}\n" for n in range(1, levels + 1))
    return f"{HEAD_2}gate g0 a {{ h a; }}\n{gates}qreg q[1]; g{levels} q[0];"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (HEAD_2 + "qreg q[100000000];", "declares 100,000,000 qubits"),
        (HEAD_2 + "".join(f"qreg q{n}[50];\n" for n in range(41)), "declares 2,050 qubits"),
        (HEAD_2 + "creg c[1000000000];", "declares 1,000,000,000 bits"),
        (HEAD_3 + "for int i in [0:150] { bit[1000] a; }", "declares 101,000 bits"),
        (HEAD_3 + "qubit[2000] q; for int i in [0:9999] { barrier q; }", "more than 1000000 gates"),
        (HEAD_3 + f"qubit q; rx({'1' * 1001}) q;", "a number of 1001 digits"),
        (HEAD_2 + "qreg q[1]; rz(" + "(" * 100_000 + "1", "nested deeper than 200 levels"),
        (HEAD_3 + "qubit q; rx(" + "1+" * 10_000 + "1) q;", "nested too deeply"),
        (doubling(1000), "defined by others more than 200 deep"),
        (HEAD_2 + 'include "/etc/passwd";', "unable to find"),
        (HEAD_3 + 'include "/etc/passwd";', "unable to include"),
    ],
)
def test_what_nothing_can_hold_is_refused(text, says):
    with pytest.raises(CircuitFileError, match=says):
        circuit_from_qasm(text, "a.qasm")


def distribution(circuit):
    return outcome_distribution(circuit, program_state(circuit))


@pytest.mark.parametrize(
    "text", [QASM_2, QASM_3, QASM_3.replace("3.0", "3"), QASM_3.partition(";")[2]]
)
def test_both_versions_of_openqasm(text):
    circuit = circuit_from_qasm(text, "bell.qasm")
    assert circuit.name == "bell.qasm"
    assert (circuit.num_qubits, circuit.num_clbits) == (3, 2)
    assert dict(final_measurements(circuit)[1]) == {0: 2, 1: 1}
    assert distribution(circuit) == pytest.approx(dict.fromkeys(range(4), 1 / 4))


@pytest.mark.parametrize(("value", "outcome"), [(2**65 + 1, 3), (2**65, 1), (2**66 + 1, 1)])
def test_conditions_beyond_64_bits_survive_qpy(value, outcome):
    text = f"{HEAD_2}qreg q[66]; creg c[66]; creg d[2]; x q[0]; x q[65]; measure q -> c;"
    text += f"if(c=={value}) x q[1]; measure q[0] -> d[0]; measure q[1] -> d[1];"
    circuit = circuit_from_qasm(text, "a.qasm")
    (measured,) = distribution(circuit_from_qpy(qpy_bytes(circuit), "a"))
    assert measured == outcome << 66 | 2**65 | 1


def test_a_condition_of_openqasm_2_is_read_before_its_measurements():
    text = f"{HEAD_2}qreg q[2]; creg u[2]; u0(0.5) q; x q; if(u==0) measure q -> u;"
    assert distribution(circuit_from_qasm(text, "a.qasm")) == {3: pytest.approx(1)}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "no OPENQASM statement; begin with 'OPENQASM 3.0;'"),
        ('include "qelib1.inc";', "no OPENQASM statement; begin with 'OPENQASM 2.0;'"),
        ("[1]", "cannot be read as OpenQASM 3"),
        ("OPENQASM 2.0;\nqreg q[1];\nnope q[0];", "line 3, column 1: 'nope'"),
        (
            f"{HEAD_2}gate g(a) b {{ U(1/a,0,0) b; }}\nqreg q[1]; creg c[1];\nif(c==0) g(0) q;",
            "line 5",
        ),
        ("OPENQASM 2.0;\nqreg q[1];\nh q[0];", "gate 'h' is not defined; include"),
        ("OPENQASM 3.0;\nqubit q\n  x q;", "line 3, column 3: unexpected 'x'"),
        ("OPENQASM 4.0;\nqubit q;", "unknown version of OpenQASM: 4.0"),
        (f"OPENQASM 2.0;\nqreg q[{'9' * 30}];", "line 2, column 8: a number of 30 digits"),
        ("OPENQASM 3.0;\nqubit q;\nbit c;\nc = measure q;", "the circuit has no gates"),
        ("OPENQASM 3.0;\ninput float a;\nqubit q;\nU(floor(a), 0, 0) q;", "line 4: an input"),
        ("OPENQASM 3.0;\ninput float a;\nqubit q;\npow(a) @ U(0, 0, 0) q;", "a power is a number"),
        ("OPENQASM 3.0;\ninput float a;\nqubit q;\npow(0.5) @ U(a, 0, a) q;", "an input"),
    ],
)
def test_mistakes_in_openqasm_are_named_in_one_line(text, named):
    with pytest.raises(CircuitFileError) as error:
        circuit_from_qasm(text, "g.qasm")
    assert str(error.value).startswith("g.qasm: ")
    assert named in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("seed", range(3))
def test_circuits_survive_both_formats(seed):
    circuit = QuantumCircuit(4, 4)
    circuit.compose(random_circuit(4, 6, max_operands=3, seed=seed), inplace=True)
    circuit.measure(range(4), [2, 0, 3, 1])
    exact = distribution(circuit)
    assert distribution(circuit_from_qasm(qasm3_text(circuit), "g")) == pytest.approx(exact)
    assert circuit_from_qpy(qpy_bytes(circuit), circuit.name) == circuit


def several():
    file = io.BytesIO()
    qpy.dump([QuantumCircuit(1), QuantumCircuit(2)], file)
    return file.getvalue()


def with_byte(circuit, place, byte):
    data = qpy_bytes(circuit)
    return data[:place] + byte + data[place + 1 :]


def switch():
    circuit = QuantumCircuit(1, 1)
    with circuit.switch(circuit.cregs[0]) as case, case(1):
        circuit.x(0)
    return circuit


def twice():
    circuit = QuantumCircuit(2)
    circuit._append(CircuitInstruction(CXGate(), [circuit.qubits[0]] * 2))
    return circuit


def with_gate(gate):
    circuit = QuantumCircuit(gate.num_qubits)
    circuit.append(gate, circuit.qubits)
    return qpy_bytes(circuit)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"not a circuit at all, but long enough to be one", "g.qpy: cannot be read as QPY: it "),
        (with_byte(QuantumCircuit(1), 6, b"\xff"), "g.qpy: cannot be read as QPY: version 255, "),
        (with_gate(Isometry([[1], [0]], 0, 0)), "g.qpy: cannot be read as QPY: Isometry.__init__"),
        (with_byte(switch(), 262, b"\2"), "g.qpy: cannot be read as QPY: damaged: switch target"),
        (qpy_bytes(twice()), "g.qpy: gate 'cx' has a qubit twice"),
        (several(), "g.qpy: 2 circuits in one QPY file; give one"),
        (qpy_bytes(QuantumCircuit(2)), "g.qpy: the circuit has no gates"),
        (qpy_bytes(QuantumCircuit(1, global_phase=inf)), "g.qpy: gate 'circuit-"),
    ],
    ids=["text", "newer", "no way back", "damaged", "twice", "several", "no gates", "phase"],
)
def test_mistakes_in_qpy_are_named(data, message):
    with pytest.raises(CircuitFileError) as error:
        circuit_from_qpy(data, "g.qpy")
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("bytes_left", [6, 20, -1])
def test_qpy_that_is_cut_off_is_told(bytes_left):
    data = with_gate(StatePreparation([0.6, 0.8]))[:bytes_left]
    with pytest.raises(CircuitFileError) as error:
        circuit_from_qpy(data, "g.qpy")
    assert str(error.value) == (
        f"g.qpy: cannot be read as QPY: damaged or cut off after {len(data)} bytes; "
        "copy it again, or write it again"
    )


def losses(circuit):
    data = qpy_bytes(circuit)
    return qpy_losses(data, read_qpy(data, "g.qpy"))


VECTOR = [0.6, 0, 0.48j, 0.64]


@pytest.mark.parametrize(
    "gate",
    [
        StatePreparation(VECTOR).inverse(),
        StatePreparation([0.6, 0.8]).inverse().control(1, ctrl_state=0, annotated=False),
        StatePreparation([0.6, 0.8]).inverse().control(1, annotated=True),
        AnnotatedOperation(StatePreparation(VECTOR).inverse(), [InverseModifier()]),
    ],
)
def test_qpy_keeps_prepared_states_and_their_inverses(gate):
    circuit = QuantumCircuit(2)
    circuit.append(gate, [0, 1])
    read = circuit_from_qpy(qpy_bytes(circuit), "g.qpy")
    overlap = np.vdot(Operator(circuit).data, Operator(read).data)
    assert abs(overlap) == pytest.approx(4)
    assert losses(circuit) == []


def nested(gate):
    inner = QuantumCircuit(gate.num_qubits)
    inner.append(gate, inner.qubits)
    outer = QuantumCircuit(gate.num_qubits, 1)
    with outer.if_test((0, 1)):
        outer.append(inner.to_gate(), outer.qubits)
    return outer


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    ("gate", "name"),
    [
        (lambda: StatePreparation(VECTOR, label="mine").inverse(), "mine Dg"),
        (lambda: MCXVChain(4, dirty_ancillas=True, action_only=True), "mcx_vchain"),
    ],
)
def test_what_qpy_does_not_keep_is_known(gate, name):
    (loss,) = losses(nested(gate()))
    assert loss.startswith(f"gate '{name}': QPY does not keep ")
