"""Gates of a program: definitions, modifiers, broadcasting."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from math import isfinite

from openqasm3 import ast
from qiskit import QuantumCircuit

from compiler.errors import CircuitFileError
from compiler.formats.openqasm.version_3.circuit import (
    Applied,
    Branch,
    CircuitBuilder,
    Frame,
    ProgramError,
    UncomputableError,
)
from compiler.formats.openqasm.version_3.conditions import BOOL
from compiler.formats.openqasm.version_3.expressions import Expressions
from compiler.formats.openqasm.version_3.gates import STANDARD_LIBRARY, StandardGate, U, Unitary
from compiler.formats.openqasm.version_3.operators import Operators
from compiler.formats.openqasm.version_3.scopes import (
    GateDefinition,
    Qubits,
    Scopes,
    Subroutine,
    Variable,
)
from compiler.formats.openqasm.version_3.types import INTEGERS, Kind, Number, Type
from compiler.formats.openqasm.version_3.values import TooWideError, Value, combinations, tabulated

STANDARD_INCLUDE = "stdgates.inc"

MAX_GATE_VALUES = 64
"""Different parameters that measured bits may give one gate."""

MAX_POWER = 1_000_000
"""Power of a gate, beyond which angles lose their digits."""

MAX_NAME = 40
"""Characters of a name that a message shows."""


class GateCalls:
    """Defines and applies gates.

    Args:
        builder: takes the operations.
        scopes: what names stand for.
        expressions: evaluates parameters.
        operators: computes conditions.
        follow: follows statements.
    """

    def __init__(
        self,
        builder: CircuitBuilder,
        scopes: Scopes,
        expressions: Expressions,
        operators: Operators,
        follow: Callable[[Sequence[ast.Statement]], None],
    ) -> None:
        self._builder = builder
        self._scopes = scopes
        self._expressions = expressions
        self._operators = operators
        self._follow = follow
        self._unitaries: dict[tuple[str, tuple[float, ...]], Unitary] = {}
        self._open: list[str] = []

    def define(self, node: ast.QuantumGateDefinition) -> None:
        """Check the definition of a gate that is in scope."""
        names = [each.name for each in (*node.arguments, *node.qubits)]
        if len(set(names)) < len(names):
            raise ProgramError(f"gate '{node.name.name}' has two arguments of one name", node)
        # Finds mistakes in gates that are never applied; these angles may suit no function in it.
        with suppress(UncomputableError):
            self._defined(node, tuple(0.5 for _ in node.arguments))

    def _defined(self, node: ast.QuantumGateDefinition, parameters: tuple[float, ...]) -> Unitary:
        """Return what a gate of the program does with parameters in radians."""
        name = node.name.name
        key = (name, parameters)
        if key not in self._unitaries:
            if name in self._open:
                raise ProgramError(f"gate '{name}' calls itself; define it by others", node)
            self._open.append(name)
            frame = Frame(gate_qubits=len(node.qubits))
            try:
                with self._scopes.body(), self._builder.gathering(frame):
                    for argument, number in zip(node.arguments, parameters, strict=True):
                        variable = Variable(Type(Kind.FLOAT), Value(Type(Kind.FLOAT), number))
                        self._scopes.declare(argument.name, variable, argument)
                    for i, qubit in enumerate(node.qubits):
                        self._scopes.declare(qubit.name, Qubits((i,), scalar=True), qubit)
                    self._follow(node.body)
            finally:
                self._open.pop()
            circuit = QuantumCircuit(len(node.qubits), global_phase=frame.phase)
            for each in frame.instructions:
                assert isinstance(each, Applied)
                circuit.append(each.operation, each.qubits, copy=False)
            self._unitaries[key] = Unitary(circuit, frame.convention)
        return self._unitaries[key]

    def gate(self, node: ast.QuantumGate) -> None:
        """Apply a gate."""
        if node.duration is not None:
            self._expressions.value(node.duration)
        symbol = self._gate_symbol(node)
        definition = symbol.node if isinstance(symbol, GateDefinition) else None
        if definition is not None:
            wanted, width = len(definition.arguments), len(definition.qubits)
        else:
            assert isinstance(symbol, StandardGate)
            wanted, width = symbol.parameters, symbol.qubits
        if len(node.arguments) != wanted:
            raise ProgramError(
                f"gate '{node.name.name}' takes {wanted} parameters, not {len(node.arguments)}",
                node,
            )
        parameters = [self._expressions.angle(each) for each in node.arguments]

        def unitary(numbers: tuple[float, ...]) -> Unitary:
            if definition is not None:
                return self._defined(definition, numbers)
            assert isinstance(symbol, StandardGate)
            key = (node.name.name, numbers)
            if key not in self._unitaries:
                self._unitaries[key] = symbol.unitary(numbers)
            return self._unitaries[key]

        self._apply(node, width, parameters, unitary)

    def _gate_symbol(self, node: ast.QuantumGate) -> GateDefinition | StandardGate:
        name = node.name.name
        symbol = self._scopes.find(name)
        if symbol is None and name == "U":
            return U
        if isinstance(symbol, GateDefinition | StandardGate):
            return symbol
        if isinstance(symbol, Subroutine):
            raise ProgramError(f"'{name}' is a subroutine; call it as {name}(…)", node)
        shown = name if len(name) <= MAX_NAME else f"{name[:MAX_NAME]}…"
        hint = (
            f"; include '{STANDARD_INCLUDE}'" if name in STANDARD_LIBRARY else "; define it first"
        )
        raise ProgramError(f"gate '{shown}' is not defined{hint}", node)

    def phase(self, node: ast.QuantumPhase) -> None:
        """Apply a global phase."""

        def unitary(numbers: tuple[float, ...]) -> Unitary:
            return Unitary(QuantumCircuit(global_phase=numbers[0]))

        self._apply(node, 0, [self._expressions.angle(node.argument)], unitary)

    def _apply(
        self,
        node: ast.QuantumGate | ast.QuantumPhase,
        width: int,
        parameters: Sequence[Value],
        unitary: Callable[[tuple[float, ...]], Unitary],
    ) -> None:
        """Apply a gate under its modifiers to all qubits that it is broadcast over."""
        modifiers = [(each, self._argument_of(each)) for each in node.modifiers]
        kinds = (ast.GateModifierName.ctrl, ast.GateModifierName.negctrl)
        width += sum(int(number) for each, number in modifiers if each.modifier in kinds)
        places = list(
            self._broadcast([self._expressions.qubits(each) for each in node.qubits], width, node)
        )

        def build(*numbers: Number) -> None:
            for number in numbers:
                if not isfinite(number):
                    raise UncomputableError(f"a gate's parameter is {number}, not finite", node)
            result = unitary(tuple(float(number) for number in numbers))
            for each, number in reversed(modifiers):
                result = self._modified(result, each, number, node)
            for qubits in places:
                self._write(result, qubits, node)

        if all(parameter.known is not None for parameter in parameters):
            build(*(parameter.known or 0 for parameter in parameters))
        else:
            self._build_by_value(parameters, build, node)

    def _build_by_value(
        self, parameters: Sequence[Value], build: Callable[..., None], node: ast.QASMNode
    ) -> None:
        """Apply a gate whose parameters depend on measured bits, under a condition for each."""
        try:
            bits, rows = combinations(parameters)
        except TooWideError:
            bits, rows = [], []
        different = list(dict.fromkeys(rows))
        if not 0 < len(different) <= MAX_GATE_VALUES:
            raise ProgramError(
                f"a gate's parameter takes more than {MAX_GATE_VALUES} values, as it depends on "
                "measured bits; put gates under if instead",
                node,
            )
        for chosen in different:
            condition = tabulated(BOOL, bits, [int(row == chosen) for row in rows])
            with self._builder.gathering(Frame()) as frame:
                build(*chosen)
            expression = self._operators.condition(condition, node)
            self._builder.frame.instructions.append(Branch(expression, frame.instructions, []))

    def _argument_of(self, node: ast.QuantumGateModifier) -> float:
        """Return the argument of a modifier; of controls, how many there are."""
        name = node.modifier.name
        if node.argument is None:
            return 1
        if name == "pow":
            value = self._expressions.value(node.argument)
            if value.known is None or value.type.kind not in INTEGERS | {Kind.FLOAT}:
                raise ProgramError("a power is a number that does not depend on bits", node)
            if not abs(value.known) <= MAX_POWER:
                raise UncomputableError(
                    f"the power {value.known}; powers up to {MAX_POWER:,} are computed", node
                )
            return float(value.known)
        number = self._expressions.integer(node.argument, f"the argument of '{name}'")
        if number < 1:
            raise ProgramError(f"'{name}({number})' needs at least one control", node)
        return number

    def _modified(
        self, unitary: Unitary, modifier: ast.QuantumGateModifier, number: float, node: ast.QASMNode
    ) -> Unitary:
        try:
            match modifier.modifier.name:
                case "inv":
                    return unitary.inverse()
                case "pow":
                    return unitary.power(number)
                case name:
                    if unitary.differs:
                        self._builder.warn(
                            "a controlled U has the phase of the OpenQASM 3 specification, "
                            "exp(iθ/2); Qiskit's importer and OpenQASM 2 leave it out",
                            node,
                        )
                    return unitary.controlled(int(number), on=name == "ctrl")
        except CircuitFileError as error:
            raise ProgramError(str(error), node) from error

    def _broadcast(
        self, operands: Sequence[Qubits], width: int, node: ast.QuantumGate | ast.QuantumPhase
    ) -> Iterator[tuple[int, ...]]:
        if len(operands) != width:
            name = node.name.name if isinstance(node, ast.QuantumGate) else "gphase"
            raise ProgramError(f"gate '{name}' takes {width} qubits, not {len(operands)}", node)
        sizes = {len(each.indices) for each in operands if not each.scalar}
        if len(sizes) > 1:
            raise ProgramError(
                f"registers of {' and '.join(map(str, sorted(sizes)))} qubits stand in one gate; "
                "use registers of one size",
                node,
            )
        for turn in range(sizes.pop() if sizes else 1):
            qubits = tuple(each.indices[0 if each.scalar else turn] for each in operands)
            if len(set(qubits)) < len(qubits):
                raise ProgramError("a gate acts on one qubit twice; name each once", node)
            yield qubits

    def _write(self, unitary: Unitary, qubits: Sequence[int], node: ast.QASMNode) -> None:
        self._builder.frame.phase += float(unitary.circuit.global_phase)
        self._builder.frame.convention += unitary.convention
        self._builder.spend(node)
        for item in unitary.circuit.data:
            inside = (unitary.circuit.find_bit(qubit).index for qubit in item.qubits)
            self._builder.add(item.operation, [qubits[i] for i in inside])
