"""What commands of families are given to work with."""

from time import thread_time

from compiler.compilation import Options
from games.commands import AskedEstimate, Means, Ran, ReadyEstimate, Run
from games.sources import Source
from service.cli.families.handing_over import hand_over
from service.cli.options import PROCESSES
from service.cli.output.first_time import say_if_first
from service.cli.output.printing import say


def means(*, pictured: bool = False) -> Means:
    """Return a clock, the machine's processors, and what runs games on backends.

    Args:
        pictured: whether the user wants a picture.
    """
    say_if_first("games")
    return Means(thread_time, PROCESSES, say, _run, _check, hand_over, _estimate, pictured)


def _check(backend: str, by_workers: bool) -> None:
    from backends import target_on

    target_on(backend)
    if not by_workers:
        from workers.jobs.without_queue import check_account

        check_account(backend)


def _run(wanted: Run) -> Ran:
    """Run a game on a backend as the command `run` does, in one quick attempt."""
    # Records take long to import, and most commands need none.
    from sqlalchemy.orm import Session

    from backends import check_runnable, target_on
    from service.results.jobs.scores import scores_of
    from workers.compilation.best_encoding import carry_out
    from workers.compilation.orders import CompileOrder, plan
    from workers.jobs.request import check_shots
    from workers.jobs.submission import least_cost_usd
    from workers.jobs.without_queue import run_job
    from workers.records.database import open_database
    from workers.scoring import counts_of
    from workers.settings import settings

    check_shots(wanted.shots)
    order = CompileOrder(
        Source(wanted.name, wanted.document.encode()),
        target_on(wanted.backend, ""),
        Options("fast", seed=wanted.seed, pipelines=wanted.pipelines),
    )
    checked = plan(order)
    check_runnable(wanted.backend, checked.plan.program.circuit)
    cost = least_cost_usd(wanted.backend, wanted.shots, 1)
    if cost:
        say(f"{wanted.name}: costs at least {cost.normalize():f} USD")
    with Session(open_database(settings().database)) as session:
        compilation = carry_out(session, checked, None, say)
        job = run_job(session, compilation, wanted.backend, wanted.shots, wanted.seed, progress=say)
        gates = compilation.chosen.two_qubit_gates
        assert gates is not None, "what was run has been lowered"
        observables = scores_of(job)["raw"].model_dump()["observables"]
        return Ran(job.id, observables, counts_of(job), gates, compilation.verified)


def _estimate(asked: AskedEstimate) -> ReadyEstimate:
    # Estimators load statistics, which most commands need none of.
    from service.cli.families.estimating import ready

    return ready(asked)
