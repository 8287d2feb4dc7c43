"""Gates with many controls on clean ancillas: qubits of the target that the circuit does not use.

The AND of k controls takes 3 (k-1) CX on its way into ancillas and as many on its way back, where
a gate without ancillas takes a number that grows with k². Each AND is written by a Toffoli gate
up to relative phases, 3 CX, which its inverse takes back (Maslov, arXiv:1508.03273, for X). Where
the target or a proof has no room for an ancilla for each AND, one ancilla does for X and Z (Khattar
and Gidney, arXiv:2407.17966).
"""

from collections.abc import Sequence

from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.circuit import ControlledGate, Operation, Qubit
from qiskit.circuit.library import RCCXGate
from qiskit.synthesis import synth_mcx_1_clean_kg24

from compiler.lowering.draft import Draft, Pass, Property, Setting
from compiler.synthesis.permutations import and_ladder

MIN_CONTROLS = 3
"""Fewer controls take as few gates without an ancilla."""

MAX_WIDTH = 20
"""Qubits up to which each AND has an ancilla: final states on so many are compared in seconds."""


FEWEST_ANCILLAS = 2
"""Enough for any number of controls."""

AS_TOFFOLI = ("x", "z")
"""Gates that two controls make a Toffoli gate, up to one-qubit gates."""

AND = RCCXGate().definition
"""On the two controls and the ancilla."""


def _use_clean_ancillas(draft: Draft, setting: Setting) -> Draft:
    circuit = draft.circuit
    ands = max((_ands(item.operation) for item in circuit.data), default=0)
    room = max(MAX_WIDTH - circuit.num_qubits, FEWEST_ANCILLAS)
    spare = setting.target.num_qubits - circuit.num_qubits
    ancillas = min(ands, room, spare)
    if ancillas < 1 or setting.start is not None:
        return draft
    wide = QuantumCircuit(circuit.num_qubits + ancillas, global_phase=circuit.global_phase)
    for item in circuit.data:
        qubits = [wide.qubits[circuit.find_bit(qubit).index] for qubit in item.qubits]
        if _ands(item.operation):
            _append(wide, item.operation, qubits, wide.qubits[circuit.num_qubits :])
        else:
            wide.append(item.operation, qubits)
    return evolve(draft, circuit=wide)


def _ands(operation: Operation) -> int:
    """Return how many ANDs of two bits a gate takes; 0 if it is built as well without them."""
    if not isinstance(operation, ControlledGate) or operation.num_ctrl_qubits < MIN_CONTROLS:
        return 0
    return operation.num_ctrl_qubits - _last_controls(operation)


def _last_controls(gate: ControlledGate) -> int:
    """Return how many controls are left in the end: a Toffoli gate is as good as AND and CX."""
    return 2 if gate.base_gate.name in AS_TOFFOLI else 1


def _append(
    circuit: QuantumCircuit, gate: ControlledGate, qubits: Sequence[Qubit], clean: Sequence[Qubit]
) -> None:
    """Append a gate with many controls on ancillas, if they are enough, else the gate itself."""
    controls, targets = qubits[: gate.num_ctrl_qubits], qubits[gate.num_ctrl_qubits :]
    ands, last = _ands(gate), _last_controls(gate)
    frame, middle = QuantumCircuit(circuit.qubits), QuantumCircuit(circuit.qubits)
    for place, control in enumerate(controls):
        if not gate.ctrl_state >> place & 1:
            frame.x(control)
    if ands <= len(clean):
        steps, bits = and_ladder(controls, clean[:ands])
        for step in steps:
            frame.compose(AND, step, inplace=True)
        middle.append(gate.base_gate.control(last, annotated=False), [*bits, *targets])
    elif gate.base_gate.name in AS_TOFFOLI:
        if gate.base_gate.name == "z":
            frame.h(targets)
        on_one = synth_mcx_1_clean_kg24(len(controls))
        middle.compose(on_one, [*controls, *targets, clean[0]], inplace=True)
    elif len(clean) >= FEWEST_ANCILLAS:
        on_one = synth_mcx_1_clean_kg24(len(controls))
        frame.compose(on_one, [*controls, *clean[:2]], inplace=True)
        middle.append(gate.base_gate.control(annotated=False), [clean[0], *targets])
    else:
        middle.append(gate.base_gate.control(len(controls), annotated=False), qubits)
    for part in (frame, middle, frame.inverse()):
        circuit.compose(part, circuit.qubits, inplace=True)


clean_ancillas = Pass("clean-ancillas", _use_clean_ancillas, preserves={Property.GATES})
