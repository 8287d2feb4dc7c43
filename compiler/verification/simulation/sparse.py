"""Exact states of wide circuits that visit few basis states.

The engine is qblaze; this module feeds it Qiskit circuits, multi-controlled gates undecomposed,
and refuses states that would grow beyond a bound.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import pi

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from qblaze import Simulator
from qiskit import QuantumCircuit
from qiskit.circuit import Barrier, ControlledGate, Delay, Instruction
from qiskit.circuit.library import PhaseGate, RYGate, SwapGate, XGate, ZGate
from qiskit.exceptions import QiskitError
from qiskit.synthesis import OneQubitEulerDecomposer

from compiler.errors import StateTooLargeError

MAX_AMPLITUDES = 1 << 21
NEGLIGIBLE = 1e-9
"""Amplitudes below this are rounding, not states."""

TRIED_AMPLITUDES = 1 << 14
"""States up to this size are copied to try whether a gate makes them smaller."""

_CONTROLLED = frozenset({XGate, ZGate, PhaseGate, RYGate, SwapGate})
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
    run.play(list(_primitives(circuit, range(circuit.num_qubits))))
    return run.state()


def simulate_in_steps(segments: Iterable[QuantumCircuit]) -> Iterator[SparseState]:
    """Yield the state after each of several circuits that follow one another from |0…0⟩.

    Args:
        segments: circuits on the same qubits, without measurements.

    Raises:
        StateTooLargeError: if the state could outgrow `MAX_AMPLITUDES`.
    """
    run: _Run | None = None
    for segment in segments:
        run = run or _Run(segment.num_qubits, MAX_AMPLITUDES)
        run.play(list(_primitives(segment, range(segment.num_qubits))))
        yield run.state()


def is_wide(circuit: QuantumCircuit) -> bool:
    """Tell whether a circuit has gates on three or more qubits that the engine knows."""
    places = range(circuit.num_qubits)
    return any(len(qubits) > 2 for _, qubits in _primitives(circuit, places))


Matrix = NDArray[np.complex128]
Primitive = tuple[Matrix | Instruction, list[int]]
"""A one-qubit matrix, or one of the wider gates that the engine knows; and its qubits."""


def _primitives(circuit: QuantumCircuit, qubits: Sequence[int]) -> Iterator[Primitive]:
    index = {qubit: qubits[i] for i, qubit in enumerate(circuit.qubits)}
    for item in circuit.data:
        gate, places = item.operation, [index[qubit] for qubit in item.qubits]
        if isinstance(gate, Barrier | Delay):
            continue
        if len(places) == 1 and (matrix := _matrix(gate)) is not None:
            yield matrix, places
        elif _is_known(gate):
            yield gate, places
        elif gate.definition is not None:
            yield from _primitives(gate.definition, places)
        else:
            raise StateTooLargeError(f"gate '{gate.name}' cannot be simulated exactly")


def _is_known(gate: Instruction) -> bool:
    """Tell whether the engine has a gate; a class says what a gate is, a name does not."""
    if isinstance(gate, ControlledGate):
        return gate.base_gate.base_class in _CONTROLLED
    return isinstance(gate, SwapGate)


def _matrix(gate: Instruction) -> Matrix | None:
    try:
        matrix: Matrix = gate.to_matrix()
    except (QiskitError, AttributeError, TypeError):
        return None
    return matrix


class _Run:
    """One simulation: the engine, a bound on its size, and the one-qubit gates that wait.

    Native circuits open and close superpositions all the time. The one-qubit gates between two
    wider gates are merged, and applied at once if that does not make the state larger, else as
    late as possible; this keeps states up to a hundred times smaller.
    """

    def __init__(self, qubits: int, max_amplitudes: int) -> None:
        self.engine = Simulator(qubit_count=qubits + 1)
        self.qubits = qubits
        self.max_amplitudes = max_amplitudes
        self.bound = 1
        self.waiting: dict[int, Matrix] = {}

    def prepare(self, basis_state: int) -> None:
        """Flip bits with CX alone: the engine's X has a phase, which would depend on the input."""
        spare = self.qubits
        self.engine.x(spare)
        for qubit in range(self.qubits):
            if basis_state >> qubit & 1:
                self.engine.cx(spare, qubit)
        self.engine.x(spare)

    def play(self, primitives: Sequence[Primitive]) -> None:
        following = _merged_runs(primitives)
        self.waiting = following.pop(-1, {})
        for place, (gate, qubits) in enumerate(primitives):
            if isinstance(gate, np.ndarray):
                continue
            for qubit in qubits:
                self._release(qubit)
            self._apply(gate, qubits)
            for qubit, matrix in following.get(place, {}).items():
                self.waiting[qubit] = matrix
                self._release_if_smaller(qubit)
        for qubit in list(self.waiting):
            self._release(qubit)

    def _apply(self, gate: Instruction, qubits: list[int]) -> None:
        if gate.name == "swap":
            self.engine.swap(*qubits)
            return
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
                self._make_room()
                self.engine.ry(targets[0], half)
                self.engine.mcx(controls, targets[0])
                self.engine.ry(targets[0], -half)
                self.engine.mcx(controls, targets[0])

    def _release(self, qubit: int) -> None:
        """Apply the one-qubit gate that waits on `qubit`, if there is one."""
        if (matrix := self.waiting.pop(qubit, None)) is None:
            return
        if not _permutes(matrix):
            self._make_room()
        _one_qubit(self.engine, qubit, matrix)

    def _release_if_smaller(self, qubit: int) -> None:
        """Apply the gate that waits on `qubit` unless that makes the state larger."""
        if _permutes(self.waiting[qubit]):
            self._release(qubit)
        elif self.bound <= TRIED_AMPLITUDES or self._size() <= TRIED_AMPLITUDES:
            before, trial = self._size(), self.engine.clone()
            _one_qubit(trial, qubit, self.waiting[qubit])
            after = _count(trial, before + 1)
            self.bound = before
            if after <= before:
                self.engine, self.bound = trial, after
                del self.waiting[qubit]

    def _size(self) -> int:
        self.bound = _count(self.engine, self.max_amplitudes)
        return self.bound

    def _make_room(self) -> None:
        """Refuse a gate that may double the number of amplitudes if that could be too many."""
        self.bound *= 2
        if self.bound > self.max_amplitudes and 2 * self._size() > self.max_amplitudes:
            raise StateTooLargeError(
                f"the state has more than {self.max_amplitudes // 2} amplitudes"
            )

    def state(self) -> SparseState:
        entries = [(key, a) for key, a in self.engine if abs(a) > NEGLIGIBLE]
        width = (self.qubits + 7) // 8
        raw = b"".join(key.to_bytes(width, "little") for key, _ in entries)
        packed = np.frombuffer(raw, np.uint8).reshape(len(entries), width)
        bits = np.unpackbits(packed, axis=1, count=self.qubits, bitorder="little").astype(bool)
        return SparseState(bits, np.array([a for _, a in entries], dtype=complex))


def _merged_runs(primitives: Sequence[Primitive]) -> dict[int, dict[int, Matrix]]:
    """Return the product of the one-qubit gates that follow each wider gate, by qubit.

    Keys are places in `primitives`; -1 stands for the beginning.
    """
    runs: dict[int, dict[int, Matrix]] = {}
    last: dict[int, int] = {}
    for place, (gate, qubits) in enumerate(primitives):
        if isinstance(gate, np.ndarray):
            run = runs.setdefault(last.get(qubits[0], -1), {})
            run[qubits[0]] = gate @ run.get(qubits[0], np.eye(2, dtype=complex))
        else:
            last.update(dict.fromkeys(qubits, place))
    return runs


def _permutes(matrix: Matrix) -> bool:
    """Tell whether a one-qubit gate keeps basis states basis states."""
    return bool(min(abs(matrix[0, 0]), abs(matrix[0, 1])) < NEGLIGIBLE)


def _one_qubit(engine: Simulator, qubit: int, matrix: Matrix) -> None:
    engine.u3(qubit, *(float(angle) for angle in _ANGLES.angles(matrix)))


def _count(engine: Simulator, limit: int) -> int:
    return sum(1 for _ in islice(iter(engine), limit))
