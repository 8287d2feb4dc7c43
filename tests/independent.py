"""Independent reference: circuits on state vectors, one branch for each outcome.

A case says what is right by a world that its author drives gate by gate. A compiled circuit is
played on another one. Neither uses the compiler, its reader or its simulators.
"""

import cmath
import operator
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from qiskit import ClassicalRegister, QuantumCircuit
from qiskit.circuit import (
    CASE_DEFAULT,
    Barrier,
    BoxOp,
    Clbit,
    Delay,
    IfElseOp,
    Measure,
    Qubit,
    Reset,
    SwitchCaseOp,
)
from qiskit.circuit.classical import expr, types
from qiskit.circuit.library import Initialize, StatePreparation
from qiskit.quantum_info import Operator

Bits = tuple[int, ...]
X = np.array([[0, 1], [1, 0]], dtype=complex)


class World:
    """States of some qubits, each with the values of classical bits that led to it.

    Args:
        qubits: how many.
        bits: how many classical ones, all 0.
        state: that it begins with; by default |0…0⟩.
    """

    def __init__(self, qubits: int, bits: int = 0, state: Sequence[complex] | None = None) -> None:
        first = np.eye(2**qubits, dtype=complex)[0] if state is None else np.array(state)
        self.qubits = qubits
        self.branches: list[tuple[np.ndarray, Bits]] = [(first, (0,) * bits)]

    def gate(self, matrix, *qubits: int) -> "World":
        """Apply a matrix; the first qubit is its lowest bit."""
        self.branches = [(self._applied(state, matrix, qubits), bits) for state, bits in
                         self.branches]  # fmt: skip
        return self

    def measure(self, qubit: int, bit: int) -> "World":
        self.branches = [
            (part, (*bits[:bit], value, *bits[bit + 1 :]))
            for state, bits in self.branches
            for value, part in self._parts(state, qubit)
        ]
        return self

    def reset(self, qubit: int) -> "World":
        self.branches = [
            (self._applied(part, X, (qubit,)) if value else part, bits)
            for state, bits in self.branches
            for value, part in self._parts(state, qubit)
        ]
        return self

    def when(self, test: Callable[[Bits], Any], then, otherwise=None) -> "World":
        """Let one of two functions act on each branch, by its bits."""
        found = []
        for state, bits in self.branches:
            alone = World(self.qubits)
            alone.branches = [(state, bits)]
            act = then if test(bits) else otherwise
            if act:
                act(alone)
            found += alone.branches
        self.branches = found
        return self

    def distribution(self) -> Mapping[Bits, float]:
        """Return the probabilities of the values of bits, bit 0 first."""
        found: Counter[Bits] = Counter()
        for state, bits in self.branches:
            found[bits] += float(np.vdot(state, state).real)
        return found

    def _axes(self, qubits: Sequence[int]) -> list[int]:
        return [self.qubits - 1 - qubit for qubit in qubits][::-1]

    def _applied(self, state, matrix, qubits):
        front = list(range(len(qubits)))
        turned = np.moveaxis(state.reshape((2,) * self.qubits), self._axes(qubits), front)
        acted = (matrix @ turned.reshape(2 ** len(qubits), -1)).reshape((2,) * self.qubits)
        return np.ascontiguousarray(np.moveaxis(acted, front, self._axes(qubits))).reshape(-1)

    def _parts(self, state, qubit):
        ones = np.arange(len(state)) >> qubit & 1
        for value in (0, 1):
            part = np.where(ones == value, state, 0)
            if np.linalg.norm(part) > 1e-9:
                yield value, part


def number(bits: Bits, places: Sequence[int]) -> int:
    """Return the number that some bits are, the lowest first."""
    return sum(bits[place] << at for at, place in enumerate(places))


def played(circuit: QuantumCircuit) -> Mapping[Bits, float]:
    """Return the distribution of the classical bits of a circuit from |0…0⟩."""
    return world_of(circuit, _used(circuit)).distribution()


def distribution(circuit: QuantumCircuit) -> dict[int, float]:
    """Return the same, the bits as numbers."""
    shares = played(circuit).items()
    return {number(bits, range(len(bits))): p for bits, p in shares if p > 1e-12}


def world_of(circuit: QuantumCircuit, qubits: Sequence[int]) -> World:
    """Return the states of some qubits after a circuit from |0…0⟩."""
    world = World(max(1, len(qubits)), circuit.num_clbits)
    places = {circuit.qubits[qubit]: place for place, qubit in enumerate(qubits)}
    _play(circuit, world, places, {bit: n for n, bit in enumerate(circuit.clbits)})
    return world


def matrix_of(circuit: QuantumCircuit, begin: Sequence[int], end: Sequence[int]):
    """Return what a circuit does to qubits that begin and end somewhere, all others |0⟩.

    Measurements are left out.
    """
    used = sorted({*_used(circuit), *begin, *end})
    columns = []
    for column in range(2 ** len(begin)):
        state = np.zeros(2 ** len(used), dtype=complex)
        state[_spread(column, [used.index(qubit) for qubit in begin])] = 1
        world = World(len(used), 0, state)
        # What is written has no qubits behind its last gate.
        places = {circuit.qubits[q]: n for n, q in enumerate(used) if q < circuit.num_qubits}
        _play(circuit, world, places, None)
        ((final, _),) = world.branches
        entries = [_spread(row, [used.index(qubit) for qubit in end]) for row in
                   range(2 ** len(end))]  # fmt: skip
        columns.append(final[entries])
    return np.array(columns).T * cmath.exp(1j * circuit.global_phase)


