"""Circuits go to tket and come back as they were, and as tket's own extension has them."""

import pytest
from pytket.extensions.qiskit import qiskit_to_tk
from qiskit import QuantumCircuit, transpile
from qiskit.circuit.random import random_circuit
from qiskit.quantum_info import Operator

from compiler.errors import LoweringError
from compiler.lowering.tket.passes import TKET_NAMES, from_tket, to_tket


def plain(seed: int) -> QuantumCircuit:
    drawn = random_circuit(4, 6, max_operands=2, seed=seed)
    return transpile(drawn, basis_gates=list(TKET_NAMES), optimization_level=0)


@pytest.mark.parametrize("seed", range(8))
def test_as_the_extension_has_it_and_back(seed):
    circuit = plain(seed)
    there = to_tket(circuit)
    theirs = qiskit_to_tk(circuit)
    assert [str(c.op) for c in there] == [str(c.op) for c in theirs]
    back = from_tket(there, 4)
    assert back.count_ops() == circuit.count_ops()
    assert Operator(back).equiv(Operator(circuit))
    assert abs(Operator(back).data - Operator(circuit).data).max() < 1e-12


def test_barriers_stay_and_wires_may_be_added():
    circuit = QuantumCircuit(2, global_phase=0.25)
    circuit.sx(1)
    circuit.barrier()
    circuit.cx(1, 0)
    back = from_tket(to_tket(circuit), 3)
    assert [item.operation.name for item in back.data] == ["sx", "barrier", "cx"]
    assert [back.find_bit(q).index for q in back.data[2].qubits] == [1, 0]
    assert back.num_qubits == 3
    assert back.global_phase == pytest.approx(0.25)


def test_other_gates_are_refused():
    circuit = QuantumCircuit(1)
    circuit.h(0)
    with pytest.raises(LoweringError, match="tket is given cx, rz, sx, x, not h"):
        to_tket(circuit)
