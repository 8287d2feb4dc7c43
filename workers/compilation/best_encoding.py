"""Orders of a game in its best encoding: those that are compiled in full are recorded, each alone.

A record of one encoding answers the order of that encoding. The winner's answers the order that
left it open, and keeps what came of the others.
"""

from concurrent.futures import Executor
from functools import partial
from time import perf_counter

from attrs import asdict, evolve
from sqlalchemy.orm import Session

from compiler.compilation.plan import Plan
from games import BEST_ENCODING
from games.contest import Contest, Made
from games.sources import read_game, read_program
from workers.compilation.compiling import (
    Progress,
    calls_of,
    compile_program,
    figures_of,
    verify_compilation,
)
from workers.compilation.orders import PlannedOrder
from workers.records.tables import Compilation


def carry_out(
    session: Session, planned: PlannedOrder, pool: Executor | None, progress: Progress
) -> Compilation:
    """Compile and prove what was ordered, in the encoding that was asked for or in the best.

    Raises:
        LoweringError: if no pipeline got through.
        VerificationError: if everything that got through is proven wrong.
    """
    if planned.order.encoding == BEST_ENCODING:
        return compile_best(session, planned, pool, progress)
    made = compile_program(session, planned, pool, progress)
    return verify_compilation(session, made, pool, progress)


def compile_best(
    session: Session,
    planned: PlannedOrder,
    pool: Executor | None,
    progress: Progress,
    order_digest: str | None = None,
) -> Compilation:
    """Try the encodings of a game, and return the record of the best, proven.

    Args:
        session: where those that are compiled in full are recorded.
        planned: an order that leaves the encoding open.
        pool: processes that make the calls, None for this one.
        progress: hears of each step.
        order_digest: of the recorded order that this carries out; see `compile_program`.

    Raises:
        LoweringError: if no encoding gets through any pipeline.
        VerificationError: if all that get through are proven wrong.
    """
    # A transaction that is open while others compute would be taken for one that was forgotten.
    session.commit()
    order, started = planned.order, perf_counter()
    if order_digest is None and order.time_limit is None:
        order_digest = order.digest

    def late() -> bool:
        return order.time_limit is not None and perf_counter() - started > order.time_limit

    def carry_out_one(plan: Plan) -> Made[Compilation]:
        left = order.time_limit and max(0.0, order.time_limit - (perf_counter() - started))
        alone = PlannedOrder(
            evolve(order, target=str(plan.target), encoding=plan.program.encoding, time_limit=left),
            plan,
        )
        progress(f"{order.source.name} on {plan.target}: in encoding {plan.program.encoding}")
        made = compile_program(session, alone, pool, progress)
        verify_compilation(session, made, pool, progress)
        return Made(made, made.verified, figures_of(made.chosen))

    contest = Contest(
        read_game(order.source),
        partial(read_program, order.source),
        order.target,
        order.options,
        calls_of(pool, late),
        perf_counter,
        late,
    )
    progress(f"{order.source.name} on {order.target}: trying all encodings")
    winner, encodings = contest.won(carry_out_one)
    for one in encodings:
        if one.left_out:
            progress(f"{order.source.name} on {order.target}: left out {one.name}: {one.left_out}")
    winner.encodings = [asdict(one) for one in encodings]
    winner.order_digest = order_digest
    session.commit()
    return winner
