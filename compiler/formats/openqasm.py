"""OpenQASM 2 and 3, with a program's own gates being what the program says."""

from collections.abc import Mapping
from itertools import pairwise
from math import inf
from typing import Any

from openqasm3 import ast, parse
from qiskit import QuantumCircuit, qasm2
from qiskit.circuit import Gate
from qiskit_qasm3_import import types
from qiskit_qasm3_import.converter import GateBuilder
from qiskit_qasm3_import.data import Scope, Symbol
from qiskit_qasm3_import.exceptions import ConversionError
from qiskit_qasm3_import.state import LocalScope, State

from compiler.errors import CircuitFileError
from compiler.formats.openqasm_control_flow import ControlFlowReader
from compiler.formats.openqasm_tokens import place, tokens

OWN = "own_{}"
"""What a program's own gate is called inside, because Qiskit controls gates by their names."""

CONSTANTS: Mapping[type[ast.ClassicalType], type[types.Type]] = {
    ast.IntType: types.Int,
    ast.UintType: types.Uint,
    ast.FloatType: types.Float,
    ast.AngleType: types.Angle,
    ast.DurationType: types.Duration,
}
TAKEN: Mapping[type[types.Type], tuple[type[types.Type], ...]] = {
    types.Int: (types.Int, types.Uint),
    types.Uint: (types.Int, types.Uint),
    types.Float: (types.Int, types.Uint, types.Float),
    types.Angle: (types.Int, types.Uint, types.Float, types.Angle),
    types.Duration: (types.Duration,),
}
"""What can be given where a type is wanted."""

DOUBLE = 64
"""Bits of a `float` without a size."""

LONGEST_INTEGER = 18
"""Digits of an index or size in OpenQASM 2, beyond which Qiskit's parser stops the process."""


def read_openqasm_2(text: str) -> QuantumCircuit:
    """Return the circuit of an OpenQASM 2 program.

    Qiskit's gates are known without an include. Those that the program defines are what it says:
    Qiskit takes its own gate of that name instead, whatever the definition.

    Raises:
        CircuitFileError: if it holds too large a number.
        qiskit.qasm2.QASM2ParseError: if it is malformed, or includes another file.
    """
    own = set()
    for before, token in pairwise(tokens(text, 2)):
        if before.text in ("gate", "opaque") and (before.text, token.text) != ("opaque", "delay"):
            own.add(token.text)
        if before.text in ("[", "==") and len(token.text) > LONGEST_INTEGER:
            raise CircuitFileError(
                f"{place(text, token.start)}: a number of {len(token.text)} digits is too large; "
                "write a smaller one"
            )
    known = [gate for gate in qasm2.LEGACY_CUSTOM_INSTRUCTIONS if gate.name not in own]
    return qasm2.loads(text, include_path=(), custom_instructions=known)


def read_openqasm_3(text: str) -> QuantumCircuit:
    """Return the circuit of an OpenQASM 3 program.

    Raises:
        openqasm3.parser.QASM3ParsingError: if it is malformed.
        qiskit_qasm3_import.ConversionError: if Qiskit has no way to say it.
    """
    return _Reader().convert(parse(text)).circuit


class Subroutine(types.Type):
    """The type of a subroutine's name."""

    def pretty(self) -> str:
        """Return what messages call it."""
        return "subroutine"


