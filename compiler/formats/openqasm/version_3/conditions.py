"""Truth values of measured bits as Qiskit's expressions, in the form that most machines take.

A single bit, a register with one value, and comparisons of a whole register come out as such;
everything else as `and`, `or` and `not` of bits. No register is made for a condition, so that
whatever is written can be read by others.
"""

from collections.abc import Mapping, Sequence
from functools import reduce

from attrs import define
from qiskit.circuit import ClassicalRegister, Clbit
from qiskit.circuit.classical import expr

from compiler.formats.openqasm.version_3.types import Kind, Type
from compiler.formats.openqasm.version_3.values import (
    Formula,
    Literal,
    Table,
    TooWideError,
    Value,
    Word,
    tabulated,
    word_value,
)

MAX_PARTS = 1024
"""Bits that one condition may name, with repetition."""

BOOL = Type(Kind.BOOL)
COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})


@define
class Conditions:
    """Conditions on the classical bits of a program.

    Args:
        clbits: of the circuit, by number.
        registers: of the circuit, by the numbers of their bits.
    """

    clbits: list[Clbit]
    registers: Mapping[tuple[int, ...], ClassicalRegister]

    def expression(self, value: Value) -> expr.Expr:
        """Return a truth value that depends on measured bits.

        Raises:
            TooWideError: if it takes more than `MAX_PARTS` bits to say it.
        """
        if isinstance(value.content, Formula):
            return value.content.expression
        if not isinstance(value.content, Table):
            raise TooWideError
        return self._of_table(value.content)

    def _of_table(self, table: Table) -> expr.Expr:
        bits, values = table.bits, [bool(value) for value in table.values]
        on = [index for index, value in enumerate(values) if value]
        if len(on) == 1:
            return self._equal(bits, on[0])
        register = self.registers.get(bits)
        if len(on) == len(values) - 1:
            (off,) = set(range(len(values))).difference(on)
            if register is not None:
                return expr.not_equal(register, off)
            return self._any([Literal(bit, bool(off >> i & 1)) for i, bit in enumerate(bits)])
        if register is not None and on == list(range(len(on))):
            return expr.less(register, len(on))
        if register is not None and on == list(range(len(values) - len(on), len(values))):
            return expr.greater_equal(register, on[0])
        return self._parity(bits, values) or self._decided(list(bits), values, [MAX_PARTS])

    def _parity(self, bits: Sequence[int], values: Sequence[bool]) -> expr.Expr | None:
        """Return whether the number of ones is odd, or even; None if the table says otherwise."""
        odd = [bool(index.bit_count() & 1) for index in range(len(values))]
        if values not in (odd, [not each for each in odd]):
            return None
        parity = reduce(expr.bit_xor, (expr.lift(self.clbits[bit]) for bit in bits))
        return parity if values == odd else expr.logic_not(parity)

    def _decided(self, bits: list[int], values: Sequence[bool], budget: list[int]) -> expr.Expr:
        """Return a table as a decision bit by bit, the highest first."""
        budget[0] -= 1
        if budget[0] < 0:
            raise TooWideError
        *lower, highest = bits
        half = len(values) // 2
        off, on = values[:half], values[half:]
        if off == on:
            return self._decided(lower, off, budget)
        bit = self._literal(Literal(highest))
        sides = []
        for condition, side in ((expr.logic_not(bit), off), (bit, on)):
            if all(side):
                sides.append(condition)
            elif any(side):
                sides.append(expr.logic_and(condition, self._decided(lower, side, budget)))
        return reduce(expr.logic_or, sides)

    def compared(self, operator: str, left: Value, right: Value) -> Value:
        """Return the comparison of two numbers, at least one of which is a `Word`.

        Both are of one integer type, or bits.

        Raises:
            TooWideError: if one of them is neither known nor a word.
        """
        a, b = _literals(left), _literals(right)
        if left.type.kind is Kind.INT:
            a, b = _sign_flipped(a), _sign_flipped(b)
        width = max(len(a), len(b))
        a, b = a + (False,) * (width - len(a)), b + (False,) * (width - len(b))
        match operator:
            case "==" | "!=":
                return self._equality(a, b, equal=operator == "==")
            case "<" | ">=":
                return self._order(a, b, negated=operator == ">=")
        return self._order(b, a, negated=operator == "<=")

    def _equality(
        self, a: tuple[Literal | bool, ...], b: tuple[Literal | bool, ...], *, equal: bool
    ) -> Value:
        pairs = [(x, y) for x, y in zip(a, b, strict=True) if x != y]
        if any(isinstance(x, bool) and isinstance(y, bool) for x, y in pairs):
            return Value(BOOL, int(not equal))
        bits = _bits(a, b)
        for word, other in ((a, b), (b, a)):
            register = self._whole(word)
            if register is None:
                continue
            size = len(register)
            if all(isinstance(each, bool) for each in other[:size]):
                number = sum(bool(each) << i for i, each in enumerate(other[:size]))
                compare = expr.equal if equal else expr.not_equal
                return Value(BOOL, Formula(compare(register, number), bits))
            second = self._whole(other)
            if second is not None and len(second) == size:
                compare = expr.equal if equal else expr.not_equal
                return Value(BOOL, Formula(compare(register, second), bits))
        parts = [self._same(x, y) for x, y in pairs]
        if not parts:
            return Value(BOOL, int(equal))
        same = reduce(expr.logic_and, parts)
        return Value(BOOL, Formula(same if equal else expr.logic_not(same), bits))

    def _order(
        self, a: tuple[Literal | bool, ...], b: tuple[Literal | bool, ...], *, negated: bool
    ) -> Value:
        """Return a < b, or its opposite."""
        bits = _bits(a, b)
        if _number(a, True) < _number(b, False):
            return Value(BOOL, int(not negated))
        if _number(a, False) >= _number(b, True):
            return Value(BOOL, int(negated))
        left, right = self._whole(a), self._whole(b)
        number_a, number_b = _known(a), _known(b)
        if left is not None and number_b is not None:
            compare = expr.greater_equal if negated else expr.less
            return Value(BOOL, Formula(compare(left, number_b), bits))
        if right is not None and number_a is not None:
            compare = expr.less_equal if negated else expr.greater
            return Value(BOOL, Formula(compare(right, number_a), bits))
        if left is not None and right is not None and len(left) == len(right):
            compare = expr.greater_equal if negated else expr.less
            return Value(BOOL, Formula(compare(left, right), bits))
        less = expr.lift(False)
        for x, y in zip(a, b, strict=True):
            below = expr.logic_and(expr.logic_not(self._literal(x)), self._literal(y))
            less = expr.logic_or(below, expr.logic_and(self._same(x, y), less))
        return Value(BOOL, Formula(expr.logic_not(less) if negated else less, bits))

    def joined(self, operator: str, left: Value, right: Value) -> Value:
        """Return `&&` or `||` of two truth values of too many bits for one table."""
        join = expr.logic_and if operator == "&&" else expr.logic_or
        decides = operator == "||"
        for value, other in ((left, right), (right, left)):
            if value.known is not None:
                return Value(BOOL, int(decides)) if bool(value.known) is decides else other
        together = join(self.expression(left), self.expression(right))
        return Value(BOOL, Formula(together, left.reads | right.reads))

    def negation(self, value: Value) -> Value:
        """Return the opposite of a truth value."""
        if isinstance(value.content, Table):
            opposite = [int(not each) for each in value.content.values]
            return tabulated(BOOL, value.content.bits, opposite)
        if isinstance(value.content, Formula):
            negated = expr.logic_not(value.content.expression)
            return Value(BOOL, Formula(negated, value.content.bits))
        return Value(BOOL, int(not value.known))

    def _equal(self, bits: tuple[int, ...], number: int) -> expr.Expr:
        register = self.registers.get(bits)
        if register is not None and len(bits) > 1:
            return expr.equal(register, number)
        literals = [Literal(bit, not number >> i & 1) for i, bit in enumerate(bits)]
        return reduce(expr.logic_and, [self._literal(each) for each in literals])

    def _any(self, literals: Sequence[Literal]) -> expr.Expr:
        return reduce(expr.logic_or, [self._literal(each) for each in literals])

    def _literal(self, literal: Literal | bool) -> expr.Expr:
        if isinstance(literal, bool):
            return expr.lift(literal)
        bit = expr.lift(self.clbits[literal.bit])
        return expr.logic_not(bit) if literal.negated else bit

    def _same(self, a: Literal | bool, b: Literal | bool) -> expr.Expr:
        if isinstance(a, bool):
            a, b = b, a
        if isinstance(b, bool):
            return self._literal(a) if b else expr.logic_not(self._literal(a))
        return expr.logic_not(expr.bit_xor(self._literal(a), self._literal(b)))

    def _whole(self, word: Sequence[Literal | bool]) -> ClassicalRegister | None:
        """Return the register whose bits a number is, below zeros."""
        bits = []
        for each in word:
            if not isinstance(each, Literal) or each.negated:
                break
            bits.append(each.bit)
        if any(each is not False for each in word[len(bits) :]):
            return None
        return self.registers.get(tuple(bits))


