"""Gates of OpenQASM files: own ones, modifiers, and control flow."""

import random

import numpy as np
import pytest
from qiskit import QuantumCircuit, qasm2, transpile
from qiskit.circuit import AnnotatedOperation, ControlModifier, Gate, InverseModifier
from qiskit.circuit.library import ModularAdderGate, RYGate, UnitaryGate
from qiskit.quantum_info import Operator

from compiler.errors import CircuitFileError
from compiler.formats.circuit_files import circuit_from_qasm, circuit_from_qpy, qpy_bytes
from compiler.formats.openqasm.version_3.circuit import STANDARD_LIBRARY, U
from compiler.formats.plain_gates import as_it_is, plain

NAMES = {
    "h": (1, 0), "cx": (2, 0), "rx": (1, 1), "cu3": (2, 3), "ccx": (3, 0), "rzz": (2, 1),
    "card_play": (2, 3), "unitary": (2, 0), "own_x": (2, 0), "c3x": (2, 0),
}  # fmt: skip
"""Qubits and parameters of standard gates, of operators, and of others."""
QELIB1 = {
    "u3", "u2", "u1", "cx", "id", "x", "y", "z", "h", "s", "sdg", "t", "tdg", "rx", "ry", "rz",
    "cz", "cy", "ch", "ccx", "crz", "cu1", "cu3",
}  # fmt: skip
"""The gates of the file as it was published."""

FIRST, REST = (0.3, 0.7, -0.4), (1.1, 0.2, 0.5)


def body(qubits: int) -> QuantumCircuit:
    """Return what no standard gate does."""
    circuit = QuantumCircuit(qubits)
    circuit.u(*FIRST, 0)
    for qubit in range(1, qubits):
        circuit.u(*REST, qubit)
        circuit.cx(qubit, qubit - 1)
    return circuit


def body_3(qubits: int) -> QuantumCircuit:
    """Return the same with the phases of OpenQASM 3, whose U is exp(iθ/2) times Qiskit's."""
    circuit = QuantumCircuit(qubits)
    circuit.u(*FIRST, 0)
    circuit.global_phase += FIRST[0] / 2
    for qubit in range(1, qubits):
        circuit.u(*REST, qubit)
        circuit.global_phase += REST[0] / 2
        circuit.s(qubit)
        circuit.cx(qubit, qubit - 1)
    return circuit


def declared(name: str, qubits: int, params: int) -> str:
    """Return the same as a definition that OpenQASM 2 and 3 share."""
    wires = [f"w{i}" for i in range(qubits)]
    angles = f"({', '.join(f'a{i}' for i in range(params))})" if params else ""
    lines = [f"U{FIRST} w0;"]
    for control, target in zip(wires[1:], wires, strict=False):
        lines += [f"U{REST} {control};", f"CX {control}, {target};"]
    return f"gate {name}{angles} {', '.join(wires)} {{ {' '.join(lines)} }}\n"


def called(name: str, params: int, wires: list[str]) -> str:
    angles = f"({', '.join('0.1' for _ in range(params))})" if params else ""
    return f"{name}{angles} {', '.join(wires)};\n"


def require_same(circuit: QuantumCircuit, meant: np.ndarray) -> None:
    assert all(as_it_is(item.operation) is not None for item in circuit.data)
    assert Operator(circuit).equiv(Operator(meant))


def own(name: str, qubits: int, params: int) -> Gate:
    gate = Gate(name, qubits, [0.1] * params)
    gate.definition = body(qubits)
    return gate


@pytest.mark.parametrize("name", NAMES)
def test_openqasm_2_means_what_it_defines(name):
    qubits, params = NAMES[name]
    wires = [f"q[{i}]" for i in range(qubits)]
    text = f"{declared(name, qubits, params)}qreg q[{qubits}];\n{called(name, params, wires)}"
    bare = f"OPENQASM 2.0;\n{text}"
    require_same(circuit_from_qasm(bare, "a.qasm"), Operator(body(qubits)).data)
    assert Operator(qasm2.loads(bare)).equiv(Operator(body(qubits)))
    included = f'OPENQASM 2.0;\ninclude "qelib1.inc";\n{text}'
    if name in QELIB1:
        with pytest.raises(CircuitFileError, match="is already defined"):
            circuit_from_qasm(included, "a.qasm")
    else:
        require_same(circuit_from_qasm(included, "a.qasm"), Operator(body(qubits)).data)


