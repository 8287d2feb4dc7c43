"""A circuit that reads as few qubits as determine the outcome, without useless gates.

Runs of gates that together take each basis state to one basis state, such as Margolus' gate.

Gates that may be put off to the end of a circuit, found from its end backwards.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
from attrs import field, frozen
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.circuit import Barrier, CircuitInstruction, ControlledGate, Gate, Qubit

from compiler.circuits.basis_states import DIAGONAL, base_name, changed_qubits, controls_of
from compiler.circuits.matrices import Bits, Matrix, Numbers, applied
from compiler.circuits.table_rows import integers, numbered
from compiler.circuits.tolerances import ROUNDING, SAME
from compiler.dynamic.pieces import of_items
from compiler.errors import InputError, VerificationError
from compiler.measurement import final_measurements
from compiler.verification.simulation.exact import exact_state
from compiler.verification.trajectories import readouts

MAX_QUBITS = 4
"""Qubits of a run."""

MAX_GATES = 24
"""Gates of a run; a controlled swap without its phases has twelve."""


class ClassicalRun(Gate):
    """Gates that follow each other and only permute basis states, but for phases.

    Args:
        gates: on qubits of their own.
        image: entry s is the basis state that s is taken to; bit i is qubit i.
    """

    def __init__(self, gates: QuantumCircuit, image: Numbers) -> None:
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
    result: list[CircuitInstruction] = []
    start = 0
    while start < len(items):
        run = _run(items, start)
        result.append(items[start] if run is None else run)
        start += 1 if run is None else len(run.operation.definition.data)
    return result


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
    for item in items[start : start + MAX_GATES]:
        wider = [*qubits, *(qubit for qubit in item.qubits if qubit not in qubits)]
        has_matrix = item.is_standard_gate() and not item.operation.is_parameterized()
        if len(wider) > MAX_QUBITS or not has_matrix:
            break
        window.append(item)
        qubits = wider
    matrix = np.eye(1 << len(qubits), dtype=complex)
    for length, item in enumerate(window, 1):
        places = [qubits.index(qubit) for qubit in item.qubits]
        matrix = applied(item.operation.to_matrix(), places, matrix)
        if length > 1 and np.all(np.abs(matrix).max(axis=0) > 1 - SAME):
            return _of(window[:length], qubits, matrix)
    return None


def _of(
    gates: Sequence[CircuitInstruction], qubits: Sequence[Qubit], matrix: Matrix
) -> CircuitInstruction:
    used = [qubit for qubit in qubits if any(qubit in item.qubits for item in gates)]
    # Qubits come in the order of their first gates, so that those without any are the last.
    circuit = QuantumCircuit(len(used))
    for item in gates:
        circuit.append(item.operation, [used.index(qubit) for qubit in item.qubits])
    image = np.abs(matrix).argmax(axis=0)[: 1 << len(used)]
    return CircuitInstruction(ClassicalRun(circuit, image), used)


PERMUTING = frozenset({"x", "swap"})
"""Gates that take each basis state to one basis state."""


@frozen
class Split:
    """The items of a circuit in two groups, each in its order.

    Doing `kept` and then `late` is the same as doing the items in their order.
    """

    kept: list[CircuitInstruction] = field(factory=list)
    late: list[CircuitInstruction] = field(factory=list)


def is_classical(item: CircuitInstruction) -> bool:
    """Return whether a gate takes each basis state to one basis state, but for a phase."""
    run = isinstance(item.operation, ClassicalRun)
    return run or base_name(item.operation) in PERMUTING | DIAGONAL


def put_off(
    items: Iterable[CircuitInstruction],
    may: Callable[[CircuitInstruction], bool],
    read: Iterable[Qubit] = (),
) -> Split:
    """Put off all gates that may be, and that commute with those behind which they come to be.

    Two gates are taken to commute if neither changes, of their shared qubits, a property that
    the other one depends on: on each of them both are controls, or diagonal. Operators are taken
    apart as far as a part of them is put off, and stay operators otherwise.

    Args:
        items: gates and operators; barriers are left out.
        may: whether a gate may be put off.
        read: qubits that are read at the end, before the gates that are put off.
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
        changed = _changed(item)
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


def _changed(item: CircuitInstruction) -> set[Qubit]:
    """Return the qubits whose basis states an elementary gate or a run changes."""
    gate = item.operation
    if isinstance(gate, ClassicalRun):
        return {item.qubits[operand] for operand in gate.changed}
    return changed_qubits(item)


def _is_elementary(item: CircuitInstruction) -> bool:
    gate = item.operation
    if isinstance(gate, ControlledGate | ClassicalRun):
        return True
    return item.is_standard_gate() or gate.definition is None


def deciding_qubits(bits: Bits, labels: Sequence[int], costs: Sequence[float]) -> list[int]:
    """Return columns by which rows of different labels differ, none of which can be spared.

    The dearest columns are given up first, wherever the others still tell; of equal ones the
    last.

    Args:
        bits: shape (rows, columns).
        labels: of the rows.
        costs: of the columns.

    Returns:
        The columns, in their order.

    Raises:
        InputError: if two equal rows have different labels.
    """
    columns = list(range(len(costs)))
    _, classes = np.unique(labels, return_inverse=True)
    if not _tells(bits, classes, columns):
        raise InputError("equal bits stand for different outcomes: more must be read")
    for column in sorted(columns, key=lambda column: (costs[column], column), reverse=True):
        others = [other for other in columns if other != column]
        if _tells(bits, classes, others):
            columns = others
    return columns