def widened(value: Value, target: Type) -> Value:
    """Return a word as another integer or register type."""
    assert isinstance(value.content, Word)
    literals = value.content.literals
    fill = literals[-1] if value.type.kind is Kind.INT else False
    literals += (fill,) * (target.bits - len(literals))
    return word_value(Type(target.kind, target.width), literals[: target.bits])


def _literals(value: Value) -> tuple[Literal | bool, ...]:
    if isinstance(value.content, Word):
        return value.content.literals
    if value.known is None:
        raise TooWideError
    number = int(value.known) % (1 << value.type.bits)
    return tuple(bool(number >> i & 1) for i in range(value.type.bits))


def _sign_flipped(word: tuple[Literal | bool, ...]) -> tuple[Literal | bool, ...]:
    """Return a two's complement shifted by half its range, so that it compares unsigned."""
    *rest, sign = word
    flipped = Literal(sign.bit, not sign.negated) if isinstance(sign, Literal) else not sign
    return (*rest, flipped)


def _number(word: Sequence[Literal | bool], unknown: bool) -> int:
    """Return a number, with all unknown bits being alike."""
    return sum((unknown if isinstance(each, Literal) else each) << i for i, each in enumerate(word))


def _known(word: Sequence[Literal | bool]) -> int | None:
    return None if any(isinstance(each, Literal) for each in word) else _number(word, False)


def _bits(*words: Sequence[Literal | bool]) -> frozenset[int]:
    return frozenset(each.bit for word in words for each in word if isinstance(each, Literal))
