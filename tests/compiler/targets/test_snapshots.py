"""A circuit is compiled, and proven, for every device of which the SDK ships a snapshot."""

import pytest
from qiskit import QuantumCircuit

from compiler.compilation import Options, compile
from compiler.program import Program
from compiler.targets import target_from_spec
from compiler.targets.ibm_devices import snapshot_names, snapshot_spec

REFUSED = {"armonk", "kyoto"}
"""One qubit; dead couplers only."""

FAILING = {"cairo"}
"""Qiskit 2.6.2 turns no CX around where other couplers have ECR, nor do we."""

AT_ONCE = ("boston", "miami", "fractional", "almaden")


@pytest.mark.parametrize(
    "device",
    [
        pytest.param(name, marks=[] if name in AT_ONCE else pytest.mark.full)
        for name in snapshot_names()
        if name not in REFUSED | FAILING
    ],
)
def test_a_ghz_state_with_a_phase(device):
    circuit = QuantumCircuit(4, 4)
    circuit.h(0)
    for other in (1, 2, 3):
        circuit.cx(0, other)
    circuit.rz(0.3, 3)
    circuit.measure(range(4), range(4))
    compiled = compile(Program.of_circuit(circuit), snapshot_spec(device), Options("fast"))
    assert compiled.verified == "exact"
    target = target_from_spec(snapshot_spec(device))
    native = compiled.circuit
    assert all(
        target.instruction_supported(
            item.operation.name, tuple(native.find_bit(qubit).index for qubit in item.qubits)
        )
        for item in native.data
        if item.operation.name != "barrier"
    )
