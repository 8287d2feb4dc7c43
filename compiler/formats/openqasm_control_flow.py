"""Branches and loops of OpenQASM 3: conditions as Qiskit's expressions, loops written out."""

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

_BINARY: Mapping[str, Callable[..., expr.Expr]] = {
    "&&": expr.logic_and,
    "||": expr.logic_or,
    "==": expr.equal,
    "!=": expr.not_equal,
    "<": expr.less,
    "<=": expr.less_equal,
    ">": expr.greater,
    ">=": expr.greater_equal,
    "&": expr.bit_and,
    "|": expr.bit_or,
    "^": expr.bit_xor,
    "<<": expr.shift_left,
    ">>": expr.shift_right,
}
_UNARY: Mapping[str, Callable[..., expr.Expr]] = {"!": expr.logic_not, "~": expr.bit_not}


class ControlFlowReader(ConvertVisitor):
    """Qiskit's importer, but with all conditions on bits, with switch, and with loops unrolled."""

    def __init__(self) -> None:
        super().__init__()
        self._turns = 0

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
        for value in self._turns_of(node, context):
            self._turns += 1
            if self._turns > MOST_TURNS:
                raise ConversionError(f"loops take more than {MOST_TURNS} turns", node)
            variable = Symbol(node.identifier.name, value, kind(const=True), Scope.LOCAL, node)
            with LocalScope(context) as inner:
                inner.symbol_table.insert(variable)
                for statement in node.block:
                    self.visit(statement, inner)
        return context

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
        with LocalScope(context) as inner:
            for statement in statements:
                self.visit(statement, inner)

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
            case ast.UnaryExpression() if node.op.name in _UNARY:
                inside = self._expression(node.expression, context)
                if isinstance(inside, expr.Expr):
                    return self._applied(node, _UNARY[node.op.name], inside)
            case ast.BinaryExpression() if node.op.name in _BINARY:
                return self._binary(node, context)
            case ast.Cast():
                return self._cast_bits(node, context)
        return self._resolved(node, context)

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

    def _binary(self, node: ast.BinaryExpression, context: State) -> Value:
        left = self._expression(node.lhs, context)
        right = self._expression(node.rhs, context)
        if isinstance(left, expr.Expr) or isinstance(right, expr.Expr):
            left, right = _alike(left, right), _alike(right, left)
            return self._applied(node, _BINARY[node.op.name], left, right)
        value, _ = self._resolve_generic(node, context, strict=False)
        return int(value)

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
