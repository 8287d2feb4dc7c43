"""Circuits as OpenQASM 3, read back and compared before they are handed out.

Qiskit writes the text of a circuit that this module prepares: each classical bit is declared once,
in the circuit's order and under the name of its register; operands of conditions are declared. A
native gate that the standard library lacks is defined at the beginning, without controlled `U`,
whose phase readers disagree about.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, TypeAlias

import numpy as np
from attrs import field, frozen
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister, qasm3
from qiskit.circuit import (
    CircuitInstruction,
    Clbit,
    Gate,
    IfElseOp,
    Parameter,
    Register,
    SwitchCaseOp,
)
from qiskit.circuit.classical import expr
from qiskit.qasm3 import QASM3Error

from compiler.circuits.matrices import Matrix
from compiler.circuits.tolerances import SAME
from compiler.dynamic.expressions import Known
from compiler.dynamic.pieces import Ask, Choice, Tree, body_of, choice_of, of_items
from compiler.errors import InputError, VerificationError
from compiler.formats.openqasm.tokens import tokens
from compiler.formats.parameter_values import bound_at_random
from compiler.formats.plain_gates import KEPT, plain
from compiler.targets.resonator import MoveGate

STANDARD = frozenset(gate.name for gate in qasm3.STDGATES_INC_GATES)
"""Gates of the standard library."""
RESERVED = STANDARD | {
    "U", "gphase", "pi", "π", "tau", "τ", "euler", "ℇ", "sizeof", "real", "imag", "popcount",
    "rotl", "rotr", "arccos", "arcsin", "arctan", "ceiling", "cos", "exp", "floor", "log", "mod",
    "sin", "sqrt", "tan", "switch_dummy", "pragma",
}  # fmt: skip
"""Names that stand for something else in OpenQASM 3, besides its keywords."""


def qasm3_text(circuit: QuantumCircuit) -> str:
    """Return a circuit as OpenQASM 3 that was read back.

    Parameters become inputs, by other names where theirs are none in OpenQASM 3.

    Args:
        circuit: gates, measurements, resets and branches; on physical qubits, if it has a layout,
            which are then called `$0`, `$1`.

    Raises:
        InputError: if OpenQASM 3 cannot say it.
        VerificationError: if the text is read as another circuit.
    """
    prepared = _prepared(circuit)
    try:
        text = _with_single_bits(qasm3.dumps(prepared, disable_constants=True), circuit, prepared)
    except QASM3Error as error:
        reason = " ".join(str(error.message).split())
        raise InputError(f"cannot be written as OpenQASM 3: {reason}; write .qpy") from error
    from compiler.formats.openqasm.version_3 import read_openqasm_3

    try:
        again = plain(read_openqasm_3(text))
    except Exception as error:
        reason = " ".join(str(error).split())
        raise VerificationError(
            f"the OpenQASM 3 that was written cannot be read: {reason}; write .qpy"
        ) from error
    same_bits = again.num_clbits == prepared.num_clbits
    if not same_bits or not all(
        not theirs.parameters and _same(_events(plain(ours)), _events(theirs))
        for ours, theirs in bound_at_random(prepared, again)
    ):
        raise VerificationError(
            "the OpenQASM 3 that was written is read as another circuit; write .qpy"
        )
    return text


def _prepared(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return an equivalent circuit that Qiskit writes correctly."""
    if not all(map(_is_written, circuit.data)):
        layout, circuit = circuit.layout, plain(circuit)
        circuit._layout = layout
    taken = set(RESERVED) | {item.name for item in circuit.data}
    if circuit.parameters:
        names: dict[Parameter, Parameter] = {}
        for parameter in circuit.parameters:
            names[parameter] = Parameter(_free(parameter.name, taken))
            taken.add(names[parameter].name)
        circuit = circuit.assign_parameters(names)
    cregs = _registers(circuit.clbits, circuit.cregs, "bit", taken)
    qregs = circuit.qregs
    if circuit.layout is None:
        qregs = _registers(circuit.qubits, circuit.qregs, "qubit", taken)
    empty = QuantumCircuit(circuit.qubits, circuit.clbits, *qregs, *cregs, name=circuit.name)
    empty.global_phase = circuit.global_phase
    prepared = of_items(_rewritten(circuit, frozenset(cregs)), empty)
    prepared._layout = circuit.layout
    return prepared


def _with_single_bits(text: str, circuit: QuantumCircuit, prepared: QuantumCircuit) -> str:
    """Return a text in which bits that are in no register of a circuit are in none there, too."""
    grouped = {bit for register in (*circuit.qregs, *circuit.cregs) for bit in register}
    single = [
        register.name
        for register in (*prepared.qregs, *prepared.cregs)
        if grouped.isdisjoint(register)
    ]
    if not single:
        return text
    names = "|".join(map(re.escape, single))
    text = re.sub(rf"^(bit|qubit)\[1\] ({names});$", r"\1 \2;", text, flags=re.MULTILINE)
    return re.sub(rf"(?<!\w)({names})\[0\]", r"\1", text)


