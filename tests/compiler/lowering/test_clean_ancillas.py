"""Gates with many controls on qubits of the target that the circuit does not use."""

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import HGate, MCPhaseGate, MCXGate, SwapGate, UGate, ZGate
from qiskit.quantum_info import Operator

from compiler.compilation.options import Options
from compiler.compilation.portfolio import compile
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.operators.clean_ancillas import clean_ancillas
from compiler.program import Program
from compiler.targets import target_from_spec

GATES = (
    MCXGate(5),
    MCPhaseGate(0.3, 4),
    ZGate().control(4, ctrl_state=5, annotated=False),
    SwapGate().control(3, annotated=False),
    UGate(0.1, 0.2, 0.3).control(4, annotated=False),
    HGate().control(3, annotated=False),
)


@pytest.mark.parametrize("spare", [1, 5])
@pytest.mark.parametrize("gate", GATES, ids=lambda gate: str(gate.name))
def test_the_map_is_the_gates_and_ancillas_end_in_0(gate, spare):
    circuit = QuantumCircuit(gate.num_qubits)
    circuit.append(gate, circuit.qubits)
    setting = Setting(target_from_spec(f"all:{gate.num_qubits + spare}"), any_input=True)
    draft = clean_ancillas.run(Draft.of(circuit), setting)
    own, wide = 2**gate.num_qubits, draft.circuit.num_qubits - gate.num_qubits
    from_clean = Operator(draft.circuit).data.reshape(2**wide, own, 2**wide, own)[:, :, 0]
    np.testing.assert_allclose(from_clean[0], Operator(gate).data, atol=1e-9)
    np.testing.assert_allclose(from_clean[1:], 0, atol=1e-9)
    assert draft.initial_layout == draft.final_layout == tuple(range(gate.num_qubits))


@pytest.mark.parametrize(
    ("controls", "target", "start"), [(2, "all:9", None), (5, "all:6", None), (5, "all:9", True)]
)
def test_few_controls_full_targets_and_later_segments_stay(controls, target, start):
    circuit = QuantumCircuit(controls + 1)
    circuit.append(MCXGate(controls), circuit.qubits)
    places = tuple(range(controls + 1)) if start else None
    draft = Draft.of(circuit)
    assert clean_ancillas.run(draft, Setting(target_from_spec(target), start=places)) is draft


def test_a_device_lends_its_idle_qubits_on_any_input():
    circuit = QuantumCircuit(9)
    circuit.append(MCXGate(8), circuit.qubits)
    program, options = Program.of_circuit(circuit), Options("fast", any_input=True)
    alone, lent = (compile(program, spec, options) for spec in ("square:9", "square:20"))
    assert (alone.verified, lent.verified) == ("exact", "exact")
    assert lent.chosen.attempt.pipeline == "ancilla-sweep"
    assert lent.figures.two_qubit_gates * 3 < alone.figures.two_qubit_gates
