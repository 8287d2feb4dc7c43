"""What a file may declare before it is parsed, and what a laptop may still ask for."""

import re

import pytest
from qiskit import QuantumCircuit, qasm2, qasm3
from qiskit.circuit.library import StatePreparation

from compiler.errors import CircuitFileError
from compiler.formats.circuit_files import qpy_bytes
from workers.settings import Settings
from workers.untrusted_programs.files import check_circuit_file, read_source_file
from workers.untrusted_programs.text_checks import check_program_text

TWO = 'OPENQASM 2.0;\ninclude "qelib1.inc";\n'
THREE = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n'


def doubling(levels: int) -> str:
    """Return gates of which each calls the one before twice: 2^levels gates."""
    gates = "".join(f"gate g{n} a {{ g{n - 1} a; g{n - 1} a; }}\n" for n in range(1, levels + 1))
    return TWO + "gate g0 a { h a; }\n" + gates + f"qreg q[1];\ng{levels} q[0];\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TWO + "qreg q[100000000];\n", "declares 100,000,000 qubits"),
        (THREE + "qubit[100_000_000] q;\n", "declares 100,000,000 qubits"),
        (THREE + "qubit [ 100000000 ] q;\n", "declares 100,000,000 qubits"),
        (THREE + "qubit[10000*10000] q;\n", "declares 100,000,000 qubits"),
        (TWO + "".join(f"qreg q{n}[50];\n" for n in range(41)), "declares 2,050 qubits"),
        (TWO + "creg c[1000000000];\n", "declares 1,000,000,000 bits"),
        (THREE + f"qubit[{'999999999*' * 9}9] q;\n", "declares 1,000,000,000,000,000,000 qubits"),
        (THREE + "qubit[10**8] q;\n", "declares 100,000,000 qubits"),
        (TWO + f"qreg q[{'9' * 10_000}];\n", "a number of 10000 digits is too large"),
        (TWO + "qreg q[1];\nrz(" + "(" * 100_000 + "1", "nested deeper than 200 levels"),
        (doubling(24), "stands for more than 10,000,000 gates"),
        (doubling(10_000), "gates are defined by others more than 200 deep"),
    ],
)
def test_what_nothing_can_hold_is_refused(text, message):
    with pytest.raises(CircuitFileError, match=f"big.qasm.*: {message}"):
        check_circuit_file("big.qasm", text.encode())


@pytest.mark.parametrize(
    ("text", "qubits"),
    [
        (TWO + "qreg q[1000];\nqreg r[1000];\ncreg c[2000];\nh q;\n", 2000),
        (THREE + "qubit[4_0] q;\nqubit other;\nbit[2] c;\nh q;\n", 41),
        (THREE + "qubit[2*20] q;\nh q;\n", 40),
        (TWO + "// qreg q[100000000];\nqreg q[2];\nh q;\n", 2),
        (THREE + "/* qubit[100000000] q;\n */ qubit[2] q;\nh q;\n", 2),
        (doubling(20), 1),
    ],
)
def test_what_can_be_compiled_passes(text, qubits):
    check_circuit_file("good.qasm", text.encode())
    loads = qasm2.loads if "OPENQASM 2" in text else qasm3.loads
    assert loads(text).num_qubits == qubits


@pytest.mark.parametrize(
    "text",
    [
        TWO + "// \x1b[2J\n",
        TWO + 'include "mine.inc";\n',
        THREE + "include 'qelib2.inc';\n",
        THREE + f"qubit q;\nrx({'1' * 1001}) q;\n",
        THREE + "qubit q;\nrx(2 ** 99999999) q;\n".replace("99999999", "9" * 20),
    ],
)
def test_http_and_the_command_line_refuse_in_the_same_words(text):
    said = set()
    for check in (
        lambda: check_circuit_file("a.qasm", text.encode()),
        lambda: check_program_text("a.qasm", text, Settings()),
    ):
        with pytest.raises(CircuitFileError) as error:
            check()
        said.add(re.sub(r"up to [\d,]+", "up to N", str(error.value)))
    assert len(said) == 1


@pytest.mark.parametrize("lost", [True, False])
def test_a_warning_tells_what_qpy_has_lost(tmp_path, caplog, lost):
    circuit = QuantumCircuit(1)
    circuit.append(StatePreparation([0.6, 0.8], label="mine" if lost else None).inverse(), [0])
    path = tmp_path / f"lost-{lost}.qpy"
    path.write_bytes(qpy_bytes(circuit))
    read_source_file(path)
    read_source_file(path)
    assert len(caplog.messages) == lost
    assert all(line.startswith(f"warning: {path.name}: gate 'mine Dg'") for line in caplog.messages)
