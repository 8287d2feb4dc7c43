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
from qiskit.circuit import Instruction

from compiler.circuits.amplitude_table import MAX_AMPLITUDES
from compiler.circuits.tolerances import SAME
from compiler.errors import StateTooLargeError
from compiler.verification.simulation.wide_gates import Turn, WideGates

TRIED_AMPLITUDES = 1 << 14
"""States up to this size are looked at to see whether a gate makes them smaller."""

COPIED_AMPLITUDES = 1 << 9
"""States from this size on are copied for that, which takes the engine a millisecond."""


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
    (state,) = simulate_each(circuit, [initial], max_amplitudes)
    return state


def simulate_each(
    circuit: QuantumCircuit, inputs: Iterable[int], max_amplitudes: int = MAX_AMPLITUDES
) -> Iterator[SparseState]:
    """Yield the state that `circuit` prepares from each of several basis states.

    Args:
        circuit: gates and barriers; no measurements. It is taken apart once.
        inputs: the basis states to start from, bit q = qubit q.
        max_amplitudes: the most amplitudes a state may have on the way.

    Raises:
        StateTooLargeError: if a state could outgrow `max_amplitudes`.
    """
    gates = WideGates.of(circuit)
    for initial in inputs:
        run = _Run(circuit.num_qubits, max_amplitudes)
        run.prepare(initial)
        run.play(gates)
        yield run.state()


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
        run.play(WideGates.of(segment))
        yield run.state()


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
        self.waiting: dict[int, Turn] = {}

    def prepare(self, basis_state: int) -> None:
        """Flip bits with CX alone: the engine's X has a phase, which would depend on the input."""
        spare = self.qubits
        self.engine.x(spare)
        for qubit in range(self.qubits):
            if basis_state >> qubit & 1:
                self.engine.cx(spare, qubit)
        self.engine.x(spare)

    def play(self, gates: WideGates) -> None:
        self.waiting = dict(gates.first)
        for gate, qubits, following in gates.wider:
            for qubit in qubits:
                self._release(qubit)
            self._apply(gate, qubits)
            for qubit, turn in following.items():
                self.waiting[qubit] = turn
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
        if (turn := self.waiting.pop(qubit, None)) is None:
            return
        if not turn.permutes:
            self._make_room()
        self.engine.u3(qubit, *turn.angles)

    def _release_if_smaller(self, qubit: int) -> None:
        """Apply the gate that waits on `qubit` unless that makes the state larger."""
        turn = self.waiting[qubit]
        if turn.permutes:
            self._release(qubit)
        elif self.bound <= TRIED_AMPLITUDES or self._size() <= TRIED_AMPLITUDES:
            if self.bound < COPIED_AMPLITUDES or self._size() < COPIED_AMPLITUDES:
                state = list(self.engine)
                before, after = len(state), turn.size_after(state, qubit)
                if after <= before:
                    self.engine.u3(qubit, *turn.angles)
            else:
                before, trial = self._size(), self.engine.clone()
                trial.u3(qubit, *turn.angles)
                after = _count(trial, before + 1)
                if after <= before:
                    self.engine = trial
            self.bound = min(before, after)
            if after <= before:
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
        entries = [(key, a) for key, a in self.engine if abs(a) > SAME]
        width = (self.qubits + 7) // 8
        raw = b"".join(key.to_bytes(width, "little") for key, _ in entries)
        packed = np.frombuffer(raw, np.uint8).reshape(len(entries), width)
        bits = np.unpackbits(packed, axis=1, count=self.qubits, bitorder="little").astype(bool)
        return SparseState(bits, np.array([a for _, a in entries], dtype=complex))


def _count(engine: Simulator, limit: int) -> int:
    return sum(1 for _ in islice(iter(engine), limit))
