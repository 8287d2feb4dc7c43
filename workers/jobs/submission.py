"""Jobs are taken in: checked, priced and recorded; or run again with the circuit of another."""

from datetime import datetime
from decimal import Decimal

from attrs import evolve
from sqlalchemy import ColumnElement, exists, func, literal, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from backends import ProviderBackend, backend_from_spec, check_runnable, check_shots_on, target_on
from compiler.errors import InputError, StichwerkError, TargetError
from workers.accounts.budgets import check_budgets, microusd
from workers.clock import database_now, database_time
from workers.compilation.orders import CompileOrder, plan_on
from workers.jobs.journal import note
from workers.jobs.lookup import find_job
from workers.jobs.request import Submission, check_shots, jobs_of_key, numbered_key
from workers.jobs.states import OPEN, JobKind, State
from workers.records.devices import keep_device, recall_device
from workers.records.tables import Job, Order
from workers.settings import Settings

MAX_REPEATS = 1000
MAX_SEED = 2**31 - 1
MAX_TAG = 80
MAX_PROGRAM = 200
MAX_SPEC = 80


class QuotaError(InputError):
    """A token has as many unfinished jobs as it may have."""


class EndedError(StichwerkError):
    """A job has ended, and begins no further round."""


def checked(submission: Submission) -> Submission:
    """Check the parts of a submission that need no records, and fill in its order.

    This reads the program, which takes as long as the program is large.

    Raises:
        InputError: with the fault.
    """
    check_numbers(submission.shots, submission.repeat, submission.tag)
    if not 0 <= submission.seed <= submission.seed + submission.repeat - 1 <= MAX_SEED:
        raise InputError(f"seed = {submission.seed}: each job's seed must be from 0 to {MAX_SEED}")
    for name, text, most in (
        ("program", submission.order.source.name, MAX_PROGRAM),
        ("backend", submission.backend, MAX_SPEC),
        ("target", submission.order.target, MAX_SPEC),
    ):
        if len(text) > most:
            raise InputError(f"{name} '{text[:20]}…': its name has more than {most} characters")
    check_recompilation(submission)
    target_on(submission.backend, submission.order.target)
    check_shots_on(submission.backend, submission.shots)
    order, plan = plan_on(submission.backend, submission.order)
    check_runnable(submission.backend, plan.program.circuit)
    return evolve(submission, order=order)


def check_recompilation(submission: Submission) -> None:
    """Refuse a limit of the calibration's age where there is no calibration of now.

    Raises:
        InputError: naming the backend.
    """
    hours, backend = submission.max_calibration_hours, submission.backend
    if hours is not None and not isinstance(backend_from_spec(backend), ProviderBackend):
        raise InputError(f"backend '{backend}' has no current calibration. Omit recompile-after")


def check_numbers(shots: int, repeat: int, tag: str | None) -> None:
    """Check how many jobs of how many shots are asked for, under which tag.

    Raises:
        InputError: if that is not possible.
    """
    check_shots(shots)
    if not 1 <= repeat <= MAX_REPEATS:
        raise InputError(f"repeat = {repeat}: must be from 1 to {MAX_REPEATS}")
    if tag is not None and not (0 < len(tag) <= MAX_TAG and tag.isprintable()):
        raise InputError(f"tag: must have 1 to {MAX_TAG} printable characters")


def submit(
    session: Session, set_: Settings, submission: Submission, *, due: bool = True
) -> list[Job]:
    """Record jobs that have been checked; the same ones again for the same key.

    Args:
        session: of the database that holds the records.
        set_: with the budgets and limits.
        submission: a result of `checked`.
        due: whether workers take them; else this process does, see `finish_job`.

    Raises:
        BudgetError: if they would cost too much.
        ConflictError: if their key belongs to another request.
        QuotaError: if their token has too many unfinished jobs.
        EndedError: if the job of which it is a round has ended.
    """
    # The limit of a batch is no limit of one job.
    budget = None if submission.kind == JobKind.BATCH else set_.job_budget_usd
    limit = _limit(submission.max_cost_usd, budget)
    recorded = jobs_of_key(session, submission, limit)
    if recorded:
        return recorded
    at, open_, order_known = _looked(session, submission)
    _check_quota(set_, submission, open_)
    machine = backend_from_spec(submission.backend)
    if isinstance(machine, ProviderBackend) and submission.kind != JobKind.BATCH:
        cost = microusd(machine.least_cost_usd(submission.shots))
        tag, token_id = submission.tag, submission.token_id
        check_budgets(session, set_, cost, tag=tag, token_id=token_id, max_cost=limit)
        check_budgets(session, set_, cost * submission.repeat, tag=tag, token_id=token_id)
    if submission.parent_id is not None:
        _hold_open(session, submission.parent_id)
    if not order_known:
        record_order(session, submission.order)
    due_at = at if due else None
    jobs = [_job(submission, place, limit, due_at) for place in range(submission.repeat)]
    session.add_all(jobs)
    for job in jobs:
        note(session, job, "", State.QUEUED)
    try:
        session.commit()
    except IntegrityError:
        # Another process has used the key, or recorded the order, between our look and our commit.
        session.rollback()
        return submit(session, set_, submission, due=due)
    return jobs


