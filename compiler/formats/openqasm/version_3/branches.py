"""Branches that measured bits decide about."""

from collections.abc import Callable, Sequence
from itertools import zip_longest

from openqasm3 import ast

from compiler.formats.openqasm.version_3.circuit import (
    Branch,
    CircuitBuilder,
    Frame,
    Instruction,
    ProgramError,
    Switch,
)
from compiler.formats.openqasm.version_3.expressions import Expressions
from compiler.formats.openqasm.version_3.operators import Operators
from compiler.formats.openqasm.version_3.scopes import Scopes
from compiler.formats.openqasm.version_3.types import INTEGERS, Kind
from compiler.formats.openqasm.version_3.values import Table, Value


class Branches:
    """Follows `if` and `switch`.

    Args:
        builder: takes the operations.
        scopes: holds the variables.
        expressions: evaluates conditions.
        operators: computes them.
        block: follows statements in a scope of their own.
    """

    def __init__(
        self,
        builder: CircuitBuilder,
        scopes: Scopes,
        expressions: Expressions,
        operators: Operators,
        block: Callable[[Sequence[ast.Statement]], None],
    ) -> None:
        self._builder = builder
        self._scopes = scopes
        self._expressions = expressions
        self._operators = operators
        self._block = block
        self.depth = 0
        """Branches around the present statement that measured bits decide about."""

    def branch(self, node: ast.BranchingStatement) -> None:
        """Follow an `if` with its `else`."""
        condition = self._expressions.truth(node.condition)
        self._decide([(condition, node.if_block)], node.else_block, node)

    def _decide(
        self,
        cases: Sequence[tuple[Value, Sequence[ast.Statement]]],
        otherwise: Sequence[ast.Statement],
        node: ast.Statement,
    ) -> None:
        """Follow the first case whose condition holds, where bits decide about that every one."""
        if not cases:
            self._block(otherwise)
            return
        (condition, block), *others = cases
        if condition.known is not None:
            if condition.known:
                self._block(block)
            else:
                self._decide(others, otherwise, node)
            return
        then, other = self._both(
            condition, lambda: self._block(block), lambda: self._decide(others, otherwise, node)
        )
        if then or other:
            expression = self._operators.condition(condition, node)
            self._builder.frame.instructions.append(Branch(expression, then, other))

    def _both(
        self, condition: Value, first: Callable[[], None], second: Callable[[], None]
    ) -> tuple[Sequence[Instruction], Sequence[Instruction]]:
        """Follow both ways of a condition on measured bits.

        Afterwards a variable has the value that the condition selects, or none where the bits that
        this takes have been written on the way.
        """
        variables = list(self._scopes.variables())
        before = [(each.value, each.counts) for each in variables]
        writes = list(self._builder.writes)
        counts = {bit: writes[bit] for bit in condition.reads}
        ways = []
        self.depth += 1
        for way in (first, second):
            self._builder.writes[: len(writes)] = writes
            for each, (value, valid) in zip(variables, before, strict=True):
                each.value, each.counts = value, valid
            with self._builder.gathering(Frame()) as frame:
                way()
            states = [(each.value, self._expressions.is_current(each)) for each in variables]
            ways.append((frame.instructions, states, list(self._builder.writes)))
        self.depth -= 1
        self._builder.writes[:] = map(max, zip_longest(*(way[2] for way in ways), fillvalue=0))
        fresh = all(self._builder.writes[bit] == count for bit, count in counts.items())
        for each, (old, valid), (a, a_current), (b, b_current) in zip(
            variables, before, ways[0][1], ways[1][1], strict=True
        ):
            if a is old and b is old:
                each.value, each.counts = old, valid
                continue
            each.value = None
            if a is not None and b is not None and fresh and a_current and b_current:
                each.value = self._operators.selected(condition, a, b)
                if each.value is not None:
                    each.counts = {bit: self._builder.writes[bit] for bit in each.value.reads}
        return ways[0][0], ways[1][0]

    def switch(self, node: ast.SwitchStatement) -> None:
        """Follow a `switch`."""
        target = self._expressions.value(node.target)
        if target.type.kind not in INTEGERS | {Kind.BITS, Kind.BOOL}:
            raise ProgramError(f"a switch decides by a whole number, not '{target.type}'", node)
        if not node.cases:
            raise ProgramError("a switch has no case; add one", node)
        cases: list[tuple[list[int], ast.CompoundStatement]] = []
        for labels, body in node.cases:
            cases.append(([self._label(each) for each in labels], body))
        every = [label for labels, _ in cases for label in labels]
        if len(set(every)) < len(every):
            raise ProgramError("a switch has one label twice; use each once", node)
        otherwise = [] if node.default is None else node.default.statements
        if target.known is not None:
            block = next((b.statements for n, b in cases if int(target.known) in n), otherwise)
            self._block(block)
            return
        decided = [
            (self._operators.is_any_of(target, labels, node), body.statements)
            for labels, body in cases
        ]
        start = len(self._builder.frame.instructions)
        self._decide(decided, otherwise, node)
        instructions = self._builder.frame.instructions[start:]
        if instructions and not any(condition.known for condition, _ in decided):
            switch = self._as_switch(target, [labels for labels, _ in cases], instructions)
            self._builder.frame.instructions[start:] = switch

    def _label(self, node: ast.Expression) -> int:
        value = self._expressions.value(node)
        if value.known is None or not value.type.const:
            raise ProgramError("a label of a case is a constant whole number", node)
        return self._expressions.integer(node, "a label of a case")

    def _as_switch(
        self, target: Value, cases: Sequence[Sequence[int]], nested: Sequence[Instruction]
    ) -> Sequence[Instruction]:
        """Return nested branches as one switch, where a register or bit decides alone."""
        if not isinstance(target.content, Table):
            return nested
        bits = target.content.bits
        place = (
            self._builder.clbits[bits[0]] if len(bits) == 1 else self._builder.registers.get(bits)
        )
        if place is None:
            return nested
        numbers = [int(value) for value in target.content.values]
        parts: list[tuple[tuple[int, ...] | None, Sequence[Instruction]]] = []
        for labels in cases:
            values = tuple(i for i, number in enumerate(numbers) if number in labels)
            if values and nested:
                (branch,) = nested
                assert isinstance(branch, Branch)
                parts.append((values, branch.then))
                nested = branch.otherwise
        if nested:
            parts.append((None, nested))
        return [Switch(place, parts)]
