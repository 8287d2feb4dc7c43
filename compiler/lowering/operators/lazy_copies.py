"""Copies of qubits that are only made when something needs them.

Neighbouring operators that are cheaper together, as the first of them says.
"""

from collections import defaultdict
from random import Random

from attrs import evolve
from qiskit import QuantumCircuit

from compiler.lowering.draft import Draft, Pass, Property, Setting
from compiler.synthesis.method import Operator, is_operator

Value = tuple[int | None, int]
"""A qubit's value: another qubit's, or 0 if there is none, plus a constant bit."""


def without_idle_copies(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit that does the same from |0…0⟩, up to a global phase, with fewer CX.

    A qubit that is |0⟩ or |1⟩, or a copy of another one or its complement, is tracked instead of
    written. Where a copy is only asked, the original is asked; where one of the two is erased
    with the help of the other, the qubits change places, which transpilation does for nothing.
    Control flow and measurements are not understood.
    """
    copies = _LazyCopies(circuit)
    for item in circuit.data:
        qubits = [circuit.find_bit(qubit).index for qubit in item.qubits]
        match item.operation.name:
            case "x":
                copies.flip(*qubits)
            case "cx" if item.operation.ctrl_state == 1:
                copies.add(*qubits)
            case "cz" if item.operation.ctrl_state == 1:
                copies.sign_both(*qubits)
            case "z":
                copies.sign(*qubits)
            case _:
                for qubit in qubits:
                    copies.write(qubit)
                copies.circuit.append(item.operation, qubits)
    for qubit in range(circuit.num_qubits):
        copies.write(qubit)
    return copies.circuit


class _LazyCopies:
    def __init__(self, circuit: QuantumCircuit) -> None:
        self.circuit = circuit.copy_empty_like()
        self.values: list[Value] = [(None, 0)] * circuit.num_qubits
        self.holders: defaultdict[int | None, set[int]] = defaultdict(set)

    def write(self, qubit: int) -> None:
        """Make a qubit hold its value itself, after all its copies."""
        source, flip = self.values[qubit]
        if source == qubit:
            self.write_copies(qubit)
        elif source is not None:
            self.circuit.cx(source, qubit)
        if flip:
            self.circuit.x(qubit)
        self._hold(qubit, qubit, 0)

    def _hold(self, qubit: int, source: int | None, flip: int) -> None:
        """Let a qubit hold another one's value, its own, or none."""
        self.holders[self.values[qubit][0]].discard(qubit)
        self.holders[source].add(qubit)
        self.values[qubit] = (source, flip)

    def write_copies(self, qubit: int) -> None:
        """Write all copies of a qubit that is about to change."""
        for copy in sorted(self.holders[qubit] - {qubit}):
            self.write(copy)

    def flip(self, qubit: int) -> None:
        source, flip = self.values[qubit]
        self.values[qubit] = (source, flip ^ 1)

    def add(self, control: int, target: int) -> None:
        source, flip = self.values[control]
        if flip:
            self.flip(target)
        if source is None:
            return
        held, constant = self.values[target]
        if held is None:
            self._hold(target, source, constant)
        elif held != source:
            self.write_copies(target) if held == target else self.write(target)
            self.circuit.cx(source, target)
        else:
            if target == source:
                self._move(source, control)
            self._hold(target, None, constant)

    def _move(self, qubit: int, to: int) -> None:
        self.circuit.swap(qubit, to)
        for holder in list(self.holders[qubit]):
            self._hold(holder, to, self.values[holder][1])

    def sign(self, qubit: int) -> None:
        source, _ = self.values[qubit]
        if source is not None:
            self.circuit.z(source)

    def sign_both(self, a: int, b: int) -> None:
        (first, flip), (second, other) = self.values[a], self.values[b]
        if first is not None and second is not None:
            if first != second:
                self.circuit.cz(first, second)
            elif flip == other:
                self.circuit.z(first)
        if flip and second is not None and first != second:
            self.circuit.z(second)
        if other and first is not None and first != second:
            self.circuit.z(first)


def _drop(draft: Draft, setting: Setting) -> Draft:
    if setting.synthesis == "literal":
        return draft
    dropped = without_idle_copies(draft.circuit)
    fewer = dropped.num_nonlocal_gates() < draft.circuit.num_nonlocal_gates()
    return evolve(draft, circuit=dropped) if fewer else draft


idle_copies = Pass("idle-copies", _drop, preserves={Property.GATES}, from_zero=True)


def arranged(circuit: QuantumCircuit, seed: int) -> QuantumCircuit:
    """Return a circuit that differs in branch phases and histories only.

    Args:
        circuit: gates and operators.
        seed: of the arrangement; 0 leaves everything as it is.
    """
    if seed == 0:
        return circuit
    random = Random(seed)
    result = circuit.copy_empty_like()
    for item in circuit.data:
        places = list(range(len(item.qubits)))
        gate = item.operation
        for group in gate.interchangeable() if isinstance(gate, Operator) else ():
            for old, new in zip(group, random.sample(group, len(group)), strict=True):
                for to, place in zip(old, new, strict=True):
                    places[to] = place
        result.append(item.operation, [item.qubits[place] for place in places])
    return result


def fuse_neighbours(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit in which operators are fused with those after them where they say so.

    Distributions of measured bits stay the same; phases are branch phases.
    """
    fused = circuit.copy_empty_like()
    items = list(circuit.data)
    place = 0
    while place < len(items):
        first = items[place]
        fusion = first.operation.fused(items[place:]) if is_operator(first) else None
        for item in [first] if fusion is None else fusion.items:
            fused._append(item)
        place += 1 if fusion is None else fusion.replaced
    return fused
