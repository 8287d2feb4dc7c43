"""Carrying out one order and counting: calls that any process can make."""

from attrs import evolve

from compiler.compilation import Compiled
from compiler.compilation.listener import Listener
from compiler.compilation.portfolio import carry_out
from compiler.errors import InputError, LoweringError, VerificationError
from games import BEST_ENCODING, compile_best
from games.sources import Source, read_game
from workers.compilation.orders import CompileOrder, plan_order
from workers.gate_counts.counts import Counts
from workers.gate_counts.programs import AMPLIFIED, Amplified, written


def objection(order: CompileOrder) -> str:
    """Return what is wrong with an order, `""` if it can be carried out.

    To amplify a game takes long: it is asked whether the game alone can be compiled so.
    """
    try:
        plan_order(_alone(order))
    except InputError as error:
        return str(error)
    return ""


def counted(order: CompileOrder) -> Counts:
    """Compile, prove and count; nothing is recorded."""
    try:
        compiled = _compiled(order)
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


def _alone(order: CompileOrder) -> CompileOrder:
    """Return the order of a game alone for that of an amplified one."""
    if not order.source.name.startswith(AMPLIFIED):
        return order
    amplified_ = Amplified.named(order.source.name)
    return evolve(order, source=Source(amplified_.game), encoding=amplified_.event.program.encoding)


def _compiled(order: CompileOrder) -> Compiled:
    settled, plan = plan_order(evolve(order, source=written(order.source)))
    if settled.encoding == BEST_ENCODING:
        return compile_best(read_game(order.source), order.target, order.options).compiled
    return carry_out(plan, Listener())