def least_cost_usd(backend: str, shots: int, jobs: int) -> Decimal:
    """Return a lower bound of the cost of jobs of so many shots, before they are compiled."""
    machine = backend_from_spec(backend)
    if not isinstance(machine, ProviderBackend):
        return Decimal(0)
    return machine.least_cost_usd(shots) * jobs


def _limit(*usd: Decimal | None) -> int | None:
    """Return the cost limit of a job by this process's settings, which workers then use as well."""
    return min((microusd(limit) for limit in usd if limit is not None), default=None)


def _job(submission: Submission, place: int, limit: int | None, due_at: datetime | None) -> Job:
    order = submission.order
    columns = submission.columns(place) | {"idempotency_key": numbered_key(submission, place)}
    if submission.provider_key is not None:
        columns["key"] = submission.provider_key
    return Job(
        **columns,
        order_digest=order.digest,
        program=order.source.name,
        target=order.target,
        state=State.QUEUED,
        due_at=due_at,
        # Set, so that the database need not be asked for it.
        finished_at=None,
        max_cost_microusd=limit,
    )


def _hold_open(session: Session, parent_id: int) -> None:
    """Keep a job from ending before its new round is recorded, which it then ends, too."""
    # An update that changes nothing holds the row; it is not through the row's version.
    held = session.connection().execute(
        update(Job).where(Job.id == parent_id, Job.state.in_(OPEN)).values(parent_id=Job.parent_id)
    )
    if not held.rowcount:
        raise EndedError(f"job {parent_id} has ended: it begins no further round")


def _looked(session: Session, submission: Submission) -> tuple[datetime, int, bool]:
    """Return the database's time, how many of the token's jobs are open, and if the order is known.

    All in one question, since each takes its time.
    """
    mine: ColumnElement[int] = literal(0)
    if submission.token_id is not None:
        # By the states that an index finds: a token may have very many jobs that have ended.
        of_token = (Job.token_id == submission.token_id, Job.state.in_(OPEN))
        mine = select(func.count()).where(*of_token).scalar_subquery()
    query = exists().where(Order.digest == submission.order.digest)
    at, open_, order_known = session.execute(select(database_time(), mine, query)).one()
    return at, open_, order_known


def _check_quota(set_: Settings, submission: Submission, open_: int) -> None:
    if submission.token_id is not None and open_ + submission.repeat > set_.most_jobs:
        raise QuotaError(
            f"{open_} jobs of this token are open, at most {set_.most_jobs} are allowed: wait "
            "until jobs end, or cancel some"
        )


def record_order(session: Session, order: CompileOrder) -> None:
    """Record an order with the device of its target; the caller commits."""
    keep_device(session, order.target)
    session.add(
        Order(
            digest=order.digest,
            program=order.source.name,
            source=order.source.content,
            expected=order.source.expected or None,
            target=order.target,
            options=order.as_json(),
        )
    )


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
    """Record jobs with the same native circuit as another job, due at once.

    Each takes a seed that no job of the circuit has had, so that simulators draw other shots.
    A worker checks budgets when it submits them.

    Args:
        session: of the records.
        set_: with the limit of a job's cost.
        job_id: number of the job that ran the circuit.
        backend: of the new jobs; that of the job, if empty.
        shots: of each; as many as the job's, if None.
        repeat: how many.
        tag: of the new jobs.
        max_cost_usd: limit of the cost of each.

    Raises:
        InputError: with the fault.
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
            max_cost_microusd=_limit(max_cost_usd, set_.job_budget_usd),
        )
        for place in range(repeat)
    ]
    session.add_all(jobs)
    for job in jobs:
        note(session, job, f"the circuit of job {like.id} again")
    session.commit()
    return jobs