def _is_written(item: CircuitInstruction) -> bool:
    """Return whether an instruction is written unchanged, with its bodies."""
    if item.is_standard_gate():
        return True
    operation = item.operation
    if isinstance(operation, IfElseOp | SwitchCaseOp):
        return all(_is_written(inner) for block in operation.blocks for inner in block.data)
    return isinstance(operation, (MoveGate, *KEPT))


def _registers(
    bits: Sequence[Any], registers: Sequence[Register], single: str, taken: set[str]
) -> list[Register]:
    """Return registers that hold each bit once, in order, as far as they can those of a circuit."""
    by_first: dict[Any, list[Register]] = {}
    for register in registers:
        if len(register):
            by_first.setdefault(register[0], []).append(register)
    member = {bit: f"{r.name}_{n}" for r in reversed(registers) for n, bit in enumerate(r)}
    result: list[Register] = []
    place = 0
    while place < len(bits):
        own = next(
            (r for r in by_first.get(bits[place], []) if list(r) == bits[place : place + len(r)]),
            None,
        )
        if own is None:
            kind = ClassicalRegister if isinstance(bits[place], Clbit) else QuantumRegister
            name = _free(member.get(bits[place], f"{single}{place}"), taken)
            own = kind(name=name, bits=[bits[place]])
        elif (name := _free(own.name, taken)) != own.name:
            own = type(own)(name=name, bits=list(own))
        taken.add(own.name)
        result.append(own)
        place += len(own)
    return result


def _free(name: str, taken: set[str]) -> str:
    """Return a name that is free in OpenQASM 3: the name itself, if it is one."""
    free = re.sub(r"\W", "_", name)
    while free in taken or [token.kind for token in tokens(free, 3)] != ["name"]:
        free = f"{free}_" if re.match(r"[^\W\d]", free) else f"_{free}"
    return free


def _rewritten(
    circuit: QuantumCircuit, declared: frozenset[ClassicalRegister]
) -> Iterator[CircuitInstruction]:
    """Yield instructions whose conditions read declared registers and single bits only."""
    for item in circuit.data:
        if not item.is_standard_gate() and isinstance(item.operation, IfElseOp | SwitchCaseOp):
            yield from _branch(circuit, item, declared)
        else:
            yield from _unfolded([item], _is_written)


def _branch(
    circuit: QuantumCircuit, item: CircuitInstruction, declared: frozenset[ClassicalRegister]
) -> Iterator[CircuitInstruction]:
    operation = item.operation
    choice = choice_of(operation)
    bodies = []
    for block in operation.blocks:
        body = body_of(block, circuit, item)
        bodies.append(of_items(_rewritten(body, declared), body))
    if not isinstance(choice.tree, Ask):
        yield from bodies[choice.tree].data if choice.tree is not None else ()
        return
    if _reads(operation) <= declared:
        branch: Any = operation.replace_blocks(bodies)
    else:
        branch = _ifs(choice, list(enumerate(bodies)))
    yield CircuitInstruction(branch, circuit.qubits, circuit.clbits)


def _reads(operation: IfElseOp | SwitchCaseOp) -> set[ClassicalRegister]:
    """Return the registers that a branch reads as a whole."""
    target = operation.condition if isinstance(operation, IfElseOp) else operation.target
    if isinstance(target, tuple):
        target = target[0]
    if isinstance(target, expr.Expr):
        read = {part.var for part in expr.iter_vars(target)}
    else:
        read = {target}
    return {each for each in read if isinstance(each, ClassicalRegister)}


def _ifs(choice: Choice, bodies: Sequence[tuple[int, QuantumCircuit]]) -> IfElseOp:
    """Return a branch as `if` and `else` on single bits."""
    (number, body), *others = [(n, body) for n, body in bodies if choice.when(n)]
    cases = choice.when(number)
    if not others and len(cases) == 1:
        # Qiskit's importer takes no "and".
        return _nested(cases[0], body)
    remaining = None
    if len(others) == 1 and all(chosen is not None for _, chosen in choice.cases()):
        remaining = others[0][1]
    elif others:
        remaining = _around(_ifs(choice, others), body)
    return IfElseOp(reduce(expr.logic_or, map(_all, cases)), body, remaining)


def _nested(values: Known, body: QuantumCircuit) -> IfElseOp:
    (*outer, (bit, value)) = values.items()
    inner = IfElseOp((bit, int(value)), body)
    for bit, value in reversed(outer):
        inner = IfElseOp((bit, int(value)), _around(inner, body))
    return inner


def _around(branch: IfElseOp, like: QuantumCircuit) -> QuantumCircuit:
    """Return a body that holds nothing but another branch."""
    return of_items([CircuitInstruction(branch, like.qubits, like.clbits)], like)


def _all(values: Known) -> expr.Expr:
    lifted = (expr.lift(bit) if value else expr.logic_not(bit) for bit, value in values.items())
    return reduce(expr.logic_and, lifted)


