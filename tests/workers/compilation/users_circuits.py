"""Circuits as users write them, and of public bug reports, with what Qiskit makes of each file.

Where Qiskit's own readers are wrong, a circuit that is written out says what is meant.
"""

import io
import re
import warnings
from collections.abc import Callable
from math import sqrt
from pathlib import Path

from attrs import frozen
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister, qasm2, qasm3, qpy
from qiskit.circuit import (
    AnnotatedOperation,
    Clbit,
    ControlModifier,
    Gate,
    InverseModifier,
    PowerModifier,
)
from qiskit.circuit import library as lib
from qiskit.quantum_info import SparsePauliOp, random_clifford, random_statevector, random_unitary

HEAD_2 = 'OPENQASM 2.0;\ninclude "qelib1.inc";\n'
HEAD_3 = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n'

DECLARED_BITS = r"\bbit(?:\[(\d+)\])? (\w+);"


@frozen
class UsersCircuit:
    """A file, and what it means.

    Args:
        name: of the file.
        content: of the file.
        meaning: returns the circuit without a word of ours.
        resets: whether it has one input only.
        dynamic: whether measured bits or resets decide its state: only its outcomes are compared.
    """

    name: str
    content: bytes
    meaning: Callable[[], QuantumCircuit]
    resets: bool = False
    dynamic: bool = False


CIRCUITS: dict[str, UsersCircuit] = {}


def _file(name: str, content: bytes, meaning: Callable[[], QuantumCircuit], **kind: bool) -> None:
    assert name not in CIRCUITS
    CIRCUITS[name] = UsersCircuit(name, content, meaning, **kind)


def openqasm_2(name: str, text: str, meant: QuantumCircuit | None = None, **kind: bool) -> None:
    _file(f"{name}.qasm", text.encode(), lambda: meant or _loaded_2(text), **kind)


def _loaded_2(text: str) -> QuantumCircuit:
    try:
        return qasm2.loads(text)
    except qasm2.QASM2ParseError:  # gates that Qiskit has added to qelib1.inc
        return qasm2.loads(text, custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS)


def openqasm_3(name: str, text: str, meant: QuantumCircuit | None = None, **kind: bool) -> None:
    _file(f"{name}.qasm", text.encode(), lambda: meant or _loaded_3(text), **kind)


def _loaded_3(text: str) -> QuantumCircuit:
    with warnings.catch_warnings():
        # The importer controls gates in a way that Qiskit 3 will not know.
        warnings.simplefilter("ignore", DeprecationWarning)
        loaded = qasm3.loads(text)
    # Single bits are registers of one bit for us.
    declared = [(name, int(size or 1)) for size, name in re.findall(DECLARED_BITS, text)]
    registers = [ClassicalRegister(size, name) for name, size in declared]
    meant = QuantumCircuit(loaded.qubits, *registers)
    return meant.compose(loaded, meant.qubits, meant.clbits)


def saved(name: str, circuit: QuantumCircuit, **kind: bool) -> None:
    file = io.BytesIO()
    qpy.dump(circuit, file)
    content = file.getvalue()
    _file(f"{name}.qpy", content, lambda: qpy.load(io.BytesIO(content))[0], **kind)


DYNAMIC = {
    "bit-overwritten", "bit-twice", "condition-beyond-register", "condition-on-second-register",
    "controlled-where-0", "inverse-fourier", "reset-after-swap", "swaps-between-measurements",
}  # fmt: skip
"""Files in `users_circuits/` whose measured bits or resets decide their state."""

for _path in sorted(Path(__file__).with_suffix("").glob("*.qasm")):
    _text = _path.read_text()
    _is_2 = "OPENQASM 2" in _text
    (openqasm_2 if _is_2 else openqasm_3)(
        _path.stem, _text, resets="reset q;" in _text and not _is_2, dynamic=_path.stem in DYNAMIC
    )


