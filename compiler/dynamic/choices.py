"""Choice of a branch's body by classical bits: a condition or a switch."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import frozen
from qiskit.circuit import (
    CASE_DEFAULT,
    ClassicalRegister,
    Clbit,
    ControlFlowOp,
    IfElseOp,
    SwitchCaseOp,
)
from qiskit.circuit.classical import expr

from compiler.dynamic.expressions import Known, Word, read_bits, value_of
from compiler.errors import InputError

MAX_READ = 128
"""Bits that one condition may read."""

MAX_CASES = 1 << 12
"""Combinations of bits that a condition may tell apart, each with as few bits as decide it."""

Reads: TypeAlias = ClassicalRegister | Clbit | expr.Expr


@frozen
class Ask:
    """A test of one bit, and the next test for each of its values."""

    bit: Clbit
    zero: "Tree"
    one: "Tree"


Tree: TypeAlias = Ask | int | None
"""Questions after bits, until the number of the body is known, or that it is none."""


@frozen
class Choice:
    """Choice of the body of a branch.

    Args:
        reads: the bits that may decide, each once.
        tree: tests one bit after the other, and only those that matter after earlier values.
    """

    reads: tuple[Clbit, ...]
    tree: Tree

    def body(self, values: Mapping[Clbit, bool]) -> int | None:
        """Return the number of the body that is run, None for no body."""
        result = self.tree
        while isinstance(result, Ask):
            result = result.one if values[result.bit] else result.zero
        return result

    def when(self, body: int) -> list[Known]:
        """Return the values of bits with which a body is run; no two cases hold together."""
        return [values for values, chosen in self.cases() if chosen == body]

    def cases(self) -> Iterator[tuple[Known, int | None]]:
        """Yield the possible values, and the body for each."""
        open_: list[tuple[dict[Clbit, bool], Tree]] = [({}, self.tree)]
        while open_:
            values, part = open_.pop()
            if isinstance(part, Ask):
                open_.append((values | {part.bit: True}, part.one))
                open_.append((values | {part.bit: False}, part.zero))
            else:
                yield values, part


def choice_of(operation: ControlFlowOp) -> Choice:
    """Return the choice between the blocks of an `if`, `else` or `switch`.

    Raises:
        InputError: if it reads too many bits, tells too many of their combinations apart, or
            reads something else than bits.
    """
    if isinstance(operation, IfElseOp):
        condition = operation.condition
        if not isinstance(condition, expr.Expr):
            condition = expr.lift_legacy_condition(condition)
        return _choice(condition, _truth, len(operation.blocks))
    if isinstance(operation, SwitchCaseOp):
        bodies, default = _bodies(operation)
        chosen = _cases(bodies, default)
        return _choice(operation.target, chosen, len(operation.blocks), list(bodies))
    raise InputError(f"'{operation.name}' is no branch")


Labels: TypeAlias = Sequence[int]
Chosen: TypeAlias = Callable[[Word, Labels], tuple[int | Clbit | None, Labels]]
"""Returns the body of a value, or a bit that must be known first; and the bodies of some labels
that the value can still have. Known bits of a value stay known when more bits are."""


def _truth(word: Word, labels: Labels) -> tuple[int | Clbit, Labels]:
    (bit,) = word
    return bit if isinstance(bit, Clbit) else int(not bit), labels


def _bodies(operation: SwitchCaseOp) -> tuple[dict[int, int], int | None]:
    """Return the body of each label, and the default one."""
    bodies: dict[Any, int] = {}
    for body, (labels, _) in enumerate(operation.cases_specifier()):
        for label in labels:
            bodies.setdefault(label if label is CASE_DEFAULT else int(label), body)
    default = bodies.pop(CASE_DEFAULT, None)
    return bodies, default


def _cases(bodies: Mapping[int, int], default: int | None) -> Chosen:
    def chosen(word: Word, labels: Labels) -> tuple[int | Clbit | None, Labels]:
        possible = _possible(word, labels)
        if not possible:
            return default, possible
        unknown = [bit for bit in word if isinstance(bit, Clbit)]
        return (unknown[-1] if unknown else bodies[possible[0]]), possible

    return chosen


def _possible(word: Word, labels: Labels) -> Labels:
    """Return those of some labels that a word can be."""
    mask = sum(1 << place for place, bit in enumerate(word) if not isinstance(bit, Clbit))
    ones = sum(1 << place for place, bit in enumerate(word) if bit is True)
    return [label for label in labels if not label >> len(word) and label & mask == ones]


def _choice(decides: Reads, chosen: Chosen, bodies: int, labels: Labels = ()) -> Choice:
    reads = tuple(dict.fromkeys(read_bits(decides)))
    if len(reads) > MAX_READ:
        raise InputError(
            f"a condition reads {len(reads)} bits; at most {MAX_READ} are taken: compare fewer"
        )
    cases = 0

    def grown(values: dict[Clbit, bool], labels: Labels) -> Tree:
        nonlocal cases
        choice, left = chosen(value_of(decides, values), labels)
        if isinstance(choice, Clbit):
            zero, one = (grown(values | {choice: value}, left) for value in (False, True))
            return Ask(choice, zero, one)
        cases += 1
        if cases > MAX_CASES:
            raise InputError(
                f"a condition on {len(reads)} bits tells more than {MAX_CASES} of their values "
                "apart; compare fewer bits at a time, or split it into several"
            )
        return choice if choice in range(bodies) else None

    return Choice(reads, grown({}, labels))
