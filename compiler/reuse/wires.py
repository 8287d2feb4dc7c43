"""Wires: stretches of a qubit between two resets, and the order that they must keep.

Which gates may change places: those that turn every qubit they share about the same axis.
"""

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache

import numpy as np
from attrs import define, field, frozen
from qiskit import QuantumCircuit
from qiskit.circuit import (
    Barrier,
    CircuitInstruction,
    Clbit,
    ControlledGate,
    Gate,
    Operation,
    Reset,
)

from compiler.circuits.matrices import PAULIS, Matrix
from compiler.circuits.tolerances import ROUNDING
from compiler.formats.plain_gates import COUNTED, STANDARD

Axis = str | None
"""`x`, `y` or `z` if a gate commutes with that Pauli operator on a qubit; None if with none."""

LARGEST_MATRIX = 4
"""Qubits up to which a gate's matrix is looked at; a larger one has an axis on its controls."""

MAX_KINDS = 1 << 14


def axes_of(operation: Operation) -> tuple[Axis, ...]:
    """Return about which axis an operation turns each of its qubits.

    Two gates commute if on every qubit that they share they have the same axis: an operator that
    commutes with a Pauli operator on a qubit is a sum of products, each of a projector onto one of
    that operator's states and of something on other qubits; and projectors of one basis commute.
    """
    if not isinstance(operation, Gate) or operation.is_parameterized():
        return (None,) * operation.num_qubits
    kind = operation.base_class
    if kind is ControlledGate or kind in COUNTED:
        if operation.base_gate.base_class in STANDARD:
            return ("z",) * operation.num_ctrl_qubits + axes_of(operation.base_gate)
    elif kind in STANDARD:
        state = getattr(operation, "ctrl_state", None)
        return _axes(_Kind((kind, *map(float, operation.params), state), operation))
    return (None,) * operation.num_qubits


@frozen
class _Kind:
    """Properties that decide the axes of a gate of a standard class."""

    key: tuple[Hashable, ...]
    gate: Gate = field(eq=False)


@lru_cache(MAX_KINDS)
def _axes(kind: _Kind) -> tuple[Axis, ...]:
    gate = kind.gate
    if gate.num_qubits <= LARGEST_MATRIX:
        matrix = np.asarray(gate.to_matrix())
        return tuple(_axis(matrix, qubit) for qubit in range(gate.num_qubits))
    if isinstance(gate, ControlledGate):
        return ("z",) * gate.num_ctrl_qubits + axes_of(gate.base_gate)
    return (None,) * gate.num_qubits


def _axis(matrix: Matrix, qubit: int) -> Axis:
    below, above = 1 << qubit, len(matrix) >> qubit + 1
    for name, pauli in zip("zxy", PAULIS[[2, 0, 1]], strict=True):
        operator = np.kron(np.kron(np.eye(above), pauli), np.eye(below))
        if np.abs(operator @ matrix - matrix @ operator).max() < ROUNDING:
            return name
    return None


@frozen(eq=False)
class Node:
    """Something that happens, or a knot: nothing but an end of several things.

    Args:
        item: a gate, a measurement or a branch; None for a knot.
        wires: on which it acts.
        before: numbers of the nodes that must come first, all smaller than its own.
    """

    item: CircuitInstruction | None
    wires: tuple[int, ...]
    before: tuple[int, ...]


@frozen(eq=False)
class Wires:
    """A circuit in which every stretch between two resets of a qubit is a wire of its own.

    A reset discards the state, so that the next wire may as well take another qubit that is |0⟩:
    all classical bits are distributed as before. Barriers are left out.

    Args:
        nodes: in an order in which they may happen.
        qubits: of each wire, the circuit's qubit. Wires are numbered qubit by qubit, so that
            without resets a wire is its qubit.
    """

    nodes: Sequence[Node]
    qubits: Sequence[int]

    def on_wires(self) -> list[list[int]]:
        """Return the numbers of the nodes on every wire; none on those that idle."""
        result: list[list[int]] = [[] for _ in self.qubits]
        for number, node in enumerate(self.nodes):
            for wire in node.wires:
                result[wire].append(number)
        return result

    def cones(self) -> list[int]:
        """Return for each wire all wires that must have begun once it is done, as bits.

        That is its causal cone: the wires on which anything happens that must come first.
        """
        cone = [0] * len(self.qubits)
        behind: list[int] = []
        for node in self.nodes:
            seen = 0
            for earlier in node.before:
                seen |= behind[earlier]
            for wire in node.wires:
                seen |= 1 << wire
            behind.append(seen)
            for wire in node.wires:
                cone[wire] |= seen
        return cone


def wires_of(circuit: QuantumCircuit) -> Wires:
    """Cut a circuit at its resets, and find the order that its wires must keep.

    Gates that turn a wire about the same axis may follow each other in any order.

    Args:
        circuit: gates, barriers, measurements, resets, `if`, `else` and `switch`.
    """
    labelled = list(stretches(circuit))
    turns = [0] * circuit.num_qubits
    for _, places in labelled:
        for qubit, turn in places:
            turns[qubit] = max(turns[qubit], turn)
    first = [sum(turns[:qubit]) + qubit for qubit in range(circuit.num_qubits)]
    nodes: list[Node] = []
    ends: dict[int | Clbit, _End] = {}
    for item, places in labelled:
        wires = tuple(first[qubit] + turn for qubit, turn in places)
        axes = axes_of(item.operation)
        before: set[int] = set()
        acted: list[tuple[int | Clbit, Axis]] = [*zip(wires, axes, strict=True)]
        acted += [(clbit, None) for clbit in item.clbits]
        for bit, axis in acted:
            before.update(ends.setdefault(bit, _End()).turn(axis, nodes))
        for bit, _ in acted:
            ends[bit].members.append(len(nodes))
        nodes.append(Node(item, wires, tuple(sorted(before))))
    qubits = [qubit for qubit, last in enumerate(turns) for _ in range(last + 1)]
    return Wires(nodes, qubits)


def stretches(
    circuit: QuantumCircuit,
) -> Iterator[tuple[CircuitInstruction, list[tuple[int, int]]]]:
    """Yield all that happens but resets, on which qubits, and in which of their stretches."""
    turn = [0] * circuit.num_qubits
    used = [False] * circuit.num_qubits
    for item in circuit.data:
        if isinstance(item.operation, Barrier):
            continue
        qubits = [circuit.find_bit(qubit).index for qubit in item.qubits]
        if isinstance(item.operation, Reset):
            for qubit in qubits:
                turn[qubit] += used[qubit]
                used[qubit] = False
            continue
        for qubit in qubits:
            used[qubit] = True
        yield item, [(qubit, turn[qubit]) for qubit in qubits]


@define
class _End:
    """The last things on a wire or classical bit that may change places.

    Args:
        axis: about which they turn it.
        members: their numbers.
        after: the numbers of all that come before any of them, except indirect ones.
    """

    axis: Axis = None
    members: list[int] = field(factory=list)
    after: tuple[int, ...] = ()

    def turn(self, axis: Axis, nodes: list[Node]) -> tuple[int, ...]:
        """Return the members before another group, which begins anew if its axis differs."""
        if axis is None or axis != self.axis:
            if len(self.members) > 1:
                nodes.append(Node(None, (), tuple(self.members)))
                self.members = [len(nodes) - 1]
            self.after = tuple(self.members) or self.after
            self.axis, self.members = axis, []
        return self.after
