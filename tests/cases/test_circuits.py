"""Compiled circuits, written as OpenQASM and QPY, do what was worked out by hand."""

from collections.abc import Sequence

import numpy as np
import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister, qasm3
from qiskit.circuit import Clbit
from qiskit.circuit.library import RYGate, SXGate

from backends.devices.reading import read_device
from compiler.compilation import Compiled, Options, compile
from compiler.formats.circuit_files import circuit_from_qasm, qpy_bytes
from compiler.formats.openqasm.writing import qasm3_text
from compiler.program import Program
from games.sources import Source, read_program
from tests.independent import SX, H, World, X, controlled, matrix_of, number, played, ry
from workers.settings import Settings
from workers.untrusted_programs.files import check_circuit_file
from workers.untrusted_programs.text_checks import check_program_text

from .circuits import (
    DEVICE_CIRCUIT,
    DYNAMIC,
    HEAD_2,
    HEAD_3,
    MATRICES,
    OPENQASM_2,
    OPENQASM_3,
    device_world,
    measured,
    three_measured,
)

CLOSE = 1e-6
TEXTS = {
    **OPENQASM_3,
    **{name: (HEAD_2 + text, world) for name, (text, world) in OPENQASM_2.items()},
    **{name: (HEAD_3 + text, world) for name, (text, world) in DYNAMIC.items()},
}


def program_of(text: str, name: str = "case.qasm") -> Program:
    """Read a program as the command line does, after what HTTP checks."""
    check_circuit_file(name, text.encode())
    check_program_text(name, text, Settings())
    return read_program(Source(name, text.encode()))


def read_text(text: str) -> QuantumCircuit:
    """Read OpenQASM 3 by Qiskit's importer, or by our reader if that lacks a construct."""
    try:
        return qasm3.loads(text)
    except qasm3.QASM3Error:
        return circuit_from_qasm(text, "written.qasm")


def require(circuit: QuantumCircuit, world: World) -> None:
    found, wanted = played(circuit), world.distribution()
    assert {bits: p for bits, p in found.items() if p > CLOSE} == pytest.approx(
        {bits: p for bits, p in wanted.items() if p > CLOSE}, abs=CLOSE
    )


def check(program: Program, world: World, target: str = "star", **options) -> QuantumCircuit:
    """Require that what is compiled, and what is written of it, plays as a world."""
    compiled = compile(program, target, Options("fast", **options))
    require(compiled.circuit, world)
    written = read_text(qasm3_text(compiled.circuit))
    require(written, world)
    return written


def layouts_of(compiled: Compiled) -> tuple[Sequence[int], Sequence[int]]:
    return compiled.chosen.initial_layout, compiled.chosen.final_layout


@pytest.mark.parametrize("name", TEXTS)
def test_distributions(name):
    text, world = TEXTS[name]
    check(program_of(text), world())


@pytest.mark.parametrize("name", MATRICES)
def test_matrices(name):
    text, matrix = MATRICES[name]
    compiled = compile(program_of(HEAD_2 + text), "star", Options("fast", any_input=True))
    written = read_text(qasm3_text(compiled.circuit))
    found = matrix_of(written, *layouts_of(compiled))
    assert abs(np.vdot(matrix(), found)) == pytest.approx(len(found))


def loaded(circuit: QuantumCircuit) -> Program:
    return read_program(Source("case.qpy", qpy_bytes(circuit)))


def test_instructions_within_instructions():
    """Qiskit/qiskit#15747."""
    inner = QuantumCircuit(2, 2)
    inner.h(0)
    inner.measure(0, 1)
    outer = QuantumCircuit(3, 2)
    outer.append(inner.to_instruction(), [1, 2], [1, 0])
    circuit = QuantumCircuit(4, 4)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.append(outer.to_instruction(), [1, 2, 3], [2, 3])
    circuit.measure(1, 1)
    world = World(4, 4).gate(H, 0).measure(0, 0)
    world.when(lambda bits: bits[0], lambda one: one.gate(H, 2).measure(2, 2)).measure(1, 1)
    check(loaded(circuit), world)


def test_control_states():
    """Qiskit/qiskit#5857, #4949, #11629."""
    phase = QuantumCircuit(1, global_phase=1.1)
    circuit = QuantumCircuit(3)
    circuit.append(RYGate(1.5).control(1, ctrl_state=0).control(1, ctrl_state=1), [0, 1, 2])
    circuit.append(phase.to_gate().control(2, ctrl_state=1), [2, 0, 1])
    circuit.append(SXGate().power(1).control(1), [1, 2])
    columns = [
        World(3, 0, column)
        .gate(controlled(controlled(ry(1.5), 1, 0), 1, 1), 0, 1, 2)
        .gate(controlled(np.exp(1.1j) * np.eye(2), 2, 1), 2, 0, 1)
        .gate(controlled(SX), 1, 2)
        .branches[0][0]
        for column in np.eye(8, dtype=complex)
    ]
    compiled = compile(loaded(circuit), "star", Options("fast", any_input=True))
    written = read_text(qasm3_text(compiled.circuit))
    found = matrix_of(written, *layouts_of(compiled))
    assert abs(np.vdot(np.array(columns).T, found)) == pytest.approx(8)


def test_overlapping_registers():
    """Quantinuum/pytket-qiskit#43."""
    first = ClassicalRegister(2, "a")
    second = ClassicalRegister(bits=[first[1], Clbit()], name="b")
    circuit = QuantumCircuit(QuantumRegister(3, "q"), first, second)
    circuit.h([0, 1])
    circuit.measure([0, 1], [first[1], second[1]])
    with circuit.if_test((second, 1)):
        circuit.x(2)
    circuit.measure(2, first[0])
    world = three_measured().measure(0, 1).measure(1, 2)
    world.when(lambda bits: number(bits, [1, 2]) == 1, lambda one: one.gate(X, 2)).measure(2, 0)
    check(loaded(circuit), world)


def test_sparse_state():
    """Qiskit/qiskit#12948."""
    state = np.zeros(32, dtype=complex)
    state[[1, 18, 23]] = 0.5 - 0.26j, -0.12 - 0.28j, 0.5
    state /= np.linalg.norm(state)
    circuit = QuantumCircuit(5, 5)
    circuit.prepare_state(state)
    circuit.h(range(5))
    circuit.measure(range(5), range(5))
    world = World(5, 5, state)
    for qubit in range(5):
        world.gate(H, qubit)
    check(loaded(circuit), measured(world), "heavy-hex:8")


DEVICE = """name = "line"
qubits = 5
edges = [[1, 0], [1, 2], [3, 2], [3, 4]]
directed = true
[gates]
rz = { error = 0 }
"""


@pytest.mark.parametrize("gates", [("cx", "rz", "sx"), ("ecr", "rz", "sx", "x"), ("cx", "rz", "u")])
def test_couplers_that_go_one_way(tmp_path, gates):
    """Qiskit/qiskit#2362 and #5491, unitaryfoundation/ucc#505, Quantinuum/pytket-qiskit#312."""
    path = tmp_path / "line.toml"
    path.write_text(DEVICE + "".join(f"{g} = {{ error = 1e-3 }}\n" for g in gates if g != "rz"))
    written = check(program_of(DEVICE_CIRCUIT), device_world(), read_device(path))
    for item in written.data:
        assert item.name in (*gates, "measure", "barrier")
        pair = tuple(written.find_bit(qubit).index for qubit in item.qubits)
        assert len(pair) == 1 or pair in {(1, 0), (1, 2), (3, 2), (3, 4)}