@frozen
class _Event:
    """An operation that is no gate on one qubit.

    Args:
        name: of the operation.
        params: angles.
        bits: numbers of its qubits, and of the bit that it writes.
        before: by qubit, the gates on it alone since its last event, as one matrix.
        tree: questions that decide which body is run, with bits by number.
        bodies: of a branch.
    """

    name: str
    params: tuple[float, ...] = ()
    bits: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    before: Mapping[int, Matrix] = field(factory=dict)
    tree: "_Numbered" = None
    bodies: tuple[list["_Event"], ...] = ()


_Numbered: TypeAlias = tuple[int, Any, Any] | int | None


def _events(circuit: QuantumCircuit) -> list[_Event]:
    """Return the gates of a plain circuit, merged on one qubit, without a global phase."""
    index = {bit: n for bits in (circuit.qubits, circuit.clbits) for n, bit in enumerate(bits)}
    single: dict[int, Matrix] = {}
    events: list[_Event] = []
    for item in _unfolded(circuit.data, _is_read):
        operation = item.operation
        qubits = tuple(index[qubit] for qubit in item.qubits)
        if isinstance(operation, Gate) and len(qubits) == 1:
            matrix = np.asarray(operation.to_matrix(), dtype=complex)
            single[qubits[0]] = matrix @ single[qubits[0]] if qubits[0] in single else matrix
            continue
        bits = (qubits, tuple(index[bit] for bit in item.clbits))
        if isinstance(operation, IfElseOp | SwitchCaseOp):
            every = [_events(body_of(b, circuit, item)) for b in operation.blocks]
            # An empty body is as good as none.
            busy = [number for number, body in enumerate(every) if len(body) > 1 or body[0].before]
            if not busy:
                continue
            numbers = {number: place for place, number in enumerate(busy)}
            tree = _numbered(choice_of(operation).tree, index, numbers)
            bodies = tuple(every[number] for number in busy)
            events.append(_Event("branch", before=single, tree=tree, bodies=bodies))
            single = {}
            continue
        before = {qubit: single.pop(qubit) for qubit in qubits if qubit in single}
        params = tuple(float(angle) for angle in operation.params)
        events.append(_Event(operation.name, params, bits, before))
    return [*events, _Event("end", before=single)]


def _is_read(item: CircuitInstruction) -> bool:
    """Return whether a gate is read as itself, and not as its definition in the text."""
    return len(item.qubits) < 2 or item.name in STANDARD or not isinstance(item.operation, Gate)


def _unfolded(
    items: Iterable[CircuitInstruction], is_whole: Callable[[CircuitInstruction], bool]
) -> Iterator[CircuitInstruction]:
    """Yield instructions, and in place of gates that are not whole their definitions."""
    for item in items:
        if is_whole(item):
            yield item
            continue
        inside = item.operation.definition
        outer = dict(zip(inside.qubits, item.qubits, strict=True))
        parts = (part.replace(qubits=[outer[q] for q in part.qubits]) for part in inside.data)
        yield from _unfolded(parts, is_whole)


def _numbered(tree: Tree, index: Mapping[Any, int], numbers: Mapping[int, int]) -> _Numbered:
    if not isinstance(tree, Ask):
        return None if tree is None else numbers.get(tree)
    zero, one = (_numbered(part, index, numbers) for part in (tree.zero, tree.one))
    return index[tree.bit], zero, one


def _same(ours: Sequence[_Event], theirs: Sequence[_Event]) -> bool:
    return len(ours) == len(theirs) and all(map(_same_event, ours, theirs))


def _same_event(event: _Event, other: _Event) -> bool:
    return (
        (event.name, event.bits, len(event.bodies)) == (other.name, other.bits, len(other.bodies))
        and len(event.params) == len(other.params)
        and np.allclose(event.params, other.params, rtol=0, atol=SAME)
        and all(
            _same_matrix(event.before.get(qubit), other.before.get(qubit))
            for qubit in event.before.keys() | other.before.keys()
        )
        and _same_tree(event.tree, other.tree, {})
        and all(map(_same, event.bodies, other.bodies))
    )


def _same_matrix(matrix_: Matrix | None, other: Matrix | None) -> bool:
    """Return whether two gates on one qubit are the same up to a phase; None is no gate."""
    left, right = (np.eye(2) if matrix is None else matrix for matrix in (matrix_, other))
    overlap = complex(np.vdot(left, right)) / 2
    return bool(np.abs(right - overlap * left).max() < SAME)


def _same_tree(tree: _Numbered, other: _Numbered, values: Mapping[int, int]) -> bool:
    """Return whether two choices decide alike, in any order of their tests."""
    tree, other = _decided(tree, values), _decided(other, values)
    asking = next((each for each in (tree, other) if isinstance(each, tuple)), None)
    if asking is None:
        return tree == other
    return all(_same_tree(tree, other, {**values, asking[0]: value}) for value in (0, 1))


def _decided(tree: _Numbered, values: Mapping[int, int]) -> _Numbered:
    while isinstance(tree, tuple) and tree[0] in values:
        tree = tree[1 + values[tree[0]]]
    return tree
