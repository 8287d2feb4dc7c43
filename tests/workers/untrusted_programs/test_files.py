"""Warnings about files of the user's own, and files that would take all memory."""

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import StatePreparation

from compiler.errors import CircuitFileError
from compiler.formats.circuit_files import qpy_bytes
from workers.untrusted_programs.files import read_source_file


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


@pytest.mark.parametrize(("place", "value"), [(26, 0x7FFFFFFF), (30, 0x00100000)])
def test_numbers_of_qubits_that_take_all_memory_are_refused(tmp_path, place, value):
    content = bytearray(qpy_bytes(QuantumCircuit(2, 2)))
    content[place : place + 4] = value.to_bytes(4, "big")
    path = tmp_path / "damaged.qpy"
    path.write_bytes(content)
    with pytest.raises(CircuitFileError, match=r"^damaged\.qpy: "):
        read_source_file(path)
