"""Circuits in gates whose class defines them.

A name defines nothing: a circuit may call any gate of its own `cx`, and code that goes by names
would take it for Qiskit's. So only gates of Qiskit's standard classes, and our operators, stay as
they are; everything else becomes its definition, down to such gates. Gates that Qiskit's own
synthesis would replace by an equivalent from |0…0⟩ only are taken apart like this, too.

Branches and loops of Qiskit circuits, with plain gates inside and loops written out.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from math import isfinite
from typing import Any

from attrs import define
from qiskit import QuantumCircuit
from qiskit.circuit import (
    AnnotatedOperation,
    Barrier,
    BoxOp,
    BreakLoopOp,
    CircuitInstruction,
    Clbit,
    ContinueLoopOp,
    ControlFlowOp,
    ControlledGate,
    Delay,
    ForLoopOp,
    Gate,
    IfElseOp,
    Instruction,
    Measure,
    Operation,
    ParameterExpression,
    Qubit,
    Reset,
    Store,
    SwitchCaseOp,
    library,
)
from qiskit.circuit.exceptions import CircuitError
from qiskit.quantum_info import Clifford
from qiskit.quantum_info.operators.predicates import is_unitary_matrix
from qiskit.synthesis import synth_permutation_basic
from qiskit.transpiler.passes import HighLevelSynthesis

from compiler.dynamic.pieces import body_of
from compiler.errors import CircuitFileError
from compiler.formats.modifiers import modified
from compiler.synthesis.method import Operator

LEAVES = BreakLoopOp | ContinueLoopOp


def turns_of(circuit: QuantumCircuit, item: CircuitInstruction) -> Iterator[QuantumCircuit]:
    """Yield the operations of a loop in each turn, on all qubits and bits of its circuit.

    Raises:
        CircuitFileError: if the loop has no bound, or may be left early.
    """
    loop = item.operation
    if not isinstance(loop, ForLoopOp):
        raise CircuitFileError(
            f"'{loop.name}' has no bound; write a for loop with as many turns as needed"
        )
    values, variable, body = loop.params
    if _leaves(body):
        raise CircuitFileError(
            "a loop has 'break' or 'continue'; put an if around the following statements instead"
        )
    for value in values:
        bound = {} if variable is None else {variable: value}
        yield body_of(body.assign_parameters(bound, strict=False), circuit, item)


def _leaves(body: QuantumCircuit) -> bool:
    """Return whether a loop's body may leave it; inner loops are checked when they are unrolled."""
    return any(
        isinstance(item.operation, LEAVES)
        or (
            isinstance(item.operation, ControlFlowOp)
            and not isinstance(item.operation, ForLoopOp)
            and any(_leaves(block) for block in item.operation.blocks)
        )
        for item in body.data
    )


STANDARD: frozenset[type[Gate]] = frozenset(
    gate.base_class
    for gate in library.get_standard_gate_name_mapping().values()
    if isinstance(gate, Gate)
) | {library.C3XGate, library.C4XGate}
COUNTED: frozenset[type[Gate]] = frozenset({library.MCXGate, library.MCPhaseGate})
"""Standard gates that are made for a number of controls."""

KEPT: frozenset[type[Instruction]] = frozenset({Measure, Reset, Barrier, Store})
"""Operations that are no gates, and are checked later."""

MAX_GATES = 1_000_000
"""Operations and definitions that a circuit may stand for."""

MAX_DEFINITIONS = 200
"""Gates that are defined by others, one within another."""

Items = Iterator[CircuitInstruction]


def plain(circuit: QuantumCircuit, items: Items | None = None) -> QuantumCircuit:
    """Return an equivalent circuit in gates whose class defines them.

    Delays and boxes are dropped with the times they ask for, loops are written out. `if` and
    `switch` stay, with plain gates in their bodies.

    Args:
        circuit: any circuit.
        items: of the circuit, each taken when its turn comes; its data by default.

    Raises:
        CircuitFileError: if a gate has no definition, no unitary, an angle that is no number, or
            a qubit twice; or if the circuit stands for more than `MAX_GATES`.
    """
    return _plain(circuit, _Budget(), items)


def _plain(
    circuit: QuantumCircuit, budget: "_Budget", items: Items | None = None
) -> QuantumCircuit:
    result = circuit.copy_empty_like()
    result.global_phase = _number(circuit.global_phase, circuit)
    if items is None:
        items = _items(circuit, circuit.qubits, circuit.clbits)
    _append(result, items, budget)
    return result


def append_plain(circuit: QuantumCircuit, item: CircuitInstruction) -> None:
    """Append a gate on a circuit's qubits in gates whose class defines them.

    Raises:
        CircuitFileError: as `plain` does.
    """
    _append(circuit, iter([item]), _Budget())


@define
class _Budget:
    """Operations and definitions that have been seen."""

    seen: int = 0

    def spend(self) -> None:
        self.seen += 1
        if self.seen > MAX_GATES:
            raise CircuitFileError(f"stands for more than {MAX_GATES} gates")


