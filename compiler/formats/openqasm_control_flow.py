"""Branches and loops of OpenQASM 3: conditions as Qiskit's expressions, loops written out."""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from openqasm3 import ast
from qiskit.circuit import ClassicalRegister, Clbit
from qiskit.circuit.classical import expr
from qiskit.circuit.classical import types as kinds
from qiskit_qasm3_import import types
from qiskit_qasm3_import.converter import ConvertVisitor
from qiskit_qasm3_import.data import Scope, Symbol
from qiskit_qasm3_import.exceptions import ConversionError
from qiskit_qasm3_import.state import LocalScope, State

MOST_TURNS = 100_000
"""Turns that all loops of a program may take together."""

Value: TypeAlias = expr.Expr | int | bool
"""An expression on classical bits, or a constant."""

_BINARY: Mapping[str, tuple[Callable[..., expr.Expr], Callable[[int, int], int]]] = {
    "&&": (expr.logic_and, lambda a, b: bool(a and b)),
    "||": (expr.logic_or, lambda a, b: bool(a or b)),
    "==": (expr.equal, operator.eq),
    "!=": (expr.not_equal, operator.ne),
    "<": (expr.less, operator.lt),
    "<=": (expr.less_equal, operator.le),
    ">": (expr.greater, operator.gt),
    ">=": (expr.greater_equal, operator.ge),
    "&": (expr.bit_and, operator.and_),
    "|": (expr.bit_or, operator.or_),
    "^": (expr.bit_xor, operator.xor),
    "<<": (expr.shift_left, operator.lshift),
    ">>": (expr.shift_right, operator.rshift),
}
_UNARY: Mapping[str, tuple[Callable[..., expr.Expr], Callable[[int], int]]] = {
    "!": (expr.logic_not, operator.not_),
    "~": (expr.bit_not, operator.invert),
}
"""On measured bits, and on constants."""


