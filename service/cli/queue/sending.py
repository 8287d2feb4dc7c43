"""Runs that make one job, messages of new jobs to workers, and reports to their user."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from uuid import uuid4

from attrs import evolve
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from backends import backend_from_spec
from compiler.compilation.listener import Each
from compiler.errors import InputError, MissingExtraError
from compiler.words.plurals import how_many
from service.cli.output.printing import print_json, progress, say
from service.results.jobs.submission import SubmittedJobs
from workers.batches.batch import Batch
from workers.batches.submitting import least_cost_of, submit_batch
from workers.compilation.orders import plan_order
from workers.jobs.request import Submission
from workers.jobs.states import Queue, State, queue_of
from workers.jobs.submission import least_cost_usd, submit
from workers.jobs.without_queue import finish_job
from workers.mitigation.methods import check_methods, treatments_of
from workers.queue.fairness import is_local
from workers.queue.heartbeats import listeners, nobody_listens, runners
from workers.records.database import open_database
from workers.records.tables import Job
from workers.settings import Settings, exact_usd, settings


def send_or_say(jobs: list[int], queue: Queue, unattended: Iterable[Queue]) -> None:
    """Tell the workers of jobs, or the user that there is no worker."""
    if problem := _send(jobs, queue, settings().redis):
        say(f"{problem}; the jobs are recorded, and wait for a worker")
    for missing in unattended:
        say(nobody_listens(missing))


def hand_over(
    record: Callable[[Session, Settings], Sequence[Job]],
    database: str = "",
    *,
    backends: Iterable[str] = (),
    queue: Queue = Queue.COMPILE,
) -> tuple[dict[int, State], list[int], Decimal]:
    """Record jobs, send them to the workers, and say which queues no worker listens to.

    Args:
        record: Records the jobs.
        database: Of the records; as set, if empty.
        backends: Of the child jobs, if the jobs are parent jobs.
        queue: Of the jobs' first work.

    Returns:
        The states of the jobs by number, the numbers of those that were not recorded before, and
        their least cost in US dollars.

    Raises:
        MissingExtraError: If the queue's packages are not installed; nothing is recorded.
    """
    MissingExtraError.require("redis")
    set_ = settings()
    with Session(open_database(database or set_.database)) as session:
        last = session.scalar(select(func.max(Job.id))) or 0
        jobs = record(session, set_)
        states = {job.id: State(job.state) for job in jobs}
        new = [job for job in jobs if job.id > last]
        cost = sum((least_cost_usd(job.backend, job.shots, 1) for job in new), Decimal(0))
        new_numbers = [job.id for job in new]
        unattended = unattended_queues(session, {*backends, *(job.backend for job in jobs)})
    send_or_say(list(states), queue, unattended)
    return states, new_numbers, cost


def hand_over_job(submission: Submission, database: str = "") -> tuple[int, Decimal]:
    """Hand over a checked submission of one job; return its number, and its least cost if new."""
    states, _, cost = hand_over(
        lambda session, limits: submit(session, limits, submission), database
    )
    return next(iter(states)), cost


def hand_over_batch(
    batch: Batch, *, key: str, tag: str | None, limit: Decimal | None, database: str, as_json: bool
) -> int:
    """Hand over a batch as one job, print it, and return its number.

    Args:
        batch: With jobs that have been checked.
        key: The same one again is the same job.
        tag: Of all its jobs.
        limit: Of the cost of all of them together.
        database: Of the records; as set, if empty.
        as_json: Whether the result is printed as one JSON object.
    """
    states, new, _ = hand_over(
        lambda session, limits: [
            submit_batch(session, limits, batch, key=key, tag=tag, max_cost_usd=limit)
        ],
        database,
        backends=(job.backend for job in batch.all_jobs),
    )
    print_submitted(states, new, least_cost_of(batch), as_json=as_json)
    return next(iter(states))


def print_submitted(
    states: Mapping[int, State], new: list[int], cost: Decimal, *, as_json: bool
) -> None:
    """Report the jobs to the user, with a lower bound of their cost."""
    if as_json:
        print_json(SubmittedJobs(jobs=list(states), new=new, least_cost_usd=cost))
        return
    for job, state in states.items():
        print(f"job {job}: {'new' if job in new else _recorded(job, state)}")
    if cost:
        it_costs = "it costs" if len(new) == 1 else "together they cost"
        say(f"{it_costs} at least {exact_usd(cost)} USD")


def _recorded(job: int, state: State) -> str:
    again = state in (State.FAILED, State.CANCELLED)
    return f"{state} already" + (f" (stichwerk retry {job})" if again else "")


def unattended_queues(session: Session, backends: Iterable[str]) -> list[Queue]:
    """Return the queues of jobs for these backends that have no worker."""
    on_the_way = (State.QUEUED, State.SUBMITTING, State.AT_PROVIDER, State.SCORING)
    needed = {
        queue_of(state, local=is_local(backend)) for backend in backends for state in on_the_way
    }
    listening = listeners(runners(session))
    return [queue for queue, processes in listening.items() if not processes and queue in needed]


def _send(jobs: list[int], queue: Queue, redis: str) -> str | None:
    """Send messages, and return the fault of Redis if that is not possible."""
    from redis.exceptions import RedisError

    from workers.queue.broker import send_if_possible
    from workers.queue.lengths import broker_problem, queue_lengths

    try:
        # Celery would try for some seconds to reach a Redis that is away.
        queue_lengths(redis)()
    except RedisError as error:
        return broker_problem(redis, error)
    # Earlier submissions get another message, which does no harm.
    if all(send_if_possible(job, queue) for job in jobs):
        return None
    return "Redis did not take all messages"


def batch_of(submissions: Sequence[Submission], methods: Sequence[str]) -> tuple[str, Batch]:
    """Return the key and the batch of several runs; report the plan of mitigating ones.

    Args:
        submissions: one for each set of values, question or card, checked; the raw run alone if it
            is to be mitigated.
        methods: of mitigation.

    Raises:
        InputError: if each of several is to be mitigated or repeated, or the backend does not
            support a method.
    """
    first, name = submissions[0], submissions[0].order.source.name
    if len(submissions) > 1 or not methods:
        if methods or first.repeat > 1:
            raise InputError(
                "several circuits make one job of several runs: leave out --mitigation and "
                "--repeat, or give one set of values or one question"
            )
        key, jobs = _numbered("bound", submissions)
        more = f" and {len(jobs) - 1} more" if len(jobs) > 1 else ""
        return key, Batch(f"{name}{more}"[:200], jobs)
    if first.repeat > 1:
        raise InputError("--mitigation makes one job of several: leave out --repeat")
    circuit = plan_order(first.order)[1].program.circuit
    backend = backend_from_spec(first.backend)
    check_methods(first.backend, backend, methods, circuit, first.shots)
    treated = [evolve(first, run_options=treatment) for treatment in treatments_of(methods)]
    key, jobs = _numbered("mitigated", treated)
    batch = Batch(f"{name} mitigated"[:200], jobs, mitigation=tuple(methods))
    cost, raw = least_cost_of(batch), least_cost_of(Batch("raw", jobs[:1]))
    money = f"at least {cost - raw:.4f} USD more than {raw:.4f} USD" if cost else "no charge"
    extra = len(jobs) - 1
    say(
        f"{', '.join(methods)}: {how_many(extra, 'more circuit')} and "
        f"{how_many(extra * first.shots, 'more shot')} than the raw run's {first.shots:,}, {money}"
    )
    return key, batch


def _numbered(kind: str, runs: Iterable[Submission]) -> tuple[str, tuple[Submission, ...]]:
    """Return a new key, and runs with keys and seeds of their own."""
    key = f"{kind}:{uuid4().hex}"
    return key, tuple(
        evolve(run, seed=run.seed + place, max_cost_usd=None, idempotency_key=f"{key}:{place}")
        for place, run in enumerate(runs)
    )


def finish_batch(
    session: Session, key: str, batch: Batch, limit: Decimal | None, each: Each
) -> tuple[Job, list[Job]]:
    """Run a batch in this process, and return the parent job and the runs' jobs.

    Raises:
        InputError: if it costs too much.
        BackendError: if the backend refuses or fails one of the runs.
    """
    tag = batch.jobs[0].tag
    parent = submit_batch(
        session, settings(), batch, key=key, tag=tag, max_cost_usd=limit, due=False
    )
    finish_job(session, parent, progress=progress, each=each)
    jobs = select(Job).where(Job.parent_id == parent.id).order_by(Job.id)
    return parent, list(session.scalars(jobs))