@pytest.mark.parametrize("name", NAMES)
def test_openqasm_3_means_what_it_defines(name):
    qubits, params = NAMES[name]
    head = "OPENQASM 3.0;\ngate entangle a, b { ctrl @ U(pi, 0, pi) a, b; }\n"
    text = head + declared(name, qubits, params).replace("CX ", "entangle ")
    text += f"qubit c;\nqubit[{qubits}] q;\n"
    matrix, none = Operator(body_3(qubits)).data, np.eye(2)
    wires = [f"q[{i}]" for i in range(qubits)]
    call = called(name, params, wires)
    require_same(circuit_from_qasm(text + call, "a.qasm"), np.kron(matrix, none))
    inverse = circuit_from_qasm(f"{text}inv @ {call}", "a.qasm")
    require_same(inverse, np.kron(matrix.conj().T, none))
    call = called(name, params, ["c", *wires])
    require_same(circuit_from_qasm(f"{text}ctrl @ {call}", "a.qasm"), under_controls(matrix))
    negative = circuit_from_qasm(f"{text}negctrl @ {call}", "a.qasm")
    require_same(negative, under_controls(matrix, on=False))


@pytest.mark.parametrize("name", NAMES)
def test_qpy_means_what_it_defines(name):
    qubits, params = NAMES[name]
    matrix = Operator(body(qubits)).data
    gate = own(name, qubits, params)
    circuit = QuantumCircuit(qubits)
    circuit.append(gate, circuit.qubits)
    require_same(circuit_from_qpy(qpy_bytes(circuit), "a.qpy"), matrix)
    outer = QuantumCircuit(qubits + 1)
    outer.append(AnnotatedOperation(gate, [ControlModifier(1), InverseModifier()]), outer.qubits)
    require_same(circuit_from_qpy(qpy_bytes(outer), "a.qpy"), under_controls(matrix.conj().T))


@pytest.mark.parametrize("name", ["cx", "mine", "measure"])
def test_a_name_without_a_definition_means_nothing(name):
    circuit = QuantumCircuit(2)
    circuit.append(Gate(name, 2, []), [0, 1])
    with pytest.raises(CircuitFileError, match=f"a.qpy: gate '{name}' has no definition"):
        circuit_from_qpy(qpy_bytes(circuit), "a.qpy")
    text = f"OPENQASM 2.0;\nopaque {name} a, b;\nqreg q[2];\n{name} q[0], q[1];"
    if name != "measure":
        with pytest.raises(CircuitFileError, match=f"line 4, .*: gate '{name}' has no definition"):
            circuit_from_qasm(text, "a.qasm")


def test_a_controlled_gate_is_what_its_definition_says():
    """A base gate's name says nothing of it, nor does the base gate itself."""
    for base in (own("ry", 1, 1), RYGate(0.1)):
        gate = RYGate(0.1).control(2, annotated=False)
        gate.base_gate, gate.definition = base, body(3)
        circuit = QuantumCircuit(3)
        circuit.append(gate, circuit.qubits)
        require_same(circuit_from_qpy(qpy_bytes(circuit), "a.qpy"), Operator(body(3)).data)
    (kept,) = circuit_from_qpy(
        qpy_bytes(_one(RYGate(0.1).control(2, annotated=False))), "a.qpy"
    ).data
    assert kept.operation.name == "ccry"


def _one(gate: Gate) -> QuantumCircuit:
    circuit = QuantumCircuit(gate.num_qubits)
    circuit.append(gate, circuit.qubits)
    return circuit


@pytest.mark.parametrize("angle", [float("inf"), float("nan")])
def test_an_angle_is_a_number(angle):
    with pytest.raises(CircuitFileError, match=f"a.qpy: gate 'ry' has the angle {angle}"):
        circuit_from_qpy(qpy_bytes(_one(RYGate(angle))), "a.qpy")


