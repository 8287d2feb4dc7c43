"""Running a native circuit again, however compilers have changed since."""

from decimal import Decimal

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from backends import check_shots_on, target_on
from compiler.errors import InputError, TargetError
from workers.accounts.budgets import microusd
from workers.clock import database_now
from workers.jobs.journal import note
from workers.jobs.lookup import find_job
from workers.jobs.states import State
from workers.jobs.submission import check_numbers
from workers.records.devices import recall_device
from workers.records.tables import Job
from workers.settings import Settings


def run_again(
    session: Session,
    set_: Settings,
    job_id: int,
    *,
    backend: str = "",
    shots: int | None = None,
    repeat: int = 1,
    tag: str | None = None,
    max_cost_usd: Decimal | None = None,
) -> list[Job]:
    """Record jobs of the very native circuit of another one, due at once.

    Each takes a seed that no job of the circuit has had, so that simulators draw other shots.
    Budgets are asked when a worker submits them.

    Args:
        session: of the records.
        set_: with the limit of a job's cost.
        job_id: number of the job that ran the circuit.
        backend: where they are to run; where the job did, if empty.
        shots: of each; as many as the job's, if None.
        repeat: how many.
        tag: a name under which they are found again.
        max_cost_usd: what each may cost.

    Raises:
        InputError: saying what is wrong with what was asked.
    """
    like = find_job(session, job_id)
    compilation = like.compilation
    if compilation is None or not compilation.ready:
        raise InputError(f"job {like.id} has no circuit yet: it is {like.state}")
    if compilation.chosen.native is None:
        raise InputError(f"the circuit of job {like.id} was not kept: submit its program again")
    recall_device(session, compilation.target)
    shots = like.shots if shots is None else shots
    check_numbers(shots, repeat, tag)
    backend = backend or like.backend
    try:
        target_on(backend, compilation.target)
    except TargetError as error:
        raise TargetError(f"the circuit of job {like.id}: {error}") from error
    check_shots_on(backend, shots)
    of_circuit = select(func.max(Job.seed)).where(Job.compilation_id == compilation.id)
    seed = 1 + (session.scalar(of_circuit) or 0)
    limits = [usd for usd in (max_cost_usd, set_.job_budget_usd) if usd is not None]
    at = database_now(session)
    jobs = [
        like.another(
            max_calibration_hours=None,
            order_digest=None,
            target=compilation.target,
            backend=backend,
            shots=shots,
            seed=seed + place,
            tag=tag,
            token_id=None,
            state=State.SUBMITTING,
            due_at=at,
            max_cost_microusd=microusd(min(limits)) if limits else None,
        )
        for place in range(repeat)
    ]
    session.add_all(jobs)
    for job in jobs:
        note(session, job, State.SUBMITTING, f"the circuit of job {like.id} again")
    session.commit()
    return jobs
