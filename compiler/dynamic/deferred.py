"""Deferred measurements: circuits that measure on the way as unitary ones with fresh qubits.

Measuring a qubit and copying it onto a fresh one with a CX leave everything else in the same
state, and gates under a classical condition become controlled ones. So one exact state holds every
path of outcomes with its probability.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property

from attrs import define, field, frozen
from qiskit import QuantumCircuit, QuantumRegister
from qiskit.circuit import Clbit, Gate
from qiskit.circuit.library import MCXGate, XGate

from compiler.dynamic.pieces import Branch, Event, Pieces, Segment, final_part, pieces_of


@frozen(eq=False)
class Deferred:
    """A unitary circuit that equals another one with measurements on the way.

    Args:
        circuit: gates on the qubits of the other one, and on fresh ones that follow these.
        writes: for each classical bit that is written on the way the fresh qubits that hold its
            value after each time it is.
        hidden: fresh qubits that hold the values before resets, and values of conditions.
        measured: the qubit that holds each written classical bit at the end: a fresh one, or
            one of the circuit's own that is measured last.
    """

    circuit: QuantumCircuit
    writes: Mapping[int, Sequence[int]]
    hidden: Sequence[int]
    measured: Mapping[int, int]

    @cached_property
    def records(self) -> list[int]:
        """The fresh qubits that tell the path: all writes, by classical bit and time."""
        return [qubit for clbit in sorted(self.writes) for qubit in self.writes[clbit]]


def deferred(circuit: QuantumCircuit, among: Collection[int] | None = None) -> Deferred:
    """Return a circuit with its measurements on the way, its resets and branches as gates.

    Args:
        circuit: gates, measurements, resets and branches.
        among: the classical bits whose measurements may be final; see `final_part`.

    Raises:
        StateTooLargeError: if it holds something else.
        InputError: if a condition cannot be taken.
    """
    remaining, measured = final_part(circuit, among)
    writer = _Writer({clbit: i for i, clbit in enumerate(circuit.clbits)}, circuit.num_qubits)
    writer.add(pieces_of(remaining), None)
    result = QuantumCircuit(circuit.qubits, *circuit.qregs, name=circuit.name)
    if fresh := writer.qubits - circuit.num_qubits:
        result.add_register(QuantumRegister(fresh, "fresh"))
    for gate, qubits in writer.gates:
        result.append(gate, qubits)
    last = {clbit: writes[-1] for clbit, writes in writer.writes.items()}
    return Deferred(
        result, writer.writes, writer.hidden, dict(sorted({**last, **measured}.items()))
    )


@define
class _Writer:
    """Writes gates; a control is a qubit that is 1 on the paths where something happens."""

    clbits: Mapping[Clbit, int]
    qubits: int
    gates: list[tuple[Gate, list[int]]] = field(factory=list)
    writes: dict[int, list[int]] = field(factory=dict)
    hidden: list[int] = field(factory=list)

    def add(self, pieces: Pieces, control: int | None) -> None:
        for piece in pieces:
            match piece:
                case Segment():
                    self._segment(piece.circuit, control)
                case Event(qubit, None):
                    self._reset(qubit, control)
                case Event(qubit, clbit) if clbit is not None:
                    self._measure(qubit, clbit, control)
                case Branch():
                    self._branch(piece, control)

    def _segment(self, circuit: QuantumCircuit, control: int | None) -> None:
        for item in circuit.data:
            places = [circuit.find_bit(qubit).index for qubit in item.qubits]
            gate = item.operation
            if control is None or gate.name == "barrier":
                self.gates.append((gate, places))
            else:
                self.gates.append((gate.control(1, annotated=False), [control, *places]))

    def _reset(self, qubit: int, control: int | None) -> None:
        """Exchange the qubit with a fresh one."""
        thrown = self._fresh()
        self.hidden.append(thrown)
        self._flip([qubit], thrown, control)
        self._flip([thrown], qubit, control)

    def _measure(self, qubit: int, clbit: int, control: int | None) -> None:
        record = self._fresh()
        before = self.writes.setdefault(clbit, [])
        self._flip([qubit], record, control)
        if control is not None and before:
            self._flip([before[-1], control], record, None, state=0b01)
        before.append(record)

    def _branch(self, branch: Branch, control: int | None) -> None:
        conditions = []
        for body in range(len(branch.bodies)):
            holds = self._fresh()
            self.hidden.append(holds)
            conditions.append(holds)
            for values in branch.choice.when(body):
                held = [(self.writes.get(self.clbits[bit]), value) for bit, value in values.items()]
                if any(value for writes, value in held if not writes):
                    continue
                reads = [(writes[-1], value) for writes, value in held if writes]
                state = sum(value << place for place, (_, value) in enumerate(reads))
                self._flip([qubit for qubit, _ in reads], holds, control, state)
        for pieces, holds in zip(branch.bodies, conditions, strict=True):
            self.add(pieces, holds)

    def _flip(
        self, controls: Iterable[int], qubit: int, extra: int | None, state: int | None = None
    ) -> None:
        """Flip a qubit where the controls are in a state, all 1 by default, and another is 1."""
        controls = list(controls)
        state = (1 << len(controls)) - 1 if state is None else state
        if extra is not None:
            state |= 1 << len(controls)
            controls.append(extra)
        gate = MCXGate(len(controls), ctrl_state=state) if controls else XGate()
        self.gates.append((gate, [*controls, qubit]))

    def _fresh(self) -> int:
        self.qubits += 1
        return self.qubits - 1