class ControlFlowReader(ConvertVisitor):
    """Qiskit's importer, but with all conditions on bits, with switch, and with loops unrolled."""

    def __init__(self) -> None:
        super().__init__()
        self._turns = 0
        self._variables: dict[str, Value | None] = {}

    def visit_BranchingStatement(  # noqa: N802 - the visitor's way to name methods
        self, node: ast.BranchingStatement, context: State
    ) -> State:
        """Write an `if` with its `else`; one whose condition is constant is decided here."""
        condition = self._expression(node.condition, context)
        if not isinstance(condition, expr.Expr):
            self._visit_all(node.if_block if condition else node.else_block, context)
            return context
        with context.circuit.if_test(condition) as otherwise:
            self._visit_all(node.if_block, context)
        if node.else_block:
            with otherwise:
                self._visit_all(node.else_block, context)
        return context

    def visit_SwitchStatement(  # noqa: N802
        self, node: ast.SwitchStatement, context: State
    ) -> State:
        """Write a `switch`."""
        target = self._expression(node.target, context)
        if not isinstance(target, expr.Expr):
            raise ConversionError("a switch decides by measured bits", node)
        with context.circuit.switch(target) as case:
            for labels, body in node.cases:
                with case(*(self._resolve_constant_int(label, context) for label in labels)):
                    self._visit_all(body.statements, context)
            if node.default is not None:
                with case(case.DEFAULT):
                    self._visit_all(node.default.statements, context)
        return context

    def visit_ForInLoop(self, node: ast.ForInLoop, context: State) -> State:  # noqa: N802
        """Write a loop's statements once for each value."""
        kind = {ast.IntType: types.Int, ast.UintType: types.Uint}.get(type(node.type))
        if kind is None:
            raise ConversionError("a loop's variable is an int or uint", node)
        values = self._turns_of(node, context)
        if values[MOST_TURNS - self._turns :]:
            raise ConversionError(f"loops take more than {MOST_TURNS} turns", node)
        self._turns += len(values)
        for value in values:
            variable = Symbol(node.identifier.name, value, kind(const=True), Scope.LOCAL, node)
            with LocalScope(context) as inner:
                inner.symbol_table.insert(variable)
                for statement in node.block:
                    self.visit(statement, inner)
        return context

    def visit_ClassicalDeclaration(  # noqa: N802
        self, node: ast.ClassicalDeclaration, context: State
    ) -> State:
        """Declare bits, or a whole number that will hold measured bits."""
        if isinstance(node.type, ast.IntType | ast.UintType) and node.init_expression is None:
            self._variables[node.identifier.name] = None
            return context
        if not isinstance(node.type, ast.BitType):
            raise ConversionError("only bits can be declared; write 'const' before a number", node)
        return super().visit_ClassicalDeclaration(node, context)

    def visit_ClassicalAssignment(  # noqa: N802
        self, node: ast.ClassicalAssignment, context: State
    ) -> State:
        """Note which measured bits a number holds."""
        name = node.lvalue.name
        if not isinstance(name, str) or name not in self._variables or node.op.name != "=":
            raise ConversionError("only a declared int or uint can be assigned to", node)
        self._variables[name] = self._expression(node.rvalue, context)
        return context

    def visit_QuantumMeasurementStatement(  # noqa: N802
        self, node: ast.QuantumMeasurementStatement, context: State
    ) -> State:
        """Measure; numbers that hold bits are not known to hold them any longer."""
        self._variables = dict.fromkeys(self._variables)
        return super().visit_QuantumMeasurementStatement(node, context)

    def visit_WhileLoop(self, node: ast.WhileLoop, context: State) -> State:  # noqa: N802
        """Refuse a loop without a bound."""
        raise ConversionError(
            "'while' has no bound; write 'for' with as many turns as needed", node
        )

    def visit_BreakStatement(self, node: ast.BreakStatement, context: State) -> State:  # noqa: N802
        """Refuse to leave a loop."""
        raise ConversionError("'break' is not supported; put an 'if' around what follows", node)

    def visit_ContinueStatement(  # noqa: N802
        self, node: ast.ContinueStatement, context: State
    ) -> State:
        """Refuse to go on early."""
        raise ConversionError("'continue' is not supported; put an 'if' around what follows", node)

    def _visit_all(self, statements: Sequence[ast.Statement], context: State) -> None:
        before = dict(self._variables)
        with LocalScope(context) as inner:
            for statement in statements:
                self.visit(statement, inner)
        # What was assigned here has been so on some paths only.
        now = self._variables
        self._variables = {n: v if now.get(n) is v else None for n, v in before.items()}

    def _turns_of(self, node: ast.ForInLoop, context: State) -> Sequence[int]:
        values, kind = self._resolve_generic(node.set_declaration, context, strict=True)
        if isinstance(kind, types.Range) and None not in (values.start, values.stop):
            return range(values.start, values.stop, values.step or 1)
        if isinstance(kind, types.Sequence):
            return list(values)
        raise ConversionError("a loop goes through a range [first:last] or a set {a, b}", node)

    def _expression(self, node: ast.Expression, context: State) -> Value:
        """Return what an expression on classical bits is in Qiskit."""
        match node:
            case ast.BooleanLiteral() | ast.IntegerLiteral() | ast.BitstringLiteral():
                return node.value
            case ast.Identifier() if node.name in self._variables:
                return self._held(node)
            case ast.UnaryExpression() if node.op.name in _UNARY:
                return self._unary(node, context)
            case ast.BinaryExpression() if node.op.name in _BINARY:
                return self._binary(node, context)
            case ast.Cast():
                return self._cast_bits(node, context)
        return self._resolved(node, context)

    def _held(self, node: ast.Identifier) -> Value:
        value = self._variables[node.name]
        if value is None:
            raise ConversionError(
                f"'{node.name}' is not assigned to right before; compare the measured bits", node
            )
        return value

    def _resolved(self, node: ast.Expression, context: State) -> Value:
        """Return a bit, a register, or a constant."""
        value, _ = self._resolve_generic(node, context, strict=False)
        if isinstance(value, list) and value and all(isinstance(bit, Clbit) for bit in value):
            named = ClassicalRegister(name=f"read_{context.unique_name()}", bits=value)
            context.circuit.add_register(named)
            value = named
        if isinstance(value, Clbit | ClassicalRegister):
            return expr.lift(value)
        if isinstance(value, int):
            return value
        raise ConversionError("a condition compares measured bits with whole numbers", node)

    def _cast_bits(self, node: ast.Cast, context: State) -> Value:
        """Return an expression as another type; numbers of bits are kept."""
        inside = self._expression(node.argument, context)
        if isinstance(node.type, ast.BoolType):
            if not isinstance(inside, expr.Expr):
                return bool(inside)
            return self._applied(node, expr.cast, inside, kinds.Bool())
        if isinstance(node.type, ast.BitType | ast.UintType) or not isinstance(inside, expr.Expr):
            return inside
        raise ConversionError("measured bits are compared as bool, bit or uint", node)

    def _unary(self, node: ast.UnaryExpression, context: State) -> Value:
        inside = self._expression(node.expression, context)
        on_bits, on_constant = _UNARY[node.op.name]
        if isinstance(inside, expr.Expr):
            return self._applied(node, on_bits, inside)
        return on_constant(inside)

    def _binary(self, node: ast.BinaryExpression, context: State) -> Value:
        left = self._expression(node.lhs, context)
        right = self._expression(node.rhs, context)
        on_bits, on_constants = _BINARY[node.op.name]
        if isinstance(left, expr.Expr) or isinstance(right, expr.Expr):
            left, right = _alike(left, right), _alike(right, left)
            return self._applied(node, on_bits, left, right)
        return on_constants(left, right)

    def _applied(
        self, node: ast.Expression, function: Callable[..., expr.Expr], *arguments: Any
    ) -> expr.Expr:
        try:
            return function(*arguments)
        except (TypeError, ValueError) as error:
            raise ConversionError(str(error), node) from error


def _alike(value: Value, other: Value) -> Value:
    """Return 0 and 1 as a bit, where they stand beside one."""
    beside_bit = isinstance(other, expr.Expr) and isinstance(other.type, kinds.Bool)
    return bool(value) if beside_bit and value in (0, 1) and isinstance(value, int) else value
