"""Warnings about files of the user's own."""

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import StatePreparation

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
