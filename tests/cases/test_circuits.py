"""Compiled circuits, written as OpenQASM and QPY, do what was worked out by hand."""

from collections.abc import Sequence
from io import BytesIO

import numpy as np
import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister, qasm3, qpy
from qiskit.circuit import Clbit
from qiskit.circuit.library import RYGate, StatePreparation, SXGate

from compiler.compilation import Compiled, Options, compile
from compiler.errors import CircuitFileError
from compiler.formats.circuit_files import circuit_from_qasm, qpy_bytes
from compiler.formats.openqasm.writing import qasm3_text
from compiler.program import Program
from games.sources import Source, read_program
from workers.devices.reading import read_device
from workers.settings import Settings
from workers.untrusted_programs.files import check_circuit_file
from workers.untrusted_programs.text_checks import check_program_text

from .circuits import (
    DECIDING,
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
    two_bits_decide,
)
from .world import SX, H, World, X, controlled, matrix_of, number, played, ry

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
    native = compiled.chosen.native
    return native.initial_layout, native.final_layout


@pytest.mark.parametrize("name", TEXTS)
def test_distributions(name):
    text, world = TEXTS[name]
    check(program_of(text), world())


def test_line_ends_of_windows():
    text, world = TEXTS["opaque delay"]
    check(program_of(text.replace("\n", "\r\n")), world())


@pytest.mark.parametrize("name", MATRICES)
def test_matrices(name):
    text, matrix = MATRICES[name]
    compiled = compile(program_of(HEAD_2 + text), "star", Options("fast", any_input=True))
    written = read_text(qasm3_text(compiled.circuit))
    found = matrix_of(written, *layouts_of(compiled))
    assert abs(np.vdot(matrix(), found)) == pytest.approx(len(found))


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("int[4](c) == 2", lambda value: value == 2),
        ("c < 5", lambda _: True),
        ("c == 4", lambda _: False),
    ],
)
def test_comparisons_that_are_taken_or_refused_clearly(condition, holds):
    """openqasm: examples/inverseqft1.qasm, qec.qasm; neighbours of pytket-qiskit#43."""
    text = DECIDING + f"if ({condition}) x a;\nr = measure a;\n"
    try:
        program = program_of(text)
    except CircuitFileError as error:
        assert "Var(" not in str(error)
        assert "ClassicalRegister(" not in str(error)
        return
    check(program, two_bits_decide(lambda bits: holds(number(bits, [0, 1]))))


def test_single_bits_keep_order_and_names():
    """Qiskit/qiskit#918, qiskit-ibm-runtime#2904."""
    text = (
        HEAD_3 + "qubit[3] q;\nbit[2] c;\nbit flag;\nx q[2];\nc[0] = measure q[0];\n"
        "c[1] = measure q[1];\nflag = measure q[2];\n"
    )
    compiled = compile(program_of(text), "star", Options("fast"))
    written = qasm3_text(compiled.circuit)
    require(read_text(written), measured(World(3, 3).gate(X, 2)))
    declared = [line for line in written.splitlines() if line.startswith("bit")]
    assert declared[0] == "bit[2] c;"
    assert declared[1] in ("bit flag;", "bit[1] flag;")


REFUSED = {
    "range beyond": (HEAD_3 + "qubit[3] q;\nbit[3] c;\nx q[1:5];\nc = measure q;\n", ""),
    "cal": (HEAD_3 + 'defcalgrammar "openpulse";\ncal { }\nqubit q;\nx q;\n', ""),
    "extern": (HEAD_3 + "extern vote(bit[3]) -> bit;\nqubit q;\nx q;\n", ""),
    "input": (HEAD_3 + "input float theta;\nqubit q;\nry(theta) q;\n", "theta"),
    "return": (
        HEAD_3 + "def f(qubit a) -> bit { bit b; b = measure a; return b; }\nqubit q;\nbit c;\n"
        "c = f(q);\n",
        "subroutine",
    ),
    "array": (HEAD_3 + "array[int[8], 4] a;\nqubit q;\nx q;\n", ""),
    "bits with a value": (HEAD_3 + 'bit[2] c = "10";\nqubit q;\nx q;\n', "init"),
    "stretch": (HEAD_3 + "stretch s;\nqubit q;\ndelay[s] q;\nx q;\n", ""),
    "pragma": (HEAD_3 + "#pragma braket result probability\nqubit q;\nx q;\n", ""),
    "while": (HEAD_3 + "qubit q;\nbit c;\nwhile (!c) { x q; c = measure q; }\n", "while"),
    "end": (HEAD_3 + "qubit q;\nx q;\nend;\n", ""),
    "byte order mark": ("\ufeff" + HEAD_3 + "qubit q;\nx q;\n", "byte order mark"),
    # qBraid/pyqasm#370, Quantinuum/tket#678
    "library of a vendor": (
        'OPENQASM 2.0;\ninclude "hqslib1.inc";\nqreg q[2];\nRZZ(0.5*pi) q[0],q[1];\n', "hqslib1"
    ),
    # qBraid/pyqasm#54
    "opaque": (HEAD_2 + "opaque magic(a) p,q;\nqreg q[2];\nmagic(1) q[0],q[1];\n", "magic"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_told_in_one_line(name, capfd):
    text, words = REFUSED[name]
    with pytest.raises(CircuitFileError) as error:
        program_of(text)
    assert words in str(error.value)
    assert "\n" not in str(error.value)
    assert capfd.readouterr().err == ""


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


def test_inverse_of_a_prepared_state():
    """Qiskit/qiskit#17000."""
    circuit = QuantumCircuit(1, 1)
    circuit.ry(0.9, 0)
    circuit.append(StatePreparation([0.6, 0.8]).inverse(), [0])
    circuit.measure(0, 0)
    angle = 2 * np.arctan2(0.8, 0.6)
    check(loaded(circuit), measured(World(1, 1).gate(ry(0.9), 0).gate(ry(-angle), 0)))


def test_several_circuits_in_one_file():
    file = BytesIO()
    qpy.dump([QuantumCircuit(1), QuantumCircuit(1)], file)
    with pytest.raises(CircuitFileError, match="2 circuits"):
        read_program(Source("case.qpy", file.getvalue()))


def test_reused_qubits_give_the_same_distribution():
    """munich-quantum-toolkit/qcec#343."""
    pairs = [(1, 2), (0, 3), (1, 4), (2, 4), (3, 4)]
    text = HEAD_2 + "qreg q[5];\ncreg c[5];\nh q[0];\nry(0.7) q[1];\n"
    text += "".join(f"cx q[{a}],q[{b}];\n" for a, b in pairs) + "measure q -> c;\n"
    world = World(5, 5).gate(H, 0).gate(ry(0.7), 1)
    for pair in pairs:
        world.gate(controlled(X), *pair)
    written = check(program_of(text), measured(world), "star:5", reuse_qubits=True)
    assert len({q for item in written.data for q in item.qubits}) < 5


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


def test_circuits_are_read_by_their_text_alone():
    """The text that is written is also what our own reader reads."""
    text, world = TEXTS["controlled gates where a bit is 0"]
    compiled = compile(program_of(text), "star", Options("fast"))
    require(circuit_from_qasm(qasm3_text(compiled.circuit), "again.qasm"), world())
