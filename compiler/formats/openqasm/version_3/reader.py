"""Programs in OpenQASM 3: statements are followed, loops and subroutines are written out."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, suppress
from io import StringIO
from itertools import chain

from openqasm3 import ast, parse
from openqasm3.parser import QASM3ParsingError
from qiskit import QuantumCircuit
from qiskit.circuit import Barrier, Measure, Reset

from compiler.formats.openqasm.tokens import place, tokens
from compiler.formats.openqasm.version_3.branches import Branches
from compiler.formats.openqasm.version_3.circuit import CircuitBuilder, ProgramError
from compiler.formats.openqasm.version_3.conditions import Conditions
from compiler.formats.openqasm.version_3.declarations import Declarations
from compiler.formats.openqasm.version_3.expressions import Expressions
from compiler.formats.openqasm.version_3.gate_calls import GateCalls
from compiler.formats.openqasm.version_3.operators import Operators
from compiler.formats.openqasm.version_3.scopes import (
    Bits,
    GateDefinition,
    Qubits,
    Scopes,
    Subroutine,
    Variable,
)
from compiler.formats.openqasm.version_3.types import Kind, Type
from compiler.formats.openqasm.version_3.values import Value

MAX_TURNS = 100_000
"""Turns that all loops of a program take together."""

MAX_TOKEN = 40
"""Characters of a wrong token that a message shows."""

TOO_DEEP = "the program is nested too deeply; write it flatter"
SUPPORTED = "keep to gates, measurements, resets, if, switch, for, constants and subroutines"

UNSUPPORTED: Mapping[type[ast.QASMNode], str] = {
    ast.WhileLoop: "'while' has no bound; write 'for' with as many turns as needed",
    ast.EndStatement: f"'end' is not supported; {SUPPORTED}",
    ast.ExternDeclaration: f"'extern' is not supported; {SUPPORTED}",
    ast.Pragma: "a pragma is not supported, because it may change what the program does; remove it",
    ast.CalibrationGrammarDeclaration: f"'defcalgrammar' is not supported; {SUPPORTED}",
    ast.CalibrationStatement: f"'cal' is not supported; {SUPPORTED}",
    ast.CalibrationDefinition: f"'defcal' is not supported; {SUPPORTED}",
}

_PLACE = re.compile(r"L(\d+):C(\d+): (.*)", re.DOTALL)


IN_GATES: frozenset[type[ast.QASMNode]] = frozenset(
    {ast.QuantumGate, ast.QuantumPhase, ast.QuantumBarrier, ast.ForInLoop, ast.CompoundStatement}
)


class _LeaveError(Exception):
    """A statement leaves a loop or subroutine."""


class _BreakError(_LeaveError):
    """The loop ends."""


class _ContinueError(_LeaveError):
    """The turn of the loop ends."""


class _ReturnError(_LeaveError):
    """The subroutine ends."""


def read_openqasm_3(text: str, warn: Callable[[str], None] | None = None) -> QuantumCircuit:
    """Return the circuit of an OpenQASM 3 program.

    A register becomes a register of the same name, and a single qubit or bit a register of one.
    Physical qubits `$0`, `$1`, … become qubits 0, 1, …

    Args:
        text: the program.
        warn: is told, in one line, where the program means something else than many readers take
            it for.

    Raises:
        ProgramError: if it is malformed or invalid, or uses a construct that is not supported.
    """
    for token in tokens(text, 3):
        # The parser reports such characters on stderr.
        if token.kind == "unknown":
            shown = token.text[:MAX_TOKEN]
            raise ProgramError(f"{place(text, token.start)}: unexpected '{shown}'")
    try:
        # ANTLR writes about tokens on stderr, too.
        with redirect_stderr(StringIO()):
            program = parse(text)
    except QASM3ParsingError as error:
        raise ProgramError(_reason(error)) from error
    except RecursionError:
        raise ProgramError(TOO_DEEP) from None
    return _Reader(warn or (lambda _: None)).read(program)


def _reason(error: QASM3ParsingError) -> str:
    """Return why and where the parser gave up; a wrong token is the cause of the error's cause."""
    stopped = getattr(error.__cause__, "args", None) or [None]
    token = getattr(stopped[0], "offendingToken", None)
    if token is not None:
        text = "end" if token.text == "<EOF>" else f"'{token.text[:MAX_TOKEN]}'"
        return f"line {token.line}, column {token.column + 1}: unexpected {text}"
    place = _PLACE.match(str(error))
    if place is None:
        return str(error)
    return f"line {place[1]}, column {int(place[2]) + 1}: {place[3]}"


