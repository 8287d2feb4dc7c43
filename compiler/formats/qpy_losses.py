"""Losses of QPY: restored where the bytes of the file tell them, else listed."""

import struct
from collections.abc import Iterator
from functools import partial

from qiskit import QuantumCircuit
from qiskit.circuit import ControlFlowOp, Gate, library
from qiskit.circuit.library import MCXVChain, StatePreparation

PREPARATION = b"StatePreparation"
INVERTED = " Dg"
"""End of the label of an inverted preparation."""
DEFAULT = "State Preparation" + INVERTED
RECORD = struct.Struct("!HHHI")
RECORD_BYTES = 33
"""Bytes before the name of an instruction, which begin with the sizes of its name and label, and
the numbers of its parameters and qubits (`CIRCUIT_INSTRUCTION_V2` of QPY's specification)."""
MAX_QUBITS = 99
MAX_DEPTH = 50
"""Depth of nested definitions that are searched for losses of QPY."""


def with_inverses(data: bytes) -> bytes:
    """Return QPY data from which Qiskit loads inverted preparations correctly.

    QPY keeps the label of `StatePreparation(…).inverse()`, and not that it is inverted. Qiskit
    looks for classes by their names in its library, so that another name leads to another gate.
    """
    marked = bytearray(data)
    for start, label, qubits in _preparations(data):
        if label == DEFAULT and qubits <= MAX_QUBITS:
            name = f"InversePrepare{qubits:02}"
            kind = type(name, (Gate,), {"__new__": partial(_inverse_preparation, qubits)})
            setattr(library, name, kind)
            marked[start : start + len(PREPARATION)] = name.encode()
    return bytes(marked)


def qpy_losses(data: bytes, circuit: QuantumCircuit) -> list[str]:
    """Return the known losses of QPY for some of the gates in a file, each once.

    Args:
        data: contents of the file.
        circuit: that was read from it.
    """
    unsure = [
        f"gate '{label}': QPY does not keep whether a preparation is inverted, and it "
        "is read as not inverted; decompose it before it is written"
        for _, label, _ in _preparations(data)
        if label.endswith(INVERTED) and label != DEFAULT
    ]
    return list(dict.fromkeys([*unsure, *_losses(circuit, 0)]))


def _preparations(data: bytes) -> Iterator[tuple[int, str, int]]:
    """Yield where the class name of each prepared state begins, its label, and its qubits."""
    start = data.find(PREPARATION)
    while start >= 0:
        end = start + len(PREPARATION)
        if start >= RECORD_BYTES:
            name_size, label_size, _, qubits = RECORD.unpack_from(data, start - RECORD_BYTES)
            if name_size == len(PREPARATION):
                label = data[end : end + label_size].decode(errors="replace")
                yield start, label, qubits
        start = data.find(PREPARATION, end)


def _inverse_preparation(qubits: int, _: type, *params: str | complex) -> Gate:
    if isinstance(params[0], str):
        return StatePreparation("".join(map(str, params)), inverse=True)
    if len(params) == 1:
        # A basis state by its number.
        return StatePreparation(int(complex(params[0]).real), qubits, inverse=True)
    return StatePreparation(list(params), inverse=True)


def _losses(circuit: QuantumCircuit, depth: int) -> Iterator[str]:
    for item in circuit.data:
        operation = item.operation
        if item.is_standard_gate() or isinstance(operation, library.UnitaryGate):
            continue
        if isinstance(operation, MCXVChain):
            yield (
                f"gate '{operation.name}': QPY does not keep its relative_phase and action_only; "
                "decompose it before it is written"
            )
        elif isinstance(operation, ControlFlowOp):
            for block in operation.blocks:
                yield from _losses(block, depth)
        elif depth < MAX_DEPTH and (inside := getattr(operation, "definition", None)) is not None:
            yield from _losses(inside, depth + 1)
