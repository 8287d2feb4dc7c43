"""Runs of gates that together take each basis state to one basis state, such as Margolus' gate."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, ControlledGate, Gate, Qubit

from compiler.circuits.tolerances import SAME

MOST_QUBITS = 4
"""Of a run."""

MOST_GATES = 24
"""Of a run; a controlled swap without its phases has twelve."""


class ClassicalRun(Gate):
    """Gates that follow each other and only permute basis states, but for phases.

    Args:
        gates: on qubits of their own.
        image: entry s is the basis state that s is taken to; bit i is qubit i.
    """

    def __init__(self, gates: QuantumCircuit, image: NDArray[np.int64]) -> None:
        super().__init__("classical_run", gates.num_qubits, [])
        self.definition = gates
        self.image = image

    @property
    def changed(self) -> list[int]:
        """The operands whose value changes for some basis state."""
        flips = np.bitwise_or.reduce(self.image ^ np.arange(len(self.image)))
        return [i for i in range(self.num_qubits) if flips >> i & 1]


def with_runs(items: Sequence[CircuitInstruction]) -> list[CircuitInstruction]:
    """Return items with runs that only permute basis states in the place of their gates."""
    found: list[CircuitInstruction] = []
    start = 0
    while start < len(items):
        run = _run(items, start)
        found.append(items[start] if run is None else run)
        start += 1 if run is None else len(run.operation.definition.data)
    return found


def without_runs(items: Iterable[CircuitInstruction]) -> Iterator[CircuitInstruction]:
    """Yield items, the gates of runs in their place."""
    for item in items:
        if isinstance(item.operation, ClassicalRun):
            yield from parts_of(item)
        else:
            yield item


def parts_of(item: CircuitInstruction) -> list[CircuitInstruction]:
    """Return the gates of an item's definition, on the item's qubits."""
    definition: QuantumCircuit = item.operation.definition
    place = dict(zip(definition.qubits, item.qubits, strict=True))
    return [
        CircuitInstruction(part.operation, [place[qubit] for qubit in part.qubits])
        for part in definition.data
    ]


def _run(items: Sequence[CircuitInstruction], start: int) -> CircuitInstruction | None:
    """Return the shortest run of several gates that begins somewhere, if there is one.

    A gate that by itself permutes basis states begins none.
    """
    if items[start].name not in ("ry", "rx", "h", "sx", "u"):
        return None
    window: list[CircuitInstruction] = []
    qubits: list[Qubit] = []
    for item in items[start : start + MOST_GATES]:
        wider = [*qubits, *(qubit for qubit in item.qubits if qubit not in qubits)]
        if len(wider) > MOST_QUBITS or not _has_matrix(item):
            break
        window.append(item)
        qubits = wider
    matrix = np.eye(1 << len(qubits), dtype=complex)
    for length, item in enumerate(window, 1):
        matrix = _applied(item, qubits, matrix)
        if length > 1 and np.all(np.abs(matrix).max(axis=0) > 1 - SAME):
            return _of(window[:length], qubits, matrix)
    return None


def _has_matrix(item: CircuitInstruction) -> bool:
    return item.is_standard_gate() and not item.operation.is_parameterized()


def _applied(
    item: CircuitInstruction, qubits: Sequence[Qubit], matrix: NDArray[np.complex128]
) -> NDArray[np.complex128]:
    """Return the matrix of gates with one more; qubit i is bit i of rows and columns."""
    width, size = len(qubits), len(item.qubits)
    tensor = matrix.reshape((2,) * width + (-1,))
    axes = [width - 1 - qubits.index(qubit) for qubit in reversed(item.qubits)]
    gate = item.operation.to_matrix().reshape((2,) * (2 * size))
    moved = np.tensordot(gate, tensor, axes=(list(range(size, 2 * size)), axes))
    return np.moveaxis(moved, range(size), axes).reshape(matrix.shape)


def _of(
    gates: Sequence[CircuitInstruction], qubits: Sequence[Qubit], matrix: NDArray[np.complex128]
) -> CircuitInstruction:
    used = [qubit for qubit in qubits if any(qubit in item.qubits for item in gates)]
    # Qubits come in the order of their first gates, so that those without any are the last.
    circuit = QuantumCircuit(len(used))
    for item in gates:
        circuit.append(item.operation, [used.index(qubit) for qubit in item.qubits])
    image = np.abs(matrix).argmax(axis=0)[: 1 << len(used)]
    return CircuitInstruction(ClassicalRun(circuit, image), used)


def controls_of(gate: object) -> int:
    """Return how many of a gate's first qubits are controls."""
    return gate.num_ctrl_qubits if isinstance(gate, ControlledGate) else 0
