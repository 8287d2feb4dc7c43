"""A circuit that measures on the way, as unitary segments with events between them.

Choice of a branch's body by classical bits: a condition or a switch.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import define, field, frozen
from qiskit import QuantumCircuit
from qiskit.circuit import (
    CASE_DEFAULT,
    Barrier,
    CircuitInstruction,
    ClassicalRegister,
    Clbit,
    ControlFlowOp,
    Gate,
    IfElseOp,
    Measure,
    Qubit,
    Reset,
    Store,
    SwitchCaseOp,
)
from qiskit.circuit.classical import expr

from compiler.dynamic.expressions import Known, Word, read_bits, value_of
from compiler.errors import InputError, StateTooLargeError

MAX_READ = 128
"""Bits that one condition may read."""

MAX_CASES = 1 << 12
"""Combinations of bits that a condition may tell apart, each with as few bits as decide it."""

Reads: TypeAlias = ClassicalRegister | Clbit | expr.Expr


@frozen
class Ask:
    """A test of one bit, and the next test for each of its values."""

    bit: Clbit
    zero: "Tree"
    one: "Tree"


Tree: TypeAlias = Ask | int | None
"""Questions after bits, until the number of the body is known, or that it is none."""


@frozen
class Choice:
    """Choice of the body of a branch.

    Args:
        reads: the bits that may decide, each once.
        tree: tests one bit after the other, and only those that matter after earlier values.
    """

    reads: tuple[Clbit, ...]
    tree: Tree

    def body(self, values: Mapping[Clbit, bool]) -> int | None:
        """Return the number of the body that is run, None for no body."""
        result = self.tree
        while isinstance(result, Ask):
            result = result.one if values[result.bit] else result.zero
        return result

    def when(self, body: int) -> list[Known]:
        """Return the values of bits with which a body is run; no two cases hold together."""
        return [values for values, chosen in self.cases() if chosen == body]

    def cases(self) -> Iterator[tuple[Known, int | None]]:
        """Yield the possible values, and the body for each."""
        open_: list[tuple[dict[Clbit, bool], Tree]] = [({}, self.tree)]
        while open_:
            values, part = open_.pop()
            if isinstance(part, Ask):
                open_.append((values | {part.bit: True}, part.one))
                open_.append((values | {part.bit: False}, part.zero))
            else:
                yield values, part


def choice_of(operation: ControlFlowOp) -> Choice:
    """Return the choice between the blocks of an `if`, `else` or `switch`.

    Raises:
        InputError: if it reads too many bits, tells too many of their combinations apart, or
            reads something else than bits.
    """
    if isinstance(operation, IfElseOp):
        condition = operation.condition
        if not isinstance(condition, expr.Expr):
            condition = expr.lift_legacy_condition(condition)
        return _choice(condition, _truth, len(operation.blocks))
    if isinstance(operation, SwitchCaseOp):
        bodies, default = _bodies(operation)
        chosen = _cases(bodies, default)
        return _choice(operation.target, chosen, len(operation.blocks), list(bodies))
    raise InputError(f"'{operation.name}' is no branch")


Labels: TypeAlias = Sequence[int]
Chosen: TypeAlias = Callable[[Word, Labels], tuple[int | Clbit | None, Labels]]
"""Returns the body of a value, or a bit that must be known first; and the bodies of some labels
that the value can still have. Known bits of a value stay known when more bits are."""


def _truth(word: Word, labels: Labels) -> tuple[int | Clbit, Labels]:
    (bit,) = word
    return bit if isinstance(bit, Clbit) else int(not bit), labels


def _bodies(operation: SwitchCaseOp) -> tuple[dict[int, int], int | None]:
    """Return the body of each label, and the default one."""
    bodies: dict[Any, int] = {}
    for body, (labels, _) in enumerate(operation.cases_specifier()):
        for label in labels:
            bodies.setdefault(label if label is CASE_DEFAULT else int(label), body)
    default = bodies.pop(CASE_DEFAULT, None)
    return bodies, default


def _cases(bodies: Mapping[int, int], default: int | None) -> Chosen:
    def chosen(word: Word, labels: Labels) -> tuple[int | Clbit | None, Labels]:
        possible = _possible(word, labels)
        if not possible:
            return default, possible
        unknown = [bit for bit in word if isinstance(bit, Clbit)]
        return (unknown[-1] if unknown else bodies[possible[0]]), possible

    return chosen


def _possible(word: Word, labels: Labels) -> Labels:
    """Return those of some labels that a word can be."""
    mask = sum(1 << place for place, bit in enumerate(word) if not isinstance(bit, Clbit))
    ones = sum(1 << place for place, bit in enumerate(word) if bit is True)
    return [label for label in labels if not label >> len(word) and label & mask == ones]


def _choice(decides: Reads, chosen: Chosen, bodies: int, labels: Labels = ()) -> Choice:
    reads = tuple(dict.fromkeys(read_bits(decides)))
    if len(reads) > MAX_READ:
        raise InputError(
            f"a condition reads {len(reads)} bits; at most {MAX_READ} are taken: compare fewer"
        )
    cases = 0

    def grown(values: dict[Clbit, bool], labels: Labels) -> Tree:
        nonlocal cases
        choice, left = chosen(value_of(decides, values), labels)
        if isinstance(choice, Clbit):
            zero, one = (grown(values | {choice: value}, left) for value in (False, True))
            return Ask(choice, zero, one)
        cases += 1
        if cases > MAX_CASES:
            raise InputError(
                f"a condition on {len(reads)} bits tells more than {MAX_CASES} of their values "
                "apart; compare fewer bits at a time, or split it into several"
            )
        return choice if choice in range(bodies) else None

    return Choice(reads, grown({}, labels))


@frozen(eq=False)
class Segment:
    """Gates between events.

    Args:
        circuit: on all the program's qubits, without classical bits.
    """

    circuit: QuantumCircuit


@frozen
class Event:
    """A measurement or a reset.

    Args:
        qubit: on which it acts.
        clbit: that a measurement writes; None for a reset.
    """

    qubit: int
    clbit: int | None = None


@frozen(eq=False)
class Branch:
    """Bodies of which classical bits decide which one is run.

    Args:
        operation: Qiskit's `if`, `else` or `switch`.
        choice: of the body.
        bodies: each as pieces on all the program's qubits and bits.
    """

    operation: IfElseOp | SwitchCaseOp
    choice: Choice
    bodies: tuple["Pieces", ...]


Piece = Segment | Event | Branch
Pieces = tuple[Piece, ...]


def final_part(
    circuit: QuantumCircuit, among: Collection[int] | None = None
) -> tuple[QuantumCircuit, Mapping[int, int]]:
    """Split a circuit into its final measurements and all operations before them.

    A measurement is final if nothing acts on its qubit, nor reads or writes its classical bit,
    after it.

    Args:
        circuit: gates, measurements, resets and branches.
        among: the classical bits whose measurements may be called final; None for all. The last
            operation of a native circuit may be on the way in its program.

    Returns:
        The circuit without them, and the qubit that each finally measured classical bit reads.
    """
    if "measure" not in circuit.count_ops():
        return circuit.copy(), {}
    items: list[CircuitInstruction] = []
    measured: dict[int, int] = {}
    later: set[Qubit | Clbit] = set()
    for item in reversed([*circuit.data]):
        if (
            item.name == "measure"
            and isinstance(item.operation, Measure)
            and not later.intersection((*item.qubits, *item.clbits))
            and (among is None or circuit.find_bit(item.clbits[0]).index in among)
        ):
            clbit = circuit.find_bit(item.clbits[0]).index
            measured[clbit] = circuit.find_bit(item.qubits[0]).index
        else:
            items.append(item)
        if item.is_standard_gate() or not isinstance(item.operation, Barrier):
            later.update(item.qubits, item.clbits)
    return of_items(reversed(items), circuit), dict(sorted(measured.items()))


def of_items(items: Iterable[CircuitInstruction], like: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit of instructions on the qubits and bits of another.

    They are not checked, as `append` would do, which takes longer than all else.
    """
    result = QuantumCircuit(
        like.qubits,
        like.clbits,
        *like.qregs,
        *like.cregs,
        name=like.name,
        global_phase=like.global_phase,
        metadata=like.metadata,
    )
    for item in items:
        result._append(item)
    return result