def test_what_unfolds_into_too_much_is_refused(monkeypatch):
    monkeypatch.setattr("compiler.formats.plain_gates.MAX_GATES", 100)
    gates = ["gate a0 q { }", *(f"gate a{i} q {{ a{i - 1} q; a{i - 1} q; }}" for i in range(1, 40))]
    text = "OPENQASM 2.0;\n" + "\n".join(gates) + "qreg q[1]; a39 q[0];"
    with pytest.raises(CircuitFileError, match=r"line 41, .*: stands for more than 100 gates"):
        circuit_from_qasm(text, "a.qasm")


def principal_power(matrix, exponent):
    """Return the principal power of a unitary matrix, by its eigenvectors."""
    values, vectors = np.linalg.eig(matrix)
    angles = np.angle(values)
    angles[angles < 1e-9 - np.pi] += 2 * np.pi
    return vectors @ np.diag(np.exp(1j * exponent * angles)) @ np.linalg.inv(vectors)


def under_controls(matrix, controls=1, on=True):
    size = 1 << controls
    result = np.eye(len(matrix) * size, dtype=complex)
    rows = [(size - 1 if on else 0) + size * i for i in range(len(matrix))]
    result[np.ix_(rows, rows)] = matrix
    return result


@pytest.mark.parametrize("name", [*STANDARD_LIBRARY, "U"])
def test_modifiers_do_what_matrices_say(name):
    draw = random.Random(name)
    gate = STANDARD_LIBRARY.get(name, U)
    unitary = gate.unitary([draw.uniform(-7, 7) for _ in range(gate.parameters)])
    matrix, done = Operator(unitary.circuit).data, []
    for _ in range(5):
        room = 5 - unitary.circuit.num_qubits
        step = draw.choice(["inv", "power", "ctrl", "negctrl", "ctrl", "negctrl"])
        if step == "inv":
            unitary, matrix = unitary.modified("inv", 1), matrix.conj().T
        elif step == "power":
            exponent = draw.choice([-2.0, -1.0, 0.0, 2.0, 3.0])
            unitary = unitary.modified("pow", exponent)
            matrix = np.linalg.matrix_power(matrix, int(exponent))
        elif room:
            controls = draw.randint(1, min(2, room))
            unitary = unitary.modified(step, controls)
            matrix = under_controls(matrix, controls, step == "ctrl")
        done.append(step)
        assert np.allclose(Operator(unitary.circuit).data, matrix, atol=1e-7), done


@pytest.mark.parametrize("name", [*STANDARD_LIBRARY, "U"])
def test_fractional_powers_are_principal(name):
    gate = STANDARD_LIBRARY.get(name, U)
    unitary = gate.unitary([0.3, 0.7, -0.4, 1.1][: gate.parameters])
    for exponent in (0.5, -0.25, 1 / 3):
        wanted = principal_power(Operator(unitary.circuit).data, exponent)
        assert np.allclose(
            Operator(unitary.modified("pow", exponent).circuit).data, wanted, atol=1e-7
        )


@pytest.mark.parametrize("name", ["h", "cx"])
def test_a_matrix_under_many_controls_is_taken_apart(name, monkeypatch):
    monkeypatch.setattr("compiler.formats.modifiers.MAX_QUBITS", 2)
    power = STANDARD_LIBRARY[name].unitary([]).modified("pow", 0.3)
    controlled = power.modified("negctrl", 2).circuit
    assert UnitaryGate not in {type(item.operation) for item in controlled.data}
    expected = under_controls(Operator(power.circuit).data, 2, on=False)
    assert np.allclose(Operator(controlled).data, expected, atol=1e-7)


def test_a_modular_adder_takes_no_more_gates_than_from_qiskit():
    circuit = QuantumCircuit(6)
    circuit.append(ModularAdderGate(3), range(6))
    require_same(plain(circuit), Operator(circuit))
    ours, theirs = (transpile(each, basis_gates=["cx", "u"]) for each in (plain(circuit), circuit))
    assert ours.num_nonlocal_gates() <= theirs.num_nonlocal_gates()