def _tells(bits: Bits, classes: Numbers, columns: list[int]) -> bool:
    """Return whether rows that are equal in some columns are of the same class."""
    group = numbered(bits[:, columns])
    of_group = np.empty(len(bits), np.intp)
    of_group[group] = classes
    return np.array_equal(of_group[group], classes)


READ = "read"
"""The name of the classical register."""


@frozen(eq=False)
class FewReadouts:
    """A circuit that reads few qubits, and the outcomes of their values.

    Args:
        circuit: gates and operators, with final measurements into one register.
        outcomes: by the values; all others are impossible.
    """

    circuit: QuantumCircuit
    outcomes: Mapping[int, int]


def fewest_readouts(circuit: QuantumCircuit, outcome: Callable[[int], int | None]) -> FewReadouts:
    """Return an equivalent circuit that reads as few qubits as determine the outcome.

    1. Gates at the end that take each basis state to one basis state are left out: their
       action on each state before them is computed.
    2. Of all qubits, some whose values tell the outcome are read, and none that could be spared.
       Those that are done with early stay, so that more can be left out after them. An outcome
       that is certain is read from one qubit all the same.
    3. Gates that change nothing that is read then are left out.

    The outcomes are distributed as before, and nothing is known of them that was not computed
    from the circuit's own exact state.

    Args:
        circuit: gates and operators from |0…0⟩, with final measurements.
        outcome: of the measured classical bits of `circuit`.

    Raises:
        StateTooLargeError: if the state is too large, or the circuit measures on the way.
        VerificationError: if the circuit can end in something that stands for no outcome.
    """
    gates, measured = final_measurements(circuit)
    split = put_off(gates.data, is_classical)
    qubits = list(gates.qubits)
    state = exact_state(of_items(without_runs(split.kept), gates))
    bits = state.bits[np.abs(state.amplitudes) ** 2 > ROUNDING]
    ended = _permuted(bits, split.late, qubits)
    labels = [_outcome(outcome, value) for value in readouts(ended, measured)]
    times = {qubit: time for time, item in enumerate(split.kept, 1) for qubit in item.qubits}
    last = [times.get(qubit, 0) for qubit in qubits]
    chosen = deciding_qubits(bits, labels, last) or [last.index(min(last))]
    read = [qubits[column] for column in chosen]
    needed = put_off(split.kept, lambda _: True, read).kept
    by_value = dict(zip(integers(bits[:, chosen]), labels, strict=True))
    return FewReadouts(_measured(circuit, needed, read), by_value)


def _outcome(outcome: Callable[[int], int | None], bits: int) -> int:
    label = outcome(bits)
    if label is None:
        raise VerificationError(f"the program can end in {bits:#x}, which is no outcome")
    return label


def _permuted(bits: Bits, items: Iterable[CircuitInstruction], qubits: Sequence[Qubit]) -> Bits:
    """Return the images of basis states under classical gates, one a row."""
    place = {qubit: column for column, qubit in enumerate(qubits)}
    ended = bits.copy()
    for item in items:
        gate, columns = item.operation, [place[qubit] for qubit in item.qubits]
        if isinstance(gate, ClassicalRun):
            values = 1 << np.arange(len(columns))
            image = gate.image[ended[:, columns] @ values]
            ended[:, columns] = image[:, None] & values > 0
            continue
        if base_name(gate) in DIAGONAL:
            continue
        controls = controls_of(gate)
        on = np.ones(len(ended), dtype=bool)
        for number, column in enumerate(columns[:controls]):
            on &= ended[:, column] == bool(gate.ctrl_state >> number & 1)
        targets = columns[controls:]
        if base_name(gate) == "x":
            ended[on, targets[0]] ^= True
        else:
            rows = np.flatnonzero(on)[:, None]
            ended[rows, targets] = ended[rows, targets[::-1]]
    return ended


def _measured(
    circuit: QuantumCircuit, items: Sequence[CircuitInstruction], read: Sequence[Qubit]
) -> QuantumCircuit:
    """Return items and final measurements on the qubits that they need, others left out."""
    needed = {qubit for item in items for qubit in item.qubits} | set(read)
    place: dict[Qubit, Qubit] = {}
    result = QuantumCircuit(name=circuit.name)
    for register in circuit.qregs:
        qubits = [qubit for qubit in register if qubit in needed]
        if qubits:
            result.add_register(narrow := QuantumRegister(len(qubits), register.name))
            place |= dict(zip(qubits, narrow, strict=True))
    for item in without_runs(items):
        result.append(item.operation, [place[qubit] for qubit in item.qubits])
    result.add_register(outcome := ClassicalRegister(len(read), READ))
    result.measure([place[qubit] for qubit in read], outcome)
    return result