def is_gate(item: CircuitInstruction) -> bool:
    """Return whether an item is a gate or a barrier; no object is made of a standard gate."""
    return item.is_standard_gate() or isinstance(item.operation, Gate | Barrier)


def acted_on(circuit: QuantumCircuit) -> set[int]:
    """Return the qubits on which more than barriers act."""
    acted = {q for item in circuit.data if item.name != "barrier" for q in item.qubits}
    return {circuit.find_bit(qubit).index for qubit in acted}


def is_unitary(circuit: QuantumCircuit) -> bool:
    """Return whether a circuit measures nothing, resets nothing and does not branch."""
    return all(map(is_gate, circuit.data))


def is_dynamic(circuit: QuantumCircuit) -> bool:
    """Return whether a circuit measures, resets or branches before its end."""
    return not is_unitary(final_part(circuit)[0])


def body_of(
    block: QuantumCircuit, circuit: QuantumCircuit, item: CircuitInstruction
) -> QuantumCircuit:
    """Return a block of an instruction as a circuit on all qubits and bits of the whole one."""
    body = circuit.copy_empty_like()
    body.global_phase = 0
    # Blocks of Qiskit's own compiler remember qubits that they no longer have, and then
    # `compose` panics.
    fresh = QuantumCircuit(block.qubits, block.clbits, *block.cregs)
    for inner in block.data:
        fresh.append(inner)
    body.compose(fresh, item.qubits, item.clbits, inplace=True)
    return body


