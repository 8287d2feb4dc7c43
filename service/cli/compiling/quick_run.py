"""Run of a game on a backend after one quick attempt of the compiler."""

from sqlalchemy.orm import Session

from backends import check_runnable, target_on
from compiler.compilation import Options
from games.sources import Source
from games.training import CircuitRun
from service.cli.output.printing import say
from service.results.jobs.scores import scores_of
from workers.compilation.best_encoding import carry_out
from workers.compilation.orders import CompileOrder, plan
from workers.jobs.request import check_shots
from workers.jobs.submission import least_cost_usd
from workers.jobs.without_queue import run_job
from workers.records.database import open_database
from workers.scoring import counts_of
from workers.settings import settings


def run_game(source: Source, backend: str, shots: int, options: Options) -> CircuitRun:
    """Compile a game, run it, record it, and return its scores.

    Args:
        source: the game.
        backend: that runs it.
        shots: of the circuit.
        options: of the compiler; the seed is also the backend's.

    Raises:
        InputError: if the game, the shots or the backend are invalid.
        BackendError: if the backend refuses or fails the circuit.
    """
    check_shots(shots)
    planned = plan(CompileOrder(source, target_on(backend, ""), options))
    check_runnable(backend, planned.plan.program.circuit)
    cost = least_cost_usd(backend, shots, 1)
    if cost:
        say(f"{source.name}: costs at least {cost.normalize():f} USD")
    with Session(open_database(settings().database)) as session:
        compilation = carry_out(session, planned, None, say)
        job = run_job(session, compilation, backend, shots, options.seed, progress=say)
        gates = compilation.chosen.two_qubit_gates
        assert gates is not None, "what was run has been lowered"
        observables = scores_of(job)["raw"].model_dump()["observables"]
        return CircuitRun(job.id, counts_of(job), gates, observables)