def own_gate(name: str, qubits: int, params: int = 0) -> Gate:
    """Return a gate of one's own: rotations and a chain of CX, unlike any standard gate."""
    definition = QuantumCircuit(qubits, global_phase=0.2)
    for qubit in range(qubits):
        definition.u(0.3 + qubit, 0.7, -0.4, qubit)
    for qubit in range(qubits - 1):
        definition.cx(qubit + 1, qubit)
    gate = Gate(name, qubits, [0.1 * (i + 1) for i in range(params)])
    gate.definition = definition
    return gate


def around(*gates: Gate, qubits: int = 3) -> QuantumCircuit:
    """Return a circuit with gates on its first qubits, after something that shows what they do."""
    circuit = QuantumCircuit(qubits)
    circuit.h(range(qubits))
    circuit.t(0)
    for gate in gates:
        circuit.append(gate, range(gate.num_qubits))
    return circuit


# OpenQASM 2
# Qiskit/qiskit#6510
_meant = QuantumCircuit(QuantumRegister(2), ClassicalRegister(2, "meas"))
_meant.u(1.9, -3.9, 1.5, 1)
_meant.measure([0, 1], [0, 1])
openqasm_2(
    "opaque-delay",
    HEAD_2
    + "opaque delay(time) q; qreg q[2]; creg meas[2]; delay(172) q[1]; u3(1.9,-3.9,1.5) q[1];"
    "measure q -> meas;",
    _meant,
)

# OpenQASM 3
_meant = QuantumCircuit(2)
_meant.rx(1.0, 0)
_meant.rz(2.0, 0)
_meant.h(1)
openqasm_3(
    "order",
    HEAD_3 + "gate g(b, a, unused) q { rx(b) q; rz(a) q; } qubit[2] q; g(1, 2, 3) q[0]; h q[1];",
    _meant,
)
_meant = QuantumCircuit(QuantumRegister(3), ClassicalRegister(1, "c"))
# U has the phase exp(iθ/2): x is P(0.15) RY(0.3) where that shows, and w an S and a CX.
_meant.ry(0.3, 0)
_meant.p(0.3, 0)
_meant.cry(0.6, 0, 1)
_meant.ry(-0.3, 0)
for control, target in ((0, 2), (2, 0), (0, 2)):
    _meant.s(control)
    _meant.cx(control, target)
for control, target in ((0, 2), (2, 0), (0, 2)):
    _meant.cs(1, control)
    _meant.ccx(1, control, target)
_meant.measure(2, 0)
openqasm_3(
    "own-names",
    "OPENQASM 3.0; gate x a { U(0.3, 0, 0) a; } gate z a { x a; x a; } gate w a, b { ctrl @ U(pi,"
    "0, pi) a, b; gphase(0); } gate cx a, b { w a, b; w b, a; w a, b; } qubit[3] q; bit c; x q[0];"
    "ctrl @ z q[0], q[1]; inv @ x q[0]; cx q[0], q[2]; ctrl @ cx q[1], q[0], q[2];"
    "c = measure q[2];",
    _meant,
)

# QPY
for _name in ("cx", "swap", "measure", "barrier", "reset", "delay", "unitary", "id", "ccx"):
    _width = {"cx": 2, "swap": 2, "ccx": 3, "unitary": 2}.get(_name, 1)
    saved(f"own-{_name}", around(own_gate(_name, _width)))