def pieces_of(circuit: QuantumCircuit) -> Pieces:
    """Split a circuit; every gate goes to the first segment that it can be part of.

    Args:
        circuit: gates, barriers, measurements, resets, `if`, `else` and `switch`.

    Raises:
        StateTooLargeError: if it holds anything else.
        InputError: if a condition cannot be taken, or something is computed on the way.
    """
    levels = _Levels()
    segments: dict[int, list[CircuitInstruction]] = {}
    events: dict[int, list[Piece]] = {}
    for item in circuit.data:
        if is_gate(item):
            segments.setdefault(levels.of_gate(item.qubits), []).append(item)
        else:
            level = levels.of_event(*_touched(item))
            events.setdefault(level, []).append(_event(circuit, item))
    empty = QuantumCircuit(circuit.qubits, *circuit.qregs, name=circuit.name)
    pieces: list[Piece] = []
    for level in range(max((*segments, *events), default=-1) + 1):
        if level in segments:
            pieces.append(Segment(of_items(segments[level], empty)))
        pieces += events.get(level, [])
    return tuple(pieces)


@define
class _Levels:
    """In which segment, or after which, the last gate and the last event of every bit were.

    An event of level n follows segment n; within a level events keep their order.
    """

    gates: dict[Qubit, int] = field(factory=dict)
    events: dict[Qubit | Clbit, int] = field(factory=dict)

    def of_gate(self, qubits: Iterable[Qubit]) -> int:
        qubits = list(qubits)
        level = max(
            (max(self.gates.get(q, 0), self.events.get(q, -1) + 1) for q in qubits), default=0
        )
        self.gates |= dict.fromkeys(qubits, level)
        return level

    def of_event(self, qubits: Sequence[Qubit], clbits: Sequence[Clbit]) -> int:
        last = [self.gates.get(qubit, 0) for qubit in qubits]
        last += [self.events.get(bit, 0) for bit in (*qubits, *clbits)]
        level = max(last, default=0)
        self.events |= dict.fromkeys((*qubits, *clbits), level)
        return level


def _event(circuit: QuantumCircuit, item: CircuitInstruction) -> Piece:
    operation = item.operation
    match operation:
        case Measure():
            places = circuit.find_bit(item.qubits[0]).index, circuit.find_bit(item.clbits[0]).index
            return Event(*places)
        case Reset():
            return Event(circuit.find_bit(item.qubits[0]).index)
        case IfElseOp() | SwitchCaseOp():
            bodies = (body_of(block, circuit, item) for block in operation.blocks)
            return Branch(
                operation, choice_of(operation), tuple(pieces_of(body) for body in bodies)
            )
        case Store():
            raise InputError(
                "'store' computes on the way; write the computed expression into the condition "
                "that reads it"
            )
    raise StateTooLargeError(
        f"'{operation.name}' is neither a gate nor a measurement, a reset, an if or a switch"
    )


def _touched(item: CircuitInstruction) -> tuple[Sequence[Qubit], Sequence[Clbit]]:
    """Return the qubits that something acts on, and the classical bits that matter."""
    if not isinstance(item.operation, IfElseOp | SwitchCaseOp):
        return item.qubits, item.clbits
    acted: set[Qubit] = set()
    for block in item.operation.blocks:
        busy = {qubit for item in block.data for qubit in _touched(item)[0]}
        pairs = zip(item.qubits, block.qubits, strict=True)
        acted.update(outer for outer, inner in pairs if inner in busy)
    return [qubit for qubit in item.qubits if qubit in acted], item.clbits


def unconditional(circuit: QuantumCircuit, *, apart: bool = False) -> QuantumCircuit:
    """Return all gates of a circuit, those of every body too, as if nothing were measured.

    Args:
        circuit: gates, measurements, resets and branches.
        apart: whether some rotation stands for each measurement and reset, so that gates on
            both sides do not cancel out.
    """
    gates = QuantumCircuit(circuit.qubits, *circuit.qregs, name=circuit.name)
    for piece in walked(pieces_of(circuit)):
        if isinstance(piece, Segment):
            gates.compose(piece.circuit, gates.qubits, inplace=True)
        elif isinstance(piece, Event) and apart:
            gates.u(1, 2, 3, piece.qubit)
    return gates


def walked(pieces: Pieces) -> Iterator[Piece]:
    """Yield all pieces, those within bodies too, in their order."""
    for piece in pieces:
        yield piece
        if isinstance(piece, Branch):
            for body in piece.bodies:
                yield from walked(body)
