"""Carrying out one order and counting: calls that any process can make."""

from compiler.compilation import compile
from compiler.errors import InputError, LoweringError, VerificationError
from workers.compilation.orders import CompileOrder, plan, settled_order
from workers.gate_counts.counts import Counts


def objection(order: CompileOrder) -> str:
    """Return what is wrong with an order, `""` if it can be carried out."""
    try:
        plan(order)
    except InputError as error:
        return str(error)
    return ""


def counted(order: CompileOrder) -> Counts:
    """Compile, prove and count; nothing is recorded."""
    order, program = settled_order(order)
    try:
        compiled = compile(program, order.target, order.options)
    except (LoweringError, VerificationError) as error:
        return Counts.of_failure(error)
    figures = compiled.figures
    return Counts(
        figures.two_qubit_gates,
        figures.two_qubit_depth,
        figures.depth,
        figures.gates,
        compiled.verified,
    )