def require_same_unitary(
    meant: QuantumCircuit,
    native: QuantumCircuit,
    initial: Sequence[int],
    final: Sequence[int],
    tolerance: float = 1e-6,
) -> None:
    """Fail if two circuits differ by more than a global phase on any input, other qubits |0⟩.

    Without initial places the input is |0…0⟩.
    """
    qubits = range(meant.num_qubits)
    wanted = matrix_of(meant, qubits if initial else (), qubits)
    found = matrix_of(native, initial, final)
    phase = np.vdot(wanted, found) / wanted.shape[1]
    assert abs(abs(phase) - 1) < tolerance
    np.testing.assert_allclose(found, phase * wanted, atol=tolerance)


def _spread(value: int, places: Sequence[int]) -> int:
    return sum((value >> at & 1) << place for at, place in enumerate(places))


def _used(circuit: QuantumCircuit) -> list[int]:
    items = [item for item in circuit.data if not isinstance(item.operation, Barrier | Delay)]
    return sorted({circuit.find_bit(qubit).index for item in items for qubit in item.qubits})


def _play(
    circuit: QuantumCircuit,
    world: World,
    qubit: Mapping[Qubit, int],
    clbit: Mapping[Clbit, int] | None,
) -> None:
    for item in circuit.data:
        gate = item.operation
        if isinstance(gate, Barrier | Delay):
            continue
        places = [qubit[each] for each in item.qubits]
        match gate:
            case Measure():
                if clbit is not None:
                    world.measure(places[0], clbit[item.clbits[0]])
            case Reset():
                world.reset(places[0])
            case IfElseOp():
                bodies = [_body(block, places, item.clbits, clbit) for block in gate.blocks]
                test = gate.condition
                world.when(lambda bits, test=test: _value(test, bits, clbit), *bodies)
            case SwitchCaseOp():
                _switch(gate, world, places, item.clbits, clbit)
            case Initialize():
                world.gate(Operator(StatePreparation(gate.params)).data, *places)
            case BoxOp():
                _body(gate.body, places, item.clbits, clbit)(world)
            case _ if item.clbits:
                _body(gate.definition, places, item.clbits, clbit)(world)
            case _:
                world.gate(Operator(gate).data, *places)


def _switch(gate, world, places, clbits, clbit) -> None:
    cases = [(labels, _body(block, places, clbits, clbit)) for labels, block in
             gate.cases_specifier()]  # fmt: skip

    def act(alone: World) -> None:
        value = _value(gate.target, alone.branches[0][1], clbit)
        bodies = [body for labels, body in cases if value in labels or CASE_DEFAULT in labels]
        if bodies:
            bodies[0](alone)

    world.when(lambda _: True, act)


def _body(block, places, clbits, clbit):
    mine = zip(block.clbits, clbits, strict=True)
    inner = None if clbit is None else {**clbit, **{bit: clbit[outer] for bit, outer in mine}}
    qubit = dict(zip(block.qubits, places, strict=True))
    return lambda world: _play(block, world, qubit, inner)


def _value(node: Any, bits: Bits, where: Mapping[Clbit, int]) -> int:
    match node:
        case (left, right):
            return _value(left, bits, where) == int(right)
        case Clbit():
            return bits[where[node]]
        case ClassicalRegister():
            return number(bits, [where[bit] for bit in node])
        case expr.Var():
            return _value(node.var, bits, where)
        case expr.Value():
            return int(node.value)
        case expr.Index():
            return _value(node.target, bits, where) >> _value(node.index, bits, where) & 1
    width = getattr(node.type, "width", 1)
    if isinstance(node, expr.Binary):
        sides = (_value(side, bits, where) for side in (node.left, node.right))
        return int(_BINARY[node.op.name](*sides)) & ((1 << width) - 1)
    value = _value(node.operand, bits, where)
    if isinstance(node, expr.Cast):
        return bool(value) if isinstance(node.type, types.Bool) else value & ((1 << width) - 1)
    return not value if node.op is expr.Unary.Op.LOGIC_NOT else ~value & ((1 << width) - 1)


_BINARY = {
    "LOGIC_AND": lambda a, b: bool(a and b),
    "LOGIC_OR": lambda a, b: bool(a or b),
    "EQUAL": operator.eq, "NOT_EQUAL": operator.ne, "LESS": operator.lt,
    "LESS_EQUAL": operator.le, "GREATER": operator.gt, "GREATER_EQUAL": operator.ge,
    "BIT_AND": operator.and_, "BIT_OR": operator.or_, "BIT_XOR": operator.xor,
    "SHIFT_LEFT": operator.lshift, "SHIFT_RIGHT": operator.rshift,
    "ADD": operator.add, "SUB": operator.sub,
}  # fmt: skip
