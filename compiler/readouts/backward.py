"""Gates that may be put off to the end of a circuit, found from its end backwards."""

from collections.abc import Callable, Iterable, Sequence

from attrs import field, frozen
from qiskit.circuit import (
    Barrier,
    CircuitInstruction,
    ControlledGate,
    Instruction,
    Qubit,
)

from compiler.readouts.classical_runs import ClassicalRun, controls_of, parts_of, with_runs

DIAGONAL = frozenset({"id", "z", "s", "sdg", "t", "tdg", "p", "u1", "rz", "rzz"})
"""Gates that change no basis state."""

PERMUTING = frozenset({"x", "swap"})
"""Gates that take each basis state to one basis state."""


@frozen
class Split:
    """The items of a circuit in two groups, each in its order.

    Doing `kept` and then `late` is the same as doing the items in their order.
    """

    kept: list[CircuitInstruction] = field(factory=list)
    late: list[CircuitInstruction] = field(factory=list)


def base_name(gate: Instruction) -> str:
    """Return the name of a gate without its controls."""
    return str(gate.base_gate.name if isinstance(gate, ControlledGate) else gate.name)


def is_classical(item: CircuitInstruction) -> bool:
    """Tell whether a gate takes each basis state to one basis state, but for a phase."""
    run = isinstance(item.operation, ClassicalRun)
    return run or base_name(item.operation) in PERMUTING | DIAGONAL


def put_off(
    items: Iterable[CircuitInstruction],
    may: Callable[[CircuitInstruction], bool],
    read: Iterable[Qubit] = (),
) -> Split:
    """Put off all gates that may be, and that commute with those behind which they come to be.

    Two gates are taken to commute if neither changes, of the qubits that they share, what the
    other one may look at: on each of them both are controls, or diagonal. Operators are taken
    apart as far as something within them is put off, and stay operators otherwise.

    Args:
        items: gates and operators; barriers are left out.
        may: whether a gate may be put off.
        read: qubits that are read at the end, before what has been put off.
    """
    return _Backward(may, set(read)).split(list(items))


class _Backward:
    """Goes through items backwards.

    Args:
        may: whether a gate may be put off.
        used: qubits that something kept, or a measurement, looks at or changes.
    """

    def __init__(self, may: Callable[[CircuitInstruction], bool], used: set[Qubit]) -> None:
        self.may, self.used = may, used
        self.changed: set[Qubit] = set()

    def split(self, items: Sequence[CircuitInstruction]) -> Split:
        """Return both groups of some items, given all that comes after them."""
        groups = Split()
        for item in reversed(items):
            if isinstance(item.operation, Barrier):
                continue
            if _is_elementary(item):
                self._place(item, groups)
            else:
                self._take_apart(item, groups)
        groups.kept.reverse()
        groups.late.reverse()
        return groups

    def _place(self, item: CircuitInstruction, groups: Split) -> None:
        changed = changed_qubits(item)
        seen = set(item.qubits) - changed
        if self.may(item) and not (changed & self.used or seen & self.changed):
            groups.late.append(item)
            return
        groups.kept.append(item)
        self.used.update(item.qubits)
        self.changed.update(changed)

    def _take_apart(self, item: CircuitInstruction, groups: Split) -> None:
        within = self.split(with_runs(parts_of(item)))
        if within.late:
            groups.kept.extend(reversed(within.kept))
            groups.late.extend(reversed(within.late))
            return
        # Another synthesis may use all of its qubits, clean ancillas too.
        groups.kept.append(item)
        self.used.update(item.qubits)


def changed_qubits(item: CircuitInstruction) -> set[Qubit]:
    """Return the qubits on which an elementary gate is neither a control nor diagonal."""
    gate = item.operation
    if isinstance(gate, ClassicalRun):
        return {item.qubits[operand] for operand in gate.changed}
    if base_name(gate) in DIAGONAL:
        return set()
    return set(item.qubits[controls_of(gate) :])


def _is_elementary(item: CircuitInstruction) -> bool:
    gate = item.operation
    if isinstance(gate, ControlledGate | ClassicalRun):
        return True
    return item.is_standard_gate() or gate.definition is None
