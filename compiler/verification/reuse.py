"""Narrowed circuits against their originals: used qubits taken apart again, gate by gate.

A reset throws away a qubit and begins with |0⟩, so that no classical bit notices if every stretch
between two resets has a qubit of its own: a wire. Two circuits that are taken apart like this do
the same if on every wire and on every classical bit the same things happen in the same order, up
to neighbours that commute there: one can then be brought into the order of the other by exchanging
things that share nothing, or commute. This costs no states, and shares with the narrowing of
circuits only the axes about which gates turn a qubit.
"""

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any

from attrs import define, field, frozen
from qiskit import QuantumCircuit
from qiskit.circuit import Barrier, IfElseOp, Operation, Reset, SwitchCaseOp

from compiler.errors import VerificationError
from compiler.reuse.narrowing import Chains
from compiler.reuse.wires import Axis, axes_of

Bit = tuple[str, int, int]
"""A wire, by its qubit and the number of stretches before it, or a classical bit."""


def verify_reuse(original: QuantumCircuit, narrow: QuantumCircuit, chains: Chains) -> None:
    """Check that a narrowed circuit gives all classical bits the distribution of its original.

    Args:
        original: gates, barriers, measurements, resets, `if`, `else` and `switch`.
        narrow: the narrower circuit.
        chains: for each qubit of that the wires of the original that it is one after the other;
            wires are numbered qubit by qubit.

    Raises:
        VerificationError: naming where the two differ.
    """
    if narrow.clbits != original.clbits or narrow.cregs != original.cregs:
        raise VerificationError("the narrowed circuit has other classical bits than the program")
    before, after = _Apart.of(original), _Apart.of(narrow)
    names = dict(enumerate(before.wires()))
    played = {
        wire: names.get(chains[wire[1]][wire[2]])
        if wire[1] < len(chains) and wire[2] < len(chains[wire[1]])
        else None
        for wire in after.used
    }
    used = sorted(played.values(), key=str)
    if used != sorted(before.used, key=str):
        raise VerificationError("the narrowed circuit's qubits do not play every wire once")
    renamed = {wire: name for wire, name in played.items() if name is not None}
    mine, theirs = before.runs({}), after.runs(renamed)
    for bit in sorted(mine.keys() | theirs.keys()):
        if not _same_runs(mine.get(bit, []), theirs.get(bit, [])):
            kind, place, _ = bit
            raise VerificationError(f"other things happen on {kind} {place} of the program")


@frozen(eq=False)
class _Happening:
    """A gate, a measurement or a branch, and the bits on which it acts."""

    operation: Operation
    wires: tuple[Bit, ...]
    clbits: tuple[Bit, ...]

    @property
    def key(self) -> str:
        """Hash that equal ones share, and others hardly ever."""
        named = isinstance(self.operation, IfElseOp | SwitchCaseOp)
        angles = "" if named else str(getattr(self.operation, "params", ""))
        return f"{self.operation.name} {self.wires} {self.clbits} {angles}"


@define
class _Run:
    """Neighbours on a bit that commute there."""

    axis: Axis
    members: list[_Happening] = field(factory=list)

    def ordered(self) -> list[_Happening]:
        return sorted(self.members, key=attrgetter("key"))


@frozen(eq=False)
class _Apart:
    """A circuit with a wire for every stretch between two resets.

    Args:
        qubits: how many there are.
        happenings: in the circuit's order.
    """

    qubits: int
    happenings: Sequence[_Happening]

    @classmethod
    def of(cls, circuit: QuantumCircuit) -> "_Apart":
        return cls(circuit.num_qubits, list(_happenings(circuit)))

    @property
    def used(self) -> set[Bit]:
        """The wires on which anything happens."""
        return {wire for happening in self.happenings for wire in happening.wires}

    def wires(self) -> list[Bit]:
        """Return all wires, qubit by qubit, of a qubit that idles one."""
        idle = {("qubit", qubit, 0) for qubit in range(self.qubits)}
        return sorted(self.used | idle)

    def runs(self, names: dict[Bit, Bit]) -> dict[Bit, list[_Run]]:
        """Return the operations on every bit, with other names for wires."""
        result: dict[Bit, list[_Run]] = {}
        for each in self.happenings:
            wires = tuple(names.get(wire, wire) for wire in each.wires)
            happening = _Happening(each.operation, wires, each.clbits)
            axes = axes_of(each.operation)
            acted: list[tuple[Bit, Axis]] = list(zip(wires, axes, strict=True))
            for bit, axis in acted + [(clbit, None) for clbit in each.clbits]:
                runs = result.setdefault(bit, [])
                if axis is None or not runs or runs[-1].axis != axis:
                    runs.append(_Run(axis))
                runs[-1].members.append(happening)
        return result


def _happenings(circuit: QuantumCircuit) -> Iterator[_Happening]:
    turn = dict.fromkeys(range(circuit.num_qubits), 0)
    fresh = set(turn)
    for item in circuit.data:
        if isinstance(item.operation, Barrier):
            continue
        qubits = [circuit.find_bit(qubit).index for qubit in item.qubits]
        if isinstance(item.operation, Reset):
            for qubit in set(qubits) - fresh:
                turn[qubit] += 1
            fresh.update(qubits)
            continue
        fresh.difference_update(qubits)
        yield _Happening(
            item.operation,
            tuple(("qubit", qubit, turn[qubit]) for qubit in qubits),
            tuple(("bit", circuit.find_bit(clbit).index, 0) for clbit in item.clbits),
        )


def _same_runs(mine: Sequence[_Run], theirs: Sequence[_Run]) -> bool:
    return len(mine) == len(theirs) and all(
        len(a.members) == len(b.members) and all(map(_is_same, a.ordered(), b.ordered()))
        for a, b in zip(mine, theirs, strict=True)
    )


def _is_same(a: _Happening, b: _Happening) -> bool:
    if (a.wires, a.clbits) != (b.wires, b.clbits) or a.operation != b.operation:
        return False
    return _decides(a.operation) == _decides(b.operation)


def _decides(operation: Operation) -> Any:
    """Return the choice of a branch; Qiskit compares branches without it."""
    if isinstance(operation, IfElseOp):
        return operation.condition
    if isinstance(operation, SwitchCaseOp):
        return operation.target, [labels for labels, _ in operation.cases_specifier()]
    return None