saved("own-play", around(own_gate("card_play", 3, 5), own_gate("hand_play", 3, 3)))
saved("own-deal", around(own_gate("uniform_deal", 2, 4), own_gate("trick_taking", 3, 2)))
saved("own-move", around(own_gate("move", 2), own_gate("qft", 2), own_gate("mcx", 3)))
saved("controlled", around(own_gate("z", 1).control(2, ctrl_state=1, annotated=False)))
_outer = QuantumCircuit(2)
_outer.append(own_gate("h", 1), [0])
_outer.append(own_gate("cz", 2), [1, 0])
saved("inside", around(_outer.to_gate()))
saved("labelled", around(lib.UnitaryGate(random_unitary(4, seed=1), label="cx"), lib.XGate("h")))
saved("wide-unitary", around(lib.UnitaryGate(random_unitary(8, seed=2), label="x")))
saved("prepared", around(lib.StatePreparation(random_statevector(4, seed=3).data)))
_circuit = QuantumCircuit(3, 3)
_circuit.initialize([1 / sqrt(2), 0, 0, 1j / sqrt(2)], [0, 2])
_circuit.h(1)
_circuit.cx(1, 2)
_circuit.measure([2, 0], [0, 2])
saved("initialized", _circuit, resets=True)
saved(
    "annotated",
    around(
        AnnotatedOperation(lib.SGate(), [InverseModifier(), ControlModifier(2, 1)]),
        AnnotatedOperation(lib.ZGate(), [InverseModifier(), PowerModifier(0.5)]),
        AnnotatedOperation(own_gate("x", 1), [PowerModifier(3), ControlModifier(1)]),
    ),
)
saved(
    "library",
    around(
        lib.QFTGate(3), lib.PermutationGate([2, 0, 1]), lib.DiagonalGate([1, -1, 1j, 1]),
        lib.PauliGate("XYZ"), lib.MCMTGate(lib.XGate(), 2, 1), lib.UCRYGate([0.1, 0.2, 0.3, 0.4]),
    ),
)  # fmt: skip
saved("evolution", around(lib.PauliEvolutionGate(SparsePauliOp(["XX", "ZZ"]), time=0.3)))
saved("clifford", around(random_clifford(3, seed=4)))
saved("open", around(lib.XGate().control(2, ctrl_state=1), lib.XGate().control(1, ctrl_state=0)))
_circuit = around(lib.RYGate(0.3).control(3, annotated=False), lib.C4XGate(), qubits=5)
_circuit.global_phase = 0.7
saved("many-controls", _circuit)
_inner = QuantumCircuit(2, 1)
_inner.ry(0.3, 0)
_inner.measure(0, 0)
_circuit = QuantumCircuit(2, 2)
_circuit.h(1)
_circuit.append(_inner.to_instruction(), [1, 0], [1])
saved("measured-inside", _circuit)
# Qiskit/qiskit#15747
_outer = QuantumCircuit(3, 2)
_outer.append(_inner.to_instruction(), [1, 2], [0])
_circuit = QuantumCircuit(4, 4)
_circuit.h(0)
_circuit.measure(0, 0)
with _circuit.if_test((_circuit.clbits[0], 1)):
    _circuit.append(_outer.to_instruction(), [1, 2, 3], [2, 3])
_circuit.measure(1, 1)
saved("inside-a-branch", _circuit, dynamic=True)
# Qiskit/qiskit#5857, #4949, #11629
saved(
    "control-states",
    around(
        lib.RYGate(1.5).control(1, ctrl_state=0).control(1, ctrl_state=1),
        QuantumCircuit(1, global_phase=1.1).to_gate().control(2, ctrl_state=1),
        lib.SXGate().power(1).control(1),
    ),
)
# Quantinuum/pytket-qiskit#43
_first = ClassicalRegister(2, "a")
_second = ClassicalRegister(bits=[_first[1], Clbit()], name="b")
_circuit = QuantumCircuit(QuantumRegister(3, "q"), _first, _second)
_circuit.h([0, 1])
_circuit.measure([0, 1], [_first[1], _second[1]])
with _circuit.if_test((_second, 1)):
    _circuit.x(2)
_circuit.measure(2, _first[0])
saved("overlapping-registers", _circuit, dynamic=True)
_circuit = QuantumCircuit(QuantumRegister(2, "c"), ClassicalRegister(2, "q"))
_circuit.h(0)
_circuit.cx(0, 1)
_circuit.measure([0, 1], [1, 0])
saved("crossed-names", _circuit)