def _append(circuit: QuantumCircuit, items: Items, budget: _Budget) -> None:
    open_ = [items]
    while open_:
        current = next(open_[-1], None)
        if current is None:
            open_.pop()
            continue
        budget.spend()
        if len(current.qubits) > 1 and len({*current.qubits}) < len(current.qubits):
            raise CircuitFileError(f"gate '{current.name}' has a qubit twice; name each once")
        if current.qubits and _is_bare(current):
            circuit._append(current)
            continue
        operation, qargs, cargs = current.operation, current.qubits, current.clbits
        if _class_of(operation) is library.GlobalPhaseGate:
            circuit.global_phase += _number(operation.params[0], operation)
            continue
        if isinstance(operation, ControlFlowOp):
            if isinstance(operation, IfElseOp | SwitchCaseOp):
                blocks = [_plain(block, budget) for block in operation.blocks]
                circuit.append(current.replace(operation=operation.replace_blocks(blocks)))
            elif isinstance(operation, BoxOp):
                body = body_of(operation.body, circuit, current)
                open_.append(_items(body, circuit.qubits, circuit.clbits))
            else:
                turns = turns_of(circuit, current)
                wires = circuit.qubits, circuit.clbits
                open_.append(chain.from_iterable(_items(turn, *wires) for turn in turns))
            continue
        unchanged = as_it_is(operation)
        if unchanged is not None:
            circuit.append(CircuitInstruction(unchanged, qargs, cargs))
        elif not isinstance(operation, Delay):
            inside = _definition(operation)
            circuit.global_phase += _number(inside.global_phase, operation)
            open_.append(_items(inside, qargs, cargs))
            if len(open_) > MAX_DEFINITIONS:
                raise CircuitFileError(
                    f"gates are defined by others more than {MAX_DEFINITIONS} deep; write them out"
                )


def _is_bare(item: CircuitInstruction) -> bool:
    """Return whether an item is a standard gate of finite angles, without a label.

    Qiskit then holds no object of Python's for it, which takes longest to make.
    """
    return (
        item.is_standard_gate()
        and item.label is None
        and all(type(angle) is float and isfinite(angle) for angle in item.params)
    )


def _items(circuit: QuantumCircuit, qubits: Sequence[Qubit], clbits: Sequence[Clbit]) -> Items:
    qubit = dict(zip(circuit.qubits, qubits, strict=True))
    clbit = dict(zip(circuit.clbits, clbits, strict=True))
    for item in circuit.data:
        yield item.replace(
            qubits=[qubit[each] for each in item.qubits],
            clbits=[clbit[each] for each in item.clbits],
        )


def as_it_is(operation: Operation) -> Operation | None:
    """Return an operation without its label, None if its class does not define it."""
    kind = _class_of(operation)
    if isinstance(operation, Operator) or kind in KEPT:
        return operation
    if kind is library.UnitaryGate:
        return _unitary(operation)
    if kind in STANDARD or kind in COUNTED:
        return _standard(operation)
    if kind is ControlledGate:
        return _controlled(operation)
    return None


def _class_of(operation: Operation) -> type[Any]:
    return operation.base_class if isinstance(operation, Instruction) else type(operation)


def _standard(gate: Gate) -> Gate | None:
    """Return a gate of the same class and angles, None if there is no such gate."""
    if not gate.mutable:
        return gate
    kind, controls = gate.base_class, {}
    params = [_number(param, gate) for param in gate.params]
    if isinstance(gate, ControlledGate):
        params += [gate.num_ctrl_qubits] if kind in COUNTED else []
        controls = {"ctrl_state": gate.ctrl_state}
    try:
        standard = kind(*params, **controls)
    except (TypeError, CircuitError):
        return None
    return standard if standard.num_qubits == gate.num_qubits else None


def _unitary(gate: library.UnitaryGate) -> library.UnitaryGate:
    matrix = gate.params[0]
    if not is_unitary_matrix(matrix):
        raise CircuitFileError(f"the matrix of gate '{gate.label or gate.name}' is not unitary")
    return library.UnitaryGate(matrix)


def _controlled(gate: ControlledGate) -> Gate | None:
    """Return a controlled standard gate, if the definition is one."""
    base = gate.base_gate
    if _class_of(base) not in STANDARD or isinstance(base, ControlledGate):
        return None
    own = _standard(base)
    if own is None or not _is_plain(gate):
        return None
    controlled = own.control(gate.num_ctrl_qubits, ctrl_state=gate.ctrl_state, annotated=False)
    return controlled if controlled.definition == gate.definition else None


def _is_plain(gate: Gate) -> bool:
    return gate.definition is not None and all(
        as_it_is(item.operation) is not None for item in gate.definition.data
    )


def _number(value: Any, operation: Operation | QuantumCircuit) -> float | ParameterExpression:
    if isinstance(value, ParameterExpression) and value.parameters:
        return value
    try:
        number = float(value)
    except TypeError as error:
        raise CircuitFileError(
            f"gate '{operation.name}' has the angle {value}, which is no real number"
        ) from error
    if not isfinite(number):
        raise CircuitFileError(f"gate '{operation.name}' has the angle {number}")
    return number


def _definition(operation: Operation) -> QuantumCircuit:
    """Return the circuit that an operation stands for."""
    if isinstance(operation, Clifford):
        return operation.to_circuit()
    if isinstance(operation, library.PermutationGate):
        return synth_permutation_basic(operation.pattern)
    if isinstance(operation, AnnotatedOperation):
        return modified(plain(_holding(operation.base_op)), operation.modifiers)
    if _class_of(operation) is library.ModularAdderGate:
        # Its definition has more two-qubit gates, unlike those of other adders and multipliers.
        return HighLevelSynthesis(qubits_initially_zero=False)(_holding(operation))
    definition = getattr(operation, "definition", None)
    if definition is None:
        raise CircuitFileError(
            f"gate '{operation.name}' has no definition, and a name says nothing; define it, or "
            "use a standard gate"
        )
    return definition


def _holding(operation: Operation) -> QuantumCircuit:
    """Return a circuit of one operation."""
    circuit = QuantumCircuit(operation.num_qubits, operation.num_clbits)
    circuit.append(operation, circuit.qubits, circuit.clbits)
    return circuit
