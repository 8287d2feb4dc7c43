"""Exact states of wide circuits that visit few basis states.

The engine is qblaze; this module feeds it Qiskit circuits, multi-controlled gates undecomposed,
and refuses states that would grow beyond a bound.
"""

from collections.abc import Mapping, Sequence
from itertools import islice
from math import pi

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from qblaze import Simulator
from qiskit import QuantumCircuit
from qiskit.circuit import ControlledGate, Instruction
from qiskit.exceptions import QiskitError
from qiskit.synthesis import OneQubitEulerDecomposer

from compiler.errors import StateTooLargeError

MAX_AMPLITUDES = 1 << 21
NEGLIGIBLE = 1e-9
"""Amplitudes below this are rounding, not states."""

_CONTROLLED = frozenset({"x", "z", "p", "ry", "swap"})
_ANGLES = OneQubitEulerDecomposer("U3")


@frozen(eq=False)
class SparseState:
    """The basis states with non-zero amplitude.

    Args:
        bits: shape (amplitudes, qubits); column q is qubit q.
        amplitudes: shape (amplitudes,), up to one global phase.
    """

    bits: NDArray[np.bool_]
    amplitudes: NDArray[np.complex128]

    def probabilities(self, qubits: Sequence[int]) -> dict[int, float]:
        """Return the distribution of the integer whose bit i is qubit `qubits[i]`."""
        weights = np.abs(self.amplitudes) ** 2
        keys, places = np.unique(self.bits[:, list(qubits)], axis=0, return_inverse=True)
        sums = np.bincount(places.ravel(), weights)
        return {
            int.from_bytes(np.packbits(key, bitorder="little").tobytes(), "little"): float(p)
            for key, p in zip(keys, sums, strict=True)
        }

    def by_basis_state(self) -> Mapping[bytes, complex]:
        """Return the amplitudes keyed by the packed bits of their basis state."""
        packed = np.packbits(self.bits, axis=1, bitorder="little")
        return {row.tobytes(): complex(a) for row, a in zip(packed, self.amplitudes, strict=True)}


def simulate(
    circuit: QuantumCircuit, initial: int = 0, max_amplitudes: int = MAX_AMPLITUDES
) -> SparseState:
    """Return the state that `circuit` prepares from a basis state.

    Args:
        circuit: gates and barriers; no measurements.
        initial: the basis state to start from, bit q = qubit q.
        max_amplitudes: the most amplitudes the state may have on the way.

    Raises:
        StateTooLargeError: if the state could outgrow `max_amplitudes`.
    """
    run = _Run(circuit.num_qubits, max_amplitudes)
    run.prepare(initial)
    run.append(circuit, range(circuit.num_qubits))
    return run.state()


class _Run:
    """One simulation: the engine, one-qubit gates it has not seen yet, and a bound on its size.

    One-qubit gates wait for the next wider gate on their qubit and are merged. Native circuits
    open and close superpositions all the time; this keeps the states tens of times smaller.
    """

    def __init__(self, qubits: int, max_amplitudes: int) -> None:
        self.engine = Simulator(qubit_count=qubits + 1)
        self.qubits = qubits
        self.max_amplitudes = max_amplitudes
        self.bound = 1
        self.waiting: dict[int, NDArray[np.complex128]] = {}

    def prepare(self, basis_state: int) -> None:
        """Flip bits with CX alone: the engine's X has a phase, which would depend on the input."""
        spare = self.qubits
        self.engine.x(spare)
        for qubit in range(self.qubits):
            if basis_state >> qubit & 1:
                self.engine.cx(spare, qubit)
        self.engine.x(spare)

    def append(self, circuit: QuantumCircuit, qubits: Sequence[int]) -> None:
        index = {qubit: qubits[i] for i, qubit in enumerate(circuit.qubits)}
        for item in circuit.data:
            self.apply(item.operation, [index[qubit] for qubit in item.qubits])

    def apply(self, gate: Instruction, qubits: list[int]) -> None:
        if gate.name in ("barrier", "delay", "id"):
            return
        if len(qubits) == 1 and (matrix := _matrix(gate)) is not None:
            self.waiting[qubits[0]] = matrix @ self.waiting.get(qubits[0], np.eye(2))
        elif isinstance(gate, ControlledGate) and gate.base_gate.name in _CONTROLLED:
            self._controlled(gate, qubits)
        elif gate.name == "swap":
            self._release(qubits)
            self.engine.swap(*qubits)
        elif gate.definition is not None:
            self.append(gate.definition, qubits)
        else:
            raise StateTooLargeError(f"gate '{gate.name}' cannot be simulated exactly")

    def _controlled(self, gate: ControlledGate, qubits: list[int]) -> None:
        self._release(qubits)
        controls = [
            (qubits[i], bool(gate.ctrl_state >> i & 1)) for i in range(gate.num_ctrl_qubits)
        ]
        targets = qubits[gate.num_ctrl_qubits :]
        match gate.base_gate.name:
            case "x":
                self.engine.mcx(controls, targets[0])
            case "z":
                self.engine.mcphase([*controls, (targets[0], True)], pi)
            case "p":
                angle = float(gate.base_gate.params[0])
                self.engine.mcphase([*controls, (targets[0], True)], angle)
            case "swap":
                self.engine.mcswap(controls, *targets)
            case _:
                half = float(gate.base_gate.params[0]) / 2
                self._branch()
                self.engine.ry(targets[0], half)
                self.engine.mcx(controls, targets[0])
                self.engine.ry(targets[0], -half)
                self.engine.mcx(controls, targets[0])

    def _release(self, qubits: Sequence[int]) -> None:
        """Hand the engine the one-qubit gates that wait on `qubits`."""
        for qubit in qubits:
            if (matrix := self.waiting.pop(qubit, None)) is None:
                continue
            if min(abs(matrix[0, 0]), abs(matrix[0, 1])) > NEGLIGIBLE:
                self._branch()
            self.engine.u3(qubit, *(float(angle) for angle in _ANGLES.angles(matrix)))

    def _branch(self) -> None:
        """Make room for a gate that may double the number of amplitudes."""
        self.bound *= 2
        if self.bound > self.max_amplitudes:
            self.bound = 2 * sum(1 for _ in islice(iter(self.engine), self.max_amplitudes))
        if self.bound > self.max_amplitudes:
            raise StateTooLargeError(
                f"the state has more than {self.max_amplitudes // 2} amplitudes"
            )

    def state(self) -> SparseState:
        self._release(list(self.waiting))
        entries = [(key, a) for key, a in self.engine if abs(a) > NEGLIGIBLE]
        width = (self.qubits + 7) // 8
        raw = b"".join(key.to_bytes(width, "little") for key, _ in entries)
        packed = np.frombuffer(raw, np.uint8).reshape(len(entries), width)
        bits = np.unpackbits(packed, axis=1, count=self.qubits, bitorder="little").astype(bool)
        return SparseState(bits, np.array([a for _, a in entries], dtype=complex))


def _matrix(gate: Instruction) -> NDArray[np.complex128] | None:
    try:
        matrix: NDArray[np.complex128] = gate.to_matrix()
    except (QiskitError, AttributeError, TypeError):
        return None
    return matrix