class _Reader(ControlFlowReader):
    """Qiskit's importer, but with own gates, constants and subroutines."""

    def __init__(self) -> None:
        super().__init__()
        self._parameters: list[str] = []
        self._open: list[str] = []

    def visit_QuantumGateDefinition(  # noqa: N802 - the visitor's way to name methods
        self, node: ast.QuantumGateDefinition, context: State
    ) -> State:
        """Define a gate; the importer sorts its parameters by name."""
        self._parameters = [argument.name for argument in node.arguments]
        return super().visit_QuantumGateDefinition(node, context)

    def _define_gate(self, name: str, definition: Any, *rest: Any) -> State:
        if isinstance(definition, GateBuilder):
            inside = definition._definition
            named = {parameter.name: parameter for parameter in inside.parameters}
            order = [named[parameter] for parameter in self._parameters]
            definition = GateBuilder(OWN.format(name), inside, order)
        return super()._define_gate(name, definition, *rest)

    def _apply_gate_modifier(
        self, modifier: ast.QuantumGateModifier, gate: Gate, context: State
    ) -> Gate:
        if modifier.modifier not in (ast.GateModifierName.ctrl, ast.GateModifierName.negctrl):
            return super()._apply_gate_modifier(modifier, gate, context)
        argument = modifier.argument
        controls = 1 if argument is None else self._resolve_constant_int(argument, context)
        state = 0 if modifier.modifier is ast.GateModifierName.negctrl else None
        return gate.control(controls, ctrl_state=state, annotated=False)

    def visit_ConstantDeclaration(  # noqa: N802
        self, node: ast.ConstantDeclaration, context: State
    ) -> State:
        """Define a constant."""
        name, type_ = node.identifier.name, self._type(node.type, context)
        value = self._cast(node.init_expression, type_, context)
        context.symbol_table.insert(Symbol(name, value, type_, context.scope, node))
        return context

    def visit_SubroutineDefinition(  # noqa: N802
        self, node: ast.SubroutineDefinition, context: State
    ) -> State:
        """Note a subroutine; its statements are written out wherever it is called."""
        if node.return_type is not None:
            raise ConversionError(
                "a subroutine cannot return anything here; measure outside of it", node
            )
        symbol = Symbol(node.name.name, node, Subroutine(), Scope.GLOBAL, node)
        context.symbol_table.insert(symbol)
        return context

    def visit_ExpressionStatement(  # noqa: N802
        self, node: ast.ExpressionStatement, context: State
    ) -> State:
        """Write out a subroutine's statements, which see its arguments and what is global."""
        call = node.expression
        if not isinstance(call, ast.FunctionCall):
            raise ConversionError("a statement must apply a gate or a subroutine", node)
        name = call.name.name
        symbol = context.symbol_table.get(name, node)
        if symbol is None or not isinstance(symbol.type, Subroutine):
            raise ConversionError(f"'{name}' is no gate, and no subroutine defined before it", node)
        wanted = symbol.data.arguments
        if len(call.arguments) != len(wanted):
            raise ConversionError(f"'{name}' takes {len(wanted)} arguments", node)
        if name in self._open:
            raise ConversionError(f"subroutine '{name}' calls itself; write its gates out", node)
        given = [
            self._argument(formal, actual, context)
            for formal, actual in zip(wanted, call.arguments, strict=True)
        ]
        table = context.symbol_table
        hidden, table._stack = table._stack, table._stack[:1]
        self._open.append(name)
        with LocalScope(context) as inner:
            for argument in given:
                table.insert(argument)
            for statement in symbol.data.body:
                self.visit(statement, inner)
        self._open.pop()
        table._stack = hidden
        return context

    def generic_visit(self, node: ast.QASMNode, context: State | None = None) -> State:
        """Refuse a statement."""
        raise ConversionError(
            f"{type(node).__name__} is not supported; keep to gates, measurements, resets, if, "
            "switch, for, constants and subroutines",
            node,
        )

    def _argument(
        self,
        formal: ast.QuantumArgument | ast.ClassicalArgument,
        actual: ast.Expression,
        context: State,
    ) -> Symbol:
        if isinstance(formal, ast.ClassicalArgument):
            type_ = self._type(formal.type, context)
            value = self._cast(actual, type_, context)
        else:
            value, type_ = self._resolve_generic(actual, context, strict=True)
            size = formal.size and self._resolve_constant_int(formal.size, context)
            if (len(value) if isinstance(type_, types.QubitArray) else None) != size or not (
                isinstance(type_, types.QubitArray | types.Qubit | types.HardwareQubit)
            ):
                wanted = f"{size} qubits" if size else "one qubit"
                raise ConversionError(f"argument '{formal.name.name}' takes {wanted}", actual)
        return Symbol(formal.name.name, value, type_, Scope.LOCAL, formal)

    def _type(self, node: ast.ClassicalType, context: State) -> types.Type:
        kind = CONSTANTS.get(type(node))
        if kind is None:
            raise ConversionError(
                "constants and arguments are int, uint, float, angle or duration", node
            )
        size = getattr(node, "size", None)
        if size is None:
            return kind(const=True)
        bits = self._resolve_constant_int(size, context)
        if kind is types.Angle or (kind is types.Float and bits != DOUBLE):
            raise ConversionError(
                "rounded angles and numbers are not supported; write 'float'", node
            )
        return kind(const=True, size=bits)

    def _cast(self, node: ast.Expression, type_: types.Type, context: State) -> Any:
        value, found = self._resolve_generic(node, context, strict=False)
        if not isinstance(found, TAKEN[type(type_)]):
            raise ConversionError(
                f"this is of type '{found.pretty()}', not '{type_.pretty()}'", node
            )
        if isinstance(type_, types.Int | types.Uint):
            least, most = _range(type_)
            if not least <= value <= most:
                raise ConversionError(f"{value} does not fit into '{type_.pretty()}'", node)
            return value
        return float(value) if isinstance(value, int) else value


def _range(type_: types.Int | types.Uint) -> tuple[float, float]:
    signed = isinstance(type_, types.Int)
    if type_.size is None:
        return (-inf if signed else 0), inf
    if signed:
        return -(2 ** (type_.size - 1)), 2 ** (type_.size - 1) - 1
    return 0, 2**type_.size - 1