class _Reader:
    """Follows the statements of a program."""

    def __init__(self, warn: Callable[[str], None]) -> None:
        self._builder = builder = CircuitBuilder(warn)
        self._scopes = scopes = Scopes()
        operators = Operators(Conditions(builder.clbits, builder.registers), builder.warn)
        self._expressions = expressions = Expressions(scopes, operators, builder)
        self._declarations = Declarations(builder, scopes, expressions)
        self._gates = GateCalls(builder, scopes, expressions, operators, self._follow)
        self._branches = Branches(builder, scopes, expressions, operators, self._block)
        self._turns = 0
        self._calls: list[str] = []
        self._loops: list[int] = []
        self._bodies: list[int] = []
        self._statements: Mapping[type[ast.QASMNode], Callable[..., object]] = {
            ast.Include: self._declarations.include,
            ast.QubitDeclaration: self._declarations.qubits,
            ast.ClassicalDeclaration: self._classical,
            ast.IODeclaration: self._declarations.output,
            ast.ConstantDeclaration: self._declarations.constant,
            ast.AliasStatement: self._declarations.alias,
            ast.ClassicalAssignment: self._declarations.assign,
            ast.QuantumMeasurementStatement: self._measurement,
            ast.QuantumReset: self._reset,
            ast.QuantumBarrier: self._barrier,
            ast.DelayInstruction: self._delay,
            ast.Box: self._box,
            ast.CompoundStatement: self._compound,
            ast.QuantumGateDefinition: self._gate_definition,
            ast.QuantumGate: self._gates.gate,
            ast.QuantumPhase: self._gates.phase,
            ast.BranchingStatement: self._branches.branch,
            ast.SwitchStatement: self._branches.switch,
            ast.ForInLoop: self._for,
            ast.BreakStatement: self._leave_loop,
            ast.ContinueStatement: self._leave_loop,
            ast.SubroutineDefinition: self._subroutine,
            ast.ReturnStatement: self._return,
            ast.ExpressionStatement: self._call,
        }

    def read(self, program: ast.Program) -> QuantumCircuit:
        """Return the circuit of a program."""
        inputs = [
            each.identifier.name
            for each in program.statements
            if isinstance(each, ast.IODeclaration) and each.io_identifier is ast.IOKeyword.input
        ]
        if inputs:
            raise ProgramError(
                f"unbound parameters {', '.join(sorted(inputs))}; bind them to numbers"
            )
        try:
            self._follow(program.statements)
        except RecursionError:
            raise ProgramError(TOO_DEEP) from None
        return self._builder.circuit()

    def _execute(self, node: ast.Statement | ast.Pragma) -> None:
        reason = UNSUPPORTED.get(type(node))
        if reason is not None:
            raise ProgramError(reason, node)
        method = self._statements.get(type(node))
        if method is None:
            raise ProgramError(f"{type(node).__name__} is not supported; {SUPPORTED}", node)
        if self._builder.frame.gate_qubits is not None and type(node) not in IN_GATES:
            raise ProgramError("a gate's definition holds gates and loops only", node)
        method(node)

    def _follow(self, statements: Sequence[ast.Statement | ast.Pragma]) -> None:
        for statement in statements:
            self._execute(statement)

    def _block(self, statements: Sequence[ast.Statement]) -> None:
        with self._scopes.block():
            self._follow(statements)

    def _classical(self, node: ast.ClassicalDeclaration) -> None:
        bits = self._declarations.classical(node)
        if bits is not None and isinstance(node.init_expression, ast.QuantumMeasurement):
            self._measure(self._expressions.qubits(node.init_expression.qubit), bits, node)

    def _gate_definition(self, node: ast.QuantumGateDefinition) -> None:
        self._declarations.need_global("a gate", node)
        self._declarations.declare(node.name.name, GateDefinition(node), node)
        self._gates.define(node)

    def _measurement(self, node: ast.QuantumMeasurementStatement) -> None:
        if node.target is None:
            raise ProgramError(
                "a measurement keeps its result in a bit; write 'bit b = measure …'", node
            )
        target = self._expressions.operand(node.target)
        if not isinstance(target, Bits):
            raise ProgramError(
                "a measurement is kept in a bit that is declared, and not in an argument", node
            )
        self._measure(self._expressions.qubits(node.measure.qubit), target, node)

    def _measure(self, qubits: Qubits, bits: Bits, node: ast.QASMNode) -> None:
        if len(qubits.indices) != len(bits.indices):
            raise ProgramError(
                f"{len(qubits.indices)} qubits are measured into {len(bits.indices)} bits; give "
                "as many",
                node,
            )
        for qubit, bit in zip(qubits.indices, bits.indices, strict=True):
            self._builder.add(Measure(), (qubit,), (bit,))
            self._builder.writes[bit] += 1

    def _reset(self, node: ast.QuantumReset) -> None:
        for qubit in self._expressions.qubits(node.qubits).indices:
            self._builder.add(Reset(), (qubit,))

    def _barrier(self, node: ast.QuantumBarrier) -> None:
        operands = [self._expressions.qubits(each).indices for each in node.qubits]
        if not operands:
            inside, builder = self._builder.frame.gate_qubits, self._builder
            size = builder.num_qubits or builder.physical_qubits if inside is None else inside
            operands = [tuple(range(size))]
        qubits = list(dict.fromkeys(chain.from_iterable(operands)))
        if qubits:
            self._builder.add(Barrier(len(qubits)), qubits)

    def _delay(self, node: ast.DelayInstruction) -> None:
        """Check a delay; times are dropped."""
        if self._expressions.value(node.duration).type.kind is not Kind.DURATION:
            raise ProgramError("a delay takes a duration such as 100ns", node)
        for each in node.qubits:
            self._expressions.qubits(each)

    def _box(self, node: ast.Box) -> None:
        if node.duration is not None:
            self._expressions.value(node.duration)
        self._block(node.body)

    def _compound(self, node: ast.CompoundStatement) -> None:
        self._block(node.statements)

    def _for(self, node: ast.ForInLoop) -> None:
        type_ = self._expressions.type_of(node.type)
        values = self._turns_of(node)
        self._turns += len(values)
        if self._turns > MAX_TURNS:
            raise ProgramError(f"loops take more than {MAX_TURNS} turns", node)
        # All values are those of before the loop, whose turns may measure their bits again.
        variables = [Variable(type_) for _ in values]
        for variable, value in zip(variables, values, strict=True):
            self._expressions.assign(variable, value, node)
        self._loops.append(self._branches.depth)
        try:
            for variable in variables:
                self._builder.spend(node)
                with self._scopes.block():
                    self._scopes.declare(node.identifier.name, variable, node)
                    try:
                        self._block(node.block)
                    except _ContinueError:
                        continue
                    except _BreakError:
                        break
        finally:
            self._loops.pop()

    def _turns_of(self, node: ast.ForInLoop) -> Sequence[Value]:
        values = node.set_declaration
        if isinstance(values, ast.DiscreteSet):
            return [self._expressions.value(each) for each in values.values]
        if isinstance(values, ast.RangeDefinition):
            if values.start is None or values.end is None:
                raise ProgramError("a loop's range needs both ends, as in [0:3]", node)
            start = self._expressions.integer(values.start, "a loop's range")
            end = self._expressions.integer(values.end, "a loop's range")
            step = 1 if values.step is None else self._expressions.integer(values.step, "a step")
            if step == 0:
                raise ProgramError("a range has the step 0; use another one", node)
            numbers = range(start, end + (1 if step > 0 else -1), step)
            if len(numbers) > MAX_TURNS:
                raise ProgramError(f"loops take more than {MAX_TURNS} turns", node)
            return [Value(Type(Kind.INT), number) for number in numbers]
        bits = self._expressions.resolve(values)
        if isinstance(bits, Bits) and not bits.scalar:
            return [self._expressions.bit(bit) for bit in bits.indices]
        if isinstance(bits, Value) and bits.type.kind is Kind.BITS:
            return self._expressions.bits_of(bits, node)
        raise ProgramError("a loop goes through a range [first:last], a set {a, b} or bits", node)

    def _leave_loop(self, node: ast.BreakStatement | ast.ContinueStatement) -> None:
        word = "break" if isinstance(node, ast.BreakStatement) else "continue"
        if not self._loops:
            raise ProgramError(f"'{word}' stands outside of a loop", node)
        if self._branches.depth != self._loops[-1]:
            raise ProgramError(
                f"'{word}' under a condition on measured bits is not supported; put an 'if' around "
                "what follows",
                node,
            )
        raise _BreakError if word == "break" else _ContinueError

    def _subroutine(self, node: ast.SubroutineDefinition) -> None:
        self._declarations.need_global("a subroutine", node)
        if node.return_type is not None:
            raise ProgramError(
                "a subroutine cannot return anything here; measure outside of it", node
            )
        self._declarations.declare(node.name.name, Subroutine(node), node)

    def _return(self, node: ast.ReturnStatement) -> None:
        if not self._bodies:
            raise ProgramError("'return' stands outside of a subroutine", node)
        if node.expression is not None:
            raise ProgramError(
                "a subroutine cannot return anything here; measure outside of it", node
            )
        if self._branches.depth != self._bodies[-1]:
            raise ProgramError(
                "'return' under a condition on measured bits is not supported; put an 'if' around "
                "what follows",
                node,
            )
        raise _ReturnError

    def _call(self, node: ast.ExpressionStatement) -> None:
        call = node.expression
        if not isinstance(call, ast.FunctionCall):
            raise ProgramError("a statement must apply a gate or a subroutine", node)
        name = call.name.name
        symbol = self._scopes.find(name)
        if not isinstance(symbol, Subroutine):
            raise ProgramError(f"'{name}' is no gate, and no subroutine defined before it", node)
        wanted = symbol.node.arguments
        if len(call.arguments) != len(wanted):
            raise ProgramError(f"'{name}' takes {len(wanted)} arguments", node)
        if name in self._calls:
            raise ProgramError(f"subroutine '{name}' calls itself; write its gates out", node)
        arguments = [
            self._argument(formal, actual)
            for formal, actual in zip(wanted, call.arguments, strict=True)
        ]
        passed = [
            qubit
            for argument in arguments
            if isinstance(argument, Qubits)
            for qubit in argument.indices
        ]
        if len(set(passed)) < len(passed):
            raise ProgramError(f"'{name}' is given one qubit twice; pass each once", node)
        self._bodies.append(self._branches.depth)
        loops, self._loops = self._loops, []
        self._calls.append(name)
        with suppress(_ReturnError), self._scopes.body():
            for formal, argument in zip(wanted, arguments, strict=True):
                self._scopes.declare(formal.name.name, argument, formal)
            self._block(symbol.node.body)
        self._calls.pop()
        self._loops = loops
        self._bodies.pop()

    def _argument(
        self, formal: ast.QuantumArgument | ast.ClassicalArgument, actual: ast.Expression
    ) -> Qubits | Variable:
        """Return what an argument stands for in a subroutine."""
        if isinstance(formal, ast.ClassicalArgument):
            variable = Variable(self._expressions.type_of(formal.type))
            self._expressions.assign(variable, self._expressions.value(actual), actual)
            return variable
        qubits = self._expressions.operand(actual)
        size = None if formal.size is None else self._declarations.size(formal.size)
        name = formal.name.name
        if not isinstance(qubits, Qubits):
            raise ProgramError(f"argument '{name}' takes qubits", actual)
        if size is None and not qubits.scalar:
            raise ProgramError(f"argument '{name}' takes one qubit", actual)
        if size is not None and (qubits.scalar or len(qubits.indices) != size):
            raise ProgramError(f"argument '{name}' takes {size} qubits", actual)
        return qubits
